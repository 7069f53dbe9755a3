/* Shared by the files of this target. */
#ifndef PEERS_INTERNAL_H
#define PEERS_INTERNAL_H

#include "peers.h"

#include <errno.h>
#include <systemd/sd-bus.h>

#define PEERS_SERVICE "org.roundel.Roundel1"
#define PEERS_PATH "/org/roundel/Roundel1"
#define PEERS_HOST "org.roundel.Roundel1.Host"

/* Keeps the reason for peers_failure and gives the code back. */
int peers_failed(int code, const sd_bus_error *error);
/* Answers what comes until the bus goes, unless `code` is a failure already; gives up the connection. */
int peers_serve(sd_bus *bus, int code);

#endif
