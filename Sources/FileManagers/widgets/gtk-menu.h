#pragma once

#include <gtk/gtk.h>

#include "host/menus.h"

/* GTK's widgets for the items of a menu that the plugin itself shows or adds to. */

/* Inserts the items of an answer before the position; returns how many were inserted. They act for the window, which
 * may be NULL. */
guint gtk_menu_insert_items(
    GtkMenuShell *shell, gint position, Menus *menus, GVariant *question, const MenuAnswer *answer, GtkWidget *window);
