#include "file-manager.h"
#include "item-uri.h"
#include "nautilus-windows.h"
#include "provider-interfaces.h"
#include "session.h"

/* Nautilus asks for the background menu of a folder as soon as it goes there, before it asks about any item and before
 * it publishes the new location. */
static GList *get_background_items(NautilusMenuProvider *provider, NautilusFileInfo *folder)
{
    (void)provider;
    g_autofree char *given = nautilus_file_info_get_uri(folder);
    g_autofree char *uri = item_uri_canonical(given);
    if (uri != NULL)
        nautilus_windows_hint(session_get()->observer, uri);
    return NULL;
}

static GList *get_file_items(NautilusMenuProvider *provider, GList *items)
{
    (void)provider, (void)items;
    return NULL;
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    NautilusMenuProviderInterface *menu_provider = interface;
    menu_provider->get_background_items = get_background_items;
    menu_provider->get_file_items = get_file_items;
}

void location_hint_register(GTypeModule *module, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    g_type_module_add_interface(module, type, NAUTILUS_TYPE_MENU_PROVIDER, &info);
}
