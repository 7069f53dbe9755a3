#pragma once

#include "file-manager.h"

/* The canonical URI of the item, or NULL if it is not a local one. An item of a virtual place, such as the recent
 * files, stands for the one that it opens. */
char *shown_item_uri(FmFileInfo *item);
