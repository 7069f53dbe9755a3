#include "explorer.h"

#include "explored-directory.h"
#include "item.h"
#include "host/badge.h"
#include "host/directory-listing.h"
#include "host/item-uri.h"

/* The service allows 4,096 for each caller. Beyond this number the directories above show enough. */
#define DIRECTORY_LIMIT 1000

struct Explorer {
    HostLink *link;
    ExplorerReport report;
    gpointer data;
    GHashTable *parents;     /* URIs of the directories that hold a registered folder */
    GHashTable *directories; /* URI → ExploredDirectory */
    GHashTable *waiting;     /* URIs of directories for which there was no room */
    guint64 last_observation;
};

/* What matters */

/* The deepest registered folder that holds the item, or NULL. */
static const char *folder_of(const Explorer *explorer, const char *uri)
{
    const GPtrArray *folders = folders_uris(host_link_folders(explorer->link));
    const char *deepest = NULL;
    for (guint i = 0; i < folders->len; i++) {
        const char *folder = g_ptr_array_index(folders, i);
        if (item_uri_is_within(uri, folder) && (deepest == NULL || item_uri_is_within(folder, deepest)))
            deepest = folder;
    }
    return deepest;
}

static gboolean is_folder(const Explorer *explorer, const char *uri)
{
    return g_strcmp0(folder_of(explorer, uri), uri) == 0;
}

/* Badges that do not change the badge of the directory above, so that not all items with them are found. */
static gboolean is_quiet(const char *badge)
{
    return g_str_equal(badge, "excluded") || g_str_equal(badge, "online-only");
}

static gboolean shows(const Explorer *explorer, const ExploredDirectory *directory, const char *uri, const char *badge)
{
    if (*badge == '\0' || is_folder(explorer, uri))
        return *badge != '\0';
    return !g_str_equal(badge, "synced") && (!is_quiet(badge) || is_folder(explorer, directory->uri));
}

/* Whether the item, if it is a directory, may hold items whose badges matter. */
static gboolean leads_on(const Explorer *explorer, const char *uri, const char *badge)
{
    if (*badge == '\0' || is_folder(explorer, uri))
        return *badge != '\0';
    return !g_str_equal(badge, "synced") && !is_quiet(badge);
}

static char *child_uri(const ExploredDirectory *directory, const char *name)
{
    return g_strconcat(directory->uri, g_str_has_suffix(directory->uri, "/") ? "" : "/", name, NULL);
}

static void report(Explorer *explorer, const char *uri, const char *badge)
{
    explorer->report(uri, folder_of(explorer, uri), badge, explorer->data);
}

/* Leaving directories */

static void forget(Explorer *explorer, ExploredDirectory *directory)
{
    g_autoptr(GPtrArray) names = explored_directory_names(directory, FALSE);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *uri = child_uri(directory, g_ptr_array_index(names, i));
        report(explorer, uri, NULL);
    }
    g_hash_table_remove(explorer->directories, directory->uri);
}

static void end(Explorer *explorer, ExploredDirectory *directory)
{
    host_link_call(
        explorer->link, "EndObserving", g_variant_new("(sa{sv})", directory->uri, NULL), NULL, NULL, NULL, NULL);
    forget(explorer, directory);
}

/* Whether the directory stays observed although `left`, which is the directory or holds it, does not. */
static gboolean is_needed(const Explorer *explorer, const char *uri, const char *left)
{
    return g_hash_table_contains(explorer->parents, uri) || (is_folder(explorer, uri) && !g_str_equal(uri, left));
}

static void enter(Explorer *explorer, const char *uri);

static void admit_waiting(Explorer *explorer)
{
    while (g_hash_table_size(explorer->waiting) > 0 && g_hash_table_size(explorer->directories) < DIRECTORY_LIMIT) {
        GHashTableIter waiting;
        gpointer uri;
        g_hash_table_iter_init(&waiting, explorer->waiting);
        g_hash_table_iter_next(&waiting, &uri, NULL);
        g_hash_table_iter_steal(&waiting);
        enter(explorer, uri);
        g_free(uri);
    }
}

static void leave(Explorer *explorer, const char *uri)
{
    /* Directories below one are left with it, so that no search is needed for most synced items. */
    if (!g_hash_table_contains(explorer->directories, uri) && !g_hash_table_contains(explorer->waiting, uri))
        return;
    g_autoptr(GList) directories = g_hash_table_get_values(explorer->directories);
    for (GList *link = directories; link != NULL; link = link->next) {
        ExploredDirectory *directory = link->data;
        if (item_uri_is_within(directory->uri, uri) && !is_needed(explorer, directory->uri, uri))
            end(explorer, directory);
    }
    GHashTableIter waiting;
    gpointer candidate;
    g_hash_table_iter_init(&waiting, explorer->waiting);
    while (g_hash_table_iter_next(&waiting, &candidate, NULL)) {
        if (item_uri_is_within(candidate, uri))
            g_hash_table_iter_remove(&waiting);
    }
    admit_waiting(explorer);
}

