#include "emblem-list.h"

static gboolean is_ours(const char *emblem, const char *recorded)
{
    return g_str_has_prefix(emblem, OWN_EMBLEM_PREFIX) || g_strcmp0(emblem, recorded) == 0;
}

char **emblem_list_exchange(char *const *emblems, const char *recorded, const char *new_emblem, gboolean *is_added)
{
    GPtrArray *list = g_ptr_array_new();
    *is_added = new_emblem != NULL;
    for (; emblems != NULL && *emblems != NULL; emblems++) {
        if (is_ours(*emblems, recorded))
            continue;
        g_ptr_array_add(list, g_strdup(*emblems));
        if (g_strcmp0(*emblems, new_emblem) == 0)
            *is_added = FALSE;
    }
    if (*is_added)
        g_ptr_array_add(list, g_strdup(new_emblem));
    if (list->len == 0) {
        g_ptr_array_free(list, TRUE);
        return NULL;
    }
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

gboolean emblem_list_equal(char *const *some, char *const *others)
{
    if (some == NULL || others == NULL)
        return some == others;
    return g_strv_equal((const char *const *)some, (const char *const *)others);
}
