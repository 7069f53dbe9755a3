#pragma once

#include "shared/menus.h"

/*
 * The context menu that is open now. A person opens it in the same click that selects an item, so the service can only
 * be asked about that item when its menu is already on the screen. The answer, some milliseconds later, is added to it.
 */

/* Adds the items for as long as that menu is open. The window is the one that asked, or NULL. */
void open_menu_add(Menus *menus, GVariant *question, const MenuAnswer *answer, gpointer window);

/* Whether a menu is open to which the items of that question were added, and would be a second time by the file
 * manager.
 */
gboolean open_menu_has(GVariant *question);

/* Whether a menu is open that the file manager would rebuild under the person's hand. If so, the function is called
 * once when it closes. */
gboolean open_menu_postpone(void (*function)(void));
