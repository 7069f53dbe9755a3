#include "menu-widgets.h"

#include "gio/chosen-item.h"
#include "host/menu-question.h"

/* Data that all items of one menu share. */
typedef struct {
    Menus *menus;
    GVariant *question;
    guint64 menu_id;
    gpointer window;
} Making;

static void on_activate(FmMenuItem *widget, gpointer data)
{
    (void)widget;
    chosen_item_activate(data);
}

static GList *make_items(Making *making, const GPtrArray *items);

static void set_submenu(Making *making, FmMenuItem *widget, const GPtrArray *children)
{
    FmMenu *menu = fm_menu_new();
    GList *widgets = make_items(making, children);
    for (GList *link = widgets; link != NULL; link = link->next)
        fm_menu_append_item(menu, link->data);
    g_list_free_full(widgets, g_object_unref);
    fm_menu_item_set_submenu(widget, menu);
    g_object_unref(menu);
}

static FmMenuItem *make_item(Making *making, const MenuItem *item)
{
    g_autofree char *name = menu_item_name(menu_question_kind(making->question), item->id);
    g_autofree char *label = menu_item_marked_label(item);
    FmMenuItem *widget = fm_menu_item_new(name, label, "", *item->icon == '\0' ? NULL : item->icon);
    g_object_set(widget, "sensitive", item->enabled, NULL);
    if (item->children->len > 0)
        set_submenu(making, widget, item->children);
    else
        g_signal_connect_data(widget, "activate", G_CALLBACK(on_activate),
            chosen_item_new(making->menus, making->question, making->menu_id, item->id, making->window),
            chosen_item_free, 0);
    return widget;
}

/* Separators are left out: only Nemo's extensions have them, and it draws them as empty entries. */
static GList *make_items(Making *making, const GPtrArray *items)
{
    GList *widgets = NULL;
    for (guint i = 0; i < items->len; i++) {
        const MenuItem *item = g_ptr_array_index(items, i);
        if (!item->is_separator)
            widgets = g_list_prepend(widgets, make_item(making, item));
    }
    return g_list_reverse(widgets);
}

GList *menu_widgets_new(Menus *menus, GVariant *question, const MenuAnswer *answer, gpointer window)
{
    Making making = { menus, question, answer->menu_id, window };
    return make_items(&making, answer->items);
}
