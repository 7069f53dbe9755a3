#include "observer.h"

#include "arrivals.h"
#include "badge-requests.h"
#include "item-uri.h"

struct Observer {
    HostLink *link;
    RefreshQueue *refresh;
    Arrivals *arrivals;
    ObserverEvents events;
    gpointer data;
    GHashTable *directories;
    guint64 generation;
};

/* Values */

static void refresh(Observer *observer, DirectoryEntry *entry)
{
    if (entry->item != NULL)
        refresh_queue_add(observer->refresh, entry->item);
}

static void forget_value(DirectoryEntry *entry, gpointer data)
{
    entry->stale = FALSE;
    entry->asked = FALSE;
    if (badge_clear(&entry->badge))
        refresh(data, entry);
    if (entry->item == NULL)
        directory_remove(entry->directory, entry);
}

static void forget_stale_value(DirectoryEntry *entry, gpointer data)
{
    if (entry->stale)
        forget_value(entry, data);
}

static void mark_stale(DirectoryEntry *entry, gpointer data)
{
    (void)data;
    entry->stale = TRUE;
}

static void apply_row(const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data)
{
    Directory *directory = data;
    Observer *observer = directory->observer;
    DirectoryEntry *entry = directory_ensure(directory, name);
    entry->stale = FALSE;
    BadgeChange change = badge_set(&entry->badge, identifier, flags, progress);
    if (change != BADGE_SAME) {
        refresh(observer, entry);
        observer->events.item_changed(directory->uri, name, change, observer->data);
    }
    if (entry->item == NULL && badge_is_none(&entry->badge))
        directory_remove(directory, entry);
}

static void settle(Directory *directory)
{
    Observer *observer = directory->observer;
    directory_visit(directory, forget_stale_value, observer);
    directory->listed = TRUE;
    observer->events.settled(directory->uri, observer->data);
}

void observer_apply(Observer *observer, Directory *directory, GVariant *names, GVariant *tuple, gsize first_value)
{
    BadgeColumns columns;
    if (badge_columns_init(&columns, names, tuple, first_value))
        arrivals_add_rows(observer->arrivals, observation_new(observer, directory), columns);
}

void observer_settle(Observer *observer, Directory *directory)
{
    arrivals_add_end(observer->arrivals, observation_new(observer, directory));
}

/* Observations */

Observation *observation_new(Observer *observer, const Directory *directory)
{
    Observation *observation = g_new(Observation, 1);
    *observation = (Observation){ observer, g_strdup(directory->uri), directory->generation, NULL };
    return observation;
}

void observation_free(gpointer pointer)
{
    Observation *observation = pointer;
    g_clear_pointer(&observation->names, g_variant_unref);
    g_free(observation->directory_uri);
    g_free(observation);
}

Directory *observation_directory(const Observation *observation)
{
    Directory *directory = g_hash_table_lookup(observation->observer->directories, observation->directory_uri);
    if (directory == NULL || directory->state == DIRECTORY_UNOBSERVED
        || directory->generation != observation->generation)
        return NULL;
    return directory;
}

/* The observation is over, and so is all that was known through it. */
static void leave(Observer *observer, Directory *directory)
{
    directory->state = DIRECTORY_UNOBSERVED;
    directory->listed = FALSE;
    directory_cancel_batch(directory);
    directory_visit(directory, forget_value, observer);
    observer->events.settled(directory->uri, observer->data);
}

static void on_begun(GVariant *reply, const GError *error, gpointer data)
{
    const Observation *observation = data;
    Directory *directory = observation_directory(observation);
    if (directory == NULL)
        return;
    gboolean monitored = FALSE;
    if (reply != NULL)
        g_variant_get_child(reply, 0, "b", &monitored);
    else
        g_debug("BeginObserving %s: %s", directory->uri, error->message);
    if (!monitored) {
        leave(observation->observer, directory);
        return;
    }
    directory->state = DIRECTORY_OBSERVED;
    directory_visit(directory, mark_stale, NULL);
    badge_requests_begin(observation->observer, directory);
}

static void begin(Observer *observer, Directory *directory)
{
    if (directory->shown == 0 || directory->state != DIRECTORY_UNOBSERVED || !host_link_is_connected(observer->link)
        || !folders_may_monitor(host_link_folders(observer->link), directory->uri))
        return;
    directory->state = DIRECTORY_BEGINNING;
    directory_cancel_batch(directory);
    directory->generation = ++observer->generation;
    directory->listed = FALSE;
    host_link_call(observer->link, "BeginObserving", g_variant_new("(sa{sv})", directory->uri, NULL), "(ba{sv})",
        on_begun, observation_new(observer, directory), observation_free);
}

static void begin_where_possible(Observer *observer)
{
    GHashTableIter directories;
    gpointer directory;
    g_hash_table_iter_init(&directories, observer->directories);
    while (g_hash_table_iter_next(&directories, NULL, &directory))
        begin(observer, directory);
}

/* What is shown */

static Directory *ensure_directory(Observer *observer, const char *uri)
{
    Directory *directory = g_hash_table_lookup(observer->directories, uri);
    if (directory == NULL) {
        directory = directory_new(observer, uri);
        g_hash_table_insert(observer->directories, directory->uri, directory);
    }
    return directory;
}

