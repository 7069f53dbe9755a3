#!/usr/bin/python3
"""A provider that keeps every rule, but for the one that its first argument names: faulty_provider.py RULE FOLDER."""
import os
import sys
import time
import urllib.parse
from typing import Any

from gi.repository import Gio, GLib

FAULT, FOLDER = sys.argv[1], os.path.realpath(sys.argv[2])
SERVICE, OBJECT, REGISTRY = "org.roundel.Roundel1", "/org/roundel/Roundel1", "org.roundel.Roundel1.Registry"
NAME, PATH, ENGINE = "org.example.Faulty", "/org/example/Faulty", "org.roundel.Roundel1.Engine.Folders"
COMMON = {"", "synced", "pending", "syncing", "paused", "error", "conflict", "excluded", "online-only"}


def method(name: str, take: str, give: str) -> str:
    arguments = [f'<arg type="{one}" direction="in"/>' for one in take.split()]
    arguments += [f'<arg type="{one}" direction="out"/>' for one in give.split()]
    return f'<method name="{name}">{"".join(arguments)}</method>'


METHODS = [
    ("RequestBadges", "s as a{sv}", "as au ay a{sv}"), ("RequestDirectory", "s s u a{sv}", "as as au ay s a{sv}"),
    ("GetMenu", "u s as a{sv}", "aa{sv} a{sv}"), ("Activate", "s s as a{sv}", "a{sv}"),
    ("GetAttributes", "s as a{sv}", "a{sv} a{sv}"), ("ItemsChanged", "s as as b a{sv}", "a{sv}"),
]
if FAULT == "absent":
    METHODS.append(("RequestTheWeather", "s a{sv}", "a{sv}"))
TYPES = {name: f"({give.replace(' ', '')})" for name, _, give in METHODS}
INTERFACES = Gio.DBusNodeInfo.new_for_xml(
    '<node><interface name="org.roundel.Provider1">' + "".join(method(*one) for one in METHODS)
    + '<property name="Version" type="u" access="read"/></interface>'
    + f'<interface name="{ENGINE}"><property name="Version" type="u" access="read"/></interface></node>').interfaces

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
counts = {"menus": 0, "registrations": 0}


def quoted(path: str) -> str:
    return urllib.parse.quote(os.fsencode(path))


def path_of(uri: str) -> str:
    return os.fsdecode(urllib.parse.unquote_to_bytes(uri.removeprefix("file://")))


URI = "file://" + quoted(FOLDER)


def is_own(path: str) -> bool:
    return FAULT == "outside" or f"{path}/".startswith(f"{FOLDER}/")


def columns(directory: str, names: list[str]) -> tuple[list[str], list[int], list[int]]:
    own = "faulty.unnamed" if FAULT == "badges" else "faulty.star"
    badges = [own if is_own(os.path.join(directory, path_of(name))) else "" for name in names]
    return badges, [0] * len(names), [101 if FAULT == "columns" else 255] * len(names)


def on_call(_bus: Any, _sender: str, _object: str, _interface: str, member: str, parameters: Any, invocation: Any) -> None:
    if FAULT == "options" and member == "RequestBadges" and parameters[len(parameters) - 1]:
        return invocation.return_dbus_error("org.example.Error.Options", "What is this?")
    if FAULT == "answers" and "not a URI" in parameters.unpack():
        os.abort()
    if FAULT == "changes" and member == "ItemsChanged":
        return invocation.return_dbus_error("org.example.Error.Changes", "No.")
    if member == "Activate" and FAULT != "unknown-item" and (parameters[0] == "never-offered" or FAULT == "actions"):
        return invocation.return_dbus_error("org.example.Error.Item", "" if FAULT == "actions" else "There is no such item.")
    if member == "RequestTheWeather":
        return invocation.return_dbus_error("org.example.Error.Weather", "It rains.")
    try:
        invocation.return_value(GLib.Variant(TYPES[member], answer(member, *parameters.unpack())))
    except (OSError, ValueError) as error:
        invocation.return_dbus_error("org.example.Error.Failed", str(error))


