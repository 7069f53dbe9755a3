#include "badge-requests.h"

/* Names in one answer or request: few enough that the first are there soon, and that a message stays small. */
#define PAGE 2000

/* Before drawing, after the file manager's own work of this turn. */
#define BATCH_PRIORITY G_PRIORITY_HIGH_IDLE

/* Whole directories */

static void request_page(Observer *observer, Directory *directory, const char *after);

static void on_page(GVariant *reply, const GError *error, gpointer data)
{
    const Observation *observation = data;
    Directory *directory = observation_directory(observation);
    if (directory == NULL)
        return;
    if (reply == NULL) {
        g_debug("RequestDirectory %s: %s", directory->uri, error->message);
        observer_settle(observation->observer, directory);
        return;
    }
    const char *next;
    g_variant_get_child(reply, 4, "&s", &next);
    g_autoptr(GVariant) names = g_variant_get_child_value(reply, 0);
    /* A page without a name does not get on, whatever it says of a next one. */
    const gboolean is_last = *next == '\0' || g_variant_n_children(names) == 0;
    if (!is_last)
        request_page(observation->observer, directory, next);
    observer_apply(observation->observer, directory, names, reply, 1);
    if (is_last)
        observer_settle(observation->observer, directory);
}

static void request_page(Observer *observer, Directory *directory, const char *after)
{
    host_link_call(observer_link(observer), "RequestDirectory",
        g_variant_new("(ssua{sv})", directory->uri, after, (guint32)PAGE, NULL), "(asasauaysa{sv})", on_page,
        observation_new(observer, directory), observation_free);
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
    for (guint count = 0; count < PAGE && g_hash_table_iter_next(&entries, &entry, NULL); count++) {
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
        request_page(observer, directory, "");
}
