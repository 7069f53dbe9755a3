#include "directory.h"

/* The bound on dropped entries in one directory. */
enum { MOST_DROPPED = 1000 };

static void on_item_finalised(gpointer data, GObject *item)
{
    DirectoryEntry *entry = data;
    Directory *directory = entry->directory;
    entry->items = g_slist_remove(entry->items, item);
    if (entry->items != NULL)
        return;
    directory->items--;
    if (directory_entry_is_unused(entry))
        directory_remove(directory, entry);
    if (directory->items == 0)
        directory->deserted(directory->deserted_data);
}

static void detach_all(DirectoryEntry *entry)
{
    if (entry->items == NULL)
        return;
    for (GSList *link = entry->items; link != NULL; link = link->next)
        g_object_weak_unref(link->data, on_item_finalised, entry);
    g_clear_slist(&entry->items, NULL);
    entry->directory->items--;
}

static void entry_free(gpointer pointer)
{
    DirectoryEntry *entry = pointer;
    detach_all(entry);
    directory_entry_undrop(entry);
    g_hash_table_remove(entry->directory->unasked, entry);
    badge_clear(&entry->badge);
    g_free(entry->name);
    g_free(entry);
}

Directory *directory_new(const char *uri, DirectoryDeserted deserted, gpointer data)
{
    Directory *directory = g_new0(Directory, 1);
    directory->uri = g_strdup(uri);
    directory->deserted = deserted;
    directory->deserted_data = data;
    directory->unasked = g_hash_table_new(NULL, NULL);
    directory->entries = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, entry_free);
    return directory;
}

void directory_free(Directory *directory)
{
    directory_cancel_batch(directory);
    g_hash_table_unref(directory->entries);
    g_hash_table_unref(directory->unasked);
    g_free(directory->uri);
    g_free(directory);
}

gboolean directory_is_unused(const Directory *directory)
{
    return directory->places == 0 && directory->shown == 0 && directory->state == DIRECTORY_UNOBSERVED
           && g_hash_table_size(directory->entries) == 0;
}

void directory_cancel_batch(Directory *directory)
{
    if (directory->batch != 0)
        g_source_remove(directory->batch);
    directory->batch = 0;
    g_hash_table_remove_all(directory->unasked);
}

DirectoryEntry *directory_ensure(Directory *directory, const char *name)
{
    DirectoryEntry *entry = g_hash_table_lookup(directory->entries, name);
    if (entry == NULL) {
        entry = g_new(DirectoryEntry, 1);
        *entry = (DirectoryEntry){ .directory = directory, .name = g_strdup(name), .badge = BADGE_NONE };
        g_hash_table_insert(directory->entries, entry->name, entry);
    }
    return entry;
}

void directory_remove(Directory *directory, DirectoryEntry *entry)
{
    g_hash_table_remove(directory->entries, entry->name);
}

void directory_entry_attach(DirectoryEntry *entry, FmFileInfo *item)
{
    if (g_slist_find(entry->items, item) != NULL)
        return;
    if (entry->items == NULL)
        entry->directory->items++;
    entry->items = g_slist_prepend(entry->items, item);
    entry->returned = entry->dropped;
    g_object_weak_ref(G_OBJECT(item), on_item_finalised, entry);
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
    g_autoptr(GList) entries = g_hash_table_get_values(directory->entries);
    for (GList *link = entries; link != NULL; link = link->next)
        visit(link->data, data);
}
