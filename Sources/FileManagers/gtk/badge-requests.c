#include "badge-requests.h"

#include "directory-listing.h"

/* Names in one request: few enough that the first are there soon, and that a message stays small. */
#define BATCH 2000

/* Before drawing, after the file manager's own work of this turn. */
#define BATCH_PRIORITY G_PRIORITY_HIGH_IDLE

/* Whole directories */

static gboolean is_observed(gpointer observation)
{
    return observation_directory(observation) != NULL;
}

static void on_page(GVariant *names, GVariant *reply, gpointer data)
{
    const Observation *observation = data;
    observer_apply(observation->observer, observation_directory(observation), names, reply, 1);
}

static void on_listed(gpointer data)
{
    const Observation *observation = data;
    observer_settle(observation->observer, observation_directory(observation));
}

static void request_all(Observer *observer, const Directory *directory)
{
    static const DirectoryListingEvents events = { is_observed, on_page, on_listed };
    directory_listing_begin(
        observer_link(observer), directory->uri, &events, observation_new(observer, directory), observation_free);
}

/* By name */

static void on_named(GVariant *reply, const GError *error, gpointer data)
{
    const Observation *observation = data;
    Directory *directory = observation_directory(observation);
    if (directory == NULL)
        return;
    if (reply == NULL)
        g_debug("RequestBadges %s: %s", directory->uri, error->message);
    else
        observer_apply(observation->observer, directory, observation->names, reply, 0);
}

static GVariant *take_names(Directory *directory)
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
    const Observation *observation = data;
    Directory *directory = observation_directory(observation);
    if (directory == NULL)
        return G_SOURCE_REMOVE;
    if (g_hash_table_size(directory->unasked) == 0) {
        directory->batch = 0;
        return G_SOURCE_REMOVE;
    }
    Observation *request = observation_new(observation->observer, directory);
    request->names = take_names(directory);
    host_link_call(observer_link(observation->observer), "RequestBadges",
        g_variant_new("(s@asa{sv})", directory->uri, request->names, NULL), "(asauaya{sv})", on_named, request,
        observation_free);
    return G_SOURCE_CONTINUE;
}

void badge_requests_add(Observer *observer, DirectoryEntry *entry)
{
    if (entry->asked)
        return;
    Directory *directory = entry->directory;
    entry->asked = TRUE;
    g_hash_table_add(directory->unasked, entry);
    if (directory->batch == 0)
        directory->batch = g_idle_add_full(
            BATCH_PRIORITY, send_batch, observation_new(observer, directory), observation_free);
}

static void ask_again(DirectoryEntry *entry, gpointer data)
{
    entry->asked = FALSE;
    if (entry->item != NULL)
        badge_requests_add(data, entry);
    else
        directory_remove(entry->directory, entry);
}

void badge_requests_begin(Observer *observer, Directory *directory)
{
    if (FM_ASKS_LAZILY)
        directory_visit(directory, ask_again, observer);
    else
        request_all(observer, directory);
}
