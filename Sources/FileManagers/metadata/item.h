#pragma once

#include <gio/gio.h>

/*
 * One item on the disk. It is opened below its folder without following symlinks, so that nothing outside is reached.
 * Its contents are never read.
 */

typedef enum {
    ITEM_ABSENT,
    ITEM_FILE,
    ITEM_DIRECTORY,
    ITEM_OTHER, /* a symlink or a special file */
} ItemKind;

typedef struct {
    GFile *file;
    int descriptor; /* of the place, not of the contents; -1 if there is none */
    ItemKind kind;
} Item;

/* Both are canonical URIs; the item is the folder or lies below it. */
Item item_open(const char *folder_uri, const char *item_uri);
void item_close(Item *item);

/* The item's kind, if it is there. */
ItemKind item_kind(const char *folder_uri, const char *item_uri);

/* The emblems that file managers read; NULL if there are none, or on an error. */
char **item_read_emblems(const Item *item, GError **error);

/* Replaces them; NULL removes them all. */
gboolean item_write_emblems(const Item *item, char **emblems, GError **error);

/* Makes file managers that show the item read it again, by a change of attributes that changes only the time of the
 * change. Does nothing where that is not possible, as for an item of another user. */
void item_touch(const Item *item);
