#pragma once

#include "file-manager.h"
#include "host/menus.h"

/* The file manager's own objects for the items of a menu. */

/* A list of new FmMenuItem for the file manager to own. The window is the one that asked, or NULL. */
GList *menu_widgets_new(Menus *menus, GVariant *question, const MenuAnswer *answer, gpointer window);
