#pragma once

#include <glib-object.h>

/* Each adds one interface of the file manager's extension API to the plugin's one object type. */

void info_provider_register(GTypeModule *module, GType type);

#ifdef FM_NAUTILUS
void location_hint_register(GTypeModule *module, GType type);
#else
void location_widget_register(GTypeModule *module, GType type);
#endif

#ifdef FM_NEMO
void name_and_description_register(GTypeModule *module, GType type);
#endif
