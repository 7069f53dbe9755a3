#include "menu-provider.h"
#include "property-page.h"
#include "session.h"

#include <gmodule.h>

static GType extension_type;

G_MODULE_EXPORT void thunar_extension_initialize(ThunarxProviderPlugin *plugin);
G_MODULE_EXPORT void thunar_extension_shutdown(void);
G_MODULE_EXPORT void thunar_extension_list_types(const GType **types, gint *count);

void thunar_extension_initialize(ThunarxProviderPlugin *plugin)
{
    static const GTypeInfo info = {
        .class_size = sizeof(GObjectClass),
        .instance_size = sizeof(GObject),
    };
    /* Thunar drops providers that it has not asked for a while; the code has to stay for replies that are on the way.
     */
    thunarx_provider_plugin_set_resident(plugin, TRUE);
    extension_type = thunarx_provider_plugin_register_type(plugin, G_TYPE_OBJECT, "RoundelExtension", &info, 0);
    menu_provider_register(plugin, extension_type);
    property_page_register(plugin, extension_type);
}

void thunar_extension_shutdown(void)
{
    session_end();
}

void thunar_extension_list_types(const GType **types, gint *count)
{
    *types = &extension_type;
    *count = 1;
}
