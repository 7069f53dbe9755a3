#include "session.h"

#include "open-menu.h"

#include "gio/icon-search-path.h"
#include "gio/session-bus.h"
#include "gio/toolkit.h"

static Session *session;

static void use_icons(gpointer data)
{
    const Session *self = data;
    icon_search_path_add(host_link_icon_theme_path(self->link), toolkit_append_icon_path);
}

/* Thunar keeps what it did not find, and the emblems that the helper writes may be pictures that came just now. */
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

static void on_menu_completed(const MenuAnswer *answer, gpointer data)
{
    (void)data;
    open_menu_completed(answer);
}

/* Every menu is asked for when it is opened, so that changes need not be reported. */
Session *session_get(void)
{
    static const HostLinkEvents events = {
        .connected = on_connected, .images_changed = use_pictures, .icon_theme_path_changed = use_icons
    };
    static const MenusEvents menus_events = { .completed = on_menu_completed,
        .activation_options = toolkit_activation_options,
        .clipboard = toolkit_set_clipboard };
    if (session == NULL) {
        session = g_new0(Session, 1);
        session->link = session_bus_link_new(NULL, NULL);
        host_link_listen(session->link, &events, session);
        session->places = places_new(session->link);
        session->menus = menus_new(session->link, &menus_events, session);
        session->attributes = attributes_new(session->link);
    }
    return session;
}

void session_end(void)
{
    if (session == NULL)
        return;
    host_link_free(session->link);
    menus_end(session->menus);
    attributes_free(session->attributes);
    places_free(session->places);
    g_clear_pointer(&session, g_free);
}
