#include "provider-interfaces.h"
#include "session.h"

static FmOperationResult update_file_info(
    FmInfoProvider *provider, FmFileInfo *item, GClosure *complete, FmOperationHandle **handle)
{
    Session *session = session_get();
    PendingUpdate update = { provider, item, complete };
    if (!FM_ASKS_LAZILY && time_slice_is_over(&session->slice)) {
        *handle = pending_updates_postpone(session->pending, &update);
        return FM_OPERATION_IN_PROGRESS;
    }
    DirectoryEntry *entry = session_update_item(session, item);
    if (entry == NULL)
        return FM_OPERATION_COMPLETE;
    observer_request(session->observer, entry);
    const Directory *directory = entry->directory;
    if (FM_ASKS_LAZILY || directory->state == DIRECTORY_UNOBSERVED || directory->state == DIRECTORY_ASKED
        || directory->listed || !badge_is_none(&entry->badge))
        return FM_OPERATION_COMPLETE;
    *handle = pending_updates_add(session->pending, &update, directory->uri);
    return FM_OPERATION_IN_PROGRESS;
}

static void cancel_update(FmInfoProvider *provider, FmOperationHandle *handle)
{
    (void)provider;
    pending_updates_cancel(session_get()->pending, handle);
}

static void fill_interface(gpointer interface, gpointer data)
{
    (void)data;
    FmInfoProviderInterface *info_provider = interface;
    info_provider->update_file_info = update_file_info;
    info_provider->cancel_update = cancel_update;
}

void info_provider_register(GTypeModule *module, GType type)
{
    const GInterfaceInfo info = { .interface_init = fill_interface };
    g_type_module_add_interface(module, type, FM_TYPE_INFO_PROVIDER, &info);
}
