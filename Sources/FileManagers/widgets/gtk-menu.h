#pragma once

#include <gtk/gtk.h>

#include "shared/menus.h"

/* GTK's own widgets for the items of a menu, for a menu that this plugin shows or adds to by itself. */

/* Inserts the items of an answer before the position; returns how many were inserted. They act for the window, which
 * may be NULL. */
guint gtk_menu_insert_items(
    GtkMenuShell *shell, gint position, Menus *menus, GVariant *question, const MenuAnswer *answer, GtkWidget *window);
