#pragma once

#include "host/menus.h"
#include "roundel.h"

/* A menu that the program keeps, with the question that it answers. */

RoundelMenu *menu_new(GVariant *question, const MenuAnswer *answer);

/* What to activate for that item; NULL if the menu holds no such item that can be chosen. */
MenuChoice *menu_choice_in(const RoundelMenu *menu, const char *item_id);
