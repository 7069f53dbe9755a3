#pragma once

#include <gio/gio.h>

/*
 * The badge service as a plugin sees it, played by a test. It stands on a bus of the tests' own, which is the session
 * bus of this process from the first service on. GDBus checks what it says against the interface's description.
 */

typedef struct FakeService FakeService;

/* Called for each call of the Host interface: replies to it, keeps it unanswered, or returns FALSE for the usual reply,
 * which is that every directory may be observed. */
typedef gboolean (*FakeServiceCall)(
    const char *method, GVariant *arguments, GDBusMethodInvocation *invocation, gpointer data);

/* Shows the folder with that URI, and takes the service's name. */
FakeService *fake_service_new(const char *folder, FakeServiceCall call, gpointer data);

/* Gives the name up. */
void fake_service_free(FakeService *service);

/* Ends the bus, if there was a service. */
void fake_bus_end(void);

/* How often the method was called. */
guint fake_service_count(const FakeService *service, const char *method);

/* Shows this folder instead of the one before, and says so. */
void fake_service_change_folder(FakeService *service, const char *folder);

/* Emits a signal of the Host interface to whoever called it last. */
void fake_service_emit(FakeService *service, const char *member, GVariant *parameters);

/* Runs the main loop until the condition holds; the test fails if it does not within some seconds. */
void wait_until(gboolean (*condition)(gpointer data), gpointer data);

/* Runs the main loop until whatever was sent to the service before, and whatever came of the replies, is done. */
void fake_service_flush(FakeService *service);
