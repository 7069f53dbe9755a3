#include "folders.h"

#include "item-uri.h"

#include <string.h>

struct Folders {
    GPtrArray *uris;
    GHashTable *parents;
    GPtrArray *spellings; /* pairs of URIs of the same directory */
};

Folders *folders_new(void)
{
    Folders *folders = g_new(Folders, 1);
    folders->uris = g_ptr_array_new_with_free_func(g_free);
    folders->parents = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    folders->spellings = g_ptr_array_new_with_free_func(g_free);
    return folders;
}

void folders_free(Folders *folders)
{
    g_ptr_array_unref(folders->uris);
    g_hash_table_unref(folders->parents);
    g_ptr_array_unref(folders->spellings);
    g_free(folders);
}

void folders_add_spelling(Folders *folders, const char *directory_uri, const char *other_uri)
{
    g_ptr_array_add(folders->spellings, g_strdup(directory_uri));
    g_ptr_array_add(folders->spellings, g_strdup(other_uri));
    g_ptr_array_add(folders->spellings, g_strdup(other_uri));
    g_ptr_array_add(folders->spellings, g_strdup(directory_uri));
}

static void add(Folders *folders, char *folder)
{
    g_ptr_array_add(folders->uris, folder);
    char *parent = item_uri_parent(folder);
    if (parent != NULL)
        g_hash_table_add(folders->parents, parent);
}

static void add_other_spellings(Folders *folders, const char *folder)
{
    for (guint i = 0; i < folders->spellings->len; i += 2) {
        const char *directory = g_ptr_array_index(folders->spellings, i);
        const char *other = g_ptr_array_index(folders->spellings, i + 1);
        if (item_uri_is_within(folder, directory))
            add(folders, g_strconcat(other, folder + strlen(directory), NULL));
        else if (item_uri_is_within(directory, folder))
            add(folders, g_strdup(other));
    }
}

void folders_set(Folders *folders, GVariant *value)
{
    folders_clear(folders);
    GVariantIter rows;
    const char *uri;
    g_variant_iter_init(&rows, value);
    while (g_variant_iter_next(&rows, "&s", &uri)) {
        char *folder = item_uri_canonical(uri);
        if (folder == NULL)
            continue;
        add_other_spellings(folders, folder);
        add(folders, folder);
    }
}

void folders_clear(Folders *folders)
{
    g_ptr_array_set_size(folders->uris, 0);
    g_hash_table_remove_all(folders->parents);
}

gboolean folders_hold(const Folders *folders, const char *item_uri)
{
    for (guint i = 0; i < folders->uris->len; i++) {
        if (item_uri_is_within(item_uri, g_ptr_array_index(folders->uris, i)))
            return TRUE;
    }
    return FALSE;
}

gboolean folders_may_monitor(const Folders *folders, const char *directory_uri)
{
    return g_hash_table_contains(folders->parents, directory_uri) || folders_hold(folders, directory_uri);
}

const GPtrArray *folders_uris(const Folders *folders)
{
    return folders->uris;
}
