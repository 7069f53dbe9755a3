#pragma once

#include "file-manager.h"
#include "shared/badge.h"

/* One directory that the file manager shows or asked about, and what is known of its items. */

typedef struct Directory Directory;

/* No entry has objects any more. It is called while the last one is finalised. */
typedef void (*DirectoryDeserted)(gpointer data);

typedef struct {
    Directory *directory;
    char *name; /* percent-encoded segment */
    Badge badge;
    GSList *items;     /* weak; the file manager's objects for the name, see directory_entry_attach */
    gboolean asked;    /* by name, in the current observation */
    gboolean dropped;  /* its badge was taken away, most likely because the item is gone; see directory_entry_drop */
    gboolean returned; /* and the file manager then came with another object for the name */
    gboolean stale;    /* from an earlier observation; kept until the answer of this one, so that nothing flickers */
} DirectoryEntry;

typedef enum {
    DIRECTORY_UNOBSERVED,
    DIRECTORY_ASKED,     /* BeginObserving was sent; it will probably not be monitored, so nothing waits for it */
    DIRECTORY_BEGINNING, /* BeginObserving was sent */
    DIRECTORY_OBSERVED,
} DirectoryState;

struct Directory {
    char *uri;        /* canonical */
    guint places;     /* how many places of this process are made for it, such as tabs, be they in front or not */
    guint shown;      /* how many of them show it */
    guint items;      /* how many entries have objects of the file manager */
    gboolean implied; /* items of it are shown where it is not: in a branch, among search results, on the desktop */
    gboolean doubted; /* implied by what was shown before a place changed; the file manager may ask no more */
    DirectoryState state;
    gboolean refused;   /* the service does not monitor it; not asked again while it is shown and `Folders` stays */
    guint64 generation; /* of the observation; replies to an earlier one do not count */
    gboolean listed;    /* every item with a badge is known */
    GHashTable *entries;
    guint dropped;       /* how many of them are dropped */
    GHashTable *unasked; /* entries for the next RequestBadges */
    guint batch;         /* the source that will send it */
    DirectoryDeserted deserted;
    gpointer deserted_data;
};

Directory *directory_new(const char *uri, DirectoryDeserted deserted, gpointer data);
void directory_free(Directory *directory);

/* Whether it has neither places nor entries, nor an observation, which is to be ended before the directory goes. */
gboolean directory_is_unused(const Directory *directory);

/* Drops what was to be asked by name. */
void directory_cancel_batch(Directory *directory);

DirectoryEntry *directory_ensure(Directory *directory, const char *name);
void directory_remove(Directory *directory, DirectoryEntry *entry);

/* Ties the entry to one more of the file manager's objects, which is not kept alive. There are two of them for a while
 * when a file takes the place of another, and the one that is not shown any more may be the last to be asked about. */
void directory_entry_attach(DirectoryEntry *entry, FmFileInfo *item);

/* The badge of the entry was taken away. The entry is kept for an item that is made again under the name: the badge of
 * that one is asked for by name, since the directory is listed. So many are kept in a directory that hardly any is made
 * again beyond them. */
void directory_entry_drop(DirectoryEntry *entry);
void directory_entry_undrop(DirectoryEntry *entry);

/* Whether nothing depends on the entry. */
gboolean directory_entry_is_unused(const DirectoryEntry *entry);

typedef void (*DirectoryEntryVisitor)(DirectoryEntry *entry, gpointer data);

/* Calls the visitor for each entry. It may change or remove the one that it is given, no other. */
void directory_visit(Directory *directory, DirectoryEntryVisitor visit, gpointer data);
