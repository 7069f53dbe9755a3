#pragma once

#include <thunarx/thunarx.h>

/*
 * The one item that the plugin adds to a menu of Thunar, with all of the service's items in its submenu.
 *
 * Thunar asks for the items at the moment when it opens a menu, makes widgets of them at once, and takes no others
 * later; and it asks for them at each key that is pressed, only to see whether the key is a shortcut of one. To answer
 * in time would mean to wait for the service. So the item that is returned is always the same, the service is asked
 * once the menu is on the screen, and its answer goes into the widget of the submenu, usually before a hand can get
 * there. Nothing else in the menu moves.
 */

/* A new item for a menu that answers the question. The window is the one that asked. */
ThunarxMenuItem *open_menu_item_new(GVariant *question, GtkWidget *window);
