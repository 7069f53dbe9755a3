#include "session-bus.h"

#include "host/names.h"
#include "main-loop.h"

typedef struct {
    HostLink *link;
    SessionBusReady ready;
    gpointer data;
    GCancellable *lifetime;
    GDBusConnection *connection;
    guint name_watch;
    GCancellable *epoch; /* cancels every call to the current owner of the service's name */
    guint host_signals;
    guint property_signals;
} SessionBus;

/* Calls */

static void on_reply(GObject *source, GAsyncResult *result, gpointer call)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, &error);
    if (reply != NULL) {
        host_call_end(call, reply, NULL);
        return;
    }
    g_autofree char *name = g_dbus_error_get_remote_error(error);
    const HostError failure = { name == NULL ? "" : name, error->message };
    host_call_end(call, NULL, &failure);
}

static void call(gpointer data, const char *owner, const char *interface, const char *method, GVariant *arguments,
    HostCall *host_call)
{
    const SessionBus *bus = data;
    const gboolean is_answered = host_call != NULL;
    g_dbus_connection_call(bus->connection, owner, ROUNDEL_OBJECT_PATH, interface, method, arguments, NULL,
        G_DBUS_CALL_FLAGS_NO_AUTO_START, G_MAXINT, is_answered ? bus->epoch : NULL, is_answered ? on_reply : NULL,
        host_call);
}

/* Signals */

static void on_signal(GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *member, GVariant *parameters, gpointer data)
{
    (void)connection, (void)path;
    const SessionBus *bus = data;
    host_link_receive(bus->link, sender, interface, member, parameters);
}

/* Subscribed by the owner's unique name. The signals of the Host interface are addressed to this connection and need no
 * match rule at the bus. */
static void enter(SessionBus *bus, const char *owner)
{
    bus->epoch = g_cancellable_new();
    bus->host_signals = g_dbus_connection_signal_subscribe(bus->connection, owner, ROUNDEL_HOST_INTERFACE, NULL,
        ROUNDEL_OBJECT_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, on_signal, bus, NULL);
    bus->property_signals = g_dbus_connection_signal_subscribe(bus->connection, owner, PROPERTIES_INTERFACE,
        "PropertiesChanged", ROUNDEL_OBJECT_PATH, ROUNDEL_HOST_INTERFACE, G_DBUS_SIGNAL_FLAGS_NONE, on_signal, bus,
        NULL);
}

static void leave(SessionBus *bus)
{
    if (bus->epoch == NULL)
        return;
    g_dbus_connection_signal_unsubscribe(bus->connection, bus->host_signals);
    g_dbus_connection_signal_unsubscribe(bus->connection, bus->property_signals);
    g_cancellable_cancel(bus->epoch);
    g_clear_object(&bus->epoch);
}

/* The owner of the service's name */

static void on_name_appeared(GDBusConnection *connection, const char *name, const char *owner, gpointer data)
{
    (void)connection, (void)name;
    SessionBus *bus = data;
    leave(bus);
    enter(bus, owner);
    host_link_set_owner(bus->link, owner);
}

static void on_name_vanished(GDBusConnection *connection, const char *name, gpointer data)
{
    (void)connection, (void)name;
    SessionBus *bus = data;
    leave(bus);
    host_link_set_owner(bus->link, NULL);
}

/* Connecting */

static void on_connection(GObject *source, GAsyncResult *result, gpointer data)
{
    (void)source;
    g_autoptr(GError) error = NULL;
    g_autoptr(GDBusConnection) connection = g_bus_get_finish(result, &error);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    if (connection == NULL) {
        g_message("There is no session bus, so there are no badges: %s", error->message);
        return;
    }
    SessionBus *bus = data;
    bus->connection = g_steal_pointer(&connection);
    bus->name_watch = g_bus_watch_name_on_connection(bus->connection, ROUNDEL_BUS_NAME,
        G_BUS_NAME_WATCHER_FLAGS_AUTO_START, on_name_appeared, on_name_vanished, bus, NULL);
    if (bus->ready != NULL)
        bus->ready(bus->connection, bus->data);
}

static void session_bus_free(gpointer data)
{
    SessionBus *bus = data;
    g_cancellable_cancel(bus->lifetime);
    if (bus->name_watch != 0)
        g_bus_unwatch_name(bus->name_watch);
    leave(bus);
    g_object_unref(bus->lifetime);
    g_clear_object(&bus->connection);
    g_free(bus);
}

HostLink *session_bus_link_new(SessionBusReady ready, gpointer data)
{
    static const HostBus methods = { call, session_bus_free };
    SessionBus *bus = g_new0(SessionBus, 1);
    bus->ready = ready;
    bus->data = data;
    bus->link = host_link_new(&methods, bus, &main_loop);
    bus->lifetime = g_cancellable_new();
    g_bus_get(G_BUS_TYPE_SESSION, bus->lifetime, on_connection, bus);
    return bus->link;
}
