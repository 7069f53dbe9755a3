/* The least plugin that a file manager asks about every item: it answers nothing, at once. With ADDS_EMBLEMS it is the
 * least that shows anything: it adds the same emblem to each and asks nobody. What ours costs is measured against both.
 */
#include "file-manager.h"

#include <gmodule.h>

static GType extension_type;

static FmOperationResult update_file_info(
    FmInfoProvider *provider, FmFileInfo *item, GClosure *complete, FmOperationHandle **handle)
{
    (void)provider, (void)item, (void)complete, (void)handle;
#ifdef ADDS_EMBLEMS
    fm_file_info_add_emblem(item, "emblem-roundel-synced");
#endif
    return FM_OPERATION_COMPLETE;
}

static void cancel_update(FmInfoProvider *provider, FmOperationHandle *handle)
{
    (void)provider, (void)handle;
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    FmInfoProviderInterface *info_provider = interface;
    info_provider->update_file_info = update_file_info;
    info_provider->cancel_update = cancel_update;
}

#ifdef FM_NEMO
static GList *name_and_description(NemoNameAndDescProvider *provider)
{
    (void)provider;
    return g_list_append(NULL, g_strdup("Silent:::Answers nothing"));
}

static void fill_name_interface(gpointer interface, gpointer data)
{
    (void)data;
    ((NemoNameAndDescProviderInterface *)interface)->get_name_and_desc = name_and_description;
}
#endif

G_MODULE_EXPORT void fm_module_initialize(GTypeModule *module)
{
    static const GTypeInfo type = { .class_size = sizeof(GObjectClass), .instance_size = sizeof(GObject) };
    extension_type = g_type_module_register_type(module, G_TYPE_OBJECT, "SilentExtension", &type, 0);
    static const GInterfaceInfo interface = { .interface_init = fill_interface };
    g_type_module_add_interface(module, extension_type, FM_TYPE_INFO_PROVIDER, &interface);
#ifdef FM_NEMO
    static const GInterfaceInfo names = { .interface_init = fill_name_interface };
    g_type_module_add_interface(module, extension_type, NEMO_TYPE_NAME_AND_DESC_PROVIDER, &names);
#endif
}

G_MODULE_EXPORT void fm_module_shutdown(void)
{
}

G_MODULE_EXPORT void fm_module_list_types(const GType **types, int *count)
{
    *types = &extension_type;
    *count = 1;
}
