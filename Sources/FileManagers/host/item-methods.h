#pragma once

#include <glib.h>

/* What is done with the file manager's objects for items, of which the library knows nothing else. */

struct DirectoryEntry;

typedef struct {
    gpointer (*ref)(gpointer item);
    void (*unref)(gpointer item);
    /* The entry is tied to the item, or is no longer. An item that is gone meanwhile is reported by
     * directory_entry_lose. */
    void (*follow)(gpointer item, struct DirectoryEntry *entry);
    void (*unfollow)(gpointer item, struct DirectoryEntry *entry);
    /* Makes the file manager ask about the item again. It may ask within the call. */
    void (*refresh)(gpointer item);
} ItemMethods;
