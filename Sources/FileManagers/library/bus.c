#include "bus.h"

#include "host/names.h"
#include "message-values.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#define OWNER_RULE                                                                                                     \
    "type='signal',sender='" DBUS_SERVICE_DBUS "',interface='" DBUS_INTERFACE_DBUS                                     \
    "',member='NameOwnerChanged',arg0='" ROUNDEL_BUS_NAME "'"
/* The signals of the Host interface are addressed to this connection and need no rule. */
#define PROPERTIES_RULE                                                                                                \
    "type='signal',sender='" ROUNDEL_BUS_NAME "',path='" ROUNDEL_OBJECT_PATH "',interface='" PROPERTIES_INTERFACE      \
    "',arg0='" ROUNDEL_HOST_INTERFACE "'"

/* How long messages are handled in one turn. */
enum { TURN_MICROSECONDS = 8000 };

struct Bus {
    PollLoop *loop;
    DBusConnection *connection;
    GPtrArray *watches; /* of DBusWatch, all of one descriptor */
    GHashTable *calls;  /* DBusPendingCall → HostCall, NULL for those to the bus itself */
    GQueue failed;      /* of HostCall: those that could not be sent */
    guint failing;      /* the source that ends them */
    HostLink *link;     /* NULL before and after */
    gboolean is_lost;
};

/* Descriptors */

static int events_of(const Bus *bus)
{
    guint flags = 0;
    for (guint i = 0; i < bus->watches->len; i++) {
        DBusWatch *watch = g_ptr_array_index(bus->watches, i);
        flags |= dbus_watch_get_enabled(watch) ? dbus_watch_get_flags(watch) : 0;
    }
    return (flags & DBUS_WATCH_READABLE ? EPOLLIN : 0) | (flags & DBUS_WATCH_WRITABLE ? EPOLLOUT : 0);
}

static void watch_anew(Bus *bus)
{
    if (bus->watches->len > 0)
        poll_loop_watch(bus->loop, dbus_watch_get_unix_fd(g_ptr_array_index(bus->watches, 0)), (guint32)events_of(bus));
}

static dbus_bool_t add_watch(DBusWatch *watch, void *data)
{
    Bus *bus = data;
    g_ptr_array_add(bus->watches, watch);
    watch_anew(bus);
    return TRUE;
}

static void remove_watch(DBusWatch *watch, void *data)
{
    Bus *bus = data;
    g_ptr_array_remove(bus->watches, watch);
    if (bus->watches->len == 0)
        poll_loop_watch(bus->loop, -1, 0);
    else
        watch_anew(bus);
}

static void toggle_watch(DBusWatch *watch, void *data)
{
    (void)watch;
    watch_anew(data);
}

static guint flags_of(guint32 events)
{
    return (events & EPOLLIN ? DBUS_WATCH_READABLE : 0) | (events & EPOLLOUT ? DBUS_WATCH_WRITABLE : 0)
           | (events & EPOLLHUP ? DBUS_WATCH_HANGUP : 0) | (events & EPOLLERR ? DBUS_WATCH_ERROR : 0);
}

/* A watch may be removed while another is handled. */
static void handle_watches(const Bus *bus, guint flags)
{
    for (guint i = 0; i < bus->watches->len; i++) {
        DBusWatch *watch = g_ptr_array_index(bus->watches, i);
        const guint wanted = dbus_watch_get_flags(watch) | DBUS_WATCH_HANGUP | DBUS_WATCH_ERROR;
        if (dbus_watch_get_enabled(watch) && (flags & wanted) != 0)
            dbus_watch_handle(watch, flags & wanted);
    }
}

static void on_dispatch_status(DBusConnection *connection, DBusDispatchStatus status, void *data)
{
    (void)connection;
    const Bus *bus = data;
    if (status == DBUS_DISPATCH_DATA_REMAINS)
        poll_loop_wake(bus->loop);
}

/* Calls */

static DBusMessage *bus_call(const char *method)
{
    return dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, method);
}

static void send(const Bus *bus, DBusMessage *message)
{
    dbus_message_set_no_reply(message, TRUE);
    dbus_connection_send(bus->connection, message, NULL);
}

static void end_call(HostCall *call, DBusMessage *reply)
{
    g_autoptr(GVariant) values = message_values_read(reply);
    if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_METHOD_RETURN) {
        host_call_end(call, values, NULL);
        return;
    }
    const char *text = "";
    if (g_variant_n_children(values) > 0) {
        g_autoptr(GVariant) first = g_variant_get_child_value(values, 0);
        text = g_variant_is_of_type(first, G_VARIANT_TYPE_STRING) ? g_variant_get_string(first, NULL) : "";
    }
    const HostError error = { dbus_message_get_error_name(reply), text };
    host_call_end(call, NULL, &error);
}

static void on_reply(DBusPendingCall *pending, void *data)
{
    const Bus *bus = data;
    HostCall *call = g_hash_table_lookup(bus->calls, pending);
    DBusMessage *reply = dbus_pending_call_steal_reply(pending);
    g_hash_table_remove(bus->calls, pending);
    end_call(call, reply);
    dbus_message_unref(reply);
}

