#pragma once

#include <gio/gio.h>

#include "observer.h"

/*
 * What Nautilus shows: its property `OpenWindowsWithLocations` lists the folders of all tabs of all windows. It has no
 * widget that comes and goes with a folder, and it keeps the objects of items that it showed.
 */

void nautilus_windows_begin(Observer *observer, GDBusConnection *bus);
void nautilus_windows_end(void);

/* A folder is about to be shown. Counts until the property says it as well, for a few seconds at most. */
void nautilus_windows_hint(Observer *observer, const char *directory_uri);
