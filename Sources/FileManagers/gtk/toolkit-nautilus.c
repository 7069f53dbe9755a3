#include "gio/toolkit.h"

#include "program-symbol.h"
#include "gio/activation-options.h"

#include <gio/gio.h>

/* GTK 4, which is found in Nautilus: its extension library does not need it. */

static guint32 event_time(void)
{
    gpointer (*get_display)(void) = NULL;
    guint32 (*get_user_time)(gpointer display) = NULL;
    if (!program_symbol("gdk_display_get_default", (gpointer *)&get_display)
        || !program_symbol("gdk_x11_display_get_user_time", (gpointer *)&get_user_time))
        return 0;
    gpointer display = get_display();
    return program_object_is(display, "GdkX11Display") ? get_user_time(display) : 0;
}

static gulong active_window_number(void)
{
    gpointer (*get_active_window)(gpointer application) = NULL;
    gpointer (*get_surface)(gpointer native) = NULL;
    gulong (*get_number)(gpointer surface) = NULL;
    GApplication *application = g_application_get_default();
    if (!program_object_is(application, "GtkApplication")
        || !program_symbol("gtk_application_get_active_window", (gpointer *)&get_active_window)
        || !program_symbol("gtk_native_get_surface", (gpointer *)&get_surface)
        || !program_symbol("gdk_x11_surface_get_xid", (gpointer *)&get_number))
        return 0;
    gpointer active = get_active_window(application);
    gpointer surface = active == NULL ? NULL : get_surface(active);
    return program_object_is(surface, "GdkX11Surface") ? get_number(surface) : 0;
}

/* The launch context of the program's display, which the caller releases; NULL if it is not a Wayland display. */
static GAppLaunchContext *wayland_launch_context(void)
{
    gpointer (*get_display)(void) = NULL;
    gpointer (*get_context)(gpointer display) = NULL;
    if (!program_symbol("gdk_display_get_default", (gpointer *)&get_display)
        || !program_symbol("gdk_display_get_app_launch_context", (gpointer *)&get_context))
        return NULL;
    gpointer display = get_display();
    return program_object_is(display, "GdkWaylandDisplay") ? get_context(display) : NULL;
}

/* Nautilus does not say for which window it asks; the menu is in the active one. */
GVariant *toolkit_activation_options(gpointer window)
{
    (void)window;
    g_autoptr(GAppLaunchContext) context = wayland_launch_context();
    if (context != NULL)
        return activation_options_new_for_wayland(context);
    return activation_options_new(event_time(), active_window_number());
}

void toolkit_set_clipboard(const char *text)
{
    gpointer (*get_display)(void) = NULL;
    gpointer (*get_clipboard)(gpointer display) = NULL;
    void (*set_text)(gpointer clipboard, const char *text) = NULL;
    if (!program_symbol("gdk_display_get_default", (gpointer *)&get_display)
        || !program_symbol("gdk_display_get_clipboard", (gpointer *)&get_clipboard)
        || !program_symbol("gdk_clipboard_set_text", (gpointer *)&set_text))
        return;
    gpointer display = get_display();
    if (display != NULL)
        set_text(get_clipboard(display), text);
}

void toolkit_append_icon_path(const char *path)
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

/* A search path that is set is searched anew, be it the same. */
void toolkit_reread_icons(void)
{
    gpointer (*get_display)(void) = NULL;
    gpointer (*get_theme)(gpointer display) = NULL;
    char **(*get_search_path)(gpointer theme) = NULL;
    void (*set_search_path)(gpointer theme, const char *const *path) = NULL;
    if (!program_symbol("gdk_display_get_default", (gpointer *)&get_display)
        || !program_symbol("gtk_icon_theme_get_for_display", (gpointer *)&get_theme)
        || !program_symbol("gtk_icon_theme_get_search_path", (gpointer *)&get_search_path)
        || !program_symbol("gtk_icon_theme_set_search_path", (gpointer *)&set_search_path))
        return;
    gpointer display = get_display();
    if (display == NULL)
        return;
    gpointer theme = get_theme(display);
    g_auto(GStrv) path = get_search_path(theme);
    set_search_path(theme, (const char *const *)path);
}
