"""Names, values and encodings of the Host interface, as the tests see them."""
import os
import pathlib
import urllib.parse
import xml.etree.ElementTree
from collections.abc import Collection
from typing import Any

from gi.repository import Gio

BUS_NAME = "org.roundel.Roundel1"
OBJECT_PATH = "/org/roundel/Roundel1"
HOST = "org.roundel.Roundel1.Host"
PROVIDER = "org.roundel.Provider1"
# Put beside the scripts where they are played.
INTERFACES = pathlib.Path(__file__).resolve().parent / "interfaces"

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


def interface(name: str, left_out: Collection[str] = ()) -> Any:
    """An interface as the contract has it, but for these members."""
    root = xml.etree.ElementTree.parse(INTERFACES / f"{name}.xml").getroot()
    for parent in root.iter("interface"):
        for member in list(parent):
            if member.get("name") in left_out:
                parent.remove(member)
    return Gio.DBusNodeInfo.new_for_xml(xml.etree.ElementTree.tostring(root, encoding="unicode")).lookup_interface(name)