def answer(member: str, *given: Any) -> tuple[Any, ...]:
    if member == "RequestBadges":
        if FAULT == "in-time":
            time.sleep(1)
        return *columns(path_of(given[0]), given[1]), {}
    if member == "RequestDirectory":
        return page(path_of(given[0]), os.fsencode(path_of(given[1])), given[2])
    if member == "GetMenu":
        return menu(), {}
    if member == "GetAttributes":
        own = is_own(path_of(given[0]))
        progress = GLib.Variant("s", "half") if FAULT == "attributes" else GLib.Variant("y", 50)
        return ({"state": GLib.Variant("s", "synced"), "progress": progress} if own else {}), {}
    if member == "ItemsChanged":
        tell([path for path in map(path_of, given[2]) if is_own(path)])
    return ({},)


def page(directory: str, after: bytes, limit: int) -> tuple[Any, ...]:
    names = sorted(name for name in os.listdir(os.fsencode(directory))
                   if name > after and is_own(os.path.join(directory, os.fsdecode(name))))
    shown = [quoted(os.fsdecode(name)) for name in names[:limit or None]]
    following = shown[-1] if len(shown) < len(names) else ""
    if FAULT == "pages":
        shown.reverse()
    return shown, *columns(directory, shown), following, {}


def menu() -> list[dict[str, Any]]:
    counts["menus"] += 1
    ids = ["one", "one" if FAULT == "menu" else "two", f"again-{counts['menus']}" if FAULT == "menu-ids" else "three"]
    return [{"id": GLib.Variant("s", one), "label": GLib.Variant("s", one)} for one in ids]


def tell(paths: list[str]) -> None:
    changed: dict[str, set[str]] = {}
    for path in paths:
        directory, name = os.path.split(path)
        changed.setdefault(directory, set()).add(quoted(name))
    for directory, found in changed.items():
        for names in [[name] for name in sorted(found)] if FAULT == "together" else [sorted(found)]:
            update("file://" + quoted(directory), names)


def update(directory: str, names: list[str]) -> None:
    call("UpdateBadges", "(sasasauaya{sv})", directory, names, *columns(path_of(directory), names), {})


def on_get(_bus: Any, _sender: str, _object: str, interface: str, _name: str) -> Any:
    return GLib.Variant("u", 2 if (FAULT, interface) == ("version", "org.roundel.Provider1") else 1)


def register(*_owner: Any) -> None:
    counts["registrations"] += 1
    if FAULT == "returns" and counts["registrations"] > 1:
        return
    folders = [(URI, {"watch": GLib.Variant("b", True)})]
    if FAULT == "folders":
        folders.append((URI + "/below", {}))
    if FAULT == "registers":
        call("SetFolders", "(a(sa{sv})a{sv})", folders, {})
    services = {ENGINE: "/org/example/Nothing" if FAULT == "services" else PATH}
    call("Register", "(oa{sv})", PATH,
         {"id": GLib.Variant("s", "faulty"), "name": GLib.Variant("s", "Faulty"),
          "icon": GLib.Variant("s", "/usr/share/icon.png" if FAULT == "icons" else "folder"),
          "services": GLib.Variant("a{so}", services)})
    badge = "other.star" if FAULT == "images" else "faulty.star"
    call("SetBadgeImages", "(a(sss)a{sv})", [(badge, "Star", "emblem-favorite")], {})
    call("SetFolders", "(a(sa{sv})a{sv})", folders, {})
    if FAULT != "flush":
        call("Flush", "(sa{sv})", URI, {})
    call("SetFolderStatus", "(susya{sv})", URI, 9 if FAULT == "status" else 1, "Up to date", 255, {})
    if FAULT == "own-items":
        call("UpdateBadges", "(sasasauaya{sv})", "file:///etc", ["passwd"], [""], [0], [255], {})


def vanished(*_name: Any) -> None:
    if FAULT == "stays" and counts["registrations"]:
        os.abort()


def call(member: str, signature: str, *arguments: Any) -> None:
    bus.call(SERVICE, OBJECT, REGISTRY, member, GLib.Variant(signature, arguments), None,
             Gio.DBusCallFlags.NO_AUTO_START, -1, None, None)


for one in INTERFACES:
    bus.register_object(PATH, one, on_call, on_get, None)
if FAULT != "bus-name":
    Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)
Gio.bus_watch_name_on_connection(bus, SERVICE, Gio.BusNameWatcherFlags.NONE, register, vanished)
if FAULT == "quiet":
    GLib.timeout_add(5, lambda: GLib.SOURCE_CONTINUE)
GLib.MainLoop().run()
