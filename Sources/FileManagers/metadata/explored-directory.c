#include "explored-directory.h"

static void badge_free(gpointer pointer)
{
    FoundBadge *badge = pointer;
    g_ref_string_release(badge->identifier);
    g_free(badge);
}

ExploredDirectory *explored_directory_new(const char *uri)
{
    ExploredDirectory *directory = g_new0(ExploredDirectory, 1);
    directory->uri = g_strdup(uri);
    directory->badges = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, badge_free);
    return directory;
}

void explored_directory_free(gpointer pointer)
{
    ExploredDirectory *directory = pointer;
    g_hash_table_unref(directory->badges);
    g_free(directory->uri);
    g_free(directory);
}

gboolean explored_directory_put(ExploredDirectory *directory, const char *name, const char *identifier)
{
    FoundBadge *badge = g_hash_table_lookup(directory->badges, name);
    if (badge != NULL && g_str_equal(badge->identifier, identifier)) {
        badge->is_stale = FALSE;
        return FALSE;
    }
    badge = g_new(FoundBadge, 1);
    *badge = (FoundBadge){ g_ref_string_new_intern(identifier), FALSE };
    g_hash_table_replace(directory->badges, g_strdup(name), badge);
    return TRUE;
}

void explored_directory_drop(ExploredDirectory *directory, const char *name)
{
    g_hash_table_remove(directory->badges, name);
}

void explored_directory_mark_stale(ExploredDirectory *directory)
{
    GHashTableIter badges;
    gpointer badge;
    g_hash_table_iter_init(&badges, directory->badges);
    while (g_hash_table_iter_next(&badges, NULL, &badge))
        ((FoundBadge *)badge)->is_stale = TRUE;
}

GPtrArray *explored_directory_names(const ExploredDirectory *directory, gboolean only_stale)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter badges;
    gpointer name;
    gpointer badge;
    g_hash_table_iter_init(&badges, directory->badges);
    while (g_hash_table_iter_next(&badges, &name, &badge)) {
        if (!only_stale || ((const FoundBadge *)badge)->is_stale)
            g_ptr_array_add(names, g_strdup(name));
    }
    return names;
}
