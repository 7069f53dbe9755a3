#pragma once

#include <thunarx/thunarx.h>

/* Adds the menus to the plugin's one object type. */
void menu_provider_register(ThunarxProviderPlugin *plugin, GType type);
