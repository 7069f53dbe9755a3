#pragma once

#include "arrivals.h"
#include "directories.h"
#include "habits.h"
#include "host-link.h"

/* How the badges of an observed directory are requested: all at once, or by name in batches. */

typedef struct BadgeRequests BadgeRequests;

/* The arguments must outlive it. */
BadgeRequests *badge_requests_new(
    HostLink *link, const Directories *directories, Arrivals *arrivals, const Habits *habits);
void badge_requests_free(BadgeRequests *requests);

/* The observation has begun: requests the badges of everything that the file manager shows. */
void badge_requests_begin(BadgeRequests *requests, Directory *directory);

/* The file manager asked about an item of an observed directory. */
void badge_requests_add(BadgeRequests *requests, DirectoryEntry *entry);
