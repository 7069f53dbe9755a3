#include "directories.h"

struct Directories {
    GHashTable *by_uri;
    const DirectoryEvents *events;
};

Directories *directories_new(const DirectoryEvents *events)
{
    Directories *directories = g_new(Directories, 1);
    directories->events = events;
    directories->by_uri = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)directory_free);
    return directories;
}

void directories_free(Directories *directories)
{
    g_hash_table_unref(directories->by_uri);
    g_free(directories);
}

Directory *directories_find(const Directories *directories, const char *uri)
{
    return g_hash_table_lookup(directories->by_uri, uri);
}

Directory *directories_ensure(Directories *directories, const char *uri)
{
    Directory *directory = directories_find(directories, uri);
    if (directory == NULL) {
        directory = directory_new(uri, directories->events);
        g_hash_table_insert(directories->by_uri, directory->uri, directory);
    }
    return directory;
}

void directories_remove(Directories *directories, const char *uri)
{
    g_hash_table_remove(directories->by_uri, uri);
}

void directories_visit(
    const Directories *directories, void (*visit)(Directory *directory, gpointer data), gpointer data)
{
    GHashTableIter iterator;
    gpointer directory;
    g_hash_table_iter_init(&iterator, directories->by_uri);
    while (g_hash_table_iter_next(&iterator, NULL, &directory))
        visit(directory, data);
}

void directories_remove_if(
    Directories *directories, gboolean (*is_removed)(Directory *directory, gpointer data), gpointer data)
{
    GHashTableIter iterator;
    gpointer directory;
    g_hash_table_iter_init(&iterator, directories->by_uri);
    while (g_hash_table_iter_next(&iterator, NULL, &directory)) {
        if (is_removed(directory, data))
            g_hash_table_iter_remove(&iterator);
    }
}
