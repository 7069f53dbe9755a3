/* A host of badges: what a file manager asks. */
#include "internal.h"

#include <string.h>

int peers_observe(peers_bus *bus, const char *directory, bool *monitored)
{
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    int answer = 0;
    int code = sd_bus_call_method(
        bus, PEERS_SERVICE, PEERS_PATH, PEERS_HOST, "BeginObserving", &error, &reply, "sa{sv}", directory, 0);
    if (code >= 0)
        code = sd_bus_message_read(reply, "b", &answer);
    if (code < 0)
        peers_failed(code, &error);
    *monitored = answer != 0;
    sd_bus_message_unref(reply);
    sd_bus_error_free(&error);
    return code;
}

static int ignore(sd_bus_message *message, void *context, sd_bus_error *error)
{
    (void)message, (void)context, (void)error;
    return 0;
}

int peers_observe_unanswered(peers_bus *bus, const char *directory)
{
    int code = sd_bus_call_method_async(
        bus, NULL, PEERS_SERVICE, PEERS_PATH, PEERS_HOST, "BeginObserving", ignore, NULL, "sa{sv}", directory, 0);
    if (code >= 0)
        code = sd_bus_flush(bus);
    return code < 0 ? peers_failed(code, NULL) : 0;
}

static int append_names(sd_bus_message *message, char *const *names, size_t count)
{
    int code = sd_bus_message_open_container(message, 'a', "s");
    for (size_t index = 0; index < count && code >= 0; index++)
        code = sd_bus_message_append_basic(message, 's', names[index]);
    return code < 0 ? code : sd_bus_message_close_container(message);
}

/* Reads all three columns, as a file manager would. */
static int read_columns(sd_bus_message *reply, size_t *badged)
{
    const char *badge = NULL;
    const void *flags = NULL, *progress = NULL;
    size_t flags_size = 0, progress_size = 0, rows = 0;
    *badged = 0;
    int code = sd_bus_message_enter_container(reply, 'a', "s");
    while (code >= 0 && (code = sd_bus_message_read_basic(reply, 's', &badge)) > 0) {
        rows++;
        if (badge[0] != '\0')
            ++*badged;
    }
    if (code >= 0)
        code = sd_bus_message_exit_container(reply);
    if (code >= 0)
        code = sd_bus_message_read_array(reply, 'u', &flags, &flags_size);
    if (code >= 0)
        code = sd_bus_message_read_array(reply, 'y', &progress, &progress_size);
    if (code >= 0 && (flags_size != rows * 4 || progress_size != rows))
        code = -EBADMSG;
    return code;
}

int peers_request(peers_bus *bus, const char *service, const char *directory, char *const *names, size_t count,
    uint64_t *nanoseconds, size_t *badged)
{
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *message = NULL, *reply = NULL;
    uint64_t start = peers_now();
    int code = sd_bus_message_new_method_call(bus, &message, service, PEERS_PATH, PEERS_HOST, "RequestBadges");
    if (code >= 0)
        code = sd_bus_message_append_basic(message, 's', directory);
    if (code >= 0)
        code = append_names(message, names, count);
    if (code >= 0)
        code = sd_bus_message_append(message, "a{sv}", 0);
    if (code >= 0)
        code = sd_bus_call(bus, message, 0, &error, &reply);
    if (code >= 0)
        code = read_columns(reply, badged);
    *nanoseconds = peers_now() - start;
    if (code < 0)
        peers_failed(code, &error);
    sd_bus_message_unref(message);
    sd_bus_message_unref(reply);
    sd_bus_error_free(&error);
    return code;
}