static gboolean end_failed(gpointer data)
{
    Bus *bus = data;
    const HostError error = { DBUS_ERROR_DISCONNECTED, "The connection to the session bus is closed" };
    HostCall *call;
    bus->failing = 0;
    while ((call = g_queue_pop_head(&bus->failed)) != NULL)
        host_call_end(call, NULL, &error);
    return G_SOURCE_REMOVE;
}

/* Later, as every call ends. */
static void fail(Bus *bus, HostCall *call)
{
    g_queue_push_tail(&bus->failed, call);
    if (bus->failing == 0)
        bus->failing = host_loop_when_idle(poll_loop_methods(bus->loop), end_failed, bus);
}

/* Without a time-out: the bus answers every call, at the latest when the called program ends. FALSE if it cannot be
 * sent. */
static gboolean send_for_reply(Bus *bus, DBusMessage *message, DBusPendingCallNotifyFunction notify, HostCall *call)
{
    DBusPendingCall *pending = NULL;
    if (!dbus_connection_send_with_reply(bus->connection, message, &pending, DBUS_TIMEOUT_INFINITE) || pending == NULL)
        return FALSE;
    g_hash_table_insert(bus->calls, pending, call);
    dbus_pending_call_set_notify(pending, notify, bus, NULL);
    return TRUE;
}

static void call_host(
    gpointer data, const char *owner, const char *interface, const char *method, GVariant *arguments, HostCall *call)
{
    Bus *bus = data;
    g_autoptr(GVariant) values = g_variant_ref_sink(arguments);
    DBusMessage *message = dbus_message_new_method_call(owner, ROUNDEL_OBJECT_PATH, interface, method);
    const gboolean is_whole = message_values_append(message, values);
    dbus_message_set_auto_start(message, FALSE);
    if (call == NULL)
        send(bus, message);
    else if (!is_whole || !send_for_reply(bus, message, on_reply, call))
        fail(bus, call);
    dbus_message_unref(message);
}

static void leave_link(gpointer data)
{
    Bus *bus = data;
    bus->link = NULL;
}

/* Signals and the owner of the service's name */

static void set_owner(const Bus *bus, const char *owner)
{
    if (bus->link != NULL)
        host_link_set_owner(bus->link, *owner == '\0' ? NULL : owner);
}

static void on_owner(DBusPendingCall *pending, void *data)
{
    const Bus *bus = data;
    const char *owner;
    DBusMessage *reply = dbus_pending_call_steal_reply(pending);
    g_hash_table_remove(bus->calls, pending);
    if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_METHOD_RETURN
        && dbus_message_get_args(reply, NULL, DBUS_TYPE_STRING, &owner, DBUS_TYPE_INVALID))
        set_owner(bus, owner);
    dbus_message_unref(reply);
}

static void on_owner_changed(const Bus *bus, DBusMessage *signal)
{
    const char *name, *before, *owner;
    if (dbus_message_get_args(signal, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &before, DBUS_TYPE_STRING,
            &owner, DBUS_TYPE_INVALID)
        && strcmp(name, ROUNDEL_BUS_NAME) == 0)
        set_owner(bus, owner);
}

static void receive(const Bus *bus, DBusMessage *signal)
{
    const char *interface = dbus_message_get_interface(signal);
    const gboolean is_meant = strcmp(interface, ROUNDEL_HOST_INTERFACE) == 0
                              || dbus_message_is_signal(signal, PROPERTIES_INTERFACE, "PropertiesChanged");
    if (!is_meant || !dbus_message_has_path(signal, ROUNDEL_OBJECT_PATH))
        return;
    g_autoptr(GVariant) values = message_values_read(signal);
    host_link_receive(bus->link, dbus_message_get_sender(signal), interface, dbus_message_get_member(signal), values);
}

static DBusHandlerResult on_message(DBusConnection *connection, DBusMessage *message, void *data)
{
    (void)connection;
    Bus *bus = data;
    if (bus->link == NULL || dbus_message_get_type(message) != DBUS_MESSAGE_TYPE_SIGNAL)
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    if (dbus_message_is_signal(message, DBUS_INTERFACE_LOCAL, "Disconnected")) {
        bus->is_lost = TRUE;
        set_owner(bus, "");
    } else if (dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged")
               && dbus_message_has_sender(message, DBUS_SERVICE_DBUS)) {
        on_owner_changed(bus, message);
    } else {
        receive(bus, message);
    }
    return DBUS_HANDLER_RESULT_HANDLED;
}

/* Connecting */

static void on_hello(DBusPendingCall *pending, void *data)
{
    const Bus *bus = data;
    const char *name;
    DBusMessage *reply = dbus_pending_call_steal_reply(pending);
    g_hash_table_remove(bus->calls, pending);
    if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_METHOD_RETURN
        && dbus_message_get_args(reply, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID))
        dbus_bus_set_unique_name(bus->connection, name);
    dbus_message_unref(reply);
}

static void send_rule(const Bus *bus, const char *rule)
{
    DBusMessage *message = bus_call("AddMatch");
    dbus_message_append_args(message, DBUS_TYPE_STRING, &rule, DBUS_TYPE_INVALID);
    send(bus, message);
    dbus_message_unref(message);
}

