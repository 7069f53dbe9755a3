#include "icon-search-path.h"

#include <glib.h>
#include <string.h>

static gboolean is_icons_of(const char *data_directory, const char *path)
{
    g_autofree char *icons = g_build_filename(data_directory, "icons", NULL);
    return strcmp(icons, path) == 0;
}

static gboolean is_searched_anyway(const char *path)
{
    if (is_icons_of(g_get_user_data_dir(), path))
        return TRUE;
    for (const char *const *directory = g_get_system_data_dirs(); *directory != NULL; directory++) {
        if (is_icons_of(*directory, path))
            return TRUE;
    }
    return FALSE;
}

/* Each directory that is appended makes GTK read every theme and draw every window again. */
void icon_search_path_add(const char *path, void (*append)(const char *path))
{
    static char *added;
    if (!g_path_is_absolute(path) || g_strcmp0(path, added) == 0 || is_searched_anyway(path))
        return;
    g_free(added);
    added = g_strdup(path);
    append(path);
}
