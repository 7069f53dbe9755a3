#!/usr/bin/python3
"""A host that keeps every rule, but for the one that its first argument names: faulty_host.py RULE FOLDER.

Two more arguments are no rules: with `elsewhere` it shows another folder, and with `slow` it thinks before it asks for
the next page, and writes to a file that follows the folder when it has read the last one and when the service goes.
"""
import os
import sys
import urllib.parse
from typing import Any

from gi.repository import Gio, GLib

FAULT, FOLDER = sys.argv[1], os.path.realpath(sys.argv[2])
SERVICE, OBJECT, HOST = "org.roundel.Roundel1", "/org/roundel/Roundel1", "org.roundel.Roundel1.Host"
URI = "file:///elsewhere" if FAULT == "elsewhere" else "file://" + urllib.parse.quote(os.fsencode(FOLDER))
# Longer than the check watches for what is wrong when its pauses are short.
THOUGHT_MILLISECONDS = 700
BY_NAME = FAULT in {"observed-first", "limits"}

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
service = {"owner": "", "is_monitored": False}


def call(member: str, signature: str, arguments: tuple[Any, ...], then: Any = None) -> None:
    def answered(_bus: Any, result: Any) -> None:
        try:
            values = bus.call_finish(result).unpack()
        except GLib.Error:
            # Whoever leaves the bus for that cannot go on.
            if FAULT == "refusals":
                os.abort()
            return
        if then:
            then(*values)
    bus.call(service["owner"], OBJECT, HOST, member, GLib.Variant(signature, arguments), None,
             Gio.DBusCallFlags.NO_AUTO_START, -1, None, answered)


def begin() -> None:
    call("BeginObserving", "(sa{sv})", (FOLDER if FAULT == "valid" else URI, {}), began)


def began(monitored: bool, _extra: Any) -> None:
    service["is_monitored"] = monitored
    if not monitored or FAULT == "asks":
        return
    ask()
    if FAULT == "ends":
        call("EndObserving", "(sa{sv})", ("file:///tmp", {}))
    if FAULT == "menus":
        call("Activate", "(tsa{sv})", (999, "check/choose", {}))
    if FAULT == "attributes":
        call("GetAttributes", "(sasa{sv})", (URI, [f"key-{number}" for number in range(257)], {}))


def ask(after: str = "") -> None:
    if BY_NAME:
        names = [f"n{number}" for number in range(100_001 if FAULT == "limits" else 2)]
        call("RequestBadges", "(sasa{sv})", (URI, names, {}))
    else:
        call("RequestDirectory", "(ssua{sv})", (URI, after, 100, {}), got_page)


def got_page(_names: Any, _badges: Any, _flags: Any, _progress: Any, following: str, _extra: Any) -> None:
    if not following:
        write("read")
    elif FAULT == "slow":
        GLib.timeout_add(THOUGHT_MILLISECONDS, ask, following)
    elif FAULT != "pages":
        ask(following)


def write(line: str) -> None:
    if FAULT == "slow":
        with open(sys.argv[3], "a", encoding="utf-8") as log:
            log.write(f"{line}\n")


def on_signal(_bus: Any, _sender: str, _object: str, interface: str, member: str, parameters: Any) -> None:
    if interface == "org.freedesktop.DBus.Properties":
        if "Folders" in parameters.unpack()[1] and not service["is_monitored"] and FAULT != "folders":
            begin()
    elif member == "Reset":
        service["is_monitored"] = False
        if FAULT != "reset":
            begin()
    elif member == "BadgesChanged":
        if FAULT == "asks-once":
            ask()
    elif FAULT == "unknown":
        os.abort()


def appeared(_bus: Any, _name: str, unique: str) -> None:
    came_back = service["owner"] != ""
    service["owner"] = unique
    if FAULT == "observes" or (came_back and FAULT == "returns"):
        return
    properties = bus.call_sync(unique, OBJECT, "org.freedesktop.DBus.Properties", "GetAll", GLib.Variant("(s)", (HOST,)), None,
                               Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
    if "Version" in properties or FAULT == "version":
        if FAULT == "observed-first":
            ask()
        begin()


def vanished(*_name: Any) -> None:
    service["is_monitored"] = False
    if service["owner"]:
        write("vanished")
    if FAULT == "stays" and service["owner"]:
        os.abort()


bus.signal_subscribe(SERVICE, None, None, OBJECT, None, Gio.DBusSignalFlags.NONE, on_signal)
Gio.bus_watch_name_on_connection(bus, SERVICE, Gio.BusNameWatcherFlags.NONE, appeared, vanished)
GLib.MainLoop().run()
