#include "paths.h"

#include "host/item-uri.h"

#include <errno.h>
#include <string.h>

char *paths_to_uri(const char *path)
{
    char *uri = NULL;
    if (path != NULL && *path == '/') {
        GString *encoded = g_string_new("file://");
        for (const char *byte = path; *byte != '\0'; byte++) {
            if (*byte == '/')
                g_string_append_c(encoded, '/');
            else
                g_string_append_printf(encoded, "%%%02X", (guint)(guchar)*byte);
        }
        uri = item_uri_canonical(encoded->str);
        g_string_free(encoded, TRUE);
    }
    if (uri == NULL)
        errno = EINVAL;
    return uri;
}

char *paths_from_uri(const char *canonical)
{
    const char *at = canonical + strlen("file://");
    GString *path = g_string_new(NULL);
    for (; *at != '\0'; at++) {
        if (*at == '%') {
            g_string_append_c(path, (char)(g_ascii_xdigit_value(at[1]) << 4 | g_ascii_xdigit_value(at[2])));
            at += 2;
        } else {
            g_string_append_c(path, *at);
        }
    }
    return g_string_free(path, FALSE);
}
