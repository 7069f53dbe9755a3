#pragma once

#include <glib.h>

/* The service's `Folders` property, so that the service is not asked about directories that it does not monitor. */

typedef struct Folders Folders;

Folders *folders_new(void);
void folders_free(Folders *folders);

/* From now on, folders in one of these two spellings of a directory are known in the other spelling, too. */
void folders_add_spelling(Folders *folders, const char *directory_uri, const char *other_uri);

/* Replaces them all by a value of type `as`. */
void folders_set(Folders *folders, GVariant *value);
void folders_clear(Folders *folders);

/* Whether the directory is a registered folder, lies below one, or is the parent of one. */
gboolean folders_may_monitor(const Folders *folders, const char *directory_uri);

/* Whether the item is a registered folder or lies below one. */
gboolean folders_hold(const Folders *folders, const char *item_uri);

/* Their canonical URIs. */
const GPtrArray *folders_uris(const Folders *folders);
