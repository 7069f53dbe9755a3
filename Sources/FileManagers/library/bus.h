#pragma once

#include "host/host-link.h"
#include "poll-loop.h"

/* The session bus over libdbus, for one link. Nothing in it waits. */

typedef struct Bus Bus;

/* Connects. NULL with errno: ENOTCONN where there is no session bus. */
Bus *bus_new(PollLoop *loop);

/* The link that calls by this bus, which belongs to the caller, and is freed before the bus is. */
HostLink *bus_link_new(Bus *bus);

void bus_free(Bus *bus);

/* Handles what has come, for some milliseconds at most. */
void bus_dispatch(Bus *bus);

/* Whether something is left to be handled. */
gboolean bus_has_more(const Bus *bus);

/* Whether the connection is closed, for good. */
gboolean bus_is_lost(const Bus *bus);
