#include "host-link.h"

#include "folder-states.h"
#include "home-spelling.h"
#include "names.h"
#include "words/words.h"

struct HostLink {
    const HostBus *methods;
    gpointer bus;
    const HostLoop *loop;
    GPtrArray *listeners; /* of Listener */
    GPtrArray *handlers;  /* of SignalHandler */

    char *owner;       /* unique name of the current service, or NULL */
    GHashTable *calls; /* of HostCall, to that owner */
    gboolean connected;

    Folders *folders;
    BadgeImages *images;
    FolderStates *states;
    GVariant *toolbar_item; /* (sss), or NULL */
    char *icon_theme_path;  /* or NULL */
    gboolean adds_folders;
};

typedef struct {
    HostLinkEvents events;
    gpointer data;
} Listener;

typedef struct {
    const char *member;
    const char *type;
    HostSignalHandler handler;
    gpointer data;
} SignalHandler;

struct HostCall {
    HostLink *link; /* NULL when it is dropped */
    const char *reply_type;
    HostReplyHandler handler;
    gpointer data;
    GDestroyNotify destroy;
};

/* Listeners */

typedef void (*Event)(gpointer data);

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

void host_link_listen(HostLink *link, const HostLinkEvents *events, gpointer data)
{
    Listener *listener = g_new(Listener, 1);
    *listener = (Listener){ *events, data };
    g_ptr_array_add(link->listeners, listener);
}

/* Calls */

static GHashTable *new_calls(void)
{
    return g_hash_table_new(NULL, NULL);
}

static HostCall *call_new(
    HostLink *link, const char *reply_type, HostReplyHandler handler, gpointer data, GDestroyNotify destroy)
{
    HostCall *call = g_new(HostCall, 1);
    *call = (HostCall){ link, reply_type, handler, data, destroy };
    g_hash_table_add(link->calls, call);
    return call;
}

static void destroy_data(const HostCall *call)
{
    if (call->destroy != NULL)
        call->destroy(call->data);
}

/* Their replies will be thrown away. */
static void drop_calls(HostLink *link)
{
    g_autoptr(GHashTable) dropped = link->calls;
    link->calls = new_calls();
    GHashTableIter calls;
    gpointer call;
    g_hash_table_iter_init(&calls, dropped);
    while (g_hash_table_iter_next(&calls, &call, NULL)) {
        ((HostCall *)call)->link = NULL;
        destroy_data(call);
    }
}

static void deliver(const HostCall *call, GVariant *reply, const HostError *error)
{
    if (reply == NULL || g_variant_is_of_type(reply, G_VARIANT_TYPE(call->reply_type))) {
        call->handler(reply, error, call->data);
        return;
    }
    g_autofree char *message = g_strdup_printf(
        "The Roundel service answered with values of the type “%s” instead of “%s”", g_variant_get_type_string(reply),
        call->reply_type);
    const HostError wrong = { "org.freedesktop.DBus.Error.InvalidSignature", message };
    call->handler(NULL, &wrong, call->data);
}

void host_call_end(HostCall *call, GVariant *reply, const HostError *error)
{
    if (call->link != NULL) {
        g_hash_table_remove(call->link->calls, call);
        deliver(call, reply, error);
        destroy_data(call);
    }
    g_free(call);
}

void host_link_call(HostLink *link, const char *method, GVariant *arguments, const char *reply_type,
    HostReplyHandler handler, gpointer data, GDestroyNotify destroy)
{
    g_return_if_fail(link->connected);
    HostCall *call = handler == NULL ? NULL : call_new(link, reply_type, handler, data, destroy);
    link->methods->call(link->bus, link->owner, ROUNDEL_HOST_INTERFACE, method, arguments, call);
}

/* Properties */

