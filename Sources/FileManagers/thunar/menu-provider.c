#include "menu-provider.h"

#include "file-uri.h"
#include "open-menu.h"
#include "session.h"
#include "host/item-uri.h"
#include "host/menu-question.h"

static GList *answer(GVariant *question, GtkWidget *window)
{
    g_autoptr(GVariant) asked = question;
    return g_list_prepend(NULL, open_menu_item_new(asked, window));
}

/* Whether Thunar is handling a click in the side pane. It asks about a place there as if it were a selected item. */
static gboolean is_in_side_pane(void)
{
    GdkEvent *event = gtk_get_current_event();
    GtkWidget *widget = event == NULL ? NULL : gtk_get_event_widget(event);
    g_clear_pointer(&event, gdk_event_free);
    for (; widget != NULL; widget = gtk_widget_get_parent(widget)) {
        if (g_str_equal(G_OBJECT_TYPE_NAME(widget), "ThunarShortcutsView"))
            return TRUE;
    }
    return FALSE;
}

static GList *get_file_menu_items(ThunarxMenuProvider *provider, GtkWidget *window, GList *files)
{
    (void)provider;
    const Folders *folders = host_link_folders(session_get()->link);
    g_autoptr(GPtrArray) uris = g_ptr_array_new_with_free_func(g_free);
    gboolean is_concerned = FALSE;
    for (; files != NULL; files = files->next) {
        char *uri = file_uri(files->data);
        if (uri == NULL)
            continue;
        g_ptr_array_add(uris, uri);
        is_concerned = is_concerned || folders_hold(folders, uri);
    }
    if (uris->len == 0)
        return NULL;
    const char *first = g_ptr_array_index(uris, 0);
    g_autofree char *target = item_uri_parent(first);
    if (!is_concerned && (target == NULL || !places_hold(session_get()->places, target, first)))
        return NULL;
    if (is_in_side_pane())
        return answer(menu_question_new(MENU_OF_SIDEBAR, first, NULL), window);
    return answer(menu_question_new(MENU_OF_ITEMS, target == NULL ? "" : target, uris), window);
}

static GList *get_folder_menu_items(ThunarxMenuProvider *provider, GtkWidget *window, ThunarxFileInfo *folder)
{
    (void)provider;
    g_autofree char *uri = file_uri(folder);
    if (uri == NULL || !places_hold(session_get()->places, uri, uri))
        return NULL;
    return answer(menu_question_new(MENU_OF_CONTAINER, uri, NULL), window);
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    ThunarxMenuProviderIface *menu_provider = interface;
    menu_provider->get_file_menu_items = get_file_menu_items;
    menu_provider->get_folder_menu_items = get_folder_menu_items;
}

void menu_provider_register(ThunarxProviderPlugin *plugin, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    thunarx_provider_plugin_add_interface(plugin, type, THUNARX_TYPE_MENU_PROVIDER, &info);
}
