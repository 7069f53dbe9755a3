#include "badge-requests.h"

#include "shared/directory-listing.h"

/* Names in one request: few enough that the first answers come soon, and that a message stays small. */
#define BATCH 2000

/* Before drawing, after the file manager's own work of this turn. */
#define BATCH_PRIORITY G_PRIORITY_HIGH_IDLE

struct BadgeRequests {
    HostLink *link;
    const Directories *directories;
    Arrivals *arrivals;
    gboolean asks_by_name;
};

/* A request, or what will be one in the next turn of the main loop. */
typedef struct {
    BadgeRequests *requests;
    Observation *observation;
    GVariant *names; /* NULL for all */
} Request;

BadgeRequests *badge_requests_new(
    HostLink *link, const Directories *directories, Arrivals *arrivals, gboolean asks_by_name)
{
    BadgeRequests *requests = g_new(BadgeRequests, 1);
    *requests = (BadgeRequests){ link, directories, arrivals, asks_by_name };
    return requests;
}

void badge_requests_free(BadgeRequests *requests)
{
    g_free(requests);
}

static Request *request_new(BadgeRequests *requests, const Directory *directory, GVariant *names)
{
    Request *request = g_new(Request, 1);
    *request = (Request){ requests, observation_new(requests->directories, directory), names };
    return request;
}

static void request_free(gpointer pointer)
{
    Request *request = pointer;
    observation_free(request->observation);
    g_clear_pointer(&request->names, g_variant_unref);
    g_free(request);
}

/* Whole directories */

static gboolean is_observed(gpointer data)
{
    const Request *request = data;
    return observation_directory(request->observation) != NULL;
}

/* Arrivals keep their observation longer than the request lives. */
static Observation *copy_observation(const Request *request)
{
    return observation_new(request->requests->directories, observation_directory(request->observation));
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

static void request_all(BadgeRequests *requests, const Directory *directory)
{
    static const DirectoryListingEvents events = { is_observed, on_page, on_listed };
    directory_listing_begin(
        requests->link, directory->uri, &events, request_new(requests, directory, NULL), request_free);
}

/* By name */

static void on_named(GVariant *reply, const GError *error, gpointer data)
{
    const Request *request = data;
    if (observation_directory(request->observation) == NULL)
        return;
    if (reply == NULL)
        g_debug("RequestBadges: %s", error->message);
    else
        arrivals_add_rows(request->requests->arrivals, copy_observation(request), request->names, reply, 0);
}

static GVariant *next_names(Directory *directory)
{
    GVariantBuilder names;
    g_variant_builder_init(&names, G_VARIANT_TYPE_STRING_ARRAY);
    GHashTableIter entries;
    gpointer entry;
    g_hash_table_iter_init(&entries, directory->unasked);
    for (guint count = 0; count < BATCH && g_hash_table_iter_next(&entries, &entry, NULL); count++) {
        g_variant_builder_add(&names, "s", ((DirectoryEntry *)entry)->name);
        g_hash_table_iter_remove(&entries);
    }
    return g_variant_ref_sink(g_variant_builder_end(&names));
}

static gboolean send_batch(gpointer data)
{
    const Request *plan = data;
    Directory *directory = observation_directory(plan->observation);
    if (directory == NULL)
        return G_SOURCE_REMOVE;
    if (g_hash_table_size(directory->unasked) == 0) {
        directory->batch = 0;
        return G_SOURCE_REMOVE;
    }
    Request *request = request_new(plan->requests, directory, next_names(directory));
    host_link_call(plan->requests->link, "RequestBadges",
        g_variant_new("(s@asa{sv})", directory->uri, request->names, NULL), "(asauaya{sv})", on_named, request,
        request_free);
    return G_SOURCE_CONTINUE;
}

static void add(BadgeRequests *requests, DirectoryEntry *entry)
{
    if (entry->asked)
        return;
    Directory *directory = entry->directory;
    entry->asked = TRUE;
    g_hash_table_add(directory->unasked, entry);
    if (directory->batch == 0)
        directory->batch = g_idle_add_full(
            BATCH_PRIORITY, send_batch, request_new(requests, directory, NULL), request_free);
}

static void ask_again(DirectoryEntry *entry, gpointer requests)
{
    entry->asked = FALSE;
    if (entry->items != NULL)
        add(requests, entry);
    else
        directory_remove(entry->directory, entry);
}

void badge_requests_begin(BadgeRequests *requests, Directory *directory)
{
    if (requests->asks_by_name)
        directory_visit(directory, ask_again, requests);
    else
        request_all(requests, directory);
}

void badge_requests_add(BadgeRequests *requests, DirectoryEntry *entry)
{
    if ((requests->asks_by_name || entry->returned) && entry->directory->state == DIRECTORY_OBSERVED)
        add(requests, entry);
}
