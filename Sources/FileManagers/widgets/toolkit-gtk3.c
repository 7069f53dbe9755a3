#include "gio/toolkit.h"

#include "gio/activation-options.h"

#include <gdk/gdkx.h>
#include <gtk/gtk.h>

/* GTK 3, for Nemo, Caja and Thunar. */

static gulong window_number(gpointer window)
{
    GdkWindow *surface = window == NULL ? NULL : gtk_widget_get_window(window);
    return surface != NULL && GDK_IS_X11_WINDOW(surface) ? gdk_x11_window_get_xid(surface) : 0;
}

GVariant *toolkit_activation_options(gpointer window)
{
    return activation_options_new(gtk_get_current_event_time(), window_number(window));
}

void toolkit_set_clipboard(const char *text)
{
    gtk_clipboard_set_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD), text, -1);
}

void toolkit_append_icon_path(const char *path)
{
    gtk_icon_theme_append_search_path(gtk_icon_theme_get_default(), path);
}

void toolkit_reread_icons(void)
{
    gtk_icon_theme_rescan_if_needed(gtk_icon_theme_get_default());
}
