#pragma once

#include <glib.h>

/* The service's `Folders` property, kept so that nothing is ever asked about a directory that cannot be monitored. */

typedef struct Folders Folders;

Folders *folders_new(void);
void folders_free(Folders *folders);

/* Has every later folder in one of two spellings of a directory known in the other as well. */
void folders_add_spelling(Folders *folders, const char *directory_uri, const char *other_uri);

/* Replaces them all by a value of type `as`. */
void folders_set(Folders *folders, GVariant *value);
void folders_clear(Folders *folders);

/* Whether the directory is a registered folder, lies below one, or is the parent of one. */
gboolean folders_may_monitor(const Folders *folders, const char *directory_uri);

/* Whether the item is a registered folder or lies below one. */
gboolean folders_hold(const Folders *folders, const char *item_uri);

/* The canonical URIs of them all. */
const GPtrArray *folders_uris(const Folders *folders);
