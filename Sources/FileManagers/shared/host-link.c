#include "host-link.h"

#include "folder-states.h"
#include "home-spelling.h"
#include "names.h"
#include "texts.h"

struct HostLink {
    GPtrArray *listeners; /* of Listener */
    GCancellable *lifetime;
    GDBusConnection *bus;
    guint name_watch;

    char *owner;         /* unique name of the current service, or NULL */
    GCancellable *epoch; /* cancels every call to that owner */
    guint host_signals;
    guint property_signals;
    gboolean connected;

    GPtrArray *handlers; /* of SignalHandler */
    Folders *folders;
    BadgeImages *images;
    FolderStates *states;
    GVariant *toolbar_item; /* (sss), or NULL */
    guint32 version;
};

typedef struct {
    HostLinkEvents events;
    gpointer data;
} Listener;

typedef struct {
    char *member;
    GVariantType *type;
    HostSignalHandler handler;
    gpointer data;
} SignalHandler;

typedef struct {
    HostReplyHandler handler;
    gpointer data;
    GDestroyNotify destroy;
} PendingCall;

static void signal_handler_free(gpointer pointer)
{
    SignalHandler *handler = pointer;
    g_free(handler->member);
    g_variant_type_free(handler->type);
    g_free(handler);
}

/* Listeners */

typedef void (*Event)(gpointer data);

/* The events that have no arguments, for `report`. */
#define EVENT(name) G_STRUCT_OFFSET(HostLinkEvents, name)

static void report(const HostLink *link, gulong event)
{
    for (guint i = 0; i < link->listeners->len; i++) {
        const Listener *listener = g_ptr_array_index(link->listeners, i);
        Event function = G_STRUCT_MEMBER(Event, &listener->events, event);
        if (function != NULL)
            function(listener->data);
    }
}

/* Reports a changed property; the first values are not changes. */
static void report_change(const HostLink *link, gulong event)
{
    if (link->connected)
        report(link, event);
}

static void report_bus(const HostLink *link)
{
    for (guint i = 0; i < link->listeners->len; i++) {
        const Listener *listener = g_ptr_array_index(link->listeners, i);
        if (listener->events.bus_ready != NULL)
            listener->events.bus_ready(link->bus, listener->data);
    }
}

static void report_icon_theme_path(const HostLink *link, const char *path)
{
    for (guint i = 0; i < link->listeners->len; i++) {
        const Listener *listener = g_ptr_array_index(link->listeners, i);
        if (listener->events.icon_theme_path_changed != NULL)
            listener->events.icon_theme_path_changed(path, listener->data);
    }
}

void host_link_listen(HostLink *link, const HostLinkEvents *events, gpointer data)
{
    Listener *listener = g_new(Listener, 1);
    *listener = (Listener){ *events, data };
    g_ptr_array_add(link->listeners, listener);
}

/* Properties */

static void apply_property(HostLink *link, const char *name, GVariant *value)
{
    if (g_str_equal(name, "Version") && g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32)) {
        link->version = g_variant_get_uint32(value);
    } else if (g_str_equal(name, "Folders") && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING_ARRAY)) {
        folders_set(link->folders, value);
        report_change(link, EVENT(folders_changed));
    } else if (g_str_equal(name, "Badges") && g_variant_is_of_type(value, G_VARIANT_TYPE("a{s(ss)}"))) {
        badge_images_set(link->images, value);
        report_change(link, EVENT(images_changed));
    } else if (g_str_equal(name, "FolderStatus") && g_variant_is_of_type(value, G_VARIANT_TYPE("a{s(usy)}"))) {
        if (folder_states_set(link->states, value))
            report_change(link, EVENT(status_changed));
    } else if (g_str_equal(name, "ToolbarItem") && g_variant_is_of_type(value, G_VARIANT_TYPE("(sss)"))) {
        g_clear_pointer(&link->toolbar_item, g_variant_unref);
        link->toolbar_item = g_variant_ref(value);
        report_change(link, EVENT(toolbar_item_changed));
    } else if (g_str_equal(name, "IconThemePath") && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)) {
        report_icon_theme_path(link, g_variant_get_string(value, NULL));
    }
}

