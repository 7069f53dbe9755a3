#pragma once

#include <gio/gio.h>

#include "badge-images.h"
#include "folders.h"

/*
 * The way to the service: the bus connection, the present owner of the service's name, its properties, calls and
 * signals. Everything is asynchronous. A call belongs to the owner that it was sent to: when that owner goes, its
 * outstanding calls are dropped.
 */

typedef struct HostLink HostLink;

typedef struct {
    /* The bus is there; the service may not be. */
    void (*bus_ready)(GDBusConnection *bus, gpointer data);
    /* The service is there, its properties are known, and calls may be made. */
    void (*connected)(gpointer data);
    /* The service went. Its properties are forgotten. */
    void (*gone)(gpointer data);
    void (*folders_changed)(gpointer data);
    void (*images_changed)(gpointer data);
    /* The state of a registered folder changed; its progress alone is none. */
    void (*status_changed)(gpointer data);
    void (*toolbar_item_changed)(gpointer data);
    void (*icon_theme_path_changed)(const char *path, gpointer data);
} HostLinkEvents;

HostLink *host_link_new(const HostLinkEvents *events, gpointer data);
void host_link_free(HostLink *link);

gboolean host_link_is_connected(const HostLink *link);
const Folders *host_link_folders(const HostLink *link);
const BadgeImages *host_link_images(const HostLink *link);

/* The button for the service, Roundel's own until the service has named one; valid until the loop next turns. */
typedef struct {
    const char *name;
    const char *icon;
    const char *tooltip;
} ToolbarItem;
ToolbarItem host_link_toolbar_item(const HostLink *link);

/* Has every later signal of the Host interface with this name and type given to the handler, whoever owns the service's
 * name then. */
typedef void (*HostSignalHandler)(GVariant *parameters, gpointer data);
void host_link_on_signal(
    HostLink *link, const char *member, const GVariantType *type, HostSignalHandler handler, gpointer data);

/* Calls a method of the Host interface. Either reply or error is set. There is no time-out: an answer from a service
 * that was suspended is still good, and the end of one that died is told by the bus. If the service goes first, only
 * `destroy` is called. With a NULL handler no reply is expected. */
typedef void (*HostReplyHandler)(GVariant *reply, const GError *error, gpointer data);
void host_link_call(HostLink *link, const char *method, GVariant *arguments, const char *reply_type,
    HostReplyHandler handler, gpointer data, GDestroyNotify destroy);
