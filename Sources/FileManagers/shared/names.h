#pragma once

/* Every name on the bus that the plugins use. */

#define ROUNDEL_BUS_NAME "org.roundel.Roundel1"
#define ROUNDEL_OBJECT_PATH "/org/roundel/Roundel1"
#define ROUNDEL_HOST_INTERFACE "org.roundel.Roundel1.Host"

#define PROPERTIES_INTERFACE "org.freedesktop.DBus.Properties"
