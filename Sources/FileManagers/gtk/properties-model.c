#include "detailed-item.h"
#include "provider-interfaces.h"
#include "session.h"
#include "host/attribute-rows.h"
#include "words/words.h"

#include <gio/gio.h>

/* A group in the properties window of Nautilus, which is filled when the service answers. */

static void on_arrived(GVariant *values, gpointer data)
{
    GListStore *list = data;
    g_autoptr(GTimeZone) zone = g_time_zone_new_local();
    g_autoptr(GArray) rows = attribute_rows_read(values, zone);
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_object_unref);
    for (guint i = 0; i < rows->len; i++) {
        const AttributeRow *row = &g_array_index(rows, AttributeRow, i);
        g_ptr_array_add(items, nautilus_properties_item_new(row->name, row->value));
    }
    g_list_store_splice(list, 0, g_list_model_get_n_items(G_LIST_MODEL(list)), items->pdata, items->len);
}

/* The window that shows the list is closed. */
static void on_finalised(gpointer follower, GObject *list)
{
    (void)list;
    attributes_unfollow(follower);
}

static GList *get_models(NautilusPropertiesModelProvider *provider, GList *items)
{
    (void)provider;
    g_autofree char *uri = detailed_item_uri(items);
    if (uri == NULL)
        return NULL;
    g_autoptr(GListStore) list = g_list_store_new(NAUTILUS_TYPE_PROPERTIES_ITEM);
    AttributeFollower *follower = attributes_follow(session_get()->attributes, uri, on_arrived, list);
    g_object_weak_ref(G_OBJECT(list), on_finalised, follower);
    return g_list_append(NULL, nautilus_properties_model_new(_("Sync"), G_LIST_MODEL(list)));
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    NautilusPropertiesModelProviderInterface *properties_model_provider = interface;
    properties_model_provider->get_models = get_models;
}

void properties_model_register(GTypeModule *module, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    g_type_module_add_interface(module, type, NAUTILUS_TYPE_PROPERTIES_MODEL_PROVIDER, &info);
}
