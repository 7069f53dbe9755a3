#include "shown-item.h"

#include "host/item-uri.h"

char *shown_item_uri(FmFileInfo *item)
{
    g_autofree char *given = fm_file_info_get_uri(item);
    char *uri = item_uri_canonical(given);
    if (uri != NULL)
        return uri;
    g_autofree char *opened = fm_file_info_get_activation_uri(item);
    return item_uri_canonical(opened);
}
