#pragma once

#include "ledger.h"
#include "host/badge-images.h"

/*
 * Adds the emblems of badges to items and removes them again; after a delay, so that a badge that passes quickly leaves
 * no trace.
 *
 * An open window shows a new emblem only after the item was touched. A program that is reading the file in order to
 * transfer it has to treat that as a modification and start again, and one that checks the file later reads all of it
 * to see that nothing changed. So a file keeps its emblem while it waits for a transfer or is in one, and a badge that
 * only the touch caused changes nothing. Directories are not transferred, so they show every badge.
 */

typedef struct Marker Marker;

/* Both must outlive it. */
Marker *marker_new(Ledger *ledger, const BadgeImages *images);
void marker_free(Marker *marker);

/* The badge that the item has now; NULL for none that is to be shown. Then the folder may be NULL, too, if it is no
 * longer known. */
void marker_want(Marker *marker, const char *item_uri, const char *folder_uri, const char *badge);

/* Removes every emblem that was ever added, at once; those of missing items stay recorded. Returns how many were
 * removed. */
guint marker_withdraw_all(Marker *marker);
