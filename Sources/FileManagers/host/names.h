#pragma once

/* Every name on the bus that the plugins use. */

#define ROUNDEL_BUS_NAME "org.roundel.Roundel1"
#define ROUNDEL_OBJECT_PATH "/org/roundel/Roundel1"
#define ROUNDEL_HOST_INTERFACE "org.roundel.Roundel1.Host"

#define PROPERTIES_INTERFACE "org.freedesktop.DBus.Properties"

#define STALE_MENU_ERROR "org.roundel.Error.StaleMenu"
#define UNKNOWN_ITEM_ERROR "org.roundel.Error.UnknownItem"

/* The parameters of ActionFinished, and the outcomes of an action in them. */
#define ACTION_FINISHED_TYPE "(tsusa{sv})"
enum { OUTCOME_DONE = 0, OUTCOME_CANCELLED = 1, OUTCOME_FAILED = 2 };
