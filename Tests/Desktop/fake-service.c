#include "fake-service.h"

#include "host/names.h"

/* On a machine whose cores are all busy with something else as well. */
enum { PATIENCE_SECONDS = 120 };

static GTestDBus *bus;
static GDBusNodeInfo *description;

struct FakeService {
    GDBusConnection *connection;
    guint object;
    guint name;
    char *folder;
    char *caller;     /* unique name of whoever called last */
    GPtrArray *calls; /* the names of the methods */
    FakeServiceCall call;
    gpointer data;
};

static void begin_bus(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    g_file_get_contents(HOST_INTERFACE_FILE, &text, NULL, &error);
    g_assert_no_error(error);
    description = g_dbus_node_info_new_for_xml(text, &error);
    g_assert_no_error(error);
    bus = g_test_dbus_new(G_TEST_DBUS_NONE);
    g_test_dbus_up(bus);
}

void fake_bus_end(void)
{
    if (bus == NULL)
        return;
    g_autoptr(GDBusConnection) session = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    g_dbus_connection_set_exit_on_close(session, FALSE);
    /* The object stays: its end would wait for that of the session's connection, which is never closed. */
    g_test_dbus_stop(bus);
    g_clear_pointer(&description, g_dbus_node_info_unref);
}

/* Calls and properties */

static void on_call(GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *method, GVariant *arguments, GDBusMethodInvocation *invocation, gpointer data)
{
    (void)connection, (void)path, (void)interface;
    FakeService *service = data;
    g_free(service->caller);
    service->caller = g_strdup(sender);
    g_ptr_array_add(service->calls, g_strdup(method));
    if (service->call != NULL && service->call(method, arguments, invocation, service->data))
        return;
    if (g_str_equal(method, "BeginObserving"))
        g_dbus_method_invocation_return_value(invocation, g_variant_new("(ba{sv})", TRUE, NULL));
    else if (g_str_equal(method, "EndObserving"))
        g_dbus_method_invocation_return_value(invocation, g_variant_new("(a{sv})", NULL));
    else
        g_dbus_method_invocation_return_dbus_error(invocation, "org.roundel.Error.Unavailable", "Not played");
}

static GVariant *get_property(GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *name, GError **error, gpointer data)
{
    (void)connection, (void)sender, (void)path, (void)interface;
    const FakeService *service = data;
    if (g_str_equal(name, "Version"))
        return g_variant_new_uint32(1);
    if (g_str_equal(name, "Folders"))
        return g_variant_new_strv((const char *const *)&service->folder, 1);
    g_set_error(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_PROPERTY, "Not played");
    return NULL;
}

static const GDBusInterfaceVTable vtable = { .method_call = on_call, .get_property = get_property };

FakeService *fake_service_new(const char *folder, FakeServiceCall call, gpointer data)
{
    if (bus == NULL)
        begin_bus();
    FakeService *service = g_new0(FakeService, 1);
    service->folder = g_strdup(folder);
    service->calls = g_ptr_array_new_with_free_func(g_free);
    service->call = call;
    service->data = data;
    g_autoptr(GError) error = NULL;
    service->connection = g_dbus_connection_new_for_address_sync(g_test_dbus_get_bus_address(bus),
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
        &error);
    g_assert_no_error(error);
    GDBusInterfaceInfo *interface = g_dbus_node_info_lookup_interface(description, ROUNDEL_HOST_INTERFACE);
    g_assert_nonnull(interface);
    service->object = g_dbus_connection_register_object(
        service->connection, ROUNDEL_OBJECT_PATH, interface, &vtable, service, NULL, &error);
    g_assert_no_error(error);
    service->name = g_bus_own_name_on_connection(
        service->connection, ROUNDEL_BUS_NAME, G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);
    return service;
}

void fake_service_free(FakeService *service)
{
    g_bus_unown_name(service->name);
    g_dbus_connection_unregister_object(service->connection, service->object);
    g_dbus_connection_close_sync(service->connection, NULL, NULL);
    g_object_unref(service->connection);
    g_ptr_array_unref(service->calls);
    g_free(service->caller);
    g_free(service->folder);
    g_free(service);
}

guint fake_service_count(const FakeService *service, const char *method)
{
    guint count = 0;
    for (guint i = 0; i < service->calls->len; i++) {
        if (g_str_equal(g_ptr_array_index(service->calls, i), method))
            count++;
    }
    return count;
}

void fake_service_emit(FakeService *service, const char *member, GVariant *parameters)
{
    g_autoptr(GError) error = NULL;
    g_assert_nonnull(service->caller);
    g_dbus_connection_emit_signal(
        service->connection, service->caller, ROUNDEL_OBJECT_PATH, ROUNDEL_HOST_INTERFACE, member, parameters, &error);
    g_assert_no_error(error);
}

void fake_service_change_folder(FakeService *service, const char *folder)
{
    g_free(service->folder);
    service->folder = g_strdup(folder);
    GVariantBuilder changed;
    g_variant_builder_init(&changed, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&changed, "{sv}", "Folders", g_variant_new_strv((const char *const *)&service->folder, 1));
    g_autoptr(GError) error = NULL;
    g_dbus_connection_emit_signal(service->connection, NULL, ROUNDEL_OBJECT_PATH, "org.freedesktop.DBus.Properties",
        "PropertiesChanged", g_variant_new("(sa{sv}as)", ROUNDEL_HOST_INTERFACE, &changed, NULL), &error);
    g_assert_no_error(error);
}

/* Waiting */

static gboolean on_patience_lost(gpointer data)
{
    (void)data;
    g_error("What the test waits for did not happen within %d seconds", PATIENCE_SECONDS);
    return G_SOURCE_REMOVE;
}

void wait_until(gboolean (*condition)(gpointer data), gpointer data)
{
    guint source = g_timeout_add_seconds(PATIENCE_SECONDS, on_patience_lost, NULL);
    while (!condition(data))
        g_main_context_iteration(NULL, TRUE);
    g_source_remove(source);
}

static void on_answer(GObject *session, GAsyncResult *result, gpointer is_answered)
{
    g_autoptr(GVariant) reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(session), result, NULL);
    *(gboolean *)is_answered = TRUE;
}

static gboolean is_set(gpointer flag)
{
    return *(gboolean *)flag;
}

/* One way there and back on the plugin's own connection, which keeps the order. */
static void go_there_and_back(const FakeService *service)
{
    g_autoptr(GDBusConnection) session = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    gboolean is_answered = FALSE;
    g_dbus_connection_call(session, g_dbus_connection_get_unique_name(service->connection), ROUNDEL_OBJECT_PATH,
        ROUNDEL_HOST_INTERFACE, "GetAttributes", g_variant_new("(sasa{sv})", "", NULL, NULL), NULL,
        G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_answer, &is_answered);
    wait_until(is_set, &is_answered);
}

void fake_service_flush(FakeService *service)
{
    /* The first lets what was asked before be answered, the second lets what that led to arrive. */
    go_there_and_back(service);
    go_there_and_back(service);
    while (g_main_context_iteration(NULL, FALSE)) {
    }
}
