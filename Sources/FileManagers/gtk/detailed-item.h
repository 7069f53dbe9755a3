#pragma once

#include "file-manager.h"

/* What a file manager shows in detail, when it asks what to show about the items of a list. */

/* The canonical URI if there is one item and it is in a registered folder, else NULL. */
char *detailed_item_uri(GList *items);
