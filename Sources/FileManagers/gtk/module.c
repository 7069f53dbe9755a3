#include "file-manager.h"
#include "provider-interfaces.h"
#include "session.h"

#include <gmodule.h>

static GType extension_type;

static void register_extension(GTypeModule *module)
{
    static const GTypeInfo info = {
        .class_size = sizeof(GObjectClass),
        .instance_size = sizeof(GObject),
    };
    extension_type = g_type_module_register_type(module, G_TYPE_OBJECT, "RoundelExtension", &info, 0);
    info_provider_register(module, extension_type);
    menu_provider_register(module, extension_type);
    column_provider_register(module, extension_type);
#ifdef FM_NAUTILUS
    properties_model_register(module, extension_type);
#else
    property_page_register(module, extension_type);
    location_widget_register(module, extension_type);
#endif
#ifdef FM_NEMO
    name_and_description_register(module, extension_type);
#endif
}

G_MODULE_EXPORT void fm_module_initialize(GTypeModule *module)
{
    register_extension(module);
}

G_MODULE_EXPORT void fm_module_shutdown(void)
{
    session_end();
}

G_MODULE_EXPORT void fm_module_list_types(const GType **types, int *count)
{
    *types = &extension_type;
    *count = 1;
}
