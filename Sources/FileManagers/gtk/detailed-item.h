#pragma once

#include "file-manager.h"

/* The item of which a file manager shows details. */

/* The item's canonical URI, if the list holds a single item and it is in a registered folder; else NULL. */
char *detailed_item_uri(GList *items);
