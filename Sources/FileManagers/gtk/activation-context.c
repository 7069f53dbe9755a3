#include "activation-context.h"

#ifdef FM_NAUTILUS

#include <gio/gio.h>

#include "program-symbol.h"

static gboolean is_a(gpointer object, const char *type_name)
{
    GType type = g_type_from_name(type_name);
    return object != NULL && type != 0 && G_TYPE_CHECK_INSTANCE_TYPE(object, type);
}

static guint32 event_time(void)
{
    gpointer (*get_display)(void) = NULL;
    guint32 (*get_user_time)(gpointer display) = NULL;
    if (!program_symbol("gdk_display_get_default", (gpointer *)&get_display)
        || !program_symbol("gdk_x11_display_get_user_time", (gpointer *)&get_user_time))
        return 0;
    gpointer display = get_display();
    return is_a(display, "GdkX11Display") ? get_user_time(display) : 0;
}

static gulong window_number(gpointer window)
{
    (void)window;
    gpointer (*get_active_window)(gpointer application) = NULL;
    gpointer (*get_surface)(gpointer native) = NULL;
    gulong (*get_number)(gpointer surface) = NULL;
    GApplication *application = g_application_get_default();
    if (!is_a(application, "GtkApplication")
        || !program_symbol("gtk_application_get_active_window", (gpointer *)&get_active_window)
        || !program_symbol("gtk_native_get_surface", (gpointer *)&get_surface)
        || !program_symbol("gdk_x11_surface_get_xid", (gpointer *)&get_number))
        return 0;
    gpointer active = get_active_window(application);
    gpointer surface = active == NULL ? NULL : get_surface(active);
    return is_a(surface, "GdkX11Surface") ? get_number(surface) : 0;
}

#else

#include <gtk/gtk.h>
#include <gdk/gdkx.h>

static guint32 event_time(void)
{
    return gtk_get_current_event_time();
}

static gulong window_number(gpointer window)
{
    GdkWindow *surface = window == NULL ? NULL : gtk_widget_get_window(window);
    return surface != NULL && GDK_IS_X11_WINDOW(surface) ? gdk_x11_window_get_xid(surface) : 0;
}

#endif

GVariant *activation_context_options(gpointer window)
{
    GVariantDict options;
    g_variant_dict_init(&options, NULL);
    guint32 time = event_time();
    if (time != 0)
        g_variant_dict_insert(&options, "timestamp", "u", time);
    gulong number = window_number(window);
    if (number != 0) {
        g_autofree char *parent = g_strdup_printf("x11:%lx", number);
        g_variant_dict_insert(&options, "parent-window", "s", parent);
    }
    return g_variant_dict_end(&options);
}
