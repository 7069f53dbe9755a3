#include "chosen-item.h"

struct ChosenItem {
    Menus *menus;
    MenuChoice *choice;
    GWeakRef window;
};

ChosenItem *chosen_item_new(Menus *menus, GVariant *question, guint64 menu_id, const char *item_id, gpointer window)
{
    ChosenItem *item = g_new(ChosenItem, 1);
    item->menus = menus_ref(menus);
    item->choice = menu_choice_new(question, menu_id, item_id);
    g_weak_ref_init(&item->window, window);
    return item;
}

void chosen_item_free(gpointer pointer, GClosure *closure)
{
    (void)closure;
    ChosenItem *item = pointer;
    g_weak_ref_clear(&item->window);
    menu_choice_free(item->choice);
    menus_unref(item->menus);
    g_free(item);
}

void chosen_item_activate(ChosenItem *item)
{
    g_autoptr(GObject) window = g_weak_ref_get(&item->window);
    menus_activate(item->menus, item->choice, window);
}
