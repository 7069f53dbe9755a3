#pragma once

/* Every name on the bus that the plugin uses. */

#define ROUNDEL_BUS_NAME "org.roundel.Roundel1"
#define ROUNDEL_OBJECT_PATH "/org/roundel/Roundel1"
#define ROUNDEL_HOST_INTERFACE "org.roundel.Roundel1.Host"

#define PROPERTIES_INTERFACE "org.freedesktop.DBus.Properties"

#define FILE_MANAGER_OBJECT_PATH "/org/freedesktop/FileManager1"
#define FILE_MANAGER_INTERFACE "org.freedesktop.FileManager1"
