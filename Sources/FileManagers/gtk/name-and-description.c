#include "file-manager.h"
#include "provider-interfaces.h"
#include "words/words.h"

/* What Nemo's preferences list. The form is `name:::description`, as Nemo takes it apart. */
static GList *get_name_and_desc(NemoNameAndDescProvider *provider)
{
    (void)provider;
    return g_list_append(NULL, g_strconcat("Roundel", ":::", _("Shows the sync state of your files"), NULL));
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    NemoNameAndDescProviderInterface *name_and_desc_provider = interface;
    name_and_desc_provider->get_name_and_desc = get_name_and_desc;
}

void name_and_description_register(GTypeModule *module, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    g_type_module_add_interface(module, type, NEMO_TYPE_NAME_AND_DESC_PROVIDER, &info);
}
