#include "badge-view.h"
#include "bus.h"
#include "followers.h"
#include "host/names.h"
#include "host/menu-question.h"
#include "menu.h"
#include "paths.h"
#include "poll-loop.h"
#include "roundel.h"
#include "shown-items.h"

#include <errno.h>

/* At least so many milliseconds lie between two requests by name: items come into view one after another. */
enum { PAUSE_MILLISECONDS = 20 };

struct RoundelHost {
    PollLoop *loop;
    Bus *bus;
    HostLink *link;
    ShownItems *items;
    Menus *menus;
    Attributes *attributes;
    Followers *followers;
    gboolean is_dispatching;

    /* What is still to be told, and the source that does it. The parts of the library must not be called while they
     * report something; the program's functions may call all of them. */
    guint telling;
    unsigned int changes;
    GQueue ended; /* of GVariant, the parameters of ActionFinished */

    RoundelChangeFunction on_change;
    RoundelBadgeFunction on_badge;
    RoundelActionFunction on_action;
    void *change_data;
    void *badge_data;
    void *action_data;

    /* What the program was given. */
    BadgeView *told;  /* in its function */
    BadgeView *asked; /* as an answer */
    GStrv folders;
    RoundelToolbarItem toolbar_item;
};

/* Telling */

static void tell_ended(RoundelHost *host, GVariant *parameters)
{
    const char *item_id;
    const char *message;
    const char *clipboard = NULL;
    guint32 outcome;
    g_autoptr(GVariant) extra = NULL;
    g_variant_get(parameters, "(t&su&s@a{sv})", NULL, &item_id, &outcome, &message, &extra);
    if (outcome == OUTCOME_DONE)
        g_variant_lookup(extra, "clipboard", "&s", &clipboard);
    if (host->on_action != NULL)
        host->on_action(host, item_id, (RoundelOutcome)outcome, message, clipboard, host->action_data);
}

static gboolean tell(gpointer data)
{
    RoundelHost *host = data;
    const unsigned int changes = host->changes;
    GVariant *parameters;
    host->telling = 0;
    host->changes = 0;
    if (changes != 0 && host->on_change != NULL)
        host->on_change(host, changes, host->change_data);
    while ((parameters = g_queue_pop_head(&host->ended)) != NULL) {
        tell_ended(host, parameters);
        g_variant_unref(parameters);
    }
    followers_tell(host->followers, host);
    return G_SOURCE_REMOVE;
}

static void tell_later(RoundelHost *host)
{
    if (host->telling == 0)
        host->telling = host_loop_when_idle(poll_loop_methods(host->loop), tell, host);
}

static void note(RoundelHost *host, unsigned int changes)
{
    host->changes |= changes;
    tell_later(host);
}

static void on_connection_changed(gpointer host)
{
    note(host, ROUNDEL_CHANGE_SERVICE | ROUNDEL_CHANGE_FOLDERS | ROUNDEL_CHANGE_MENUS | ROUNDEL_CHANGE_ICONS
                   | ROUNDEL_CHANGE_TOOLBAR);
}

static void on_folders_changed(gpointer host)
{
    note(host, ROUNDEL_CHANGE_FOLDERS);
}

static void on_toolbar_item_changed(gpointer host)
{
    note(host, ROUNDEL_CHANGE_TOOLBAR);
}

static void on_icon_path_changed(gpointer host)
{
    note(host, ROUNDEL_CHANGE_ICONS);
}

static void on_menus_changed(gpointer host)
{
    note(host, ROUNDEL_CHANGE_MENUS);
}

static void on_attributes(gpointer host)
{
    tell_later(host);
}

static void on_ended(GVariant *parameters, gpointer data)
{
    RoundelHost *host = data;
    g_queue_push_tail(&host->ended, g_variant_ref(parameters));
    tell_later(host);
}

static void on_badge(const char *uri, const Badge *badge, gpointer data)
{
    RoundelHost *host = data;
    g_autofree char *path = paths_from_uri(uri);
    if (host->on_badge != NULL)
        host->on_badge(host, path, badge_view_make(host->told, badge, host_link_images(host->link)), host->badge_data);
}

static void on_item_changed(const char *directory_uri, const char *name, BadgeChange change, gpointer data)
{
    const RoundelHost *host = data;
    attributes_item_changed(host->attributes, directory_uri, name);
    if (change == BADGE_CHANGED)
        menus_outdate(host->menus);
}

static void on_directory_found(const char *directory_uri, gpointer host)
{
    (void)directory_uri;
    note(host, ROUNDEL_CHANGE_FOLDERS);
}

/* The host */

