#include "menu.h"

struct RoundelMenu {
    GVariant *question;
    guint64 menu_id;
    gboolean is_incomplete;
    GPtrArray *items; /* of MenuItem */
    GPtrArray *shown; /* of RoundelMenuItem, then NULL; their texts are those of the items */
    GPtrArray *lists; /* of GPtrArray: the same of every submenu */
};

static const RoundelCheck checks[] = {
    [MENU_UNCHECKABLE] = ROUNDEL_CHECK_NONE,
    [MENU_UNCHECKED] = ROUNDEL_CHECK_OFF,
    [MENU_CHECKED] = ROUNDEL_CHECK_ON,
};

static GPtrArray *show(RoundelMenu *menu, const GPtrArray *items)
{
    GPtrArray *shown = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(menu->lists, shown);
    for (guint i = 0; i < items->len; i++) {
        const MenuItem *item = g_ptr_array_index(items, i);
        RoundelMenuItem *copy = g_new(RoundelMenuItem, 1);
        *copy = (RoundelMenuItem){
            .id = item->id,
            .label = item->label,
            .icon = item->icon,
            .check = checks[item->check],
            .is_enabled = item->enabled,
            .is_separator = item->is_separator,
            .children = (const RoundelMenuItem *const *)show(menu, item->children)->pdata,
        };
        g_ptr_array_add(shown, copy);
    }
    g_ptr_array_add(shown, NULL);
    return shown;
}

RoundelMenu *menu_new(GVariant *question, const MenuAnswer *answer)
{
    RoundelMenu *menu = g_new0(RoundelMenu, 1);
    menu->question = g_variant_ref(question);
    menu->menu_id = answer->menu_id;
    menu->is_incomplete = answer->is_incomplete;
    menu->items = g_ptr_array_ref(answer->items);
    menu->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    menu->shown = show(menu, menu->items);
    return menu;
}

MenuChoice *menu_choice_in(const RoundelMenu *menu, const char *item_id)
{
    const MenuItem *item = menu_items_find_enabled(menu->items, item_id);
    return item == NULL ? NULL : menu_choice_new(menu->question, menu->menu_id, item_id);
}

const RoundelMenuItem *const *roundel_menu_get_items(const RoundelMenu *menu)
{
    return (const RoundelMenuItem *const *)menu->shown->pdata;
}

bool roundel_menu_is_complete(const RoundelMenu *menu)
{
    return !menu->is_incomplete;
}

void roundel_menu_free(RoundelMenu *menu)
{
    if (menu == NULL)
        return;
    g_ptr_array_unref(menu->lists);
    g_ptr_array_unref(menu->items);
    g_variant_unref(menu->question);
    g_free(menu);
}
