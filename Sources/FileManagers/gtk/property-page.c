#include "detailed-item.h"
#include "provider-interfaces.h"
#include "session.h"
#include "words/words.h"
#include "widgets/attribute-grid.h"

/* A page in the properties dialog of Nemo and Caja. */

static GList *get_pages(FmPropertyPageProvider *provider, GList *items)
{
    (void)provider;
    g_autofree char *uri = detailed_item_uri(items);
    if (uri == NULL)
        return NULL;
    GtkWidget *page = attribute_grid_new(session_get()->attributes, uri);
    return g_list_append(NULL, fm_property_page_new("Roundel::details", gtk_label_new(_("Sync")), page));
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    FmPropertyPageProviderInterface *property_page_provider = interface;
    property_page_provider->get_pages = get_pages;
}

void property_page_register(GTypeModule *module, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    g_type_module_add_interface(module, type, FM_TYPE_PROPERTY_PAGE_PROVIDER, &info);
}
