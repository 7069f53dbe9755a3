#pragma once

#include "host-link.h"

/*
 * Everything that the service knows of an observed directory, requested page by page. It always comes to an end: a page
 * is the last one if it says so, if it has no names, if the next one would not begin after it, or if its call fails.
 */

typedef struct {
    /* Whether the observation that the listing belongs to is still there. Without it nothing more is requested, and
     * only `destroy` is called. */
    gboolean (*is_wanted)(gpointer data);
    /* The names of one page, and the reply that holds their values from its second child on. */
    void (*page)(GVariant *names, GVariant *reply, gpointer data);
    /* There are no more pages. */
    void (*ended)(gpointer data);
} DirectoryListingEvents;

/* `destroy` is called with the data when the listing is over, whatever ended it. */
void directory_listing_begin(HostLink *link, const char *directory_uri, const DirectoryListingEvents *events,
    gpointer data, GDestroyNotify destroy);
