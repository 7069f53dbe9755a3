#include "home-spelling.h"

#include "item-uri.h"

#include <stdlib.h>

static char *uri_of(const char *path)
{
    g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);
    return item_uri_canonical(uri);
}

void home_spelling_add(Folders *folders)
{
    const char *home = g_get_home_dir();
    char *resolved = realpath(home, NULL);
    if (resolved == NULL)
        return;
    g_autofree char *given_uri = uri_of(home);
    g_autofree char *resolved_uri = uri_of(resolved);
    free(resolved);
    if (given_uri != NULL && resolved_uri != NULL && !g_str_equal(given_uri, resolved_uri))
        folders_add_spelling(folders, given_uri, resolved_uri);
}
