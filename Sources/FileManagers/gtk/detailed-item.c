#include "detailed-item.h"

#include "session.h"
#include "shown-item.h"

char *detailed_item_uri(GList *items)
{
    if (items == NULL || items->next != NULL)
        return NULL;
    g_autofree char *uri = shown_item_uri(items->data);
    gboolean held = uri != NULL && observer_holds(session_get()->observer, uri);
    return held ? g_steal_pointer(&uri) : NULL;
}
