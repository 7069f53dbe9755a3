#include "badge-requests.h"

#include "directory-listing.h"

/* Names in one request: few enough that the first answers come soon, and that a message stays small. */
#define BATCH 2000

struct BadgeRequests {
    const HostLoop *loop;
    HostLink *link;
    const Directories *directories;
    Arrivals *arrivals;
    Habits habits;
    guint timer;        /* for the next requests, or for the end of the pause after the last ones */
    gboolean is_paused; /* since the last requests */
    gboolean is_wanted; /* there are names to ask for */
};

typedef struct {
    BadgeRequests *requests;
    Observation observation;
    GVariant *names; /* NULL for all */
} Request;

BadgeRequests *badge_requests_new(
    HostLink *link, const Directories *directories, Arrivals *arrivals, const Habits *habits)
{
    BadgeRequests *requests = g_new0(BadgeRequests, 1);
    requests->loop = host_link_loop(link);
    requests->link = link;
    requests->directories = directories;
    requests->arrivals = arrivals;
    requests->habits = *habits;
    return requests;
}

void badge_requests_free(BadgeRequests *requests)
{
    host_loop_clear(requests->loop, &requests->timer);
    g_free(requests);
}

static Request *request_new(BadgeRequests *requests, Directory *directory, GVariant *names)
{
    Request *request = g_new(Request, 1);
    *request = (Request){ requests, observation_of(directory), names };
    return request;
}

static void request_free(gpointer pointer)
{
    Request *request = pointer;
    observation_clear(&request->observation);
    g_clear_pointer(&request->names, g_variant_unref);
    g_free(request);
}

/* Whole directories */

static gboolean is_observed(gpointer data)
{
    const Request *request = data;
    return observation_directory(&request->observation) != NULL;
}

/* Arrivals keep their observation longer than the request lives. */
static Observation copy_observation(const Request *request)
{
    return observation_of(request->observation.directory);
}

static void on_page(GVariant *names, GVariant *reply, gpointer data)
{
    const Request *request = data;
    arrivals_add_rows(request->requests->arrivals, copy_observation(request), names, reply, 1);
}

static void on_listed(gpointer data)
{
    const Request *request = data;
    arrivals_add_end(request->requests->arrivals, copy_observation(request));
}

static void request_all(BadgeRequests *requests, Directory *directory)
{
    static const DirectoryListingEvents events = { is_observed, on_page, on_listed };
    directory_listing_begin(
        requests->link, directory->uri, &events, request_new(requests, directory, NULL), request_free);
}

/* By name */

static void on_named(GVariant *reply, const HostError *error, gpointer data)
{
    const Request *request = data;
    if (observation_directory(&request->observation) == NULL)
        return;
    /* An error says nothing about the items: what is known of them stays. */
    if (reply == NULL)
        g_debug("RequestBadges: %s", error->message);
    else
        arrivals_add_rows(request->requests->arrivals, copy_observation(request), request->names, reply, 0);
}

static GVariant *next_names(Directory *directory)
{
    GVariantBuilder names;
    g_variant_builder_init(&names, G_VARIANT_TYPE_STRING_ARRAY);
    for (guint count = 0; count < BATCH && directory->unasked.length > 0; count++)
        g_variant_builder_add(&names, "s", directory_next_unasked(directory)->name);
    return g_variant_ref_sink(g_variant_builder_end(&names));
}

static void send_batch(Directory *directory, gpointer data)
{
    BadgeRequests *requests = data;
    if (directory->unasked.length == 0)
        return;
    Request *request = request_new(requests, directory, next_names(directory));
    host_link_call(requests->link, "RequestBadges", g_variant_new("(s@asa{sv})", directory->uri, request->names, NULL),
        "(asauaya{sv})", on_named, request, request_free);
    requests->is_wanted = requests->is_wanted || directory->unasked.length > 0;
}

static gboolean on_timer(gpointer requests);

static void start_timer(BadgeRequests *requests, guint milliseconds)
{
    requests->timer = milliseconds == 0 ? host_loop_before_drawing(requests->loop, on_timer, requests)
                                        : host_loop_after(requests->loop, milliseconds, on_timer, requests);
}

static void send_batches(BadgeRequests *requests)
{
    host_loop_clear(requests->loop, &requests->timer);
    requests->is_wanted = FALSE;
    requests->is_paused = TRUE;
    start_timer(requests, requests->habits.pause);
    directories_visit(requests->directories, send_batch, requests);
}

static gboolean on_timer(gpointer data)
{
    BadgeRequests *requests = data;
    requests->timer = 0;
    requests->is_paused = FALSE;
    if (requests->is_wanted)
        send_batches(requests);
    return G_SOURCE_REMOVE;
}

static void add(BadgeRequests *requests, DirectoryEntry *entry)
{
    if (!directory_entry_queue(entry))
        return;
    requests->is_wanted = TRUE;
    if (requests->timer == 0)
        start_timer(requests, 0);
}

static void queue_again(DirectoryEntry *entry, gpointer data)
{
    (void)data;
    entry->asked = FALSE;
    if (entry->items != NULL)
        directory_entry_queue(entry);
    else
        directory_remove(entry->directory, entry);
}

/* At once, unless others were asked about just now: a timer might come only after the hundreds of items that a file
 * manager goes through besides those that it shows. */
static void request_shown(BadgeRequests *requests, Directory *directory)
{
    directory_visit(directory, queue_again, NULL);
    requests->is_wanted = TRUE;
    if (!requests->is_paused)
        send_batches(requests);
}

void badge_requests_begin(BadgeRequests *requests, Directory *directory)
{
    if (requests->habits.asks_by_name)
        request_shown(requests, directory);
    else
        request_all(requests, directory);
}

void badge_requests_add(BadgeRequests *requests, DirectoryEntry *entry)
{
    if ((requests->habits.asks_by_name || entry->returned) && entry->directory->state == DIRECTORY_OBSERVED)
        add(requests, entry);
}
