#pragma once

#include <gio/gio.h>

#include "badge-images.h"
#include "folders.h"

/*
 * The connection to the badge service: the bus, the current owner of the service's name, its properties, calls and
 * signals. Everything is asynchronous. A call belongs to the owner that it was sent to: when that owner goes, its
 * pending calls are dropped.
 */

typedef struct HostLink HostLink;

/* The events that a listener handles; NULL for others. */
typedef struct {
    /* There is a bus; there may be no service yet. */
    void (*bus_ready)(GDBusConnection *bus, gpointer data);
    /* There is a service, its properties are known, and calls may be made. */
    void (*connected)(gpointer data);
    /* The service went. Its properties are forgotten. */
    void (*gone)(gpointer data);
    void (*folders_changed)(gpointer data);
    void (*images_changed)(gpointer data);
    /* The state of a registered folder changed; progress alone does not count. */
    void (*status_changed)(gpointer data);
    void (*toolbar_item_changed)(gpointer data);
    void (*icon_theme_path_changed)(const char *path, gpointer data);
} HostLinkEvents;

HostLink *host_link_new(void);
void host_link_free(HostLink *link);

/* Adds a listener. Listeners are called in the order in which they were added, which has to be in the turn of the main
 * loop in which the link was made; they must be there for as long as the link. */
void host_link_listen(HostLink *link, const HostLinkEvents *events, gpointer data);

gboolean host_link_is_connected(const HostLink *link);
const Folders *host_link_folders(const HostLink *link);
const BadgeImages *host_link_images(const HostLink *link);

/* The toolbar button: Roundel's own until the service has sent one. Valid until the main loop runs again. */
typedef struct {
    const char *name;
    const char *icon;
    const char *tooltip;
} ToolbarItem;
ToolbarItem host_link_toolbar_item(const HostLink *link);

/* Calls the handler for every later signal of the Host interface with this name and type, also of later owners of the
 * service's name. */
typedef void (*HostSignalHandler)(GVariant *parameters, gpointer data);
void host_link_on_signal(
    HostLink *link, const char *member, const GVariantType *type, HostSignalHandler handler, gpointer data);

/* Calls a method of the Host interface. Either reply or error is set. There is no time-out: the answer of a service
 * that was suspended is still good, and the bus reports the end of one that died. If the service goes first, only
 * `destroy` is called. With a NULL handler no reply is expected. */
typedef void (*HostReplyHandler)(GVariant *reply, const GError *error, gpointer data);
void host_link_call(HostLink *link, const char *method, GVariant *arguments, const char *reply_type,
    HostReplyHandler handler, gpointer data, GDestroyNotify destroy);
