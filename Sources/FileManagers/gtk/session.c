#include "session.h"

#include "gio/icon-search-path.h"
#include "gio/session-bus.h"
#include "gio/toolkit.h"
#include "host/state-text.h"
#include "item-objects.h"
#include "shown-item.h"
#ifdef FM_NAUTILUS
#include "nautilus-windows.h"
#endif

static Session *session;
static gboolean shows_states;

static struct {
    void (*answered)(GVariant *question, const MenuAnswer *answer);
    void (*changed)(void);
} menu_events;

static void add_emblem(const char *icon, gpointer item)
{
    fm_file_info_add_emblem(item, icon);
}

/* An empty state is added, too: otherwise Nemo and Caja keep the last one. */
static void add_state(FmFileInfo *item, const Badge *badge, const BadgeImages *images)
{
    g_autofree char *state = state_text(badge, images);
    fm_file_info_add_string_attribute(item, STATE_ATTRIBUTE, state);
}

DirectoryEntry *session_update_item(Session *self, FmFileInfo *item)
{
    g_autofree char *uri = shown_item_uri(item);
    DirectoryEntry *entry = uri == NULL ? NULL : observer_track(self->observer, uri, item);
    if (entry != NULL) {
        const BadgeImages *images = host_link_images(self->link);
        badge_images_visit_icons(images, &entry->badge, add_emblem, item);
        if (shows_states)
            add_state(item, &entry->badge, images);
    }
    return entry;
}

void session_set_menu_events(void (*answered)(GVariant *question, const MenuAnswer *answer), void (*changed)(void))
{
    menu_events.answered = answered;
    menu_events.changed = changed;
}

void session_show_states(void)
{
    if (!shows_states && session != NULL)
        observer_show_anew(session->observer);
    shows_states = TRUE;
}

static void answer_item(FmFileInfo *item, gboolean was_postponed, gpointer data)
{
    Session *self = data;
    DirectoryEntry *entry = session_update_item(self, item);
    if (entry != NULL && was_postponed)
        observer_request(self->observer, entry);
}

static void on_completed(const char *directory_uri, gpointer data)
{
    Session *self = data;
    pending_updates_answer(self->pending, directory_uri);
}

/* Nautilus and Caja keep the object of an item that they move, as out of their trash. They may not ask about it under
 * its new name, so that it is still tied to the old one, and to the new one is only the object of an item that is gone.
 * Before the end of a listing they are going to ask anyway. */
static void refresh_moved(const Session *self, const char *directory_uri, const char *name)
{
    if (FM_ASKS_LAZILY)
        return;
    g_autofree char *uri = g_strconcat(directory_uri, g_str_has_suffix(directory_uri, "/") ? "" : "/", name, NULL);
    const DirectoryEntry *entry = observer_entry(self->observer, uri);
    if (entry == NULL || !entry->directory->listed)
        return;
    g_autoptr(GObject) item = (GObject *)fm_file_info_lookup_for_uri(uri);
    if (item != NULL && g_slist_find(entry->items, item) == NULL)
        fm_file_info_invalidate((FmFileInfo *)item);
}

static void on_item_changed(const char *directory_uri, const char *name, BadgeChange change, gpointer data)
{
    Session *self = data;
    attributes_item_changed(self->attributes, directory_uri, name);
    if (change == BADGE_CHANGED)
        refresh_moved(self, directory_uri, name);
    if (change == BADGE_CHANGED)
        menus_outdate(self->menus);
}

static void on_directory_found(const char *directory_uri, gpointer data)
{
    (void)directory_uri, (void)data;
    menu_events.changed();
}

static void on_bus_ready(GDBusConnection *bus, gpointer data)
{
#ifdef FM_NAUTILUS
    Session *self = data;
    nautilus_windows_begin(self->observer, bus);
#else
    (void)bus, (void)data;
#endif
}

static void on_menu_answered(GVariant *question, const MenuAnswer *answer, gpointer data)
{
    (void)data;
    menu_events.answered(question, answer);
}

static void on_menus_changed(gpointer data)
{
    (void)data;
    menu_events.changed();
}

static void use_icons(gpointer data)
{
    const Session *self = data;
    icon_search_path_add(host_link_icon_theme_path(self->link), toolkit_append_icon_path);
}

/* Before the items with these badges are shown anew. */
static void use_pictures(gpointer data)
{
    const Session *self = data;
    if (badge_images_have_pictures(host_link_images(self->link)))
        toolkit_reread_icons();
}

static void on_connected(gpointer data)
{
    use_icons(data);
    use_pictures(data);
}

Session *session_get(void)
{
    static const HostLinkEvents events = {
        .connected = on_connected,
        .images_changed = use_pictures,
        .toolbar_item_changed = on_menus_changed,
        .icon_theme_path_changed = use_icons,
    };
    static const ObserverEvents observer_events = { { on_completed, on_item_changed }, on_directory_found };
    static const MenusEvents menus_events = { on_menu_answered, NULL, on_menus_changed, toolkit_activation_options,
        toolkit_set_clipboard };
    if (session == NULL) {
        session = g_new(Session, 1);
        session->slice = time_slice_new(g_get_monotonic_time);
        session->pending = pending_updates_new(&session->slice, g_timeout_add, answer_item, session);
        session->link = session_bus_link_new(on_bus_ready, session);
        host_link_listen(session->link, &events, session);
        const ObserverParts parts = {
            session->link,
            &session->slice,
            &item_objects,
            { .asks_by_name = FM_ASKS_LAZILY },
        };
        session->observer = observer_new(&parts, &observer_events, session);
        session->menus = menus_new(session->link, &menus_events, session);
        session->attributes = attributes_new(session->link);
    }
    return session;
}

void session_end(void)
{
    if (session == NULL)
        return;
#ifdef FM_NAUTILUS
    nautilus_windows_end();
#endif
    host_link_free(session->link);
    attributes_free(session->attributes);
    menus_end(session->menus);
    pending_updates_free(session->pending);
    observer_free(session->observer);
    g_clear_pointer(&session, g_free);
}