/* The bus handles calls in their order, so what comes after the rules is not missed. The service is started where it is
 * installed. */
static void greet(Bus *bus)
{
    const char *name = ROUNDEL_BUS_NAME;
    const dbus_uint32_t no_flags = 0;
    DBusMessage *hello = bus_call("Hello");
    DBusMessage *start = bus_call("StartServiceByName");
    DBusMessage *owner = bus_call("GetNameOwner");
    dbus_message_append_args(start, DBUS_TYPE_STRING, &name, DBUS_TYPE_UINT32, &no_flags, DBUS_TYPE_INVALID);
    dbus_message_append_args(owner, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
    send_for_reply(bus, hello, on_hello, NULL);
    send_rule(bus, OWNER_RULE);
    send_rule(bus, PROPERTIES_RULE);
    send(bus, start);
    send_for_reply(bus, owner, on_owner, NULL);
    dbus_message_unref(hello);
    dbus_message_unref(start);
    dbus_message_unref(owner);
}

/* The bus is never started, and only a local socket is connected to without waiting. */
static DBusConnection *connect_to(const char *addresses)
{
    g_auto(GStrv) list = g_strsplit(addresses, ";", -1);
    for (char **address = list; *address != NULL; address++) {
        DBusConnection *connection = g_str_has_prefix(*address, "unix:") ? dbus_connection_open_private(*address, NULL)
                                                                         : NULL;
        if (connection != NULL)
            return connection;
    }
    return NULL;
}

static DBusConnection *connect_to_session(void)
{
    const char *addresses = g_getenv("DBUS_SESSION_BUS_ADDRESS");
    const char *runtime = g_getenv("XDG_RUNTIME_DIR");
    if (addresses != NULL && *addresses != '\0')
        return connect_to(addresses);
    if (runtime == NULL || *runtime != '/')
        return NULL;
    g_autofree char *path = g_build_filename(runtime, "bus", NULL);
    char *escaped = dbus_address_escape_value(path);
    g_autofree char *address = g_strconcat("unix:path=", escaped, NULL);
    dbus_free(escaped);
    return connect_to(address);
}

Bus *bus_new(PollLoop *loop)
{
    /* Signals of the process are the program's. libdbus writes so that none comes. */
    dbus_connection_set_change_sigpipe(FALSE);
    DBusConnection *connection = connect_to_session();
    if (connection == NULL) {
        errno = ENOTCONN;
        return NULL;
    }
    Bus *bus = g_new0(Bus, 1);
    bus->loop = loop;
    bus->connection = connection;
    bus->watches = g_ptr_array_new();
    bus->calls = g_hash_table_new_full(NULL, NULL, (GDestroyNotify)dbus_pending_call_unref, NULL);
    g_queue_init(&bus->failed);
    dbus_connection_set_exit_on_disconnect(connection, FALSE);
    dbus_connection_set_dispatch_status_function(connection, on_dispatch_status, bus, NULL);
    dbus_connection_set_watch_functions(connection, add_watch, remove_watch, toggle_watch, bus, NULL);
    dbus_connection_add_filter(connection, on_message, bus, NULL);
    greet(bus);
    return bus;
}

HostLink *bus_link_new(Bus *bus)
{
    static const HostBus methods = { call_host, leave_link };
    bus->link = host_link_new(&methods, bus, poll_loop_methods(bus->loop));
    return bus->link;
}

static void drop_calls(Bus *bus)
{
    const HostError error = { "", "The host is gone" };
    GHashTableIter calls;
    gpointer pending;
    gpointer call;
    g_hash_table_iter_init(&calls, bus->calls);
    while (g_hash_table_iter_next(&calls, &pending, &call)) {
        dbus_pending_call_cancel(pending);
        if (call != NULL)
            host_call_end(call, NULL, &error);
    }
    g_hash_table_unref(bus->calls);
    end_failed(bus);
}

void bus_free(Bus *bus)
{
    host_loop_clear(poll_loop_methods(bus->loop), &bus->failing);
    drop_calls(bus);
    dbus_connection_remove_filter(bus->connection, on_message, bus);
    dbus_connection_close(bus->connection);
    dbus_connection_set_watch_functions(bus->connection, NULL, NULL, NULL, NULL, NULL);
    dbus_connection_set_dispatch_status_function(bus->connection, NULL, NULL, NULL);
    dbus_connection_unref(bus->connection);
    g_ptr_array_unref(bus->watches);
    g_free(bus);
}

gboolean bus_is_lost(const Bus *bus)
{
    return bus->is_lost;
}

gboolean bus_has_more(const Bus *bus)
{
    return dbus_connection_get_dispatch_status(bus->connection) == DBUS_DISPATCH_DATA_REMAINS;
}

void bus_dispatch(Bus *bus)
{
    const gint64 end = g_get_monotonic_time() + TURN_MICROSECONDS;
    handle_watches(bus, flags_of(poll_loop_ready(bus->loop)));
    while (bus_has_more(bus) && g_get_monotonic_time() < end)
        dbus_connection_dispatch(bus->connection);
}
