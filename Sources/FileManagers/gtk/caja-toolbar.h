#pragma once

#include "file-manager.h"
#include "host/menus.h"

/* Caja's toolbar has one button for the service: the name, icon and tooltip that the service gives, and its menu. Caja
 * draws no submenus in its toolbar, so the menu is opened by this plugin. Caja asks for the button when a window goes
 * to a folder and never again, so there is one even while there is no service. */

/* A list of new items for Caja to own. */
GList *caja_toolbar_items(GtkWidget *window, const char *directory_uri);

/* The window's selection, as the question of its menu; NULL if nothing in a registered folder is selected. */
void caja_toolbar_set_selection(GtkWidget *window, GVariant *question);

/* The service answered. */
void caja_toolbar_answered(GVariant *question, const MenuAnswer *answer);
