#include "item-uri.h"

#include <string.h>

#define SCHEME "file://"
#define SCHEME_LENGTH (sizeof SCHEME - 1)

/* The service's limit: PATH_MAX with its terminator. */
#define PATH_LIMIT 4096

static gboolean is_unreserved(guchar byte)
{
    return g_ascii_isalnum(byte) || byte == '-' || byte == '.' || byte == '_' || byte == '~';
}

/* Where the path begins, if the URI has this scheme and no host but this one. */
static const char *path_of(const char *uri)
{
    if (g_ascii_strncasecmp(uri, SCHEME, SCHEME_LENGTH) != 0)
        return NULL;
    const char *rest = uri + SCHEME_LENGTH;
    if (g_ascii_strncasecmp(rest, "localhost/", 10) == 0)
        rest += 9;
    return *rest == '/' ? rest : NULL;
}

/* Decodes one byte of a path and advances the cursor; -1 for a byte that a name cannot hold. */
static int next_byte(const char **cursor)
{
    const char *at = *cursor;
    if (*at == '?' || *at == '#')
        return -1;
    if (*at != '%') {
        *cursor = at + 1;
        return (guchar)*at;
    }
    if (!g_ascii_isxdigit(at[1]) || !g_ascii_isxdigit(at[2]))
        return -1;
    int byte = g_ascii_xdigit_value(at[1]) << 4 | g_ascii_xdigit_value(at[2]);
    *cursor = at + 3;
    return byte == 0 || byte == '/' ? -1 : byte;
}

static gboolean is_dot_segment(const char *segment)
{
    return strcmp(segment, ".") == 0 || strcmp(segment, "..") == 0;
}

/* Appends the segment that starts at the cursor; its length in bytes, or -1 if it is refused. */
static gssize append_segment(GString *canonical, const char **cursor)
{
    gsize start = canonical->len;
    gssize length = 0;
    while (**cursor != '\0' && **cursor != '/') {
        int byte = next_byte(cursor);
        if (byte < 0)
            return -1;
        if (is_unreserved((guchar)byte))
            g_string_append_c(canonical, (char)byte);
        else
            g_string_append_printf(canonical, "%%%02X", (guint)byte);
        length++;
    }
    return is_dot_segment(canonical->str + start) ? -1 : length;
}

char *item_uri_canonical(const char *uri)
{
    const char *cursor = uri == NULL ? NULL : path_of(uri);
    if (cursor == NULL)
        return NULL;

    GString *canonical = g_string_new(SCHEME);
    gsize path_length = 0;
    while (*cursor != '\0') {
        while (*cursor == '/')
            cursor++;
        if (*cursor == '\0')
            break;
        g_string_append_c(canonical, '/');
        gssize length = append_segment(canonical, &cursor);
        path_length += (gsize)(length + 1);
        if (length < 0 || path_length >= PATH_LIMIT) {
            g_string_free(canonical, TRUE);
            return NULL;
        }
    }
    if (canonical->len == SCHEME_LENGTH)
        g_string_append_c(canonical, '/');
    return g_string_free(canonical, FALSE);
}

char *item_uri_parent(const char *canonical)
{
    const char *name = item_uri_name(canonical);
    if (name == NULL)
        return NULL;
    gsize length = (gsize)(name - canonical) - 1;
    return g_strndup(canonical, MAX(length, SCHEME_LENGTH + 1));
}

const char *item_uri_name(const char *canonical)
{
    const char *name = strrchr(canonical, '/') + 1;
    return *name == '\0' ? NULL : name;
}

gboolean item_uri_is_within(const char *canonical, const char *directory)
{
    gsize length = strlen(directory);
    if (strncmp(canonical, directory, length) != 0)
        return FALSE;
    return canonical[length] == '\0' || canonical[length] == '/' || directory[length - 1] == '/';
}

gboolean item_name_is_after(const char *name, const char *other)
{
    while (*name != '\0') {
        int byte = next_byte(&name);
        int other_byte = *other == '\0' ? 0 : next_byte(&other);
        if (byte < 0 || other_byte < 0)
            return FALSE;
        if (byte != other_byte)
            return byte > other_byte;
    }
    return FALSE;
}
