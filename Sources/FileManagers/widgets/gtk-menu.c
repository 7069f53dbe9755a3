#include "gtk-menu.h"

#include "gio/chosen-item.h"

/* Data that all items of one menu share. */
typedef struct {
    Menus *menus;
    GVariant *question;
    guint64 menu_id;
    GtkWidget *window;
} Making;

static void insert_items(const Making *making, GtkMenuShell *shell, gint position, const GPtrArray *items);

static void on_activate(GtkMenuItem *widget, gpointer data)
{
    (void)widget;
    chosen_item_activate(data);
}

static GtkWidget *make_actor(const MenuItem *item, const char *label)
{
    if (item->check == MENU_UNCHECKABLE)
        return gtk_menu_item_new_with_mnemonic(label);
    GtkWidget *widget = gtk_check_menu_item_new_with_mnemonic(label);
    gtk_check_menu_item_set_active(GTK_CHECK_MENU_ITEM(widget), item->check == MENU_CHECKED);
    return widget;
}

static GtkWidget *make_item(const Making *making, const MenuItem *item)
{
    if (item->is_separator)
        return gtk_separator_menu_item_new();
    g_autofree char *label = menu_item_mnemonic_label(item);
    GtkWidget *widget = make_actor(item, label);
    gtk_widget_set_sensitive(widget, item->enabled);
    if (item->children->len > 0) {
        GtkWidget *submenu = gtk_menu_new();
        insert_items(making, GTK_MENU_SHELL(submenu), 0, item->children);
        gtk_menu_item_set_submenu(GTK_MENU_ITEM(widget), submenu);
    } else {
        ChosenItem *chosen = chosen_item_new(
            making->menus, making->question, making->menu_id, item->id, making->window);
        g_signal_connect_data(widget, "activate", G_CALLBACK(on_activate), chosen, chosen_item_free, 0);
    }
    return widget;
}

static void insert_items(const Making *making, GtkMenuShell *shell, gint position, const GPtrArray *items)
{
    for (guint i = 0; i < items->len; i++) {
        GtkWidget *widget = make_item(making, g_ptr_array_index(items, i));
        gtk_widget_show(widget);
        gtk_menu_shell_insert(shell, widget, position + (gint)i);
    }
}

guint gtk_menu_insert_items(
    GtkMenuShell *shell, gint position, Menus *menus, GVariant *question, const MenuAnswer *answer, GtkWidget *window)
{
    const Making making = { menus, question, answer->menu_id, window };
    insert_items(&making, shell, position, answer->items);
    return answer->items->len;
}
