#include "provider-interfaces.h"
#include "session.h"
#include "host/item-uri.h"
#ifdef FM_CAJA
#include "location-strip.h"
#endif

/*
 * Nemo and Caja ask for a widget above each folder that they show, in each tab. An empty one is mapped exactly while
 * its folder is shown.
 */

static void on_map(GtkWidget *widget, gpointer data)
{
    (void)widget;
    observer_show(session_get()->observer, data);
}

static void on_unmap(GtkWidget *widget, gpointer data)
{
    (void)widget;
    observer_hide(session_get()->observer, data);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    (void)widget;
    observer_remove_place(session_get()->observer, data);
}

static void free_uri(gpointer uri, GClosure *closure)
{
    (void)closure;
    g_free(uri);
}

static GtkWidget *get_widget(FmLocationWidgetProvider *provider, const char *uri, GtkWidget *window)
{
    (void)provider, (void)window;
    g_autofree char *canonical = item_uri_canonical(uri);
    if (canonical == NULL)
        return NULL;
    observer_add_place(session_get()->observer, canonical);
    GtkWidget *widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    g_signal_connect_data(widget, "map", G_CALLBACK(on_map), g_strdup(canonical), free_uri, 0);
    g_signal_connect_data(widget, "unmap", G_CALLBACK(on_unmap), g_strdup(canonical), free_uri, 0);
    g_signal_connect_data(widget, "destroy", G_CALLBACK(on_destroy), g_strdup(canonical), free_uri, 0);
#ifdef FM_CAJA
    g_signal_connect(widget, "map", G_CALLBACK(location_strip_collapse), NULL);
    g_signal_connect(widget, "unmap", G_CALLBACK(location_strip_restore), NULL);
#endif
    gtk_widget_show(widget);
    return widget;
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    FmLocationWidgetProviderInterface *location_widget_provider = interface;
    location_widget_provider->get_widget = get_widget;
}

void location_widget_register(GTypeModule *module, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    g_type_module_add_interface(module, type, FM_TYPE_LOCATION_WIDGET_PROVIDER, &info);
}
