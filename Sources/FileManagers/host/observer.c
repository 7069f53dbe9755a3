#include "observer.h"

#include "arrivals.h"
#include "badge-requests.h"
#include "item-uri.h"

struct Observer {
    const HostLoop *loop;
    HostLink *link;
    RefreshQueue *refresh;
    DirectoryEvents directory_events;
    Directories *directories;
    BadgeValues *values;
    Arrivals *arrivals;
    BadgeRequests *requests;
    ObserverEvents events;
    gpointer data;
    gboolean keeps_items;
    guint64 generation;
    guint review;        /* the source that ends what is no longer implied */
    guint doubts_expiry; /* the source that takes doubts for certain */
};

/* How long the file manager has to ask again about what it still shows. */
enum { DOUBT_MILLISECONDS = 2000 };

/* Observations */

/* The observation is over, and so is everything known through it. */
static void leave(Observer *observer, Directory *directory)
{
    directory->state = DIRECTORY_UNOBSERVED;
    directory->listed = FALSE;
    directory_forget_unasked(directory);
    badge_values_forget(directory, observer->values);
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

static gboolean is_below_one_that_leads_in(const Observer *observer, const Directory *directory)
{
    g_autofree char *parent = item_uri_parent(directory->uri);
    while (parent != NULL && !leads_in(observer, directories_find(observer->directories, parent))) {
        char *next = item_uri_parent(parent);
        g_free(parent);
        parent = next;
    }
    return parent != NULL;
}

/* A symbolic link or a second mount may lead into a registered folder, which the service knows. It is asked about each
 * directory that is shown, but not about those in which a search finds something. */
static gboolean may_lead_in(const Observer *observer, const Directory *directory)
{
    return !directory->refused && folders_uris(host_link_folders(observer->link))->len > 0
           && (directory->shown > 0 || is_below_one_that_leads_in(observer, directory));
}

/* A pending call of BeginObserving. */
typedef struct {
    Observer *observer;
    Observation observation;
} Beginning;

static void beginning_free(gpointer pointer)
{
    Beginning *beginning = pointer;
    observation_clear(&beginning->observation);
    g_free(beginning);
}

static void on_begun(GVariant *reply, const HostError *error, gpointer data)
{
    const Beginning *beginning = data;
    Directory *directory = observation_directory(&beginning->observation);
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
    directory_visit(directory, badge_value_expect, observer->values);
    badge_requests_begin(observer->requests, directory);
    if (observer->events.directory_found != NULL && leads_in(observer, directory))
        observer->events.directory_found(directory->uri, observer->data);
}

static void begin(Directory *directory, gpointer data)
{
    Observer *observer = data;
    if ((directory->shown == 0 && !directory->implied) || directory->state != DIRECTORY_UNOBSERVED
        || !host_link_is_connected(observer->link))
        return;
    gboolean spelled_in = is_spelled_in(observer, directory);
    if (!spelled_in && !may_lead_in(observer, directory))
        return;
    directory->state = spelled_in ? DIRECTORY_BEGINNING : DIRECTORY_ASKED;
    directory_forget_unasked(directory);
    directory->generation = ++observer->generation;
    directory->listed = FALSE;
    Beginning *beginning = g_new(Beginning, 1);
    *beginning = (Beginning){ observer, observation_of(directory) };
    host_link_call(observer->link, "BeginObserving", g_variant_new("(sa{sv})", directory->uri, NULL), "(ba{sv})",
        on_begun, beginning, beginning_free);
}

static void end(Observer *observer, Directory *directory)
{
    directory->refused = FALSE;
    directory->implied = FALSE;
    directory->doubted = FALSE;
    if (directory->state == DIRECTORY_UNOBSERVED)
        return;
    host_link_call(
        observer->link, "EndObserving", g_variant_new("(sa{sv})", directory->uri, NULL), NULL, NULL, NULL, NULL);
    leave(observer, directory);
}

/* Items shown elsewhere than in a place of their directory. No file manager reports when such an item goes: it
 * finalises the object then or, Nautilus always and others sometimes, keeps it and does not ask about it any more. */

static void imply(Observer *observer, Directory *directory)
{
    directory->doubted = FALSE;
    if (directory->places > 0 || directory->shown > 0 || directory->implied)
        return;
    directory->implied = TRUE;
    begin(directory, observer);
}

static void end_if_deserted(Directory *directory, gpointer observer)
{
    if (directory->implied && directory->items == 0)
        end(observer, directory);
}

static gboolean review(gpointer data)
{
    Observer *observer = data;
    observer->review = 0;
    directories_visit(observer->directories, end_if_deserted, observer);
    return G_SOURCE_REMOVE;
}

static void on_deserted(gpointer data)
{
    Observer *observer = data;
    if (observer->review == 0)
        observer->review = host_loop_when_idle(observer->loop, review, observer);
}

static void end_if_doubted(Directory *directory, gpointer observer)
{
    if (directory->doubted)
        end(observer, directory);
}

static gboolean expire_doubts(gpointer data)
{
    Observer *observer = data;
    observer->doubts_expiry = 0;
    directories_visit(observer->directories, end_if_doubted, observer);
    return G_SOURCE_REMOVE;
}

static void doubt(Directory *directory, gpointer data)
{
    Observer *observer = data;
    if (!directory->implied || directory->state == DIRECTORY_UNOBSERVED)
        return;
    directory->doubted = TRUE;
    directory_visit(directory, badge_value_refresh, observer->values);
    if (observer->doubts_expiry == 0)
        observer->doubts_expiry = host_loop_after(observer->loop, DOUBT_MILLISECONDS, expire_doubts, observer);
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
    directory->implied = FALSE;
    directory->doubted = FALSE;
    begin(directory, observer);
}

void observer_hide(Observer *observer, const char *directory_uri)
{
    Directory *directory = directories_find(observer->directories, directory_uri);
    g_return_if_fail(directory != NULL && directory->shown > 0);
    directory->shown--;
    directories_visit(observer->directories, doubt, observer);
    if (directory->shown > 0)
        return;
    end(observer, directory);
    drop_unused(observer);
}

void observer_add_place(Observer *observer, const char *directory_uri)
{
    directories_ensure(observer->directories, directory_uri)->places++;
}

void observer_remove_place(Observer *observer, const char *directory_uri)
{
    Directory *directory = directories_find(observer->directories, directory_uri);
    g_return_if_fail(directory != NULL && directory->places > 0);
    directory->places--;
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

DirectoryEntry *observer_entry(Observer *observer, const char *item_uri)
{
    g_autofree char *parent = item_uri_parent(item_uri);
    return parent == NULL
               ? NULL
               : directory_ensure(directories_ensure(observer->directories, parent), item_uri_name(item_uri));
}

DirectoryEntry *observer_track(Observer *observer, const char *item_uri, gpointer item)
{
    DirectoryEntry *entry = observer_entry(observer, item_uri);
    if (entry != NULL)
        directory_entry_attach(entry, item);
    return entry;
}

void observer_request(Observer *observer, DirectoryEntry *entry)
{
    imply(observer, entry->directory);
    badge_requests_add(observer->requests, entry);
}

static gboolean refresh_if_unshown(Directory *directory, gpointer data)
{
    const Observer *observer = data;
    if (directory->places > 0 || directory->shown > 0 || directory->state != DIRECTORY_UNOBSERVED)
        return FALSE;
    directory_visit(directory, badge_value_refresh, observer->values);
    return TRUE;
}

void observer_prune(Observer *observer)
{
    directories_visit(observer->directories, doubt, observer);
    directories_remove_if(observer->directories, refresh_if_unshown, observer);
}

void observer_forget(Observer *observer, const char *directory_uri)
{
    Directory *directory = directories_find(observer->directories, directory_uri);
    if (directory == NULL)
        return;
    end(observer, directory);
    directories_remove(observer->directories, directory_uri);
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

static void refresh_badged(Directory *directory, gpointer data)
{
    const Observer *observer = data;
    directory_visit(directory, badge_value_refresh_badged, observer->values);
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
    g_autoptr(GVariant) uri = g_variant_get_child_value(parameters, 0);
    Directory *directory = directories_find(observer->directories, g_variant_get_string(uri, NULL));
    if (directory == NULL || directory->state != DIRECTORY_OBSERVED)
        return;
    g_autoptr(GVariant) names = g_variant_get_child_value(parameters, 1);
    arrivals_add_rows(observer->arrivals, observation_of(directory), names, parameters, 2);
}

static void begin_again(Directory *directory, gpointer data)
{
    Observer *observer = data;
    if (directory->state != DIRECTORY_OBSERVED)
        return;
    directory->state = DIRECTORY_UNOBSERVED;
    if (observer->keeps_items)
        directory_visit(directory, badge_value_forget_unbadged, observer->values);
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
    static const ArrivalsEvents arrivals_events = { badge_values_apply, badge_values_complete };
    Observer *observer = g_new0(Observer, 1);
    observer->loop = host_link_loop(parts->link);
    observer->link = parts->link;
    observer->events = *events;
    observer->data = data;
    observer->keeps_items = parts->habits.keeps_items;
    observer->refresh = refresh_queue_new(observer->loop, parts->items);
    observer->directory_events = (DirectoryEvents){ parts->items, on_deserted, observer };
    observer->directories = directories_new(&observer->directory_events);
    observer->values = badge_values_new(observer->refresh, &parts->habits, &events->values, data);
    observer->arrivals = arrivals_new(observer->loop, parts->slice, &arrivals_events, observer->values);
    observer->requests = badge_requests_new(parts->link, observer->directories, observer->arrivals, &parts->habits);
    host_link_listen(parts->link, &link_events, observer);
    host_link_on_signal(parts->link, "BadgesChanged", "(sasasauaya{sv})", on_badges_changed, observer);
    host_link_on_signal(parts->link, "Reset", "(a{sv})", on_reset, observer);
    return observer;
}

void observer_free(Observer *observer)
{
    host_loop_clear(observer->loop, &observer->review);
    host_loop_clear(observer->loop, &observer->doubts_expiry);
    arrivals_free(observer->arrivals);
    badge_requests_free(observer->requests);
    directories_free(observer->directories);
    badge_values_free(observer->values);
    refresh_queue_free(observer->refresh);
    g_free(observer);
}
