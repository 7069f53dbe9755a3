#pragma once

#include "file-manager.h"
#include "shared/badge.h"

/* One directory that the file manager shows or asked about, and what is known of its items. */

typedef struct Directory Directory;

typedef struct {
    Directory *directory;
    char *name; /* percent-encoded segment */
    Badge badge;
    FmFileInfo *item; /* weak; NULL when the file manager has no object for the name */
    gboolean asked;   /* by name, in the current observation */
    gboolean stale;   /* from an earlier observation; kept until the answer of this one, so that nothing flickers */
} DirectoryEntry;

typedef enum {
    DIRECTORY_UNOBSERVED,
    DIRECTORY_ASKED,     /* BeginObserving was sent; it will probably not be monitored, so nothing waits for it */
    DIRECTORY_BEGINNING, /* BeginObserving was sent */
    DIRECTORY_OBSERVED,
} DirectoryState;

struct Directory {
    char *uri;   /* canonical */
    guint shown; /* how many places of this process show it */
    DirectoryState state;
    gboolean refused;   /* the service does not monitor it; not asked again while it is shown and `Folders` stays */
    guint64 generation; /* of the observation; replies to an earlier one do not count */
    gboolean listed;    /* every item with a badge is known */
    GHashTable *entries;
    GHashTable *unasked; /* entries for the next RequestBadges */
    guint batch;         /* the source that will send it */
};

Directory *directory_new(const char *uri);
void directory_free(Directory *directory);

/* Whether it is neither shown nor has entries. */
gboolean directory_is_unused(const Directory *directory);

/* Drops what was to be asked by name. */
void directory_cancel_batch(Directory *directory);

DirectoryEntry *directory_ensure(Directory *directory, const char *name);
void directory_remove(Directory *directory, DirectoryEntry *entry);

/* Ties the entry to the file manager's object, which is not kept alive. */
void directory_entry_attach(DirectoryEntry *entry, FmFileInfo *item);

typedef void (*DirectoryEntryVisitor)(DirectoryEntry *entry, gpointer data);

/* Calls the visitor for each entry. It may change or remove the one that it is given, no other. */
void directory_visit(Directory *directory, DirectoryEntryVisitor visit, gpointer data);
