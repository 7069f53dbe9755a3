#include "caja-toolbar.h"

#include "open-menu.h"
#include "session.h"
#include "host/menu-question.h"
#include "words/words.h"
#include "widgets/gtk-menu.h"

#define SELECTION_KEY "roundel-selection"
#define DIRECTORY_KEY "roundel-directory"

/* The pressed button, until its menu opens. */
static struct {
    GVariant *question;
    GtkWidget *window; /* weak */
    GdkEvent *event;
} pressed;

void caja_toolbar_set_selection(GtkWidget *window, GVariant *question)
{
    if (window != NULL)
        g_object_set_data_full(G_OBJECT(window), SELECTION_KEY, question == NULL ? NULL : g_variant_ref(question),
            (GDestroyNotify)g_variant_unref);
}

/* Outside the registered folders the menu has neither target nor selection. */
static GVariant *make_question(GtkWidget *window, const char *directory_uri)
{
    if (!observer_holds(session_get()->observer, directory_uri))
        return menu_question_new(MENU_OF_TOOLBAR, "", NULL);
    GVariant *selection = g_object_get_data(G_OBJECT(window), SELECTION_KEY);
    return menu_question_with(selection, MENU_OF_TOOLBAR, directory_uri);
}

static void forget_pressed(void)
{
    g_clear_pointer(&pressed.question, g_variant_unref);
    g_clear_pointer(&pressed.event, gdk_event_free);
}

/* The chosen item acts after the menu is gone. */
static gboolean destroy(gpointer menu)
{
    gtk_widget_destroy(menu);
    return G_SOURCE_REMOVE;
}

static void on_hide(GtkWidget *menu, gpointer data)
{
    (void)data;
    g_idle_add_full(G_PRIORITY_DEFAULT, destroy, g_object_ref(menu), g_object_unref);
}

/* An insensitive entry that says why the menu is empty. */
static void add_excuse(GtkMenuShell *menu, const char *text)
{
    GtkWidget *widget = gtk_menu_item_new_with_label(text);
    gtk_widget_set_sensitive(widget, FALSE);
    gtk_widget_show(widget);
    gtk_menu_shell_append(menu, widget);
}

/* A NULL answer means that there is no service. */
static void open_menu(const MenuAnswer *answer)
{
    GtkWidget *menu = gtk_menu_new();
    gtk_menu_attach_to_widget(GTK_MENU(menu), pressed.window, NULL);
    if (answer == NULL)
        add_excuse(GTK_MENU_SHELL(menu), _("Roundel Is Not Running"));
    else if (gtk_menu_insert_items(
                 GTK_MENU_SHELL(menu), 0, session_get()->menus, pressed.question, answer, pressed.window)
             == 0)
        add_excuse(GTK_MENU_SHELL(menu), _("No Actions"));
    g_signal_connect(menu, "hide", G_CALLBACK(on_hide), NULL);
    if (answer != NULL)
        open_menu_follow(menu, pressed.question, answer, pressed.window);
    gtk_menu_popup_at_pointer(GTK_MENU(menu), pressed.event);
}

void caja_toolbar_answered(GVariant *question, const MenuAnswer *answer)
{
    if (pressed.question == NULL || !menu_question_equal(pressed.question, question))
        return;
    if (pressed.window != NULL)
        open_menu(answer);
    forget_pressed();
}

static void on_activate(CajaMenuItem *item, gpointer window)
{
    const Session *session = session_get();
    forget_pressed();
    g_set_weak_pointer(&pressed.window, window);
    pressed.question = make_question(window, g_object_get_data(G_OBJECT(item), DIRECTORY_KEY));
    pressed.event = gtk_get_current_event();
    if (host_link_is_connected(session->link)) {
        menus_ask(session->menus, pressed.question);
    } else {
        open_menu(NULL);
        forget_pressed();
    }
}

GList *caja_toolbar_items(GtkWidget *window, const char *directory_uri)
{
    ToolbarItem button = host_link_toolbar_item(session_get()->link);
    CajaMenuItem *item = caja_menu_item_new("Roundel-toolbar", button.name, button.tooltip, button.icon);
    g_object_set_data_full(G_OBJECT(item), DIRECTORY_KEY, g_strdup(directory_uri), g_free);
    g_signal_connect_object(item, "activate", G_CALLBACK(on_activate), window, 0);
    return g_list_append(NULL, item);
}
