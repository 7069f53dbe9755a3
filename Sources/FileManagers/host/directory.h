#pragma once

#include "badge.h"
#include "item-methods.h"

/* One directory that the file manager shows or asked about, and what is known of its items. */

typedef struct Directory Directory;

/* What all directories of a program have in common. */
typedef struct {
    const ItemMethods *items;
    /* The entries of a directory have no objects any more. It is called while the last one goes. */
    void (*deserted)(gpointer data);
    gpointer data;
} DirectoryEvents;

typedef struct DirectoryEntry {
    Directory *directory;
    char *name; /* percent-encoded segment */
    Badge badge;
    GSList *items;     /* the file manager's objects for the name, see directory_entry_attach */
    GList order;       /* in the directory's entries */
    GList turn;        /* in the directory's unasked entries, while it is queued */
    gboolean queued;   /* for the next RequestBadges */
    gboolean asked;    /* by name, in the current observation, or queued for that */
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
    GQueue order;   /* of the entries, the first that was known first: what a file manager shows, it asks about first */
    GQueue unasked; /* entries for the next RequestBadges */
    guint dropped;  /* how many of the entries are dropped */
    const DirectoryEvents *events;
};

/* The events must outlive it. */
Directory *directory_new(const char *uri, const DirectoryEvents *events);
void directory_free(Directory *directory);

/* Identifies one observation of a directory across a call to the service, during which it may end or begin anew, and
 * the directory may be freed. */
typedef struct {
    Directory *directory;
    guint64 generation;
} Observation;

/* The one that the directory has now. */
Observation observation_of(Directory *directory);
void observation_clear(Observation *observation);

/* The observed directory, or NULL if that observation is over. */
Directory *observation_directory(const Observation *observation);

/* Whether it has neither places nor entries, nor an observation, which is to be ended before the directory goes. */
gboolean directory_is_unused(const Directory *directory);

DirectoryEntry *directory_ensure(Directory *directory, const char *name);
void directory_remove(Directory *directory, DirectoryEntry *entry);

/* Ties the entry to one more of the file manager's objects. There are two of them for a while when a file takes the
 * place of another, and the one that is not shown any more may be the last to be asked about. */
void directory_entry_attach(DirectoryEntry *entry, gpointer item);

/* The object is gone. The entry goes with it if nothing else depends on it. */
void directory_entry_lose(DirectoryEntry *entry, gpointer item);

/* Queues the entry for the next RequestBadges, unless it was asked for. TRUE if it is new there. */
gboolean directory_entry_queue(DirectoryEntry *entry);

/* Takes the next entry out of the queue, or NULL. */
DirectoryEntry *directory_next_unasked(Directory *directory);

/* Empties the queue. */
void directory_forget_unasked(Directory *directory);

/* The badge of the entry was taken away. The entry is kept for an item that is made again under the name: the badge of
 * that one is asked for by name, since the directory is listed. So many are kept in a directory that hardly any is made
 * again beyond them. */
void directory_entry_drop(DirectoryEntry *entry);
void directory_entry_undrop(DirectoryEntry *entry);

/* Whether nothing depends on the entry. */
gboolean directory_entry_is_unused(const DirectoryEntry *entry);

typedef void (*DirectoryEntryVisitor)(DirectoryEntry *entry, gpointer data);

/* Calls the visitor for each entry, in their order. It may change or remove the one that it is given, no other. */
void directory_visit(Directory *directory, DirectoryEntryVisitor visit, gpointer data);
