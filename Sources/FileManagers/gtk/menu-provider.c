#include "menu-widgets.h"
#include "open-menu.h"
#include "provider-interfaces.h"
#include "session.h"
#include "host/item-uri.h"
#include "host/menu-question.h"
#include "shown-item.h"
#include "unanswered.h"
#ifdef FM_CAJA
#include "caja-toolbar.h"
#endif
#ifdef FM_NAUTILUS
#include "nautilus-windows.h"
#endif

/*
 * Nautilus and Caja ask when the selection or the location changes, before they open the menu, and after they were told
 * that items changed. Nemo asks about the items when it opens their menu, and never again while that is open: they are
 * added to the menu when they come. Nemo and Caja ask once more when an item of theirs is chosen, so the same question
 * has to have the same items. All ask about an empty selection as well.
 */

static FmMenuProvider *provider; /* weak */

static Unanswered unanswered;

static void emit_items_updated(void)
{
    if (provider != NULL)
        fm_menu_provider_emit_items_updated(provider);
}

static void on_items_changed(void)
{
    if (!open_menu_postpone(emit_items_updated))
        emit_items_updated();
}

/* If the file manager was given no items for the question, its menu may be open without them. */
static void on_answered(GVariant *question, const MenuAnswer *answer)
{
#ifdef FM_CAJA
    caja_toolbar_answered(question, answer);
#endif
    if (open_menu_complete(session_get()->menus, question, answer))
        return;
    gpointer window;
    if (answer->items->len > 0 && unanswered_take(&unanswered, question, &window))
        open_menu_add(session_get()->menus, question, answer, window);
}

/* The answer that is there, or NULL. Nemo shows what comes of the question that it asks when it opens a menu. */
static const MenuAnswer *find_answer(const Session *session, GVariant *question)
{
    if (!FM_ASKS_WHEN_OPENING || menu_question_kind(question) != MENU_OF_ITEMS)
        return menus_find(session->menus, question);
    menus_ask(session->menus, question);
    return NULL;
}

/* Whether the item may get the service's own entry: one directory, wherever it is. */
static gboolean may_be_added(const Session *session, const GList *items)
{
    return host_link_adds_folders(session->link) && items != NULL && items->next == NULL
           && fm_file_info_is_directory(items->data);
}

/* The canonical URIs of the items, or NULL if none of them is in a registered folder: then the service has no menu, but
 * for one directory. */
static GPtrArray *read_selection(const Session *session, const GList *items)
{
    g_autoptr(GPtrArray) uris = g_ptr_array_new_with_free_func(g_free);
    gboolean concerned = may_be_added(session, items);
    for (; items != NULL; items = items->next) {
        char *uri = shown_item_uri(items->data);
        if (uri == NULL)
            continue;
        g_ptr_array_add(uris, uri);
        concerned = concerned || observer_holds(session->observer, uri);
    }
    return concerned && uris->len > 0 ? g_steal_pointer(&uris) : NULL;
}

static GList *file_items(FmMenuProvider *self, gpointer window, GList *items)
{
    g_set_weak_pointer(&provider, self);
    Session *session = session_get();
    g_autoptr(GPtrArray) selection = read_selection(session, items);
    g_autofree char *target = selection == NULL ? NULL : item_uri_parent(g_ptr_array_index(selection, 0));
    g_autoptr(GVariant) question = target == NULL ? NULL : menu_question_new(MENU_OF_ITEMS, target, selection);
#ifdef FM_CAJA
    caja_toolbar_set_selection(window, question);
#endif
    if (question != NULL && open_menu_has(question))
        return NULL;
    const MenuAnswer *answer = question == NULL ? NULL : find_answer(session, question);
    unanswered_set_items(&unanswered, items != NULL, answer == NULL ? question : NULL, window);
    return answer == NULL ? NULL : menu_widgets_new(session->menus, question, answer, window);
}

static GList *background_items(FmMenuProvider *self, gpointer window, FmFileInfo *folder)
{
    g_set_weak_pointer(&provider, self);
    Session *session = session_get();
    g_autofree char *uri = folder == NULL ? NULL : shown_item_uri(folder);
    if (uri == NULL)
        return NULL;
#ifdef FM_NAUTILUS
    /* Nautilus asks for this as soon as it opens the folder, before it asks about any item and publishes the location.
     */
    nautilus_windows_hint(session->observer, uri);
#endif
    /* Nemo has no menu of items open when it asks for this one. */
    if (FM_ASKS_WHEN_OPENING)
        unanswered_set_items(&unanswered, FALSE, NULL, NULL);
    gboolean concerned = observer_holds(session->observer, uri) || host_link_adds_folders(session->link);
    g_autoptr(GVariant) question = concerned ? menu_question_new(MENU_OF_CONTAINER, uri, NULL) : NULL;
    if (question != NULL && open_menu_has(question))
        return NULL;
    const MenuAnswer *answer = question == NULL ? NULL : find_answer(session, question);
    unanswered_set_folder(&unanswered, answer == NULL ? question : NULL, window);
    return answer == NULL ? NULL : menu_widgets_new(session->menus, question, answer, window);
}

#ifdef FM_NAUTILUS

static GList *get_file_items(FmMenuProvider *self, GList *items)
{
    return file_items(self, NULL, items);
}

static GList *get_background_items(FmMenuProvider *self, FmFileInfo *folder)
{
    return background_items(self, NULL, folder);
}

#else

static GList *get_file_items(FmMenuProvider *self, GtkWidget *window, GList *items)
{
    return file_items(self, window, items);
}

static GList *get_background_items(FmMenuProvider *self, GtkWidget *window, FmFileInfo *folder)
{
    return background_items(self, window, folder);
}

#endif

#ifdef FM_CAJA

static GList *get_toolbar_items(FmMenuProvider *self, GtkWidget *window, FmFileInfo *folder)
{
    g_set_weak_pointer(&provider, self);
    g_autofree char *uri = folder == NULL ? NULL : shown_item_uri(folder);
    return caja_toolbar_items(window, uri == NULL ? "" : uri);
}

#endif

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    FmMenuProviderInterface *menu_provider = interface;
    menu_provider->get_file_items = get_file_items;
    menu_provider->get_background_items = get_background_items;
#ifdef FM_CAJA
    menu_provider->get_toolbar_items = get_toolbar_items;
#endif
}

void menu_provider_register(GTypeModule *module, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    g_type_module_add_interface(module, type, FM_TYPE_MENU_PROVIDER, &info);
    session_set_menu_events(on_answered, on_items_changed);
}
