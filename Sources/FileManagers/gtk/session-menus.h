#pragma once

#include "menus.h"

/* The menus of this process, for what the plugins for all the file managers share. */
Menus *session_menus(void);