/* Badges */

static void apply_badge(Explorer *explorer, ExploredDirectory *directory, const char *name, const char *badge)
{
    g_autofree char *uri = child_uri(directory, name);
    const char *folder = folder_of(explorer, uri);
    if (folder == NULL)
        badge = "";
    if (shows(explorer, directory, uri, badge)) {
        if (explored_directory_put(directory, name, badge))
            report(explorer, uri, badge);
    } else {
        /* Reported each time: an emblem may still be recorded for an item that was missing until now. */
        explored_directory_drop(directory, name);
        report(explorer, uri, NULL);
    }
    if (!leads_on(explorer, uri, badge))
        leave(explorer, uri);
    else if (!g_hash_table_contains(explorer->directories, uri) && item_kind(folder, uri) == ITEM_DIRECTORY)
        enter(explorer, uri);
}

typedef struct {
    Explorer *explorer;
    ExploredDirectory *directory;
} Place;

static void apply_row(const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data)
{
    (void)flags, (void)progress;
    const Place *place = data;
    apply_badge(place->explorer, place->directory, name, identifier);
}

static void apply_columns(
    Explorer *explorer, ExploredDirectory *directory, GVariant *names, GVariant *tuple, gsize first_value)
{
    BadgeColumns columns;
    if (!badge_columns_init(&columns, names, tuple, first_value))
        return;
    Place place = { explorer, directory };
    badge_columns_visit(&columns, 0, columns.count, apply_row, &place);
    badge_columns_clear(&columns);
}

/* The listing is over: badges that it did not name are gone. */
static void drop_stale(Explorer *explorer, ExploredDirectory *directory)
{
    g_autoptr(GPtrArray) names = explored_directory_names(directory, TRUE);
    for (guint i = 0; i < names->len; i++)
        apply_badge(explorer, directory, g_ptr_array_index(names, i), "");
}

/* Observing */

typedef struct {
    Explorer *explorer;
    char *uri;
    guint64 number;
} Exploration;

static Exploration *exploration_new(Explorer *explorer, const ExploredDirectory *directory)
{
    Exploration *exploration = g_new(Exploration, 1);
    *exploration = (Exploration){ explorer, g_strdup(directory->uri), directory->observation };
    return exploration;
}

static void exploration_free(gpointer pointer)
{
    Exploration *exploration = pointer;
    g_free(exploration->uri);
    g_free(exploration);
}

/* The directory, or NULL if this observation is over. */
static ExploredDirectory *observed(const Exploration *exploration)
{
    ExploredDirectory *directory = g_hash_table_lookup(exploration->explorer->directories, exploration->uri);
    return directory != NULL && directory->observation == exploration->number ? directory : NULL;
}

static gboolean is_observed(gpointer exploration)
{
    return observed(exploration) != NULL;
}

static void on_page(GVariant *names, GVariant *reply, gpointer data)
{
    const Exploration *exploration = data;
    apply_columns(exploration->explorer, observed(exploration), names, reply, 1);
}

static void on_listed(gpointer data)
{
    const Exploration *exploration = data;
    drop_stale(exploration->explorer, observed(exploration));
}

static void on_begun(GVariant *reply, const HostError *error, gpointer data)
{
    const Exploration *exploration = data;
    ExploredDirectory *directory = observed(exploration);
    if (directory == NULL)
        return;
    if (reply == NULL)
        g_debug("BeginObserving %s: %s", directory->uri, error->message);
    else
        g_variant_get_child(reply, 0, "b", &directory->is_begun);
    if (!directory->is_begun) {
        forget(exploration->explorer, directory);
        return;
    }
    explored_directory_mark_stale(directory);
    static const DirectoryListingEvents events = { is_observed, on_page, on_listed };
    directory_listing_begin(exploration->explorer->link, directory->uri, &events,
        exploration_new(exploration->explorer, directory), exploration_free);
}

static void begin(Explorer *explorer, ExploredDirectory *directory)
{
    directory->observation = ++explorer->last_observation;
    directory->is_begun = FALSE;
    host_link_call(explorer->link, "BeginObserving", g_variant_new("(sa{sv})", directory->uri, NULL), "(ba{sv})",
        on_begun, exploration_new(explorer, directory), exploration_free);
}

