/* A panel with a tray, and a sidebar: they ask what a desktop asks of whatever wants to be shown. */
#include "internal.h"

#include <string.h>
#include <unistd.h>

#define WATCHER "org.kde.StatusNotifierWatcher"

static int ask(sd_bus *bus, const char *item, const char *path, const char *interface, const char *member)
{
    sd_bus_message *call = NULL, *reply = NULL;
    int code = sd_bus_message_new_method_call(bus, &call, item, path, interface, member);
    if (code >= 0 && strcmp(member, "GetAll") == 0)
        code = sd_bus_message_append(call, "s", "org.kde.StatusNotifierItem");
    if (code >= 0 && strcmp(member, "GetLayout") == 0)
        code = sd_bus_message_append(call, "iias", 0, -1, 0);
    if (code >= 0)
        code = sd_bus_call(bus, call, 0, NULL, &reply);
    sd_bus_message_unref(call);
    sd_bus_message_unref(reply);
    return code;
}

/* Writes one byte to standard output when the item has told everything. */
static int register_item(sd_bus_message *call, void *context, sd_bus_error *error)
{
    (void)context, (void)error;
    sd_bus *bus = sd_bus_message_get_bus(call);
    const char *item = sd_bus_message_get_sender(call);
    int code = sd_bus_reply_method_return(call, "");
    if (code >= 0)
        code = ask(bus, item, "/StatusNotifierItem", "org.freedesktop.DBus.Properties", "GetAll");
    if (code >= 0)
        code = ask(bus, item, "/MenuBar", "com.canonical.dbusmenu", "GetLayout");
    if (code >= 0)
        code = ask(bus, item, PEERS_PATH "/CloudProviders", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects");
    if (code >= 0 && write(STDOUT_FILENO, "s", 1) != 1)
        code = -EIO;
    return code < 0 ? code : 1;
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("RegisterStatusNotifierItem", "s", "", register_item, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

int peers_serve_panel(const char *address)
{
    sd_bus *bus = NULL;
    int code = peers_open(address, &bus);
    if (code >= 0)
        code = sd_bus_add_object_vtable(bus, NULL, "/StatusNotifierWatcher", WATCHER, methods, NULL);
    if (code >= 0)
        code = sd_bus_request_name(bus, WATCHER, 0);
    return peers_serve(bus, code);
}
