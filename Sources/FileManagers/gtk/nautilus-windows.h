#pragma once

#include <gio/gio.h>

#include "host/observer.h"

/*
 * What Nautilus shows: its property `OpenWindowsWithLocations` lists the folders of all tabs of all windows. Nautilus
 * has no widget that comes and goes with a folder, and keeps the objects of items that it no longer shows.
 */

void nautilus_windows_begin(Observer *observer, GDBusConnection *bus);
void nautilus_windows_end(void);

/* A folder is about to be shown. It counts as shown until the property has it, but only for a few seconds. */
void nautilus_windows_hint(Observer *observer, const char *directory_uri);
