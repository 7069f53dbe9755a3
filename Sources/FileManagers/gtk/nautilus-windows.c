#include "nautilus-windows.h"

#include "program-symbol.h"
#include "host/item-uri.h"
#include "host/names.h"

#define FILE_MANAGER_OBJECT_PATH "/org/freedesktop/FileManager1"
#define FILE_MANAGER_INTERFACE "org.freedesktop.FileManager1"
#define LOCATIONS_PROPERTY "OpenWindowsWithLocations"

enum { HINT_SECONDS = 3 };

static struct {
    Observer *observer;
    GDBusConnection *bus;
    GCancellable *lifetime;
    guint subscription;
    GVariant *locations; /* the property's last value */
    GHashTable *listed;  /* URIs of the directories in its open windows */
    GHashTable *hinted;  /* URIs of others that will be in it soon */
    guint hint_expiry;
    gulong window_removed;
    gpointer (*window_by_id)(GApplication *application, guint id);
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

/* Nautilus keeps a closed window in the property until something else changes. The key of a window is its
 * object path, which ends in the window's number. */
static gboolean is_open(const char *window)
{
    if (windows.window_by_id == NULL)
        return TRUE;
    const char *number = strrchr(window, '/');
    guint64 id;
    if (number == NULL || !g_ascii_string_to_unsigned(number + 1, 10, 0, G_MAXUINT, &id, NULL))
        return TRUE;
    return windows.window_by_id(g_application_get_default(), (guint)id) != NULL;
}

static GHashTable *read_locations(GVariant *value)
{
    GHashTable *locations = new_set();
    GVariantIter rows;
    const char *window;
    GVariantIter *uris;
    g_variant_iter_init(&rows, value);
    while (g_variant_iter_loop(&rows, "{&sas}", &window, &uris)) {
        const char *uri;
        while (is_open(window) && g_variant_iter_next(uris, "&s", &uri)) {
            char *canonical = item_uri_canonical(uri);
            if (canonical != NULL)
                g_hash_table_add(locations, canonical);
        }
    }
    return locations;
}

static void update_shown(void)
{
    g_autoptr(GHashTable) before = windows.listed;
    windows.listed = read_locations(windows.locations);
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

static void apply_locations(GVariant *value)
{
    if (!g_variant_is_of_type(value, G_VARIANT_TYPE("a{sas}")))
        return;
    g_clear_pointer(&windows.locations, g_variant_unref);
    windows.locations = g_variant_ref(value);
    update_shown();
}

static void on_window_removed(void)
{
    if (windows.locations != NULL)
        update_shown();
}

static void follow_windows(void)
{
    GApplication *application = g_application_get_default();
    if (application == NULL || g_signal_lookup("window-removed", G_OBJECT_TYPE(application)) == 0
        || !program_symbol("gtk_application_get_window_by_id", (gpointer *)&windows.window_by_id))
        return;
    windows.window_removed = g_signal_connect_after(application, "window-removed", G_CALLBACK(on_window_removed), NULL);
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
        apply_locations(locations);
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
    apply_locations(value);
}

static void ensure_sets(Observer *observer)
{
    if (windows.listed != NULL)
        return;
    windows.observer = observer;
    windows.listed = new_set();
    windows.hinted = new_set();
}

/* Addressed to this process by its unique name: another program may own the name org.freedesktop.FileManager1, and
 * another Nautilus has other windows. */
void nautilus_windows_begin(Observer *observer, GDBusConnection *bus)
{
    ensure_sets(observer);
    follow_windows();
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
    if (windows.window_removed != 0 && g_application_get_default() != NULL)
        g_signal_handler_disconnect(g_application_get_default(), windows.window_removed);
    if (windows.bus != NULL) {
        g_cancellable_cancel(windows.lifetime);
        g_dbus_connection_signal_unsubscribe(windows.bus, windows.subscription);
    }
    g_clear_object(&windows.lifetime);
    g_clear_object(&windows.bus);
    g_clear_pointer(&windows.locations, g_variant_unref);
    g_clear_pointer(&windows.listed, g_hash_table_unref);
    g_clear_pointer(&windows.hinted, g_hash_table_unref);
    windows.observer = NULL;
    windows.subscription = 0;
    windows.hint_expiry = 0;
    windows.window_removed = 0;
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
