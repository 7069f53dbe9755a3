"""Takes a bus name as soon as it is free, and never answers a call: it stands still once it is in the queue.

    name_holder.py NAME
"""
import os
import signal
import sys

from gi.repository import Gio, GLib

bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
              GLib.Variant("(su)", (sys.argv[1], 0)), None, Gio.DBusCallFlags.NONE, -1, None)
os.kill(os.getpid(), signal.SIGSTOP)
