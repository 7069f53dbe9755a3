#include "directory.h"

/* The bound on dropped entries in one directory. */
enum { MOST_DROPPED = 1000 };

/* Items */

void directory_entry_attach(DirectoryEntry *entry, gpointer item)
{
    if (g_slist_find(entry->items, item) != NULL)
        return;
    if (entry->items == NULL)
        entry->directory->items++;
    entry->items = g_slist_prepend(entry->items, item);
    entry->returned = entry->dropped;
    entry->directory->events->items->follow(item, entry);
}

void directory_entry_lose(DirectoryEntry *entry, gpointer item)
{
    Directory *directory = entry->directory;
    entry->items = g_slist_remove(entry->items, item);
    if (entry->items != NULL)
        return;
    directory->items--;
    if (directory_entry_is_unused(entry))
        directory_remove(directory, entry);
    if (directory->items == 0)
        directory->events->deserted(directory->events->data);
}

static void detach_all(DirectoryEntry *entry)
{
    if (entry->items == NULL)
        return;
    for (GSList *link = entry->items; link != NULL; link = link->next)
        entry->directory->events->items->unfollow(link->data, entry);
    g_clear_slist(&entry->items, NULL);
    entry->directory->items--;
}

/* The queue */

static void unqueue(DirectoryEntry *entry)
{
    if (entry->queued)
        g_queue_unlink(&entry->directory->unasked, &entry->turn);
    entry->queued = FALSE;
}

gboolean directory_entry_queue(DirectoryEntry *entry)
{
    if (entry->asked)
        return FALSE;
    entry->asked = TRUE;
    if (!entry->queued)
        g_queue_push_tail_link(&entry->directory->unasked, &entry->turn);
    entry->queued = TRUE;
    return TRUE;
}

DirectoryEntry *directory_next_unasked(Directory *directory)
{
    DirectoryEntry *entry = g_queue_peek_head(&directory->unasked);
    if (entry != NULL)
        unqueue(entry);
    return entry;
}

void directory_forget_unasked(Directory *directory)
{
    while (directory_next_unasked(directory) != NULL) {
    }
}

/* Entries */

static void entry_free(gpointer pointer)
{
    DirectoryEntry *entry = pointer;
    detach_all(entry);
    directory_entry_undrop(entry);
    unqueue(entry);
    g_queue_unlink(&entry->directory->order, &entry->order);
    badge_clear(&entry->badge);
    g_free(entry->name);
    g_free(entry);
}

DirectoryEntry *directory_ensure(Directory *directory, const char *name)
{
    DirectoryEntry *entry = g_hash_table_lookup(directory->entries, name);
    if (entry == NULL) {
        entry = g_new(DirectoryEntry, 1);
        *entry = (DirectoryEntry){ .directory = directory, .name = g_strdup(name), .badge = BADGE_NONE };
        entry->order.data = entry->turn.data = entry;
        g_queue_push_tail_link(&directory->order, &entry->order);
        g_hash_table_insert(directory->entries, entry->name, entry);
    }
    return entry;
}

void directory_remove(Directory *directory, DirectoryEntry *entry)
{
    g_hash_table_remove(directory->entries, entry->name);
}

void directory_entry_drop(DirectoryEntry *entry)
{
    if (entry->dropped || entry->directory->dropped >= MOST_DROPPED)
        return;
    entry->dropped = TRUE;
    entry->asked = FALSE;
    entry->directory->dropped++;
}

void directory_entry_undrop(DirectoryEntry *entry)
{
    if (!entry->dropped)
        return;
    entry->dropped = FALSE;
    entry->returned = FALSE;
    entry->directory->dropped--;
}

gboolean directory_entry_is_unused(const DirectoryEntry *entry)
{
    return entry->items == NULL && badge_is_none(&entry->badge) && !entry->dropped;
}

void directory_visit(Directory *directory, DirectoryEntryVisitor visit, gpointer data)
{
    GList *next;
    for (GList *link = directory->order.head; link != NULL; link = next) {
        next = link->next;
        visit(link->data, data);
    }
}

/* Directories */

Directory *directory_new(const char *uri, const DirectoryEvents *events)
{
    Directory *directory = g_rc_box_new0(Directory);
    directory->uri = g_strdup(uri);
    directory->events = events;
    g_queue_init(&directory->order);
    g_queue_init(&directory->unasked);
    directory->entries = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, entry_free);
    return directory;
}

static void clear(gpointer directory)
{
    g_free(((Directory *)directory)->uri);
}

void directory_free(Directory *directory)
{
    directory->state = DIRECTORY_UNOBSERVED;
    g_clear_pointer(&directory->entries, g_hash_table_unref);
    g_rc_box_release_full(directory, clear);
}

Observation observation_of(Directory *directory)
{
    return (Observation){ g_rc_box_acquire(directory), directory->generation };
}

void observation_clear(Observation *observation)
{
    g_rc_box_release_full(observation->directory, clear);
}

Directory *observation_directory(const Observation *observation)
{
    Directory *directory = observation->directory;
    const gboolean is_over = directory->state == DIRECTORY_UNOBSERVED
                             || directory->generation != observation->generation;
    return is_over ? NULL : directory;
}

gboolean directory_is_unused(const Directory *directory)
{
    return directory->places == 0 && directory->shown == 0 && directory->state == DIRECTORY_UNOBSERVED
           && g_hash_table_size(directory->entries) == 0;
}
