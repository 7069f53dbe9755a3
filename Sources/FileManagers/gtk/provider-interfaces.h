#pragma once

#include <glib-object.h>

/* Each adds one interface of the file manager's extension API to the plugin's one object type. */

void info_provider_register(GTypeModule *module, GType type);
void menu_provider_register(GTypeModule *module, GType type);
void column_provider_register(GTypeModule *module, GType type);

#ifdef FM_NAUTILUS
void properties_model_register(GTypeModule *module, GType type);
#else
void property_page_register(GTypeModule *module, GType type);
void location_widget_register(GTypeModule *module, GType type);
#endif

#ifdef FM_NEMO
void name_and_description_register(GTypeModule *module, GType type);
#endif
