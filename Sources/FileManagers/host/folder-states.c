#include "folder-states.h"

struct FolderStates {
    GHashTable *states; /* URI → state */
};

static GHashTable *new_table(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

FolderStates *folder_states_new(void)
{
    FolderStates *states = g_new(FolderStates, 1);
    states->states = new_table();
    return states;
}

void folder_states_free(FolderStates *states)
{
    g_hash_table_unref(states->states);
    g_free(states);
}

static gboolean is_known(const FolderStates *states, const char *uri, guint32 state)
{
    gpointer known;
    return g_hash_table_lookup_extended(states->states, uri, NULL, &known) && GPOINTER_TO_UINT(known) == state;
}

gboolean folder_states_set(FolderStates *states, GVariant *value)
{
    GHashTable *table = new_table();
    gboolean differs = FALSE;
    GVariantIter rows;
    const char *uri;
    guint32 state;
    g_variant_iter_init(&rows, value);
    while (g_variant_iter_next(&rows, "{&s(u&sy)}", &uri, &state, NULL, NULL)) {
        differs = differs || !is_known(states, uri, state);
        g_hash_table_insert(table, g_strdup(uri), GUINT_TO_POINTER(state));
    }
    differs = differs || g_hash_table_size(table) != g_hash_table_size(states->states);
    g_hash_table_unref(states->states);
    states->states = table;
    return differs;
}

void folder_states_clear(FolderStates *states)
{
    g_hash_table_remove_all(states->states);
}
