#pragma once

#include "directory.h"
#include "habits.h"
#include "refresh-queue.h"

/* Keeps in the entries of directories what the service says of them, and has the items that look different shown anew.
 */

typedef struct BadgeValues BadgeValues;

/* NULL for events that do not matter. */
typedef struct {
    /* The values of a directory are known, or will not come. */
    void (*completed)(const char *directory_uri, gpointer data);
    /* The value of an item changed. */
    void (*item_changed)(const char *directory_uri, const char *name, BadgeChange change, gpointer data);
} BadgeValuesEvents;

/* The queue must outlive it. */
BadgeValues *badge_values_new(
    RefreshQueue *refresh, const Habits *habits, const BadgeValuesEvents *events, gpointer data);
void badge_values_free(BadgeValues *values);

/* A value came. The last argument is the BadgeValues, as in all that follow. */
void badge_values_apply(
    Directory *directory, const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer values);

/* Every value of the directory came: what is known from an earlier observation and was not told again is forgotten. */
void badge_values_complete(Directory *directory, gpointer values);

/* The observation is over, and so is everything known through it. */
void badge_values_forget(Directory *directory, gpointer values);

/* For directory_visit */

/* The observation began: what is known of the item from an earlier one counts until this one has told its value. */
void badge_value_expect(DirectoryEntry *entry, gpointer values);

/* Forgets an item without a badge. Most are gone where nobody says so, and the service keeps something for each that it
 * is asked about. The file manager asks again about those that it still has. */
void badge_value_forget_unbadged(DirectoryEntry *entry, gpointer values);

/* Has the item shown anew, or only if it has a badge. */
void badge_value_refresh(DirectoryEntry *entry, gpointer values);
void badge_value_refresh_badged(DirectoryEntry *entry, gpointer values);
