#include "open-menu.h"

#include "program-symbol.h"
#include "gio/chosen-item.h"

#include <gio/gio.h>

/*
 * Nautilus shows its menus in GtkPopoverMenu, which follows the GMenu that it shows. The functions of GTK that are
 * needed are found in the program; if one is not there, or the menu is built in another way, nothing is added, and the
 * items are there the next time.
 */

#define ACTION_PREFIX "roundel"

static struct {
    gpointer (*get_active_window)(gpointer application);
    gpointer (*get_first_child)(gpointer widget);
    gpointer (*get_next_sibling)(gpointer widget);
    gboolean (*get_mapped)(gpointer widget);
    GMenuModel *(*get_menu_model)(gpointer popover);
    void (*insert_action_group)(gpointer widget, const char *name, GActionGroup *group);
} gtk;

static gboolean find_functions(void)
{
    return gtk.insert_action_group != NULL
           || (program_symbol("gtk_application_get_active_window", (gpointer *)&gtk.get_active_window)
               && program_symbol("gtk_widget_get_first_child", (gpointer *)&gtk.get_first_child)
               && program_symbol("gtk_widget_get_next_sibling", (gpointer *)&gtk.get_next_sibling)
               && program_symbol("gtk_widget_get_mapped", (gpointer *)&gtk.get_mapped)
               && program_symbol("gtk_popover_menu_get_menu_model", (gpointer *)&gtk.get_menu_model)
               && program_symbol("gtk_widget_insert_action_group", (gpointer *)&gtk.insert_action_group));
}

/* The open popover directly below a view of files; those of buttons are elsewhere. */
static gpointer find_popover(gpointer widget, gboolean in_view)
{
    for (gpointer child = gtk.get_first_child(widget); child != NULL; child = gtk.get_next_sibling(child)) {
        if (!gtk.get_mapped(child))
            continue;
        if (in_view && program_object_is(child, "GtkPopoverMenu"))
            return child;
        gpointer found = find_popover(child, program_object_is(child, "NautilusFilesView"));
        if (found != NULL)
            return found;
    }
    return NULL;
}

static gpointer find_open_popover(void)
{
    GApplication *application = g_application_get_default();
    if (!program_object_is(application, "GtkApplication") || !find_functions())
        return NULL;
    gpointer window = gtk.get_active_window(application);
    return window == NULL ? NULL : find_popover(window, FALSE);
}

/* Making the section */

typedef struct {
    GSimpleActionGroup *actions;
    Menus *menus;
    GVariant *question;
    const MenuAnswer *answer;
    gpointer window;
    guint count;
} Making;

static void on_activate(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action, (void)parameter;
    chosen_item_activate(data);
}

/* The name of a new action for the item. */
static char *add_action(Making *making, const MenuItem *item)
{
    g_autofree char *name = g_strdup_printf("%u", making->count++);
    g_autoptr(GSimpleAction)
        action = item->check == MENU_UNCHECKABLE
                     ? g_simple_action_new(name, NULL)
                     : g_simple_action_new_stateful(name, NULL, g_variant_new_boolean(item->check == MENU_CHECKED));
    g_simple_action_set_enabled(action, item->enabled);
    g_signal_connect_data(action, "activate", G_CALLBACK(on_activate),
        chosen_item_new(making->menus, making->question, making->answer->menu_id, item->id, making->window),
        chosen_item_free, 0);
    g_action_map_add_action(G_ACTION_MAP(making->actions), G_ACTION(action));
    return g_strconcat(ACTION_PREFIX ".", name, NULL);
}

static GMenu *make_sections(Making *making, const GPtrArray *items);

static void append_item(Making *making, GMenu *section, const MenuItem *item)
{
    g_autofree char *label = menu_item_mnemonic_label(item);
    if (item->children->len > 0) {
        g_autoptr(GMenu) submenu = make_sections(making, item->children);
        g_menu_append_submenu(section, label, G_MENU_MODEL(submenu));
    } else {
        g_autofree char *action = add_action(making, item);
        g_menu_append(section, label, action);
    }
}

