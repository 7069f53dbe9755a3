#pragma once

#include "host/host-link.h"

/*
 * The directory outside the registered folders about which Thunar asked last. A symbolic link or a second mount may
 * lead from it into a folder, which the service is asked once; until it has answered the directory counts as in none.
 */

typedef struct Places Places;

Places *places_new(HostLink *link);
void places_free(Places *places);

/* Whether an item of this directory, or the directory itself, is in a registered folder, as far as that is known. */
gboolean places_hold(Places *places, const char *directory_uri, const char *item_uri);
