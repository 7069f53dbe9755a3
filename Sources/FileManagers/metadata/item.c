#include "item.h"

#include "host/item-uri.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EMBLEMS "metadata::emblems"

static int open_beneath(int folder, const char *path)
{
    struct open_how how = {
        .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
    };
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

static int open_place(const char *folder_uri, const char *item_uri)
{
    g_autofree char *folder_path = g_filename_from_uri(folder_uri, NULL, NULL);
    g_autofree char *item_path = g_filename_from_uri(item_uri, NULL, NULL);
    if (folder_path == NULL || item_path == NULL || !item_uri_is_within(item_uri, folder_uri))
        return -1;
    int folder = open(folder_path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const char *rest = item_path + strlen(folder_path);
    rest += strspn(rest, "/");
    if (folder < 0 || *rest == '\0')
        return folder;
    int place = open_beneath(folder, rest);
    close(folder);
    return place;
}

static ItemKind kind_of(int descriptor)
{
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        return ITEM_ABSENT;
    if (S_ISDIR(status.st_mode))
        return ITEM_DIRECTORY;
    return S_ISREG(status.st_mode) ? ITEM_FILE : ITEM_OTHER;
}

Item item_open(const char *folder_uri, const char *item_uri)
{
    int descriptor = open_place(folder_uri, item_uri);
    return (Item){ g_file_new_for_uri(item_uri), descriptor, kind_of(descriptor) };
}

void item_close(Item *item)
{
    g_clear_object(&item->file);
    if (item->descriptor >= 0)
        close(item->descriptor);
    item->descriptor = -1;
}

ItemKind item_kind(const char *folder_uri, const char *item_uri)
{
    int descriptor = open_place(folder_uri, item_uri);
    ItemKind kind = kind_of(descriptor);
    if (descriptor >= 0)
        close(descriptor);
    return kind;
}

char **item_read_emblems(const Item *item, GError **error)
{
    g_autoptr(GFileInfo)
        info = g_file_query_info(item->file, EMBLEMS, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, error);
    if (info == NULL || g_file_info_get_attribute_type(info, EMBLEMS) != G_FILE_ATTRIBUTE_TYPE_STRINGV)
        return NULL;
    return g_strdupv(g_file_info_get_attribute_stringv(info, EMBLEMS));
}

gboolean item_write_emblems(const Item *item, char **emblems, GError **error)
{
    GFileAttributeType type = emblems == NULL ? G_FILE_ATTRIBUTE_TYPE_INVALID : G_FILE_ATTRIBUTE_TYPE_STRINGV;
    return g_file_set_attribute(item->file, EMBLEMS, type, emblems, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, error);
}

/* The mode is set to its present value. Setting the times would work, too, but would undo a modification that happens
 * just then. */
void item_touch(const Item *item)
{
    struct stat status;
    if (item->descriptor < 0 || fstat(item->descriptor, &status) != 0)
        return;
    /* Setting these bits may clear them if the owner is not in the group. */
    if ((status.st_mode & (S_ISUID | S_ISGID)) != 0)
        return;
    g_autofree char *place = g_strdup_printf("/proc/self/fd/%d", item->descriptor);
    if (chmod(place, status.st_mode & ALLPERMS) != 0)
        g_debug("%s: %s", place, g_strerror(errno));
}
