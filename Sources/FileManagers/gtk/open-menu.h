#pragma once

#include "host/menus.h"

/*
 * The context menu that is open now. The click that opens it may also select the item, so the service is asked about
 * the item when its menu is already on the screen. The answer, some milliseconds later, is added to the menu.
 */

/* Adds the items for as long as that menu is open. The window is the one that asked, or NULL. */
void open_menu_add(Menus *menus, GVariant *question, const MenuAnswer *answer, gpointer window);

#ifndef FM_NAUTILUS
/* The plugin's own menu, a GtkMenu, opens with these items. */
void open_menu_follow(gpointer menu, GVariant *question, const MenuAnswer *answer, gpointer window);
#endif

/* If the items that were added to the open menu for that question were not complete, replaces them by these. Whether it
 * was so. */
gboolean open_menu_complete(Menus *menus, GVariant *question, const MenuAnswer *answer);

/* Whether a menu is open to which the items of that question were added, so that the file manager would add them a
 * second time. */
gboolean open_menu_has(GVariant *question);

/* Whether a menu is open that the file manager would rebuild while the person uses it. If so, the function is called
 * once when the menu closes. */
gboolean open_menu_postpone(void (*function)(void));
