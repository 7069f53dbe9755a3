#pragma once

#include <gio/gio.h>

/*
 * One item on the disk. It is found below its folder without following a symlink, so that nothing outside is ever
 * reached, and its contents are never opened.
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

/* Replaces them; NULL takes them all away. */
gboolean item_write_emblems(const Item *item, char **emblems, GError **error);

/* Has file managers that show the item look at it again: they hear of a change of its attributes, of which there is
 * none but the time of that change. Does nothing where this is not to be had, as for an item of another user. */
void item_touch(const Item *item);
