#include "property-page.h"

#include "file-uri.h"
#include "session.h"
#include "words/words.h"
#include "widgets/attribute-grid.h"

static GList *get_pages(ThunarxPropertyPageProvider *provider, GList *files)
{
    (void)provider;
    if (files == NULL || files->next != NULL)
        return NULL;
    Session *session = session_get();
    g_autofree char *uri = file_uri(files->data);
    if (uri == NULL || !folders_hold(host_link_folders(session->link), uri))
        return NULL;
    GtkWidget *page = thunarx_property_page_new(_("Sync"));
    gtk_container_add(GTK_CONTAINER(page), attribute_grid_new(session->attributes, uri));
    return g_list_prepend(NULL, page);
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    ThunarxPropertyPageProviderIface *property_page_provider = interface;
    property_page_provider->get_pages = get_pages;
}

void property_page_register(ThunarxProviderPlugin *plugin, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    thunarx_provider_plugin_add_interface(plugin, type, THUNARX_TYPE_PROPERTY_PAGE_PROVIDER, &info);
}
