#pragma once

#include <glib.h>

/*
 * What identifies a menu: a value of type (usas), with kind, target and selection; the URIs are canonical. Two
 * questions are the same if they are equal byte for byte.
 */

enum {
    MENU_OF_ITEMS = 0,
    MENU_OF_CONTAINER = 1,
    MENU_OF_SIDEBAR = 2,
    MENU_OF_TOOLBAR = 3,
};

/* Not floating. The target may be "", the selection NULL or of strings. */
GVariant *menu_question_new(guint32 kind, const char *target, const GPtrArray *selection);

/* The same, with the selection of another question; NULL for none. */
GVariant *menu_question_with(GVariant *selection, guint32 kind, const char *target);

guint32 menu_question_kind(GVariant *question);

/* The arguments of GetMenu, floating. */
GVariant *menu_question_arguments(GVariant *question);

/* For a hash table. */
guint menu_question_hash(gconstpointer question);
gboolean menu_question_equal(gconstpointer some, gconstpointer other);
