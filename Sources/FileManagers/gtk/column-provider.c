#include "file-manager.h"
#include "provider-interfaces.h"
#include "session.h"
#include "words/words.h"

/* The list view's column is filled by the info provider. */
static GList *get_columns(FmColumnProvider *provider)
{
    (void)provider;
    session_show_states();
    return g_list_append(
        NULL, fm_column_new("Roundel::state", STATE_ATTRIBUTE, _("Sync State"), _("The sync state of the file")));
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    FmColumnProviderInterface *column_provider = interface;
    column_provider->get_columns = get_columns;
}

void column_provider_register(GTypeModule *module, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    g_type_module_add_interface(module, type, FM_TYPE_COLUMN_PROVIDER, &info);
}