static void apply_property(HostLink *link, const char *name, GVariant *value)
{
    if (g_str_equal(name, "Folders") && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING_ARRAY)) {
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
        g_free(link->icon_theme_path);
        link->icon_theme_path = g_variant_dup_string(value, NULL);
        report_change(link, EVENT(icon_theme_path_changed));
    } else if (g_str_equal(name, "AddsFolders") && g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN)) {
        link->adds_folders = g_variant_get_boolean(value);
        report_change(link, EVENT(folders_changed));
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

/* Whatever the number is: what cannot be understood has another bus name. */
static gboolean has_version(GVariant *properties)
{
    guint32 version;
    return g_variant_lookup(properties, "Version", "u", &version);
}

static void on_all_properties(GVariant *reply, const HostError *error, gpointer data)
{
    HostLink *link = data;
    if (reply == NULL) {
        g_message("The Roundel service does not answer: %s", error->message);
        return;
    }
    g_autoptr(GVariant) dictionary = g_variant_get_child_value(reply, 0);
    if (!link->connected && !has_version(dictionary)) {
        g_message("The Roundel service states no version, so it is not used");
        return;
    }
    apply_properties(link, dictionary);
    if (!link->connected) {
        link->connected = TRUE;
        report(link, EVENT(connected));
    }
}

static void get_all_properties(HostLink *link)
{
    link->methods->call(link->bus, link->owner, PROPERTIES_INTERFACE, "GetAll",
        g_variant_new("(s)", ROUNDEL_HOST_INTERFACE), call_new(link, "(a{sv})", on_all_properties, link, NULL));
}

static void on_properties_changed(HostLink *link, GVariant *parameters)
{
    if (!g_variant_is_of_type(parameters, G_VARIANT_TYPE("(sa{sv}as)")))
        return;
    g_autoptr(GVariant) changed = g_variant_get_child_value(parameters, 1);
    g_autoptr(GVariant) invalidated = g_variant_get_child_value(parameters, 2);
    apply_properties(link, changed);
    if (g_variant_n_children(invalidated) > 0)
        get_all_properties(link);
}

/* Signals */

void host_link_on_signal(HostLink *link, const char *member, const char *type, HostSignalHandler handler, gpointer data)
{
    SignalHandler *entry = g_new(SignalHandler, 1);
    *entry = (SignalHandler){ member, type, handler, data };
    g_ptr_array_add(link->handlers, entry);
}

static void on_host_signal(const HostLink *link, const char *member, GVariant *parameters)
{
    for (guint i = 0; i < link->handlers->len; i++) {
        const SignalHandler *entry = g_ptr_array_index(link->handlers, i);
        if (g_str_equal(entry->member, member) && g_variant_is_of_type(parameters, G_VARIANT_TYPE(entry->type)))
            entry->handler(parameters, entry->data);
    }
}

void host_link_receive(
    HostLink *link, const char *sender, const char *interface, const char *member, GVariant *parameters)
{
    if (link->owner == NULL || g_strcmp0(sender, link->owner) != 0)
        return;
    /* The answer to the question for all properties, which is on its way, has what changed before it. */
    if (!link->connected)
        return;
    if (g_str_equal(interface, PROPERTIES_INTERFACE))
        on_properties_changed(link, parameters);
    else
        on_host_signal(link, member, parameters);
}

/* The owner of the service's name */

/* Forgets the owner and everything known from it. */
static void leave_owner(HostLink *link)
{
    drop_calls(link);
    g_clear_pointer(&link->owner, g_free);
    folders_clear(link->folders);
    badge_images_clear(link->images);
    folder_states_clear(link->states);
    g_clear_pointer(&link->toolbar_item, g_variant_unref);
    g_clear_pointer(&link->icon_theme_path, g_free);
    link->adds_folders = FALSE;
    link->connected = FALSE;
}

void host_link_set_owner(HostLink *link, const char *owner)
{
    if (g_strcmp0(owner, link->owner) == 0)
        return;
    const gboolean was_connected = link->connected;
    leave_owner(link);
    if (was_connected)
        report(link, EVENT(gone));
    if (owner == NULL)
        return;
    link->owner = g_strdup(owner);
    get_all_properties(link);
}

HostLink *host_link_new(const HostBus *methods, gpointer bus, const HostLoop *loop)
{
    HostLink *link = g_new0(HostLink, 1);
    link->methods = methods;
    link->bus = bus;
    link->loop = loop;
    link->listeners = g_ptr_array_new_with_free_func(g_free);
    link->handlers = g_ptr_array_new_with_free_func(g_free);
    link->calls = new_calls();
    link->folders = folders_new();
    home_spelling_add(link->folders);
    link->images = badge_images_new();
    link->states = folder_states_new();
    return link;
}

void host_link_free(HostLink *link)
{
    link->methods->free(link->bus);
    leave_owner(link);
    g_hash_table_unref(link->calls);
    g_ptr_array_unref(link->handlers);
    g_ptr_array_unref(link->listeners);
    folders_free(link->folders);
    badge_images_free(link->images);
    folder_states_free(link->states);
    g_free(link);
}

const HostLoop *host_link_loop(const HostLink *link)
{
    return link->loop;
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

gboolean host_link_adds_folders(const HostLink *link)
{
    return link->adds_folders;
}

const char *host_link_icon_theme_path(const HostLink *link)
{
    return link->icon_theme_path == NULL ? "" : link->icon_theme_path;
}

ToolbarItem host_link_toolbar_item(const HostLink *link)
{
    ToolbarItem item = { "Roundel", "org.roundel.Roundel", _("Sync") };
    if (link->toolbar_item != NULL)
        g_variant_get(link->toolbar_item, "(&s&s&s)", &item.name, &item.icon, &item.tooltip);
    return item;
}