static gboolean is_unused(gpointer uri, gpointer directory, gpointer data)
{
    (void)uri, (void)data;
    return directory_is_unused(directory);
}

/* Directories become unused one finalised item at a time; navigation is the time to tidy up. */
static void drop_unused(Observer *observer)
{
    g_hash_table_foreach_remove(observer->directories, is_unused, NULL);
}

void observer_show(Observer *observer, const char *directory_uri)
{
    drop_unused(observer);
    Directory *directory = ensure_directory(observer, directory_uri);
    directory->shown++;
    begin(observer, directory);
}

void observer_hide(Observer *observer, const char *directory_uri)
{
    Directory *directory = g_hash_table_lookup(observer->directories, directory_uri);
    g_return_if_fail(directory != NULL && directory->shown > 0);
    directory->shown--;
    if (directory->shown > 0)
        return;
    if (directory->state != DIRECTORY_UNOBSERVED) {
        host_link_call(
            observer->link, "EndObserving", g_variant_new("(sa{sv})", directory->uri, NULL), NULL, NULL, NULL, NULL);
        leave(observer, directory);
    }
    drop_unused(observer);
}

DirectoryEntry *observer_track(Observer *observer, const char *item_uri, FmFileInfo *item)
{
    g_autofree char *parent = item_uri_parent(item_uri);
    if (parent == NULL)
        return NULL;
    DirectoryEntry *entry = directory_ensure(ensure_directory(observer, parent), item_uri_name(item_uri));
    directory_entry_attach(entry, item);
    return entry;
}

static void refresh_entry(DirectoryEntry *entry, gpointer data)
{
    refresh(data, entry);
}

static gboolean drop_unshown(gpointer uri, gpointer value, gpointer data)
{
    (void)uri;
    Directory *directory = value;
    if (directory->shown > 0)
        return FALSE;
    directory_visit(directory, refresh_entry, data);
    return TRUE;
}

void observer_prune(Observer *observer)
{
    g_hash_table_foreach_remove(observer->directories, drop_unshown, observer);
}

/* The service */

void observer_connected(Observer *observer)
{
    begin_where_possible(observer);
}

void observer_folders_changed(Observer *observer)
{
    begin_where_possible(observer);
}

void observer_gone(Observer *observer)
{
    GHashTableIter directories;
    gpointer value;
    g_hash_table_iter_init(&directories, observer->directories);
    while (g_hash_table_iter_next(&directories, NULL, &value)) {
        Directory *directory = value;
        if (directory->state != DIRECTORY_UNOBSERVED)
            leave(observer, directory);
    }
}

static void refresh_badged(DirectoryEntry *entry, gpointer data)
{
    if (!badge_is_none(&entry->badge))
        refresh(data, entry);
}

void observer_show_anew(Observer *observer)
{
    GHashTableIter directories;
    gpointer directory;
    g_hash_table_iter_init(&directories, observer->directories);
    while (g_hash_table_iter_next(&directories, NULL, &directory))
        directory_visit(directory, refresh_badged, observer);
}

static void on_badges_changed(GVariant *parameters, gpointer data)
{
    Observer *observer = data;
    const char *uri;
    g_variant_get_child(parameters, 0, "&s", &uri);
    Directory *directory = g_hash_table_lookup(observer->directories, uri);
    if (directory == NULL || directory->state != DIRECTORY_OBSERVED)
        return;
    g_autoptr(GVariant) names = g_variant_get_child_value(parameters, 1);
    observer_apply(observer, directory, names, parameters, 2);
}

/* The service has ended every observation whose Begin it answered before this. One whose answer is still to come
 * counts. */
static void on_reset(GVariant *parameters, gpointer data)
{
    (void)parameters;
    Observer *observer = data;
    GHashTableIter directories;
    gpointer value;
    g_hash_table_iter_init(&directories, observer->directories);
    while (g_hash_table_iter_next(&directories, NULL, &value)) {
        Directory *directory = value;
        if (directory->state != DIRECTORY_OBSERVED)
            continue;
        directory->state = DIRECTORY_UNOBSERVED;
        begin(observer, directory);
        if (directory->state == DIRECTORY_UNOBSERVED)
            leave(observer, directory);
    }
}

Observer *observer_new(HostLink *link, RefreshQueue *refresh_queue, const ObserverEvents *events, gpointer data)
{
    static const ArrivalsEvents arrivals_events = { apply_row, settle };
    Observer *observer = g_new0(Observer, 1);
    observer->link = link;
    observer->arrivals = arrivals_new(&arrivals_events);
    observer->refresh = refresh_queue;
    observer->events = *events;
    observer->data = data;
    observer->directories = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)directory_free);
    host_link_on_signal(link, "BadgesChanged", G_VARIANT_TYPE("(sasasauaya{sv})"), on_badges_changed, observer);
    host_link_on_signal(link, "Reset", G_VARIANT_TYPE("(a{sv})"), on_reset, observer);
    return observer;
}

void observer_free(Observer *observer)
{
    arrivals_free(observer->arrivals);
    g_hash_table_unref(observer->directories);
    g_free(observer);
}

HostLink *observer_link(Observer *observer)
{
    return observer->link;
}