static void apply_properties(HostLink *link, GVariant *dictionary)
{
    GVariantIter properties;
    const char *name;
    GVariant *value;
    g_variant_iter_init(&properties, dictionary);
    while (g_variant_iter_loop(&properties, "{&sv}", &name, &value))
        apply_property(link, name, value);
}

static void on_all_properties(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, &error);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    HostLink *link = data;
    if (reply == NULL) {
        g_message("The Roundel service does not answer: %s", error->message);
        return;
    }
    g_autoptr(GVariant) dictionary = g_variant_get_child_value(reply, 0);
    apply_properties(link, dictionary);
    if (link->version == 0) {
        g_message("The Roundel service states no version, so it is not used");
        return;
    }
    if (!link->connected) {
        link->connected = TRUE;
        report(link, EVENT(connected));
    }
}

static void get_all_properties(HostLink *link)
{
    g_dbus_connection_call(link->bus, link->owner, ROUNDEL_OBJECT_PATH, PROPERTIES_INTERFACE, "GetAll",
        g_variant_new("(s)", ROUNDEL_HOST_INTERFACE), G_VARIANT_TYPE("(a{sv})"), G_DBUS_CALL_FLAGS_NO_AUTO_START,
        G_MAXINT, link->epoch, on_all_properties, link);
}

static void on_properties_changed(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
    const char *member, GVariant *parameters, gpointer data)
{
    (void)bus, (void)sender, (void)path, (void)interface, (void)member;
    HostLink *link = data;
    if (!g_variant_is_of_type(parameters, G_VARIANT_TYPE("(sa{sv}as)")))
        return;
    g_autoptr(GVariant) changed = g_variant_get_child_value(parameters, 1);
    g_autoptr(GVariant) invalidated = g_variant_get_child_value(parameters, 2);
    apply_properties(link, changed);
    if (g_variant_n_children(invalidated) > 0)
        get_all_properties(link);
}

/* Signals */

static void on_host_signal(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
    const char *member, GVariant *parameters, gpointer data)
{
    (void)bus, (void)sender, (void)path, (void)interface;
    HostLink *link = data;
    if (!link->connected)
        return;
    for (guint i = 0; i < link->handlers->len; i++) {
        const SignalHandler *handler = g_ptr_array_index(link->handlers, i);
        if (g_str_equal(handler->member, member) && g_variant_is_of_type(parameters, handler->type))
            handler->handler(parameters, handler->data);
    }
}

void host_link_on_signal(
    HostLink *link, const char *member, const GVariantType *type, HostSignalHandler handler, gpointer data)
{
    SignalHandler *entry = g_new(SignalHandler, 1);
    *entry = (SignalHandler){ g_strdup(member), g_variant_type_copy(type), handler, data };
    g_ptr_array_add(link->handlers, entry);
}

/* Subscribed by the owner's unique name, so that no signal of a former owner counts. The signals of the Host interface
 * are addressed to this connection and need no match rule at the bus. */
static void subscribe(HostLink *link)
{
    link->host_signals = g_dbus_connection_signal_subscribe(link->bus, link->owner, ROUNDEL_HOST_INTERFACE, NULL,
        ROUNDEL_OBJECT_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, on_host_signal, link, NULL);
    link->property_signals = g_dbus_connection_signal_subscribe(link->bus, link->owner, PROPERTIES_INTERFACE,
        "PropertiesChanged", ROUNDEL_OBJECT_PATH, ROUNDEL_HOST_INTERFACE, G_DBUS_SIGNAL_FLAGS_NONE,
        on_properties_changed, link, NULL);
}

static void unsubscribe(HostLink *link)
{
    if (link->host_signals != 0)
        g_dbus_connection_signal_unsubscribe(link->bus, link->host_signals);
    if (link->property_signals != 0)
        g_dbus_connection_signal_unsubscribe(link->bus, link->property_signals);
    link->host_signals = 0;
    link->property_signals = 0;
}

/* Calls */

static void on_reply(GObject *source, GAsyncResult *result, gpointer data)
{
    PendingCall *call = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, &error);
    if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        call->handler(reply, error, call->data);
    if (call->destroy != NULL)
        call->destroy(call->data);
    g_free(call);
}

