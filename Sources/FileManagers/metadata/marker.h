#pragma once

#include "ledger.h"
#include "shared/badge-images.h"

/*
 * Gives items the emblems of their badges, a moment later, so that what passes quickly leaves no trace, and takes them
 * away again.
 *
 * An open window shows a new emblem only after the item was touched. A program that is just reading the file in order
 * to transfer it has to take that for a modification and begins anew, and one that looks at the file afterwards reads
 * all of it again to see that nothing changed. So a file keeps the emblem that it has while it waits for a transfer or
 * is in one, and what a touch makes of its badge changes nothing. Directories are not transferred: they show every
 * badge.
 */

typedef struct Marker Marker;

/* Both must outlive it. */
Marker *marker_new(Ledger *ledger, const BadgeImages *images);
void marker_free(Marker *marker);

/* The item has this badge now, or with NULL none that is to be shown; then its folder may be NULL if it is no longer
 * known. */
void marker_want(Marker *marker, const char *item_uri, const char *folder_uri, const char *badge);

/* Takes away every emblem that was ever given, at once. Those of items that are not there now stay recorded. The number
 * that was taken away. */
guint marker_withdraw_all(Marker *marker);
