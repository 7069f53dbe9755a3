#include "directory.h"

static void on_item_finalised(gpointer data, GObject *item)
{
    (void)item;
    DirectoryEntry *entry = data;
    entry->item = NULL;
    if (badge_is_none(&entry->badge))
        directory_remove(entry->directory, entry);
}

static void detach(DirectoryEntry *entry)
{
    if (entry->item != NULL)
        g_object_weak_unref(G_OBJECT(entry->item), on_item_finalised, entry);
    entry->item = NULL;
}

static void entry_free(gpointer pointer)
{
    DirectoryEntry *entry = pointer;
    detach(entry);
    g_hash_table_remove(entry->directory->unasked, entry);
    badge_clear(&entry->badge);
    g_free(entry->name);
    g_free(entry);
}

Directory *directory_new(const char *uri)
{
    Directory *directory = g_new0(Directory, 1);
    directory->uri = g_strdup(uri);
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
    return directory->shown == 0 && g_hash_table_size(directory->entries) == 0;
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
    if (entry->item == item)
        return;
    detach(entry);
    entry->item = item;
    g_object_weak_ref(G_OBJECT(item), on_item_finalised, entry);
}

void directory_visit(Directory *directory, DirectoryEntryVisitor visit, gpointer data)
{
    g_autoptr(GList) entries = g_hash_table_get_values(directory->entries);
    for (GList *link = entries; link != NULL; link = link->next)
        visit(link->data, data);
}
