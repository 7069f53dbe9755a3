#pragma once

#include <glib-object.h>

/*
 * The menus that were given to the file manager without entries, because the service had not answered yet. An answer
 * that comes while such a menu is open goes into it.
 *
 * Nautilus and Caja ask for the menu of the selected items and for that of the folder together, in any order, and open
 * the latter only while nothing is selected.
 */

typedef struct {
    GVariant *question; /* or NULL */
    gpointer window;    /* weak */
} UnansweredMenu;

/* Zero-initialised. */
typedef struct {
    UnansweredMenu of_items;
    UnansweredMenu of_folder;
    gboolean items_are_selected;
} Unanswered;

/* The file manager asked for the menu of its selection, which may be empty. The question is NULL where no answer is
 * waited for. */
void unanswered_set_items(Unanswered *unanswered, gboolean items_are_selected, GVariant *question, gpointer window);

/* It asked for the menu of the folder. */
void unanswered_set_folder(Unanswered *unanswered, GVariant *question, gpointer window);

/* Whether the answer to that question is for the menu that is open, if one is open; the window in which it is. It is so
 * once. */
gboolean unanswered_take(Unanswered *unanswered, GVariant *question, gpointer *window);
