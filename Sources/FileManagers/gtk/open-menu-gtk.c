#include "open-menu.h"

#include "host/menu-question.h"
#include "widgets/gtk-menu.h"

#define RESIZES_KEY "roundel-resizes"
#define QUESTION_KEY "roundel-question"
#define INCOMPLETE_KEY "roundel-incomplete"
#define WINDOW_KEY "roundel-window"
#define ADDED_KEY "roundel-added"

/* The open menu or its submenu holds GTK's grab. */
static GtkMenuShell *find(void)
{
    GtkWidget *widget = gtk_grab_get_current();
    while (GTK_IS_MENU(widget)) {
        GtkWidget *attached = gtk_menu_get_attach_widget(GTK_MENU(widget));
        GtkWidget *parent = GTK_IS_MENU_ITEM(attached) ? gtk_widget_get_parent(attached) : NULL;
        if (parent == NULL)
            return GTK_MENU_SHELL(widget);
        widget = parent;
    }
    return NULL;
}

static gboolean destroy(gpointer widget)
{
    gtk_widget_destroy(widget);
    return G_SOURCE_REMOVE;
}

/* The menu hides before the chosen item acts. */
static void destroy_later(GtkWidget *menu, gpointer item)
{
    g_object_set_data(G_OBJECT(menu), QUESTION_KEY, NULL);
    g_object_set_data(G_OBJECT(menu), WINDOW_KEY, NULL);
    g_idle_add_full(G_PRIORITY_DEFAULT, destroy, g_object_ref(item), g_object_unref);
}

enum { RESIZE_MILLISECONDS = 30, RESIZES = 8 };

static void resize(GtkWidget *menu, gint width, gint height)
{
    GdkWindow *surface = gtk_widget_get_window(gtk_widget_get_toplevel(menu));
    GdkRectangle room;
    gdk_monitor_get_workarea(gdk_display_get_monitor_at_window(gtk_widget_get_display(menu), surface), &room);
    height = MIN(height, room.height);
    if (gdk_window_get_height(surface) == height && gdk_window_get_width(surface) == width)
        return;
    gint x;
    gint y;
    gdk_window_get_position(surface, &x, &y);
    gdk_window_move_resize(surface, CLAMP(x, room.x, MAX(room.x, room.x + room.width - width)),
        CLAMP(y, room.y, room.y + room.height - height), width, height);
}

/* A menu that grows while it is open keeps its size and scrolls, although there is room. While it is being opened, GTK
 * sets the old size again when the X server has placed it, so it is resized a few times. */
static gboolean resize_again(gpointer menu)
{
    guint resizes = GPOINTER_TO_UINT(g_object_get_data(menu, RESIZES_KEY));
    if (!gtk_widget_get_mapped(menu) || resizes == 0)
        return G_SOURCE_REMOVE;
    g_object_set_data(menu, RESIZES_KEY, GUINT_TO_POINTER(resizes - 1));
    GtkRequisition wanted;
    gtk_widget_get_preferred_size(menu, NULL, &wanted);
    resize(menu, wanted.width, wanted.height);
    return G_SOURCE_CONTINUE;
}

static void begin_resizing(GtkWidget *menu)
{
    g_object_set_data(G_OBJECT(menu), RESIZES_KEY, GUINT_TO_POINTER(RESIZES));
    resize_again(menu);
    g_timeout_add_full(G_PRIORITY_DEFAULT, RESIZE_MILLISECONDS, resize_again, g_object_ref(menu), g_object_unref);
}

/* Extensions' items stand above the last group, which is the item for the properties. */
static gint find_place(GList *children)
{
    gint place = (gint)g_list_length(children);
    for (GList *link = g_list_last(children); link != NULL; link = link->prev, place--) {
        if (GTK_IS_SEPARATOR_MENU_ITEM(link->data) && gtk_widget_get_visible(link->data))
            return place - 1;
    }
    return 0;
}

/* Remembers what is added to the menu, beside what was in it before. */
static void follow(GtkMenuShell *shell, GList *before, GVariant *question, const MenuAnswer *answer, gpointer window)
{
    g_autoptr(GList) after = gtk_container_get_children(GTK_CONTAINER(shell));
    for (GList *link = after; link != NULL; link = link->next) {
        if (g_list_find(before, link->data) != NULL)
            continue;
        g_object_set_data(link->data, ADDED_KEY, link->data);
        g_signal_connect_object(shell, "hide", G_CALLBACK(destroy_later), link->data, 0);
    }
    GObject *object = G_OBJECT(shell);
    g_object_set_data_full(object, QUESTION_KEY, g_variant_ref(question), (GDestroyNotify)g_variant_unref);
    /* The window outlives its open menu, and must not be kept by a closed one. */
    g_object_set_data(object, WINDOW_KEY, window);
    g_object_set_data(object, INCOMPLETE_KEY, answer->is_incomplete ? shell : NULL);
}

void open_menu_follow(gpointer menu, GVariant *question, const MenuAnswer *answer, gpointer window)
{
    follow(GTK_MENU_SHELL(menu), NULL, question, answer, window);
}

void open_menu_add(Menus *menus, GVariant *question, const MenuAnswer *answer, gpointer window)
{
    GtkMenuShell *shell = find();
    if (shell == NULL)
        return;
    g_autoptr(GList) before = gtk_container_get_children(GTK_CONTAINER(shell));
    gint place = find_place(before);
    if (before != NULL) {
        GtkWidget *separator = gtk_separator_menu_item_new();
        gtk_widget_show(separator);
        gtk_menu_shell_insert(shell, separator, place++);
    }
    gtk_menu_insert_items(shell, place, menus, question, answer, window);
    follow(shell, before, question, answer, window);
    begin_resizing(GTK_WIDGET(shell));
}

static void destroy_added(GtkWidget *widget, gpointer data)
{
    (void)data;
    if (g_object_get_data(G_OBJECT(widget), ADDED_KEY) != NULL)
        gtk_widget_destroy(widget);
}

gboolean open_menu_complete(Menus *menus, GVariant *question, const MenuAnswer *answer)
{
    GtkMenuShell *shell = find();
    if (shell == NULL || !open_menu_has(question) || g_object_get_data(G_OBJECT(shell), INCOMPLETE_KEY) == NULL)
        return FALSE;
    gtk_container_foreach(GTK_CONTAINER(shell), destroy_added, NULL);
    open_menu_add(menus, question, answer, g_object_get_data(G_OBJECT(shell), WINDOW_KEY));
    return TRUE;
}

gboolean open_menu_has(GVariant *question)
{
    GtkMenuShell *shell = find();
    GVariant *added = shell == NULL ? NULL : g_object_get_data(G_OBJECT(shell), QUESTION_KEY);
    return added != NULL && menu_question_equal(added, question);
}

static void (*postponed)(void);

static gboolean call_postponed(gpointer data)
{
    (void)data;
    void (*function)(void) = postponed;
    postponed = NULL;
    function();
    return G_SOURCE_REMOVE;
}

/* Later, because the chosen item is still to be found in the unchanged menu. */
static void on_hide(GtkWidget *menu, gpointer data)
{
    g_signal_handlers_disconnect_by_func(menu, on_hide, data);
    g_idle_add(call_postponed, NULL);
}

gboolean open_menu_postpone(void (*function)(void))
{
    if (postponed != NULL)
        return TRUE;
    GtkMenuShell *shell = find();
    if (shell == NULL)
        return FALSE;
    postponed = function;
    g_signal_connect(shell, "hide", G_CALLBACK(on_hide), NULL);
    return TRUE;
}
