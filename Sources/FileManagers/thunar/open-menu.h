#pragma once

#include <thunarx/thunarx.h>

#include "host/menus.h"

/*
 * The one item that the plugin adds to a menu of Thunar, with all of the service's items in its submenu.
 *
 * Thunar asks for the items when it opens a menu and makes widgets of them at once; later ones are ignored. It also
 * asks at each key press, to see whether the key is a shortcut. An answer in time would mean waiting for the service.
 * So the same item is always returned, the service is asked once the menu is on the screen, and its answer is put into
 * the widget of the submenu, usually before the person gets there. Nothing else in the menu moves.
 */

/* A new item whose submenu answers the question. The window is the one that asked. */
ThunarxMenuItem *open_menu_item_new(GVariant *question, GtkWidget *window);

/* A late provider has completed a menu of the service. */
void open_menu_completed(const MenuAnswer *answer);
