#pragma once

/*
 * One name for the three extension APIs, which descend from the same header and differ in prefixes and in when
 * they ask. Everything that depends on the file manager at compile time is decided here.
 */

#include <glib-object.h>

#if defined(FM_NAUTILUS)

#include <nautilus-extension.h>

typedef NautilusFileInfo FmFileInfo;
typedef NautilusInfoProvider FmInfoProvider;
typedef NautilusInfoProviderInterface FmInfoProviderInterface;
typedef NautilusOperationHandle FmOperationHandle;
typedef NautilusOperationResult FmOperationResult;
typedef NautilusColumnProvider FmColumnProvider;
typedef NautilusColumnProviderInterface FmColumnProviderInterface;
typedef NautilusMenu FmMenu;
typedef NautilusMenuItem FmMenuItem;
typedef NautilusMenuProvider FmMenuProvider;
typedef NautilusMenuProviderInterface FmMenuProviderInterface;

#define FM_TYPE_INFO_PROVIDER NAUTILUS_TYPE_INFO_PROVIDER
#define FM_TYPE_COLUMN_PROVIDER NAUTILUS_TYPE_COLUMN_PROVIDER
#define FM_TYPE_MENU_PROVIDER NAUTILUS_TYPE_MENU_PROVIDER
#define FM_OPERATION_COMPLETE NAUTILUS_OPERATION_COMPLETE
#define FM_OPERATION_IN_PROGRESS NAUTILUS_OPERATION_IN_PROGRESS
#define fm_file_info_get_uri nautilus_file_info_get_uri
#define fm_file_info_is_directory nautilus_file_info_is_directory
#define fm_file_info_get_activation_uri nautilus_file_info_get_activation_uri
#define fm_column_new nautilus_column_new
#define fm_file_info_add_emblem nautilus_file_info_add_emblem
#define fm_file_info_add_string_attribute nautilus_file_info_add_string_attribute
#define fm_file_info_invalidate nautilus_file_info_invalidate_extension_info
#define fm_file_info_lookup_for_uri nautilus_file_info_lookup_for_uri
#define fm_info_provider_update_complete nautilus_info_provider_update_complete_invoke
#define fm_menu_new nautilus_menu_new
#define fm_menu_append_item nautilus_menu_append_item
#define fm_menu_item_new nautilus_menu_item_new
#define fm_menu_item_set_submenu nautilus_menu_item_set_submenu
#define fm_menu_provider_emit_items_updated nautilus_menu_provider_emit_items_updated_signal
#define fm_module_initialize nautilus_module_initialize
#define fm_module_shutdown nautilus_module_shutdown
#define fm_module_list_types nautilus_module_list_types

#define FM_ASKS_LAZILY FALSE
#define FM_ASKS_WHEN_OPENING FALSE

#elif defined(FM_NEMO)

#include <libnemo-extension/nemo-column-provider.h>
#include <libnemo-extension/nemo-extension-types.h>
#include <libnemo-extension/nemo-file-info.h>
#include <libnemo-extension/nemo-info-provider.h>
#include <libnemo-extension/nemo-location-widget-provider.h>
#include <libnemo-extension/nemo-menu-provider.h>
#include <libnemo-extension/nemo-property-page-provider.h>
#include <libnemo-extension/nemo-name-and-desc-provider.h>

typedef NemoFileInfo FmFileInfo;
typedef NemoInfoProvider FmInfoProvider;
typedef NemoInfoProviderInterface FmInfoProviderInterface;
typedef NemoOperationHandle FmOperationHandle;
typedef NemoOperationResult FmOperationResult;
typedef NemoColumnProvider FmColumnProvider;
typedef NemoColumnProviderInterface FmColumnProviderInterface;
typedef NemoPropertyPageProvider FmPropertyPageProvider;
typedef NemoPropertyPageProviderInterface FmPropertyPageProviderInterface;
typedef NemoMenu FmMenu;
typedef NemoMenuItem FmMenuItem;
typedef NemoMenuProvider FmMenuProvider;
typedef NemoMenuProviderInterface FmMenuProviderInterface;
typedef NemoLocationWidgetProvider FmLocationWidgetProvider;
typedef NemoLocationWidgetProviderInterface FmLocationWidgetProviderInterface;

