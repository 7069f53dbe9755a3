#ifndef ROUNDEL_CDBUS_SHIM_H
#define ROUNDEL_CDBUS_SHIM_H

#include <dbus/dbus.h>

#endif
