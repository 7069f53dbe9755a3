/* The floor of a badge service: the same signature, answered from a table that knows nothing. */
#include "internal.h"

#include <stdio.h>
#include <string.h>

enum { most = 100000 };

static uint32_t flags[most];
static uint8_t progress[most];

static int append_columns(sd_bus_message *reply, size_t count)
{
    int code = sd_bus_message_open_container(reply, 'a', "s");
    for (size_t row = 0; row < count && code >= 0; row++)
        code = sd_bus_message_append_basic(reply, 's', "synced");
    if (code >= 0)
        code = sd_bus_message_close_container(reply);
    if (code >= 0)
        code = sd_bus_message_append_array(reply, 'u', flags, count * sizeof flags[0]);
    if (code >= 0)
        code = sd_bus_message_append_array(reply, 'y', progress, count);
    return code < 0 ? code : sd_bus_message_append(reply, "a{sv}", 0);
}

static int request_badges(sd_bus_message *call, void *context, sd_bus_error *error)
{
    (void)context, (void)error;
    const char *directory = NULL, *name = NULL;
    size_t count = 0;
    int code = sd_bus_message_read_basic(call, 's', &directory);
    if (code >= 0)
        code = sd_bus_message_enter_container(call, 'a', "s");
    while (code >= 0 && count < most && (code = sd_bus_message_read_basic(call, 's', &name)) > 0)
        count++;
    if (code < 0)
        return code;
    sd_bus_message *reply = NULL;
    code = sd_bus_message_new_method_return(call, &reply);
    if (code >= 0)
        code = append_columns(reply, count);
    if (code >= 0)
        code = sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return code < 0 ? code : 1;
}

/* Relay(s host): one message comes, one goes. */
static int relay(sd_bus_message *call, void *context, sd_bus_error *error)
{
    (void)context, (void)error;
    const char *host = NULL;
    sd_bus_message *signal = NULL;
    int code = sd_bus_message_read_basic(call, 's', &host);
    if (code >= 0)
        code = sd_bus_message_new_signal(
            sd_bus_message_get_bus(call), &signal, PEERS_PATH, PEERS_HOST, "BadgesChanged");
    if (code >= 0)
        code = sd_bus_message_set_destination(signal, host);
    if (code >= 0)
        code = sd_bus_message_append(signal, "s", "relayed");
    if (code >= 0)
        code = sd_bus_send(NULL, signal, NULL);
    sd_bus_message_unref(signal);
    return code < 0 ? code : 1;
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("RequestBadges", "sasa{sv}", "asauaya{sv}", request_badges, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Relay", "s", "", relay, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

int peers_serve_echo(const char *address)
{
    memset(progress, 255, sizeof progress);
    sd_bus *bus = NULL;
    int code = peers_open(address, &bus);
    if (code >= 0)
        code = sd_bus_add_object_vtable(bus, NULL, PEERS_PATH, PEERS_HOST, methods, NULL);
    if (code >= 0)
        code = sd_bus_request_name(bus, PEERS_ECHO_NAME, 0);
    return peers_serve(bus, code);
}
