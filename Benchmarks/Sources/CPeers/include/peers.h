/* What the benchmarks measure with and compare to, on sd-bus and inotify(7) from C. */
#ifndef PEERS_H
#define PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions that return int give 0 or more, or a negative error number. Times are CLOCK_MONOTONIC in nanoseconds. */

typedef struct sd_bus peers_bus;

uint64_t peers_now(void);

/* Connects to the bus at an address. */
int peers_open(const char *address, peers_bus **bus);
void peers_close(peers_bus *bus);
/* Its unique name; NULL if it has none. */
const char *peers_unique_name(peers_bus *bus);

/* The bus name of the service that answers RequestBadges from a table. */
#define PEERS_ECHO_NAME "org.roundel.bench.Echo"

/* Answers RequestBadges until the bus goes; passes each one-way Relay on to the host that it names as a signal. */
int peers_serve_echo(const char *address);

/* Plays the tray of a panel, and a sidebar, until the bus goes; a byte to standard output for each item that is shown.
 */
int peers_serve_panel(const char *address);

/* One Peer.Ping. */
int peers_ping(peers_bus *bus, const char *service, uint64_t *nanoseconds);
/* One Host.RequestBadges for `count` names, its answer read to the end; `badged` counts those that are not "". */
int peers_request(peers_bus *bus, const char *service, const char *directory, char *const *names, size_t count,
    uint64_t *nanoseconds, size_t *badged);
/* Host.BeginObserving; `monitored` is its answer. */
int peers_observe(peers_bus *bus, const char *directory, bool *monitored);
/* The same, sent and not waited for. */
int peers_observe_unanswered(peers_bus *bus, const char *directory);
/* Waits for a BadgesChanged of a directory and gives the time at which it was read. */
int peers_await_change(peers_bus *bus, const char *directory, uint64_t patience, uint64_t *time);
/* Waits until a name has an owner, as NameOwnerChanged tells, and gives the time; peers_follow_name comes first. */
int peers_follow_name(peers_bus *bus, const char *name);
int peers_await_name(peers_bus *bus, const char *name, uint64_t patience, uint64_t *time);
/* Host.WatchStatus' watches-used. */
int peers_watches_used(peers_bus *bus, uint64_t *count);
/* AddFolder of the worker, RemoveFolder and Sync with wait. */
int peers_add_folder(peers_bus *bus, const char *uri, const char *remote, char *id, size_t size);
int peers_remove_folder(peers_bus *bus, const char *id);
int peers_sync(peers_bus *bus, const char *id);
/* The text of the last call that failed. */
const char *peers_failure(void);

/* Watches a directory and those in it with inotify(7) and reads what comes, until standard input ends. */
int peers_read_inotify(const char *directory);

/* Creates `count` directories of `each` empty files below a directory, or removes the files again. */
int peers_create_files(const char *directory, unsigned count, unsigned each);
int peers_remove_files(const char *directory, unsigned count, unsigned each);

/* Mounts a FUSE file system that never answers; the mount lasts until the descriptor is closed and peers_unmount. */
int peers_mount_silent(const char *directory);
int peers_unmount(const char *directory);

#endif
