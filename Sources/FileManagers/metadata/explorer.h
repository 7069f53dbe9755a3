#pragma once

#include "host/host-link.h"

/*
 * Finds the items whose badges matter, where no file manager says what it shows. The badge of a directory is the
 * worst of what is in it. So the directory of each registered folder is observed, for the badge of the folder; the
 * folder itself; and below it every directory that is not plainly synced, until it is.
 */

typedef struct Explorer Explorer;

/* Called with the badge that an item is to show from now on; NULL for none. */
typedef void (*ExplorerReport)(const char *item_uri, const char *folder_uri, const char *badge, gpointer data);

/* It must be there for as long as the link. */
Explorer *explorer_new(HostLink *link, ExplorerReport report, gpointer data);
void explorer_free(Explorer *explorer);
