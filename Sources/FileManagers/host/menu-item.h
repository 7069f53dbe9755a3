#pragma once

#include <glib.h>

/* One item of a menu, as the service gives it, and lists of such items. */

typedef enum {
    MENU_UNCHECKABLE,
    MENU_UNCHECKED,
    MENU_CHECKED,
} MenuCheck;

typedef struct {
    char *id; /* "" for a separator that has none */
    char *label;
    char *icon; /* a themed icon's name, or "" */
    gboolean enabled;
    MenuCheck check;
    gboolean is_separator;
    GPtrArray *children; /* of MenuItem; empty for an item that can be activated */
} MenuItem;

/* Reads a value of type aa{sv}. Values of a wrong type count as absent. Separators that separate nothing are
 * left out. */
GPtrArray *menu_items_read(GVariant *rows);

/* A whole menu, as GetMenu answers. As long as providers have not answered, its last item says so. */
typedef struct {
    guint64 menu_id;
    GPtrArray *items; /* of MenuItem */
    gboolean is_incomplete;
} MenuAnswer;

#define MENU_REPLY_TYPE "(taa{sv}a{sv})"

/* Reads a reply of that type, or the parameters of MenuChanged, which have the same. */
MenuAnswer menu_answer_read(GVariant *reply);

gboolean menu_items_equal(const GPtrArray *some, const GPtrArray *others);

/* The item with that id, at any depth, if it can be activated; NULL if it is disabled or missing. */
const MenuItem *menu_items_find_enabled(const GPtrArray *items, const char *id);

/* The label for an API that takes underscores for mnemonics. */
char *menu_item_mnemonic_label(const MenuItem *item);

/* The same, where the API knows no check marks. */
char *menu_item_marked_label(const MenuItem *item);

/* A name for an API that identifies items by name and joins names to paths: letters, digits, `-` and `_`. Different for
 * every kind and id. */
char *menu_item_name(guint32 kind, const char *id);
