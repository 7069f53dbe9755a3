#include "observer.h"

#include "arrivals.h"
#include "badge-requests.h"
#include "shared/item-uri.h"

struct Observer {
    HostLink *link;
    RefreshQueue *refresh;
    Directories *directories;
    Arrivals *arrivals;
    BadgeRequests *requests;
    ObserverEvents events;
    gpointer data;
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

static void apply_row(
    Directory *directory, const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data)
{
    Observer *observer = data;
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

static void finish_listing(Directory *directory, gpointer data)
{
    Observer *observer = data;
    directory_visit(directory, forget_stale_value, observer);
    directory->listed = TRUE;
    observer->events.completed(directory->uri, observer->data);
}

/* Observations */

/* The observation is over, and so is everything known through it. */
static void leave(Observer *observer, Directory *directory)
{
    directory->state = DIRECTORY_UNOBSERVED;
    directory->listed = FALSE;
    directory_cancel_batch(directory);
    directory_visit(directory, forget_value, observer);
    observer->events.completed(directory->uri, observer->data);
}

/* Whether the directory may be in a registered folder by its spelling. */
static gboolean is_spelled_in(const Observer *observer, const Directory *directory)
{
    return folders_may_monitor(host_link_folders(observer->link), directory->uri);
}

/* Whether the service has said that the directory is in a registered folder where its spelling does not say so. */
static gboolean leads_in(const Observer *observer, const Directory *directory)
{
    return directory != NULL && directory->state == DIRECTORY_OBSERVED && !is_spelled_in(observer, directory);
}

/* A pending call of BeginObserving. */
typedef struct {
    Observer *observer;
    Observation *observation;
} Beginning;

static void beginning_free(gpointer pointer)
{
    Beginning *beginning = pointer;
    observation_free(beginning->observation);
    g_free(beginning);
}

static void on_begun(GVariant *reply, const GError *error, gpointer data)
{
    const Beginning *beginning = data;
    Directory *directory = observation_directory(beginning->observation);
    if (directory == NULL)
        return;
    gboolean monitored = FALSE;
    if (reply != NULL)
        g_variant_get_child(reply, 0, "b", &monitored);
    else
        g_debug("BeginObserving %s: %s", directory->uri, error->message);
    Observer *observer = beginning->observer;
    directory->refused = !monitored;
    if (!monitored) {
        leave(observer, directory);
        return;
    }
    directory->state = DIRECTORY_OBSERVED;
    directory_visit(directory, mark_stale, NULL);
    badge_requests_begin(observer->requests, directory);
    if (leads_in(observer, directory))
        observer->events.directory_found(directory->uri, observer->data);
}

static void begin(Directory *directory, gpointer data)
{
    Observer *observer = data;
    if (directory->shown == 0 || directory->state != DIRECTORY_UNOBSERVED || !host_link_is_connected(observer->link))
        return;
    /* A symbolic link or a second mount may lead into a registered folder, which the service knows. */
    gboolean spelled_in = is_spelled_in(observer, directory);
    if (!spelled_in && (directory->refused || folders_uris(host_link_folders(observer->link))->len == 0))
        return;
    directory->state = spelled_in ? DIRECTORY_BEGINNING : DIRECTORY_ASKED;
    directory_cancel_batch(directory);
    directory->generation = ++observer->generation;
    directory->listed = FALSE;
    Beginning *beginning = g_new(Beginning, 1);
    *beginning = (Beginning){ observer, observation_new(observer->directories, directory) };
    host_link_call(observer->link, "BeginObserving", g_variant_new("(sa{sv})", directory->uri, NULL), "(ba{sv})",
        on_begun, beginning, beginning_free);
}

/* What is shown */

static gboolean is_unused(Directory *directory, gpointer data)
{
    (void)data;
    return directory_is_unused(directory);
}

/* Directories become unused one finalised item at a time; navigation is the time to tidy up. */
static void drop_unused(Observer *observer)
{
    directories_remove_if(observer->directories, is_unused, NULL);
}

void observer_show(Observer *observer, const char *directory_uri)
{
    drop_unused(observer);
    Directory *directory = directories_ensure(observer->directories, directory_uri);
    directory->shown++;
    begin(directory, observer);
}

void observer_hide(Observer *observer, const char *directory_uri)
{
    Directory *directory = directories_find(observer->directories, directory_uri);
    g_return_if_fail(directory != NULL && directory->shown > 0);
    directory->shown--;
    if (directory->shown > 0)
        return;
    directory->refused = FALSE;
    if (directory->state != DIRECTORY_UNOBSERVED) {
        host_link_call(
            observer->link, "EndObserving", g_variant_new("(sa{sv})", directory->uri, NULL), NULL, NULL, NULL, NULL);
        leave(observer, directory);
    }
    drop_unused(observer);
}

gboolean observer_holds(const Observer *observer, const char *item_uri)
{
    if (folders_hold(host_link_folders(observer->link), item_uri))
        return TRUE;
    g_autofree char *parent = item_uri_parent(item_uri);
    return leads_in(observer, directories_find(observer->directories, item_uri))
           || (parent != NULL && leads_in(observer, directories_find(observer->directories, parent)));
}

DirectoryEntry *observer_track(Observer *observer, const char *item_uri, FmFileInfo *item)
{
    g_autofree char *parent = item_uri_parent(item_uri);
    if (parent == NULL)
        return NULL;
    DirectoryEntry *entry = directory_ensure(
        directories_ensure(observer->directories, parent), item_uri_name(item_uri));
    directory_entry_attach(entry, item);
    return entry;
}

void observer_request(Observer *observer, DirectoryEntry *entry)
{
    badge_requests_add(observer->requests, entry);
}

static void refresh_entry(DirectoryEntry *entry, gpointer observer)
{
    refresh(observer, entry);
}

static gboolean refresh_if_unshown(Directory *directory, gpointer observer)
{
    if (directory->shown > 0)
        return FALSE;
    directory_visit(directory, refresh_entry, observer);
    return TRUE;
}

void observer_prune(Observer *observer)
{
    directories_remove_if(observer->directories, refresh_if_unshown, observer);
}

/* The service */

static void begin_anew(Directory *directory, gpointer observer)
{
    directory->refused = FALSE;
    begin(directory, observer);
}

/* The service came, or has other folders. */
static void begin_all(gpointer data)
{
    Observer *observer = data;
    directories_visit(observer->directories, begin_anew, observer);
}

static void leave_if_observed(Directory *directory, gpointer observer)
{
    if (directory->state != DIRECTORY_UNOBSERVED)
        leave(observer, directory);
}

static void leave_all(gpointer data)
{
    Observer *observer = data;
    directories_visit(observer->directories, leave_if_observed, observer);
}

static void refresh_if_badged(DirectoryEntry *entry, gpointer observer)
{
    if (!badge_is_none(&entry->badge))
        refresh(observer, entry);
}

static void refresh_badged(Directory *directory, gpointer observer)
{
    directory_visit(directory, refresh_if_badged, observer);
}

void observer_show_anew(Observer *observer)
{
    directories_visit(observer->directories, refresh_badged, observer);
}

static void on_images_changed(gpointer observer)
{
    observer_show_anew(observer);
}

static void on_badges_changed(GVariant *parameters, gpointer data)
{
    Observer *observer = data;
    const char *uri;
    g_variant_get_child(parameters, 0, "&s", &uri);
    Directory *directory = directories_find(observer->directories, uri);
    if (directory == NULL || directory->state != DIRECTORY_OBSERVED)
        return;
    g_autoptr(GVariant) names = g_variant_get_child_value(parameters, 1);
    arrivals_add_rows(observer->arrivals, observation_new(observer->directories, directory), names, parameters, 2);
}

static void begin_again(Directory *directory, gpointer observer)
{
    if (directory->state != DIRECTORY_OBSERVED)
        return;
    directory->state = DIRECTORY_UNOBSERVED;
    begin(directory, observer);
    if (directory->state == DIRECTORY_UNOBSERVED)
        leave(observer, directory);
}

/* The service has ended every observation whose BeginObserving it answered before this. One whose answer is still to
 * come counts. */
static void on_reset(GVariant *parameters, gpointer data)
{
    (void)parameters;
    Observer *observer = data;
    directories_visit(observer->directories, begin_again, observer);
}

Observer *observer_new(const ObserverParts *parts, const ObserverEvents *events, gpointer data)
{
    static const HostLinkEvents link_events = {
        .connected = begin_all,
        .gone = leave_all,
        .folders_changed = begin_all,
        .images_changed = on_images_changed,
    };
    static const ArrivalsEvents arrivals_events = { apply_row, finish_listing };
    Observer *observer = g_new0(Observer, 1);
    observer->link = parts->link;
    observer->refresh = parts->refresh;
    observer->directories = directories_new();
    observer->arrivals = arrivals_new(parts->slice, &arrivals_events, observer);
    observer->requests = badge_requests_new(
        parts->link, observer->directories, observer->arrivals, parts->asks_by_name);
    observer->events = *events;
    observer->data = data;
    host_link_listen(parts->link, &link_events, observer);
    host_link_on_signal(parts->link, "BadgesChanged", G_VARIANT_TYPE("(sasasauaya{sv})"), on_badges_changed, observer);
    host_link_on_signal(parts->link, "Reset", G_VARIANT_TYPE("(a{sv})"), on_reset, observer);
    return observer;
}

void observer_free(Observer *observer)
{
    arrivals_free(observer->arrivals);
    badge_requests_free(observer->requests);
    directories_free(observer->directories);
    g_free(observer);
}
