#pragma once

#include "badge-images.h"
#include "folders.h"
#include "host-loop.h"

/*
 * The connection to the badge service: the current owner of the service's name, its properties, calls and signals.
 * Everything is asynchronous. A call belongs to the owner that it was sent to: when that owner goes, its pending calls
 * are dropped. What comes from the bus is handed in by the program's shell, which also sends the calls.
 */

typedef struct HostLink HostLink;

/* The events that a listener handles; NULL for others. */
typedef struct {
    /* There is a service, its properties are known, and calls may be made. */
    void (*connected)(gpointer data);
    /* The service went. Its properties are forgotten. */
    void (*gone)(gpointer data);
    void (*folders_changed)(gpointer data);
    void (*images_changed)(gpointer data);
    /* The state of a registered folder changed; progress alone does not count. */
    void (*status_changed)(gpointer data);
    void (*toolbar_item_changed)(gpointer data);
    void (*icon_theme_path_changed)(gpointer data);
} HostLinkEvents;

/* Adds a listener. Listeners are called in the order in which they were added, which has to be in the turn of the main
 * loop in which the link was made; they must be there for as long as the link. */
void host_link_listen(HostLink *link, const HostLinkEvents *events, gpointer data);

const HostLoop *host_link_loop(const HostLink *link);
gboolean host_link_is_connected(const HostLink *link);
const Folders *host_link_folders(const HostLink *link);
const BadgeImages *host_link_images(const HostLink *link);

/* Whether the service has an entry in the menu of one directory that is in no folder, to sync it. Where it has none, it
 * is not asked about directories outside the folders. */
gboolean host_link_adds_folders(const HostLink *link);

/* Where the service's icons are, or "". Valid until the main loop runs again. */
const char *host_link_icon_theme_path(const HostLink *link);

/* The toolbar button: Roundel's own until the service has sent one. Valid until the main loop runs again. */
typedef struct {
    const char *name;
    const char *icon;
    const char *tooltip;
} ToolbarItem;
ToolbarItem host_link_toolbar_item(const HostLink *link);

/* Calls the handler for every later signal of the Host interface with this name and type, also of later owners of the
 * service's name. The strings must be there for as long as the link. */
typedef void (*HostSignalHandler)(GVariant *parameters, gpointer data);
void host_link_on_signal(
    HostLink *link, const char *member, const char *type, HostSignalHandler handler, gpointer data);

/* Why there is no reply: the error's name on the bus, "" if it has none there, and its text. */
typedef struct {
    const char *name;
    const char *message;
} HostError;

/* Calls a method of the Host interface. Either reply or error is set; a reply of another type is an error. There is no
 * time-out: the answer of a service that was suspended is still good, and the bus reports the end of one that died. If
 * the service goes first, only `destroy` is called. With a NULL handler no reply is expected. */
typedef void (*HostReplyHandler)(GVariant *reply, const HostError *error, gpointer data);
void host_link_call(HostLink *link, const char *method, GVariant *arguments, const char *reply_type,
    HostReplyHandler handler, gpointer data, GDestroyNotify destroy);

/* For the shell */

typedef struct HostCall HostCall;

typedef struct {
    /* Calls a method of the service's object without starting a service. The arguments are floating. The end is
     * reported by host_call_end, once; without a call no reply is expected. */
    void (*call)(gpointer bus, const char *owner, const char *interface, const char *method, GVariant *arguments,
        HostCall *call);
    void (*free)(gpointer bus);
} HostBus;

/* The bus belongs to the link from then on. */
HostLink *host_link_new(const HostBus *methods, gpointer bus, const HostLoop *loop);
void host_link_free(HostLink *link);

/* The service's name has another owner, or with NULL none. */
void host_link_set_owner(HostLink *link, const char *owner);

/* A signal came from the service's object; it counts if it is of the current owner, which has answered. */
void host_link_receive(
    HostLink *link, const char *sender, const char *interface, const char *member, GVariant *parameters);

/* A call was answered; either reply or error is set. Also for a link that is gone. */
void host_call_end(HostCall *call, GVariant *reply, const HostError *error);