static void enter(Explorer *explorer, const char *uri)
{
    if (g_hash_table_contains(explorer->directories, uri))
        return;
    if (g_hash_table_size(explorer->directories) >= DIRECTORY_LIMIT) {
        if (g_hash_table_size(explorer->waiting) == 0)
            g_message("More than %d directories hold something that is not synced; items in the others show no emblems "
                      "until some of these are synced",
                DIRECTORY_LIMIT);
        g_hash_table_add(explorer->waiting, g_strdup(uri));
        return;
    }
    ExploredDirectory *directory = explored_directory_new(uri);
    g_hash_table_insert(explorer->directories, directory->uri, directory);
    begin(explorer, directory);
}

/* Signals of the service */

static void on_badges_changed(GVariant *parameters, gpointer data)
{
    Explorer *explorer = data;
    g_autoptr(GVariant) uri = g_variant_get_child_value(parameters, 0);
    ExploredDirectory *directory = g_hash_table_lookup(explorer->directories, g_variant_get_string(uri, NULL));
    if (directory == NULL || !directory->is_begun)
        return;
    g_autoptr(GVariant) names = g_variant_get_child_value(parameters, 1);
    apply_columns(explorer, directory, names, parameters, 2);
}

/* The service has ended every observation whose Begin it answered before this. */
static void on_reset(GVariant *parameters, gpointer data)
{
    (void)parameters;
    Explorer *explorer = data;
    GHashTableIter directories;
    gpointer directory;
    g_hash_table_iter_init(&directories, explorer->directories);
    while (g_hash_table_iter_next(&directories, NULL, &directory)) {
        if (((ExploredDirectory *)directory)->is_begun)
            begin(explorer, directory);
    }
}

/* The service came, or has other folders. */
static void follow_folders(gpointer data)
{
    Explorer *explorer = data;
    const GPtrArray *folders = folders_uris(host_link_folders(explorer->link));
    g_hash_table_remove_all(explorer->parents);
    for (guint i = 0; i < folders->len; i++) {
        char *parent = item_uri_parent(g_ptr_array_index(folders, i));
        if (parent != NULL)
            g_hash_table_add(explorer->parents, parent);
    }
    g_autoptr(GList) directories = g_hash_table_get_values(explorer->directories);
    for (GList *link = directories; link != NULL; link = link->next) {
        ExploredDirectory *directory = link->data;
        if (!folders_may_monitor(host_link_folders(explorer->link), directory->uri))
            end(explorer, directory);
    }
    g_autoptr(GList) parents = g_hash_table_get_keys(explorer->parents);
    for (GList *link = parents; link != NULL; link = link->next)
        enter(explorer, link->data);
}

/* The service went: every badge is forgotten. */
static void forget_all(gpointer data)
{
    Explorer *explorer = data;
    g_autoptr(GList) directories = g_hash_table_get_values(explorer->directories);
    for (GList *link = directories; link != NULL; link = link->next)
        forget(explorer, link->data);
    g_hash_table_remove_all(explorer->waiting);
}

/* Badges have other images. */
static void report_all(gpointer data)
{
    Explorer *explorer = data;
    GHashTableIter directories;
    gpointer directory;
    g_hash_table_iter_init(&directories, explorer->directories);
    while (g_hash_table_iter_next(&directories, NULL, &directory)) {
        GHashTableIter badges;
        gpointer name;
        gpointer badge;
        g_hash_table_iter_init(&badges, ((ExploredDirectory *)directory)->badges);
        while (g_hash_table_iter_next(&badges, &name, &badge)) {
            g_autofree char *uri = child_uri(directory, name);
            report(explorer, uri, ((const FoundBadge *)badge)->identifier);
        }
    }
}

Explorer *explorer_new(HostLink *link, ExplorerReport report_item, gpointer data)
{
    static const HostLinkEvents events = {
        .connected = follow_folders,
        .gone = forget_all,
        .folders_changed = follow_folders,
        .images_changed = report_all,
    };
    Explorer *explorer = g_new0(Explorer, 1);
    explorer->link = link;
    explorer->report = report_item;
    explorer->data = data;
    explorer->parents = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    explorer->directories = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, explored_directory_free);
    explorer->waiting = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    host_link_listen(link, &events, explorer);
    host_link_on_signal(link, "BadgesChanged", "(sasasauaya{sv})", on_badges_changed, explorer);
    host_link_on_signal(link, "Reset", "(a{sv})", on_reset, explorer);
    return explorer;
}

void explorer_free(Explorer *explorer)
{
    g_hash_table_unref(explorer->waiting);
    g_hash_table_unref(explorer->directories);
    g_hash_table_unref(explorer->parents);
    g_free(explorer);
}
