#pragma once

#include <thunarx/thunarx.h>

/* Adds the page in the properties dialog to the plugin's one object type. */
void property_page_register(ThunarxProviderPlugin *plugin, GType type);
