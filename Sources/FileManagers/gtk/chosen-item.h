#pragma once

#include "menus.h"

/* An item of a menu on the screen: what it does when it is chosen, and for which window. */

typedef struct ChosenItem ChosenItem;

/* The window may be NULL; it is not kept alive. */
ChosenItem *chosen_item_new(GVariant *question, guint64 menu_id, const char *item_id, gpointer window);

/* Frees it. The closure, of which it may be the data, is not looked at. */
void chosen_item_free(gpointer item, GClosure *closure);

/* Called within the handling of the person's click or key. */
void chosen_item_activate(ChosenItem *item);
