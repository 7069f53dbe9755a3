#include "open-menu.h"

#include "session.h"
#include "host/menu-question.h"
#include "words/words.h"
#include "widgets/gtk-menu.h"

/* The only name, because Thunar keeps a shortcut for each name that it has seen. */
#define ITEM_NAME "Roundel::menu"

/* One menu of Thunar, until both the menu and the call to the service are gone. */
typedef struct {
    ThunarxMenuItem *item; /* NULL when the menu is gone; Thunar owns it */
    GWeakRef window;
    GVariant *question;
    guint64 awaited; /* the menu of the service that is to be completed; 0 for none */
} OpenMenu;

static GQueue awaiting; /* of OpenMenu: those that wait for a late provider */

static void clear(gpointer pointer)
{
    OpenMenu *menu = pointer;
    g_weak_ref_clear(&menu->window);
    g_variant_unref(menu->question);
}

static void release(gpointer menu)
{
    g_rc_box_release_full(menu, clear);
}

static void on_item_gone(gpointer data, GObject *item)
{
    (void)item;
    OpenMenu *menu = data;
    menu->item = NULL;
    if (g_queue_remove(&awaiting, menu))
        release(menu);
    release(menu);
}

/* The widget */

static void match_widget(GtkWidget *candidate, gpointer data)
{
    struct {
        ThunarxMenuItem *item;
        GtkWidget *found;
    } *search = data;
    if (g_signal_handler_find(candidate, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, search->item) != 0)
        search->found = candidate;
}

/* The widget that Thunar made of the item: it is in one of the menus, and its signals go to the item. */
static GtkWidget *find_widget(ThunarxMenuItem *item)
{
    struct {
        ThunarxMenuItem *item;
        GtkWidget *found;
    } search = { item, NULL };
    g_autoptr(GList) windows = gtk_window_list_toplevels();
    for (GList *link = windows; link != NULL && search.found == NULL; link = link->next) {
        GtkWidget *content = gtk_bin_get_child(link->data);
        if (GTK_IS_MENU(content))
            gtk_container_foreach(GTK_CONTAINER(content), match_widget, &search);
    }
    return search.found;
}

static void destroy(GtkWidget *widget, gpointer data)
{
    (void)data;
    gtk_widget_destroy(widget);
}

static void fill(const OpenMenu *menu, const MenuAnswer *answer)
{
    GtkWidget *widget = find_widget(menu->item);
    GtkWidget *submenu = GTK_IS_MENU_ITEM(widget) ? gtk_menu_item_get_submenu(GTK_MENU_ITEM(widget)) : NULL;
    if (submenu == NULL)
        return;
    gtk_widget_set_sensitive(widget, answer->items->len > 0);
    if (answer->items->len == 0)
        return;
    /* A submenu that is open keeps its size, so it is opened again. */
    GtkMenuShell *parent = gtk_widget_get_mapped(submenu) ? GTK_MENU_SHELL(gtk_widget_get_parent(widget)) : NULL;
    if (parent != NULL)
        gtk_menu_shell_deselect(parent);
    g_autoptr(GtkWidget) window = g_weak_ref_get((GWeakRef *)&menu->window);
    gtk_container_foreach(GTK_CONTAINER(submenu), destroy, NULL);
    gtk_menu_insert_items(GTK_MENU_SHELL(submenu), 0, session_get()->menus, menu->question, answer, window);
    if (parent != NULL)
        gtk_menu_shell_select_item(parent, widget);
}

/* The service */

static void await(OpenMenu *menu, const MenuAnswer *answer)
{
    if (!answer->is_incomplete || answer->menu_id == 0)
        return;
    menu->awaited = answer->menu_id;
    g_queue_push_tail(&awaiting, g_rc_box_acquire(menu));
}

void open_menu_completed(const MenuAnswer *answer)
{
    for (GList *link = awaiting.head; link != NULL; link = link->next) {
        OpenMenu *menu = link->data;
        if (menu->awaited != answer->menu_id)
            continue;
        fill(menu, answer);
        if (!answer->is_incomplete) {
            g_queue_delete_link(&awaiting, link);
            release(menu);
        }
        return;
    }
}

static void on_reply(GVariant *reply, const HostError *error, gpointer data)
{
    OpenMenu *menu = data;
    if (reply == NULL)
        g_debug("GetMenu: %s", error->message);
    if (menu->item == NULL)
        return;
    const MenuAnswer answer = reply == NULL ? (MenuAnswer){ .items = g_ptr_array_new() } : menu_answer_read(reply);
    fill(menu, &answer);
    await(menu, &answer);
    g_ptr_array_unref(answer.items);
}

/* Called when the menu is on the screen, unless Thunar only looked for a shortcut: then the item is gone again. */
static gboolean ask(gpointer data)
{
    OpenMenu *menu = data;
    Session *session = session_get();
    if (menu->item == NULL || !host_link_is_connected(session->link))
        return G_SOURCE_REMOVE;
    host_link_call(session->link, "GetMenu", menu_question_arguments(menu->question), MENU_REPLY_TYPE, on_reply,
        g_rc_box_acquire(menu), release);
    return G_SOURCE_REMOVE;
}

ThunarxMenuItem *open_menu_item_new(GVariant *question, GtkWidget *window)
{
    ThunarxMenuItem *item = thunarx_menu_item_new(ITEM_NAME, "Roundel", NULL, "org.roundel.Roundel");
    ThunarxMenu *submenu = thunarx_menu_new();
    ThunarxMenuItem *waiting = thunarx_menu_item_new(ITEM_NAME, _("Loading…"), NULL, NULL);
    thunarx_menu_item_set_sensitive(waiting, FALSE);
    thunarx_menu_append_item(submenu, waiting);
    thunarx_menu_item_set_menu(item, submenu);
    g_object_unref(waiting);
    g_object_unref(submenu);

    OpenMenu *menu = g_rc_box_new0(OpenMenu);
    menu->item = item;
    menu->question = g_variant_ref(question);
    g_weak_ref_init(&menu->window, window);
    g_object_weak_ref(G_OBJECT(item), on_item_gone, menu);
    g_idle_add_full(G_PRIORITY_HIGH, ask, g_rc_box_acquire(menu), release);
    return item;
}