void host_link_call(HostLink *link, const char *method, GVariant *arguments, const char *reply_type,
    HostReplyHandler handler, gpointer data, GDestroyNotify destroy)
{
    g_return_if_fail(link->connected);
    PendingCall *call = NULL;
    if (handler != NULL) {
        call = g_new(PendingCall, 1);
        *call = (PendingCall){ handler, data, destroy };
    }
    g_dbus_connection_call(link->bus, link->owner, ROUNDEL_OBJECT_PATH, ROUNDEL_HOST_INTERFACE, method, arguments,
        handler == NULL ? NULL : G_VARIANT_TYPE(reply_type), G_DBUS_CALL_FLAGS_NO_AUTO_START, G_MAXINT,
        handler == NULL ? NULL : link->epoch, handler == NULL ? NULL : on_reply, call);
}

/* The owner of the service's name */

/* Forgets the owner and everything known from it. TRUE if it was connected. */
static gboolean leave_owner(HostLink *link)
{
    if (link->owner == NULL)
        return FALSE;
    gboolean was_connected = link->connected;
    unsubscribe(link);
    g_cancellable_cancel(link->epoch);
    g_clear_object(&link->epoch);
    g_clear_pointer(&link->owner, g_free);
    folders_clear(link->folders);
    badge_images_clear(link->images);
    folder_states_clear(link->states);
    g_clear_pointer(&link->toolbar_item, g_variant_unref);
    link->version = 0;
    link->connected = FALSE;
    return was_connected;
}

static void on_name_appeared(GDBusConnection *bus, const char *name, const char *owner, gpointer data)
{
    (void)bus, (void)name;
    HostLink *link = data;
    if (leave_owner(link))
        report(link, EVENT(gone));
    link->owner = g_strdup(owner);
    link->epoch = g_cancellable_new();
    subscribe(link);
    get_all_properties(link);
}

static void on_name_vanished(GDBusConnection *bus, const char *name, gpointer data)
{
    (void)bus, (void)name;
    HostLink *link = data;
    if (leave_owner(link))
        report(link, EVENT(gone));
}

/* Connecting */

static void on_bus(GObject *source, GAsyncResult *result, gpointer data)
{
    (void)source;
    g_autoptr(GError) error = NULL;
    g_autoptr(GDBusConnection) bus = g_bus_get_finish(result, &error);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    if (bus == NULL) {
        g_message("There is no session bus, so there are no badges: %s", error->message);
        return;
    }
    HostLink *link = data;
    link->bus = g_steal_pointer(&bus);
    link->name_watch = g_bus_watch_name_on_connection(link->bus, ROUNDEL_BUS_NAME, G_BUS_NAME_WATCHER_FLAGS_AUTO_START,
        on_name_appeared, on_name_vanished, link, NULL);
    report_bus(link);
}

HostLink *host_link_new(void)
{
    HostLink *link = g_new0(HostLink, 1);
    link->listeners = g_ptr_array_new_with_free_func(g_free);
    link->lifetime = g_cancellable_new();
    link->handlers = g_ptr_array_new_with_free_func(signal_handler_free);
    link->folders = folders_new();
    home_spelling_add(link->folders);
    link->images = badge_images_new();
    link->states = folder_states_new();
    g_bus_get(G_BUS_TYPE_SESSION, link->lifetime, on_bus, link);
    return link;
}

void host_link_free(HostLink *link)
{
    g_cancellable_cancel(link->lifetime);
    if (link->name_watch != 0)
        g_bus_unwatch_name(link->name_watch);
    leave_owner(link);
    g_object_unref(link->lifetime);
    g_clear_object(&link->bus);
    g_ptr_array_unref(link->handlers);
    g_ptr_array_unref(link->listeners);
    folders_free(link->folders);
    badge_images_free(link->images);
    folder_states_free(link->states);
    g_free(link);
}

gboolean host_link_is_connected(const HostLink *link)
{
    return link->connected;
}

const Folders *host_link_folders(const HostLink *link)
{
    return link->folders;
}

const BadgeImages *host_link_images(const HostLink *link)
{
    return link->images;
}

ToolbarItem host_link_toolbar_item(const HostLink *link)
{
    ToolbarItem item = { TEXT_TOOLBAR_LABEL, "org.roundel.Roundel", TEXT_TOOLBAR_TOOLTIP };
    if (link->toolbar_item != NULL)
        g_variant_get(link->toolbar_item, "(&s&s&s)", &item.name, &item.icon, &item.tooltip);
    return item;
}