/* The items between two separators make a section. */
static GMenu *make_sections(Making *making, const GPtrArray *items)
{
    GMenu *menu = g_menu_new();
    g_autoptr(GMenu) section = g_menu_new();
    for (guint i = 0; i < items->len; i++) {
        const MenuItem *item = g_ptr_array_index(items, i);
        if (item->is_separator) {
            g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
            g_set_object(&section, NULL);
            section = g_menu_new();
        } else {
            append_item(making, section, item);
        }
    }
    g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
    return menu;
}

/* Showing it */

typedef struct {
    gpointer popover;
    GMenu *menu;
    GMenuModel *section;
    GVariant *awaited; /* the question whose answer is not complete; NULL if it is */
} Addition;

/* The last one, while its popover is open. */
static Addition *shown;

static void remove_section(const Addition *addition)
{
    for (gint i = 0; i < g_menu_model_get_n_items(G_MENU_MODEL(addition->menu)); i++) {
        g_autoptr(GMenuModel)
            section = g_menu_model_get_item_link(G_MENU_MODEL(addition->menu), i, G_MENU_LINK_SECTION);
        if (section == addition->section) {
            g_menu_remove(addition->menu, i);
            break;
        }
    }
    gtk.insert_action_group(addition->popover, ACTION_PREFIX, NULL);
}

static gboolean remove_addition(gpointer data)
{
    Addition *addition = data;
    remove_section(addition);
    g_object_unref(addition->popover);
    g_object_unref(addition->menu);
    g_object_unref(addition->section);
    g_clear_pointer(&addition->awaited, g_variant_unref);
    g_free(addition);
    return G_SOURCE_REMOVE;
}

/* The popover closes before the chosen item acts. */
static void on_closed(gpointer popover, gpointer data)
{
    g_signal_handlers_disconnect_by_func(popover, on_closed, data);
    if (shown == data)
        shown = NULL;
    g_idle_add(remove_addition, data);
}

static void show(Addition *addition, Making *making)
{
    addition->section = G_MENU_MODEL(make_sections(making, making->answer->items));
    addition->awaited = making->answer->is_incomplete ? g_variant_ref(making->question) : NULL;
    gtk.insert_action_group(addition->popover, ACTION_PREFIX, G_ACTION_GROUP(making->actions));
    /* The last section holds the item for the properties. */
    gint count = g_menu_model_get_n_items(G_MENU_MODEL(addition->menu));
    g_menu_insert_section(addition->menu, MAX(count - 1, 0), NULL, addition->section);
}

void open_menu_add(Menus *menus, GVariant *question, const MenuAnswer *answer, gpointer window)
{
    gpointer popover = find_open_popover();
    GMenuModel *model = popover == NULL ? NULL : gtk.get_menu_model(popover);
    if (!G_IS_MENU(model))
        return;
    g_autoptr(GSimpleActionGroup) actions = g_simple_action_group_new();
    Making making = { actions, menus, question, answer, window, 0 };
    Addition *addition = g_new(Addition, 1);
    *addition = (Addition){
        .popover = g_object_ref(popover),
        .menu = g_object_ref(G_MENU(model)),
    };
    show(addition, &making);
    shown = addition;
    g_signal_connect(popover, "closed", G_CALLBACK(on_closed), addition);
}

gboolean open_menu_complete(Menus *menus, GVariant *question, const MenuAnswer *answer)
{
    if (shown == NULL || shown->awaited == NULL || !g_variant_equal(shown->awaited, question))
        return FALSE;
    remove_section(shown);
    g_object_unref(shown->section);
    g_clear_pointer(&shown->awaited, g_variant_unref);
    g_autoptr(GSimpleActionGroup) actions = g_simple_action_group_new();
    Making making = { actions, menus, question, answer, NULL, 0 };
    show(shown, &making);
    return TRUE;
}

/* A menu that Nautilus builds anew does not replace the open one. */
gboolean open_menu_has(GVariant *question)
{
    (void)question;
    return FALSE;
}

gboolean open_menu_postpone(void (*function)(void))
{
    (void)function;
    return FALSE;
}
