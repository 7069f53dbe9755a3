/* Connections, and calls that every measurement needs. */
#include "internal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static char failure_text[512];

uint64_t peers_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *peers_failure(void)
{
    return failure_text;
}

int peers_failed(int code, const sd_bus_error *error)
{
    snprintf(failure_text, sizeof failure_text, "%s", error && error->message ? error->message : strerror(-code));
    return code;
}

int peers_open(const char *address, peers_bus **result)
{
    sd_bus *bus = NULL;
    int code = sd_bus_new(&bus);
    if (code >= 0)
        code = sd_bus_set_address(bus, address);
    if (code >= 0)
        code = sd_bus_set_bus_client(bus, 1);
    if (code >= 0)
        code = sd_bus_start(bus);
    /* Waits for the bus' greeting, which belongs to no measurement. */
    const char *name = NULL;
    if (code >= 0)
        code = sd_bus_get_unique_name(bus, &name);
    if (code < 0) {
        sd_bus_unref(bus);
        return peers_failed(code, NULL);
    }
    *result = bus;
    return 0;
}

void peers_close(peers_bus *bus)
{
    sd_bus_flush_close_unref(bus);
}

int peers_serve(sd_bus *bus, int code)
{
    while (code >= 0) {
        code = sd_bus_process(bus, NULL);
        if (code == 0)
            code = sd_bus_wait(bus, UINT64_MAX);
        if (code == -EINTR)
            code = 0;
    }
    sd_bus_unref(bus);
    return code == -ENOTCONN || code == -ECONNRESET ? 0 : code;
}

const char *peers_unique_name(peers_bus *bus)
{
    const char *name = NULL;
    return sd_bus_get_unique_name(bus, &name) < 0 ? NULL : name;
}

int peers_ping(peers_bus *bus, const char *service, uint64_t *nanoseconds)
{
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    uint64_t start = peers_now();
    int code = sd_bus_call_method(bus, service, PEERS_PATH, "org.freedesktop.DBus.Peer", "Ping", &error, &reply, "");
    *nanoseconds = peers_now() - start;
    if (code < 0)
        peers_failed(code, &error);
    sd_bus_message_unref(reply);
    sd_bus_error_free(&error);
    return code;
}

int peers_watches_used(peers_bus *bus, uint64_t *count)
{
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    int code = sd_bus_get_property(bus, PEERS_SERVICE, PEERS_PATH, PEERS_HOST, "WatchStatus", &error, &reply, "a{sv}");
    if (code >= 0)
        code = sd_bus_message_enter_container(reply, 'a', "{sv}");
    while (code >= 0 && (code = sd_bus_message_enter_container(reply, 'e', "sv")) > 0) {
        const char *key = NULL;
        uint32_t used = 0;
        code = sd_bus_message_read(reply, "s", &key);
        if (code >= 0 && strcmp(key, "watches-used") == 0) {
            code = sd_bus_message_read(reply, "v", "u", &used);
            *count = used;
        } else if (code >= 0) {
            code = sd_bus_message_skip(reply, "v");
        }
        if (code >= 0)
            code = sd_bus_message_exit_container(reply);
    }
    if (code < 0)
        peers_failed(code, &error);
    sd_bus_message_unref(reply);
    sd_bus_error_free(&error);
    return code;
}

/* Passes over what is not the signal; the two signals that anybody waits for are told apart by their member. */
static int await(sd_bus *bus, const char *member, const char *subject, uint64_t patience, uint64_t *time)
{
    uint64_t deadline = peers_now() + patience;
    for (;;) {
        sd_bus_message *message = NULL;
        int code = sd_bus_process(bus, &message);
        if (code < 0)
            return peers_failed(code, NULL);
        if (message && sd_bus_message_is_signal(message, NULL, member) > 0) {
            const char *first = NULL;
            *time = peers_now();
            int read = sd_bus_message_read(message, "s", &first);
            bool found = read > 0 && strcmp(first, subject) == 0;
            sd_bus_message_unref(message);
            if (found)
                return 0;
            continue;
        }
        sd_bus_message_unref(message);
        if (code > 0)
            continue;
        uint64_t now = peers_now();
        if (now >= deadline)
            return peers_failed(-ETIME, NULL);
        code = sd_bus_wait(bus, (deadline - now) / 1000);
        if (code < 0 && code != -EINTR)
            return peers_failed(code, NULL);
    }
}

int peers_await_change(peers_bus *bus, const char *directory, uint64_t patience, uint64_t *time)
{
    return await(bus, "BadgesChanged", directory, patience, time);
}

int peers_follow_name(peers_bus *bus, const char *name)
{
    char rule[256];
    snprintf(
        rule, sizeof rule, "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='%s'", name);
    int code = sd_bus_add_match(bus, NULL, rule, NULL, NULL);
    return code < 0 ? peers_failed(code, NULL) : 0;
}

int peers_await_name(peers_bus *bus, const char *name, uint64_t patience, uint64_t *time)
{
    return await(bus, "NameOwnerChanged", name, patience, time);
}

static int worker_call(sd_bus *bus, const char *member, sd_bus_message **message)
{
    return sd_bus_message_new_method_call(bus, message, "org.roundel.SyncWorker1", "/org/roundel/SyncWorker1",
        "org.roundel.Roundel1.Engine.Folders", member);
}

/* Sends with an hour's patience and gives up the message. */
static int finish(sd_bus *bus, sd_bus_message *message, int code, sd_bus_message **reply)
{
    sd_bus_error error = SD_BUS_ERROR_NULL;
    if (code >= 0)
        code = sd_bus_call(bus, message, 3600ull * 1000000, &error, reply);
    if (code < 0)
        peers_failed(code, &error);
    sd_bus_message_unref(message);
    sd_bus_error_free(&error);
    return code;
}

int peers_add_folder(peers_bus *bus, const char *uri, const char *remote, char *id, size_t size)
{
    sd_bus_message *message = NULL, *reply = NULL;
    int code = worker_call(bus, "AddFolder", &message);
    if (code >= 0)
        code = sd_bus_message_append(message, "ssa{sv}", uri, remote, 0);
    code = finish(bus, message, code, &reply);
    const char *text = NULL;
    if (code >= 0)
        code = sd_bus_message_read(reply, "s", &text);
    if (code >= 0)
        snprintf(id, size, "%s", text);
    sd_bus_message_unref(reply);
    return code;
}

int peers_remove_folder(peers_bus *bus, const char *id)
{
    sd_bus_message *message = NULL, *reply = NULL;
    int code = worker_call(bus, "RemoveFolder", &message);
    if (code >= 0)
        code = sd_bus_message_append(message, "sa{sv}", id, 0);
    code = finish(bus, message, code, &reply);
    sd_bus_message_unref(reply);
    return code;
}

int peers_sync(peers_bus *bus, const char *id)
{
    sd_bus_message *message = NULL, *reply = NULL;
    int code = worker_call(bus, "Sync", &message);
    if (code >= 0)
        code = sd_bus_message_append(message, "sa{sv}", id, 1, "wait", "b", 1);
    code = finish(bus, message, code, &reply);
    sd_bus_message_unref(reply);
    return code;
}
