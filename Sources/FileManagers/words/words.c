#define _GNU_SOURCE

#include "words.h"

#include <dlfcn.h>
#include <libintl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOMAIN "roundel"
#define MOST_ARGUMENTS 9

/* Whether a directory has a catalogue for the language: then the text that is empty has a translation, its header. It
 * stays bound to the domain. */
static bool has_catalogue(const char *shared)
{
    char *directory;
    if (asprintf(&directory, "%s/locale", shared) < 0)
        return false;
    bindtextdomain(DOMAIN, directory);
    free(directory);
    return *dgettext(DOMAIN, "") != '\0';
}

static bool person_has_catalogue(void)
{
    const char *data = getenv("XDG_DATA_HOME");
    if (data != NULL && *data == '/')
        return has_catalogue(data);
    const char *home = getenv("HOME");
    char *directory;
    if (home == NULL || *home != '/' || asprintf(&directory, "%s/.local/share", home) < 0)
        return false;
    bool found = has_catalogue(directory);
    free(directory);
    return found;
}

/* PREFIX/share for a file that is below PREFIX/lib, PREFIX/lib64 or PREFIX/bin. */
static bool installation_has_catalogue(const char *file)
{
    static const char *const places[] = { "/lib/", "/lib64/", "/bin/" };
    char *path = realpath(file, NULL);
    if (path == NULL)
        return false;
    char *end = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (char *found = path; (found = strstr(found, places[i])) != NULL; found++)
            end = found > end ? found : end;
    bool found = false;
    char *directory;
    if (end != NULL) {
        *end = '\0';
        if (asprintf(&directory, "%s/share", path) >= 0) {
            found = has_catalogue(directory);
            free(directory);
        }
    }
    free(path);
    return found;
}

static bool system_has_catalogue(void)
{
    const char *named = getenv("XDG_DATA_DIRS");
    char *list = strdup(named != NULL && *named != '\0' ? named : "/usr/local/share:/usr/share");
    bool found = false;
    char *rest = list;
    for (char *directory; !found && (directory = strsep(&rest, ":")) != NULL;)
        found = *directory == '/' && has_catalogue(directory);
    free(list);
    return found;
}

/* Binds the first place that has a catalogue: a domain has one directory. The file that this is part of is the plugin,
 * or the program. */
static void bind_catalogue(void)
{
    bind_textdomain_codeset(DOMAIN, "UTF-8");
    Dl_info file;
    bool found = person_has_catalogue() || (dladdr(DOMAIN, &file) != 0 && installation_has_catalogue(file.dli_fname))
                 || installation_has_catalogue("/proc/self/exe") || system_has_catalogue();
    (void)found;
}

static void bind_once(void)
{
    static pthread_once_t is_bound = PTHREAD_ONCE_INIT;
    pthread_once(&is_bound, bind_catalogue);
}

const char *words_translated(const char *text)
{
    bind_once();
    return dgettext(DOMAIN, text);
}

const char *words_counted(const char *one, const char *other, unsigned long number)
{
    bind_once();
    return dngettext(DOMAIN, one, other, number);
}

/* Writes the text with its arguments, if there is room to write to, and returns its length. */
static size_t fill(char *room, const char *text, const char *const *arguments, size_t count)
{
    size_t length = 0;
    while (*text != '\0') {
        bool is_place = text[0] == '{' && text[1] >= '1' && (size_t)(text[1] - '1') < count && text[2] == '}';
        const char *piece = is_place ? arguments[text[1] - '1'] : text;
        size_t piece_length = is_place ? strlen(piece) : 1;
        if (room != NULL)
            memcpy(room + length, piece, piece_length);
        length += piece_length;
        text += is_place ? 3 : 1;
    }
    return length;
}

char *words_filled(const char *text, ...)
{
    const char *arguments[MOST_ARGUMENTS];
    size_t count = 0;
    va_list list;
    va_start(list, text);
    for (const char *argument; count < MOST_ARGUMENTS && (argument = va_arg(list, const char *)) != NULL;)
        arguments[count++] = argument;
    va_end(list);
    size_t length = fill(NULL, text, arguments, count);
    char *result = malloc(length + 1);
    if (result == NULL)
        abort();
    fill(result, text, arguments, count);
    result[length] = '\0';
    return result;
}
