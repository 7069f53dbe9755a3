#include "icon-search-path.h"

#include <glib.h>
#include <string.h>

#ifdef FM_NAUTILUS

#include "program-symbol.h"

static void append_path(const char *path)
{
    gpointer (*get_display)(void) = NULL;
    gpointer (*get_theme)(gpointer display) = NULL;
    void (*add_search_path)(gpointer theme, const char *path) = NULL;
    if (!program_symbol("gdk_display_get_default", (gpointer *)&get_display)
        || !program_symbol("gtk_icon_theme_get_for_display", (gpointer *)&get_theme)
        || !program_symbol("gtk_icon_theme_add_search_path", (gpointer *)&add_search_path))
        return;
    gpointer display = get_display();
    if (display != NULL)
        add_search_path(get_theme(display), path);
}

#else

#include <gtk/gtk.h>

static void append_path(const char *path)
{
    gtk_icon_theme_append_search_path(gtk_icon_theme_get_default(), path);
}

#endif

static gboolean is_icons_of(const char *data_directory, const char *path)
{
    g_autofree char *icons = g_build_filename(data_directory, "icons", NULL);
    return strcmp(icons, path) == 0;
}

/* A path that is added has every theme read and every window drawn again, so none is added that is searched anyway. */
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

void icon_search_path_add(const char *path)
{
    static char *added;
    if (!g_path_is_absolute(path) || g_strcmp0(path, added) == 0 || is_searched_anyway(path))
        return;
    g_free(added);
    added = g_strdup(path);
    append_path(path);
}
