#include "session.h"

#include "icon-search-path.h"
#include "session-menus.h"

static Session *session;

static void on_bus_ready(GDBusConnection *bus, gpointer data)
{
    (void)bus, (void)data;
}

/* Every menu is asked for when it is opened, so no change makes one out of date. */
static void on_change(gpointer data)
{
    (void)data;
}

static void on_answered(GVariant *question, const MenuAnswer *answer, gpointer data)
{
    (void)question, (void)answer, (void)data;
}

static void on_connected(gpointer data)
{
    Session *self = data;
    attributes_connected(self->attributes);
}

static void on_gone(gpointer data)
{
    Session *self = data;
    attributes_gone(self->attributes);
    menus_clear(self->menus);
}

static void on_icon_theme_path_changed(const char *path, gpointer data)
{
    (void)data;
    icon_search_path_add(path);
}

Session *session_get(void)
{
    static const HostLinkEvents events = {
        .bus_ready = on_bus_ready,
        .connected = on_connected,
        .gone = on_gone,
        .folders_changed = on_change,
        .images_changed = on_change,
        .status_changed = on_change,
        .toolbar_item_changed = on_change,
        .icon_theme_path_changed = on_icon_theme_path_changed,
    };
    static const MenusEvents menus_events = { .answered = on_answered, .changed = on_change };
    if (session == NULL) {
        session = g_new0(Session, 1);
        session->link = host_link_new(&events, session);
        session->menus = menus_new(session->link, &menus_events, session);
        session->attributes = attributes_new(session->link);
    }
    return session;
}

Menus *session_menus(void)
{
    return session_get()->menus;
}

void session_end(void)
{
    if (session == NULL)
        return;
    host_link_free(session->link);
    menus_free(session->menus);
    attributes_free(session->attributes);
    g_clear_pointer(&session, g_free);
}
