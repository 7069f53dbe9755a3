#include "detailed-item.h"

#include "session.h"
#include "shared/item-uri.h"

char *detailed_item_uri(GList *items)
{
    if (items == NULL || items->next != NULL)
        return NULL;
    g_autofree char *given = fm_file_info_get_uri(items->data);
    g_autofree char *uri = item_uri_canonical(given);
    gboolean held = uri != NULL && observer_holds(session_get()->observer, uri);
    return held ? g_steal_pointer(&uri) : NULL;
}