#define FM_TYPE_INFO_PROVIDER NEMO_TYPE_INFO_PROVIDER
#define FM_TYPE_LOCATION_WIDGET_PROVIDER NEMO_TYPE_LOCATION_WIDGET_PROVIDER
#define FM_TYPE_COLUMN_PROVIDER NEMO_TYPE_COLUMN_PROVIDER
#define FM_TYPE_PROPERTY_PAGE_PROVIDER NEMO_TYPE_PROPERTY_PAGE_PROVIDER
#define FM_TYPE_MENU_PROVIDER NEMO_TYPE_MENU_PROVIDER
#define FM_OPERATION_COMPLETE NEMO_OPERATION_COMPLETE
#define FM_OPERATION_IN_PROGRESS NEMO_OPERATION_IN_PROGRESS
#define fm_file_info_get_uri nemo_file_info_get_uri
#define fm_file_info_is_directory nemo_file_info_is_directory
#define fm_file_info_get_activation_uri nemo_file_info_get_activation_uri
#define fm_column_new nemo_column_new
#define fm_property_page_new nemo_property_page_new
#define fm_file_info_add_emblem nemo_file_info_add_emblem
#define fm_file_info_add_string_attribute nemo_file_info_add_string_attribute
#define fm_file_info_invalidate nemo_file_info_invalidate_extension_info
#define fm_file_info_lookup_for_uri nemo_file_info_lookup_for_uri
#define fm_info_provider_update_complete nemo_info_provider_update_complete_invoke
#define fm_menu_new nemo_menu_new
#define fm_menu_append_item nemo_menu_append_item
#define fm_menu_item_new nemo_menu_item_new
#define fm_menu_item_set_submenu nemo_menu_item_set_submenu
#define fm_menu_provider_emit_items_updated nemo_menu_provider_emit_items_updated_signal
#define fm_module_initialize nemo_module_initialize
#define fm_module_shutdown nemo_module_shutdown
#define fm_module_list_types nemo_module_list_types

#define FM_ASKS_LAZILY TRUE
#define FM_ASKS_WHEN_OPENING TRUE

#elif defined(FM_CAJA)

#include <libcaja-extension/caja-column-provider.h>
#include <libcaja-extension/caja-extension-types.h>
#include <libcaja-extension/caja-file-info.h>
#include <libcaja-extension/caja-info-provider.h>
#include <libcaja-extension/caja-location-widget-provider.h>
#include <libcaja-extension/caja-menu-provider.h>
#include <libcaja-extension/caja-property-page-provider.h>

typedef CajaFileInfo FmFileInfo;
typedef CajaInfoProvider FmInfoProvider;
typedef CajaInfoProviderIface FmInfoProviderInterface;
typedef CajaOperationHandle FmOperationHandle;
typedef CajaOperationResult FmOperationResult;
typedef CajaColumnProvider FmColumnProvider;
typedef CajaColumnProviderIface FmColumnProviderInterface;
typedef CajaPropertyPageProvider FmPropertyPageProvider;
typedef CajaPropertyPageProviderIface FmPropertyPageProviderInterface;
typedef CajaMenu FmMenu;
typedef CajaMenuItem FmMenuItem;
typedef CajaMenuProvider FmMenuProvider;
typedef CajaMenuProviderIface FmMenuProviderInterface;
typedef CajaLocationWidgetProvider FmLocationWidgetProvider;
typedef CajaLocationWidgetProviderIface FmLocationWidgetProviderInterface;

#define FM_TYPE_INFO_PROVIDER CAJA_TYPE_INFO_PROVIDER
#define FM_TYPE_LOCATION_WIDGET_PROVIDER CAJA_TYPE_LOCATION_WIDGET_PROVIDER
#define FM_TYPE_COLUMN_PROVIDER CAJA_TYPE_COLUMN_PROVIDER
#define FM_TYPE_PROPERTY_PAGE_PROVIDER CAJA_TYPE_PROPERTY_PAGE_PROVIDER
#define FM_TYPE_MENU_PROVIDER CAJA_TYPE_MENU_PROVIDER
#define FM_OPERATION_COMPLETE CAJA_OPERATION_COMPLETE
#define FM_OPERATION_IN_PROGRESS CAJA_OPERATION_IN_PROGRESS
#define fm_file_info_get_uri caja_file_info_get_uri
#define fm_file_info_is_directory caja_file_info_is_directory
#define fm_file_info_get_activation_uri caja_file_info_get_activation_uri
#define fm_column_new caja_column_new
#define fm_property_page_new caja_property_page_new
#define fm_file_info_add_emblem caja_file_info_add_emblem
#define fm_file_info_add_string_attribute caja_file_info_add_string_attribute
#define fm_file_info_invalidate caja_file_info_invalidate_extension_info
#define fm_file_info_lookup_for_uri caja_file_info_lookup_for_uri
#define fm_info_provider_update_complete caja_info_provider_update_complete_invoke
#define fm_menu_new caja_menu_new
#define fm_menu_append_item caja_menu_append_item
#define fm_menu_item_new caja_menu_item_new
#define fm_menu_item_set_submenu caja_menu_item_set_submenu
#define fm_menu_provider_emit_items_updated caja_menu_provider_emit_items_updated_signal
#define fm_module_initialize caja_module_initialize
#define fm_module_shutdown caja_module_shutdown
#define fm_module_list_types caja_module_list_types

#define FM_ASKS_LAZILY FALSE
#define FM_ASKS_WHEN_OPENING FALSE

#else
#error "Define FM_NAUTILUS, FM_NEMO or FM_CAJA."
#endif

/*
 * FM_ASKS_LAZILY: the file manager asks about the items that scroll into view, and about others never; badges are
 * then requested by name, in batches. Otherwise it asks about everything, and the directory is requested whole.
 *
 * FM_ASKS_WHEN_OPENING: the file manager asks for the menu of the selected items only when it is about to open it.
 */
