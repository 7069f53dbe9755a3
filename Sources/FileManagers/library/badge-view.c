#include "badge-view.h"

#include "host/state-text.h"

struct BadgeView {
    RoundelBadge badge;
    char *identifier;
    char *text;
    GPtrArray *icons; /* of strings, then NULL */
};

BadgeView *badge_view_new(void)
{
    BadgeView *view = g_new0(BadgeView, 1);
    view->icons = g_ptr_array_new_with_free_func(g_free);
    return view;
}

static void clear(BadgeView *view)
{
    g_clear_pointer(&view->identifier, g_free);
    g_clear_pointer(&view->text, g_free);
    g_ptr_array_set_size(view->icons, 0);
}

void badge_view_free(BadgeView *view)
{
    clear(view);
    g_ptr_array_unref(view->icons);
    g_free(view);
}

static void add_icon(const char *icon, gpointer icons)
{
    g_ptr_array_add(icons, g_strdup(icon));
}

const RoundelBadge *badge_view_make(BadgeView *view, const Badge *badge, const BadgeImages *images)
{
    clear(view);
    if (badge == NULL || badge_is_none(badge))
        return NULL;
    view->identifier = g_strdup(badge->identifier == NULL ? "" : badge->identifier);
    view->text = state_text(badge, images);
    badge_images_visit_icons(images, badge, add_icon, view->icons);
    g_ptr_array_add(view->icons, NULL);
    view->badge = (RoundelBadge){
        .identifier = view->identifier,
        .text = view->text,
        .icons = (const char *const *)view->icons->pdata,
        .flags = badge->flags,
        .progress = badge->progress,
    };
    return &view->badge;
}
