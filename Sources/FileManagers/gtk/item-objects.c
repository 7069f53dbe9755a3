#include "item-objects.h"

#include "file-manager.h"
#include "host/directory.h"

static void on_finalised(gpointer entry, GObject *item)
{
    directory_entry_lose(entry, item);
}

static void follow(gpointer item, DirectoryEntry *entry)
{
    g_object_weak_ref(item, on_finalised, entry);
}

static void unfollow(gpointer item, DirectoryEntry *entry)
{
    g_object_weak_unref(item, on_finalised, entry);
}

static void refresh(gpointer item)
{
    fm_file_info_invalidate(item);
}

const ItemMethods item_objects = { g_object_ref, g_object_unref, follow, unfollow, refresh };
