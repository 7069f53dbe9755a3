#pragma once

#include "badge.h"
#include "file-manager.h"

/* One directory that the file manager shows or asked about, with what is known of its items. */

typedef struct Directory Directory;
typedef struct Observer Observer;

typedef struct {
    Directory *directory;
    char *name; /* percent-encoded segment */
    Badge badge;
    FmFileInfo *item; /* weak; NULL when the file manager has no object for the name */
    gboolean asked;   /* by name, in the present observation */
    gboolean stale;   /* from before the present observation; kept until its answer, so that nothing flickers */
} DirectoryEntry;

typedef enum {
    DIRECTORY_UNOBSERVED,
    DIRECTORY_BEGINNING, /* BeginObserving was sent */
    DIRECTORY_OBSERVED,
} DirectoryState;

struct Directory {
    Observer *observer;
    char *uri;
    guint shown; /* how many places of this process show it */
    DirectoryState state;
    guint64 generation; /* of the observation; replies to an earlier one do not count */
    gboolean listed;    /* every item with a badge is known */
    GHashTable *entries;
    GHashTable *unasked; /* entries for the next RequestBadges */
    guint batch;         /* the source that will send it */
};

Directory *directory_new(Observer *observer, const char *uri);
void directory_free(Directory *directory);

/* Whether nothing is shown, known or followed here any more. */
gboolean directory_is_unused(const Directory *directory);

/* Nothing is to be asked by name any more. */
void directory_cancel_batch(Directory *directory);

DirectoryEntry *directory_ensure(Directory *directory, const char *name);
void directory_remove(Directory *directory, DirectoryEntry *entry);

/* Ties the entry to the file manager's object. The object is not kept alive. */
void directory_entry_attach(DirectoryEntry *entry, FmFileInfo *item);

typedef void (*DirectoryEntryVisitor)(DirectoryEntry *entry, gpointer data);

/* Visits the entries. The visitor may change or remove the one that it is given, no other. */
void directory_visit(Directory *directory, DirectoryEntryVisitor visit, gpointer data);