/* The token and the rest are made before: menus_activate asks for them with what it is given as the window. */
static GVariant *activation_options(gpointer options)
{
    return options;
}

static void add_parts(RoundelHost *host, unsigned int flags)
{
    static const HostLinkEvents link_events = {
        .connected = on_connection_changed,
        .gone = on_connection_changed,
        .folders_changed = on_folders_changed,
        .toolbar_item_changed = on_toolbar_item_changed,
        .icon_theme_path_changed = on_icon_path_changed,
    };
    static const ShownItemsEvents items_events = { on_badge, on_item_changed, on_directory_found };
    static const MenusEvents menus_events = { .changed = on_menus_changed, .activation_options = activation_options };
    const Habits habits = {
        .asks_by_name = (flags & ROUNDEL_HOST_BY_NAME) != 0,
        .pause = PAUSE_MILLISECONDS,
        .hides_progress = (flags & ROUNDEL_HOST_WITHOUT_PROGRESS) != 0,
    };
    host->link = bus_link_new(host->bus);
    host_link_listen(host->link, &link_events, host);
    host_link_on_signal(host->link, "ActionFinished", ACTION_FINISHED_TYPE, on_ended, host);
    host->items = shown_items_new(host->link, &habits, &items_events, host);
    host->menus = menus_new(host->link, &menus_events, host);
    host->attributes = attributes_new(host->link);
    host->followers = followers_new(host->attributes, on_attributes, host);
}

RoundelHost *roundel_host_new(unsigned int flags)
{
    PollLoop *loop = poll_loop_new();
    if (loop == NULL)
        return NULL;
    Bus *bus = bus_new(loop);
    if (bus == NULL) {
        poll_loop_free(loop);
        errno = ENOTCONN;
        return NULL;
    }
    RoundelHost *host = g_new0(RoundelHost, 1);
    host->loop = loop;
    host->bus = bus;
    g_queue_init(&host->ended);
    host->told = badge_view_new();
    host->asked = badge_view_new();
    add_parts(host, flags);
    return host;
}

void roundel_host_free(RoundelHost *host)
{
    if (host == NULL)
        return;
    host_link_free(host->link);
    followers_free(host->followers);
    attributes_free(host->attributes);
    menus_end(host->menus);
    shown_items_free(host->items);
    bus_free(host->bus);
    poll_loop_free(host->loop);
    g_queue_clear_full(&host->ended, (GDestroyNotify)g_variant_unref);
    badge_view_free(host->told);
    badge_view_free(host->asked);
    g_strfreev(host->folders);
    g_free(host);
}

int roundel_host_get_fd(const RoundelHost *host)
{
    return poll_loop_descriptor(host->loop);
}

int roundel_host_dispatch(RoundelHost *host)
{
    g_return_val_if_fail(!host->is_dispatching, 0);
    host->is_dispatching = TRUE;
    bus_dispatch(host->bus);
    poll_loop_turn(host->loop);
    host->is_dispatching = FALSE;
    if (bus_has_more(host->bus))
        poll_loop_wake(host->loop);
    if (!bus_is_lost(host->bus) || !poll_loop_is_idle(host->loop))
        return 0;
    errno = ECONNRESET;
    return -1;
}

/* What there is */

void roundel_host_on_change(RoundelHost *host, RoundelChangeFunction function, void *data)
{
    host->on_change = function;
    host->change_data = data;
}

bool roundel_host_is_connected(const RoundelHost *host)
{
    return host_link_is_connected(host->link);
}

const char *const *roundel_host_get_folders(RoundelHost *host)
{
    const GPtrArray *uris = folders_uris(host_link_folders(host->link));
    g_strfreev(host->folders);
    host->folders = g_new0(char *, uris->len + 1);
    for (guint i = 0; i < uris->len; i++)
        host->folders[i] = paths_from_uri(g_ptr_array_index(uris, i));
    return (const char *const *)host->folders;
}

bool roundel_host_holds(const RoundelHost *host, const char *path)
{
    g_autofree char *uri = paths_to_uri(path);
    return uri != NULL && shown_items_hold(host->items, uri);
}

const char *roundel_host_get_icon_path(const RoundelHost *host)
{
    return host_link_icon_theme_path(host->link);
}

const RoundelToolbarItem *roundel_host_get_toolbar_item(RoundelHost *host)
{
    const ToolbarItem item = host_link_toolbar_item(host->link);
    host->toolbar_item = (RoundelToolbarItem){ item.name, item.icon, item.tooltip };
    return &host->toolbar_item;
}

/* Badges */

