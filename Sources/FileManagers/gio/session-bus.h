#pragma once

#include <gio/gio.h>

#include "host/host-link.h"

/* A link to the badge service over GDBus, in the default main context, which starts the service where it is enabled. */

/* There is a bus; there may be no service yet. */
typedef void (*SessionBusReady)(GDBusConnection *connection, gpointer data);

/* The function may be NULL. */
HostLink *session_bus_link_new(SessionBusReady ready, gpointer data);
