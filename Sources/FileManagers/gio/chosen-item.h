#pragma once

#include "host/menus.h"

#include <glib-object.h>

/* An item of a menu on the screen: what to activate when the user chooses it, and for which window. */

typedef struct ChosenItem ChosenItem;

/* The window may be NULL; it is not kept alive. */
ChosenItem *chosen_item_new(Menus *menus, GVariant *question, guint64 menu_id, const char *item_id, gpointer window);

/* Frees it. A GClosureNotify, which ignores the closure. */
void chosen_item_free(gpointer item, GClosure *closure);

/* Must be called while the user's click or key is handled. */
void chosen_item_activate(ChosenItem *item);