void roundel_host_on_badge(RoundelHost *host, RoundelBadgeFunction function, void *data)
{
    host->on_badge = function;
    host->badge_data = data;
}

int roundel_host_show(RoundelHost *host, const char *directory)
{
    g_autofree char *uri = paths_to_uri(directory);
    if (uri == NULL)
        return -1;
    shown_items_show(host->items, uri);
    return 0;
}

int roundel_host_hide(RoundelHost *host, const char *directory)
{
    g_autofree char *uri = paths_to_uri(directory);
    if (uri != NULL && shown_items_hide(host->items, uri))
        return 0;
    errno = EINVAL;
    return -1;
}

const RoundelBadge *roundel_host_get_badge(RoundelHost *host, const char *path)
{
    g_autofree char *uri = paths_to_uri(path);
    if (uri == NULL)
        return NULL;
    const Badge *badge = shown_items_badge(host->items, uri);
    const RoundelBadge *shown = badge_view_make(host->asked, badge, host_link_images(host->link));
    errno = 0;
    return shown;
}

int roundel_host_release(RoundelHost *host, const char *path)
{
    g_autofree char *uri = paths_to_uri(path);
    if (uri == NULL)
        return -1;
    shown_items_release(host->items, uri);
    return 0;
}

/* Menus */

static GVariant *read_question(RoundelMenuKind kind, const char *target, const char *const *selection, size_t count)
{
    g_autofree char *target_uri = target == NULL ? NULL : paths_to_uri(target);
    g_autoptr(GPtrArray) uris = g_ptr_array_new_with_free_func(g_free);
    const gboolean is_known = kind <= ROUNDEL_MENU_OF_TOOLBAR;
    const gboolean lacks_selection = selection == NULL && count > 0;
    if (!is_known || lacks_selection || (target_uri == NULL && (target != NULL || kind != ROUNDEL_MENU_OF_TOOLBAR))) {
        errno = EINVAL;
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        char *uri = paths_to_uri(selection[i]);
        if (uri == NULL)
            return NULL;
        g_ptr_array_add(uris, uri);
    }
    return menu_question_new(kind, target_uri == NULL ? "" : target_uri, uris);
}

RoundelMenu *roundel_host_find_menu(
    RoundelHost *host, RoundelMenuKind kind, const char *target, const char *const *selection, size_t count)
{
    g_autoptr(GVariant) question = read_question(kind, target, selection, count);
    if (question == NULL)
        return NULL;
    const MenuAnswer *answer = menus_find(host->menus, question);
    RoundelMenu *menu = answer == NULL ? NULL : menu_new(question, answer);
    errno = 0;
    return menu;
}

/* NULL if a text is not UTF-8; otherwise not floating. */
static GVariant *make_options(const char *token, uint32_t timestamp, const char *window)
{
    if ((token != NULL && !g_utf8_validate(token, -1, NULL)) || (window != NULL && !g_utf8_validate(window, -1, NULL)))
        return NULL;
    GVariantDict options;
    g_variant_dict_init(&options, NULL);
    if (token != NULL)
        g_variant_dict_insert(&options, "activation-token", "s", token);
    if (timestamp != 0)
        g_variant_dict_insert(&options, "timestamp", "u", timestamp);
    if (window != NULL)
        g_variant_dict_insert(&options, "parent-window", "s", window);
    return g_variant_ref_sink(g_variant_dict_end(&options));
}

int roundel_host_activate(RoundelHost *host, const RoundelMenu *menu, const char *item_id, const char *activation_token,
    uint32_t timestamp, const char *parent_window)
{
    g_autoptr(GVariant) options = make_options(activation_token, timestamp, parent_window);
    MenuChoice *choice = options == NULL ? NULL : menu_choice_in(menu, item_id);
    if (choice == NULL || !host_link_is_connected(host->link)) {
        errno = options == NULL ? EINVAL : choice == NULL ? ENOENT : ENOTCONN;
        g_clear_pointer(&choice, menu_choice_free);
        return -1;
    }
    menus_activate(host->menus, choice, options);
    menu_choice_free(choice);
    return 0;
}

void roundel_host_on_action(RoundelHost *host, RoundelActionFunction function, void *data)
{
    host->on_action = function;
    host->action_data = data;
}

/* Attributes */

RoundelFollower *roundel_host_follow(
    RoundelHost *host, const char *path, RoundelAttributesFunction function, void *data)
{
    g_autofree char *uri = paths_to_uri(path);
    return uri == NULL ? NULL : followers_add(host->followers, path, uri, function, data);
}

void roundel_host_unfollow(RoundelHost *host, RoundelFollower *follower)
{
    followers_remove(host->followers, follower);
}
