#include "nautilus-windows.h"

#include "item-uri.h"
#include "names.h"

#define LOCATIONS_PROPERTY "OpenWindowsWithLocations"

enum { HINT_SECONDS = 3 };

static struct {
    Observer *observer;
    GDBusConnection *bus;
    GCancellable *lifetime;
    guint subscription;
    GHashTable *listed; /* directory URIs that the property names */
    GHashTable *hinted; /* others that are about to be named */
    guint hint_expiry;
} windows;

static GHashTable *new_set(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static gboolean hide_hinted(gpointer uri, gpointer value, gpointer data)
{
    (void)value, (void)data;
    observer_hide(windows.observer, uri);
    return TRUE;
}

static gboolean expire_hints(gpointer data)
{
    windows.hint_expiry = 0;
    g_hash_table_foreach_remove(windows.hinted, hide_hinted, data);
    observer_prune(windows.observer);
    return G_SOURCE_REMOVE;
}

static GHashTable *read_locations(GVariant *value)
{
    GHashTable *locations = new_set();
    GVariantIter rows;
    GVariantIter *uris;
    g_variant_iter_init(&rows, value);
    while (g_variant_iter_loop(&rows, "{&sas}", NULL, &uris)) {
        const char *uri;
        while (g_variant_iter_next(uris, "&s", &uri)) {
            char *canonical = item_uri_canonical(uri);
            if (canonical != NULL)
                g_hash_table_add(locations, canonical);
        }
    }
    return locations;
}

static void take_locations(GVariant *value)
{
    if (!g_variant_is_of_type(value, G_VARIANT_TYPE("a{sas}")))
        return;
    g_autoptr(GHashTable) before = windows.listed;
    windows.listed = read_locations(value);
    GHashTableIter locations;
    gpointer uri;
    g_hash_table_iter_init(&locations, windows.listed);
    while (g_hash_table_iter_next(&locations, &uri, NULL)) {
        if (!g_hash_table_contains(before, uri) && !g_hash_table_remove(windows.hinted, uri))
            observer_show(windows.observer, uri);
    }
    g_hash_table_iter_init(&locations, before);
    while (g_hash_table_iter_next(&locations, &uri, NULL)) {
        if (!g_hash_table_contains(windows.listed, uri))
            observer_hide(windows.observer, uri);
    }
    observer_prune(windows.observer);
}

static void on_changed(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
    const char *member, GVariant *parameters, gpointer data)
{
    (void)bus, (void)sender, (void)path, (void)interface, (void)member, (void)data;
    if (!g_variant_is_of_type(parameters, G_VARIANT_TYPE("(sa{sv}as)")))
        return;
    g_autoptr(GVariant) changed = g_variant_get_child_value(parameters, 1);
    g_autoptr(GVariant) locations = g_variant_lookup_value(changed, LOCATIONS_PROPERTY, NULL);
    if (locations != NULL)
        take_locations(locations);
}

static void on_locations(GObject *source, GAsyncResult *result, gpointer data)
{
    (void)data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, &error);
    if (reply == NULL) {
        if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            g_debug("Nautilus does not say what it shows yet: %s", error->message);
        return;
    }
    g_autoptr(GVariant) value = NULL;
    g_variant_get(reply, "(v)", &value);
    take_locations(value);
}

static void ensure_sets(Observer *observer)
{
    if (windows.listed != NULL)
        return;
    windows.observer = observer;
    windows.listed = new_set();
    windows.hinted = new_set();
}

/* Asked of this very process by its unique name: another program may own the name org.freedesktop.FileManager1, and
 * another Nautilus has windows of its own. */
void nautilus_windows_begin(Observer *observer, GDBusConnection *bus)
{
    ensure_sets(observer);
    windows.bus = g_object_ref(bus);
    windows.lifetime = g_cancellable_new();
    const char *self = g_dbus_connection_get_unique_name(bus);
    windows.subscription = g_dbus_connection_signal_subscribe(bus, self, PROPERTIES_INTERFACE, "PropertiesChanged",
        FILE_MANAGER_OBJECT_PATH, FILE_MANAGER_INTERFACE, G_DBUS_SIGNAL_FLAGS_NONE, on_changed, NULL, NULL);
    g_dbus_connection_call(bus, self, FILE_MANAGER_OBJECT_PATH, PROPERTIES_INTERFACE, "Get",
        g_variant_new("(ss)", FILE_MANAGER_INTERFACE, LOCATIONS_PROPERTY), G_VARIANT_TYPE("(v)"),
        G_DBUS_CALL_FLAGS_NO_AUTO_START, G_MAXINT, windows.lifetime, on_locations, NULL);
}

void nautilus_windows_end(void)
{
    if (windows.hint_expiry != 0)
        g_source_remove(windows.hint_expiry);
    if (windows.bus != NULL) {
        g_cancellable_cancel(windows.lifetime);
        g_dbus_connection_signal_unsubscribe(windows.bus, windows.subscription);
    }
    g_clear_object(&windows.lifetime);
    g_clear_object(&windows.bus);
    g_clear_pointer(&windows.listed, g_hash_table_unref);
    g_clear_pointer(&windows.hinted, g_hash_table_unref);
    windows.observer = NULL;
    windows.subscription = 0;
    windows.hint_expiry = 0;
}

void nautilus_windows_hint(Observer *observer, const char *directory_uri)
{
    ensure_sets(observer);
    if (g_hash_table_contains(windows.listed, directory_uri))
        return;
    if (g_hash_table_add(windows.hinted, g_strdup(directory_uri)))
        observer_show(observer, directory_uri);
    if (windows.hint_expiry != 0)
        g_source_remove(windows.hint_expiry);
    windows.hint_expiry = g_timeout_add_seconds(HINT_SECONDS, expire_hints, NULL);
}
