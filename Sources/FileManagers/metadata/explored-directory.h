#pragma once

#include <glib.h>

/* One directory that is observed, with the badges of its items that matter. */

typedef struct {
    char *uri;
    guint64 observation; /* its number; answers to an earlier one do not count */
    gboolean is_begun;   /* the service confirmed it */
    GHashTable *badges;  /* name → FoundBadge */
} ExploredDirectory;

typedef struct {
    GRefString *identifier;
    gboolean is_stale; /* from before the present observation */
} FoundBadge;

ExploredDirectory *explored_directory_new(const char *uri);
void explored_directory_free(gpointer directory);

/* Keeps a badge. TRUE if it differs from the item's last one. */
gboolean explored_directory_put(ExploredDirectory *directory, const char *name, const char *identifier);

/* Forgets the badge of an item. */
void explored_directory_drop(ExploredDirectory *directory, const char *name);

void explored_directory_mark_stale(ExploredDirectory *directory);

/* The names of all badges, or of those that are stale, as a new array. */
GPtrArray *explored_directory_names(const ExploredDirectory *directory, gboolean only_stale);
