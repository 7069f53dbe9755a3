#pragma once

#include <dbus/dbus.h>
#include <glib.h>

/* The arguments of messages, between libdbus and GLib. */

/* They as a tuple. A file descriptor becomes the handle -1, and is closed. */
GVariant *message_values_read(DBusMessage *message);

/* Appends the children of a tuple. FALSE where there is no memory. */
gboolean message_values_append(DBusMessage *message, GVariant *tuple);
