#include "file-uri.h"

#include "host/item-uri.h"

char *file_uri(ThunarxFileInfo *file)
{
    g_autofree char *given = thunarx_file_info_get_uri(file);
    return item_uri_canonical(given);
}
