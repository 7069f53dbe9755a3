"""Names, values and encodings of the Host interface, as the tests see them."""
import os
import urllib.parse
from typing import Any

from gi.repository import Gio

BUS_NAME = "org.roundel.Roundel1"
OBJECT_PATH = "/org/roundel/Roundel1"
HOST = "org.roundel.Roundel1.Host"

PINNED, ONLINE_ONLY, SHARED, READ_ONLY, LOCKED = 1, 2, 4, 8, 16

STATES = ["synced", "pending", "syncing", "paused", "error", "conflict", "excluded", "online-only"]
FLAG_ICONS = {PINNED: "pinned", SHARED: "shared", READ_ONLY: "read-only", LOCKED: "locked"}


Badges = dict[str, dict[str, tuple[str, int, int]]]  # directory path → {name: (state, flags, progress)}


def connect(address: str) -> Any:
    """A connection of its own to the bus at that address."""
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


def encode(path: str | bytes | os.PathLike[str]) -> str:
    """The canonical percent-encoding of a path or a name: RFC 3986 unreserved characters and `/` stay plain."""
    return urllib.parse.quote(os.fsencode(path), safe="/")


def uri(path: str | os.PathLike[str]) -> str:
    return "file://" + encode(path)


HOST_XML = """<node><interface name='org.roundel.Roundel1.Host'>
 <method name='BeginObserving'><arg type='s' direction='in'/><arg type='a{sv}' direction='in'/>
  <arg type='b' direction='out'/><arg type='a{sv}' direction='out'/></method>
 <method name='EndObserving'><arg type='s' direction='in'/><arg type='a{sv}' direction='in'/>
  <arg type='a{sv}' direction='out'/></method>
 <method name='RequestBadges'><arg type='s' direction='in'/><arg type='as' direction='in'/>
  <arg type='a{sv}' direction='in'/><arg type='as' direction='out'/><arg type='au' direction='out'/>
  <arg type='ay' direction='out'/><arg type='a{sv}' direction='out'/></method>
 <method name='RequestDirectory'><arg type='s' direction='in'/><arg type='s' direction='in'/>
  <arg type='u' direction='in'/><arg type='a{sv}' direction='in'/><arg type='as' direction='out'/>
  <arg type='as' direction='out'/><arg type='au' direction='out'/><arg type='ay' direction='out'/>
  <arg type='s' direction='out'/><arg type='a{sv}' direction='out'/></method>
 <signal name='BadgesChanged'><arg type='s'/><arg type='as'/><arg type='as'/><arg type='au'/><arg type='ay'/>
  <arg type='a{sv}'/></signal>
 <signal name='Reset'><arg type='a{sv}'/></signal>
 <property name='Version' type='u' access='read'/>
 <property name='Folders' type='as' access='read'/>
 <property name='Badges' type='a{s(ss)}' access='read'/>
 <property name='IconThemePath' type='s' access='read'/>
</interface></node>"""

PROVIDER_XML = """<node><interface name='org.roundel.Provider1'>
 <method name='BeginObserving'><arg type='s' direction='in'/><arg type='a{sv}' direction='in'/>
  <arg type='a{sv}' direction='out'/></method>
 <method name='EndObserving'><arg type='s' direction='in'/><arg type='a{sv}' direction='in'/>
  <arg type='a{sv}' direction='out'/></method>
 <method name='RequestBadges'><arg type='s' direction='in'/><arg type='as' direction='in'/>
  <arg type='a{sv}' direction='in'/><arg type='as' direction='out'/><arg type='au' direction='out'/>
  <arg type='ay' direction='out'/><arg type='a{sv}' direction='out'/></method>
 <method name='RequestDirectory'><arg type='s' direction='in'/><arg type='s' direction='in'/>
  <arg type='u' direction='in'/><arg type='a{sv}' direction='in'/><arg type='as' direction='out'/>
  <arg type='as' direction='out'/><arg type='au' direction='out'/><arg type='ay' direction='out'/>
  <arg type='s' direction='out'/><arg type='a{sv}' direction='out'/></method>
 <method name='GetMenu'><arg type='u' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>
  <arg type='a{sv}' direction='in'/><arg type='aa{sv}' direction='out'/><arg type='a{sv}' direction='out'/></method>
 <method name='Activate'><arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>
  <arg type='a{sv}' direction='in'/><arg type='a{sv}' direction='out'/></method>
 <method name='GetAttributes'><arg type='s' direction='in'/><arg type='as' direction='in'/>
  <arg type='a{sv}' direction='in'/><arg type='a{sv}' direction='out'/><arg type='a{sv}' direction='out'/></method>
 <method name='ItemsChanged'><arg type='s' direction='in'/><arg type='as' direction='in'/><arg type='as' direction='in'/>
  <arg type='b' direction='in'/><arg type='a{sv}' direction='in'/><arg type='a{sv}' direction='out'/></method>
</interface></node>"""
