#pragma once

#include "menus.h"

/* The service answered. If the file manager was given nothing for it, its menu may be on the screen without. */
void menu_provider_answered(GVariant *question, const MenuAnswer *answer);

/* Makes the file manager ask for its menus again, in every window. */
void menu_provider_items_changed(void);
