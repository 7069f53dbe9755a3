#!/usr/bin/python3
"""The least sync engine: what is in a folder is synced, and what has just changed there is on its way for a second."""
import os
import sys
import urllib.parse

from gi.repository import Gio, GLib

SERVICE, OBJECT, REGISTRY = "org.roundel.Roundel1", "/org/roundel/Roundel1", "org.roundel.Roundel1.Registry"
FOLDER = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else os.path.expanduser("~/Example"))
DRAFT = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#865e3c" d="M0 8V6l6-6 2 2-6 6z"/></svg>'
COLUMNS = """<arg type="as" direction="out"/><arg type="au" direction="out"/><arg type="ay" direction="out"/>"""
OPTIONS, EXTRA = '<arg type="a{sv}" direction="in"/>', '<arg type="a{sv}" direction="out"/>'
PROVIDER = Gio.DBusNodeInfo.new_for_xml(f"""<node><interface name="org.roundel.Provider1">
  <method name="RequestBadges">
    <arg type="s" direction="in"/><arg type="as" direction="in"/>{OPTIONS}{COLUMNS}{EXTRA}
  </method>
  <method name="RequestDirectory">
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="u" direction="in"/>{OPTIONS}
    <arg type="as" direction="out"/>{COLUMNS}<arg type="s" direction="out"/>{EXTRA}
  </method>
  <method name="ItemsChanged">
    <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="as" direction="in"/>
    <arg type="b" direction="in"/>{OPTIONS}{EXTRA}
  </method>
</interface></node>""").interfaces[0]

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
on_its_way = {}  # path: how often it changed within the last second


def quoted(path):
    return urllib.parse.quote(os.fsencode(path))


def path_of(uri):
    return os.fsdecode(urllib.parse.unquote_to_bytes(uri.removeprefix("file://")))


def is_own(path):
    """A provider says nothing of what is not in its folder, whatever it is asked."""
    return f"{path}/".startswith(f"{FOLDER}/")


def columns(directory, names):
    """The badges, flags and progress of names in a directory; a directory is on its way with what it holds."""
    def badge(path):
        if not is_own(path) or not os.path.lexists(path):
            return ""
        if any(f"{busy}/".startswith(f"{path}/") for busy in on_its_way):
            return "syncing"
        return "example.draft" if path.endswith(".draft") else "synced"
    badges = [badge(os.path.join(directory, path_of(name))) for name in names]
    return badges, [0] * len(names), [255] * len(names)


def on_call(_bus, _sender, _object, _interface, method, parameters, invocation):
    try:
        invocation.return_value(answer(method, *parameters.unpack()))
    except (OSError, ValueError) as error:
        invocation.return_dbus_error("com.example.Error.Failed", str(error))


def answer(method, uri, *rest):
    if method == "RequestBadges":
        return GLib.Variant("(asauaya{sv})", (*columns(path_of(uri), rest[0]), {}))
    if method == "RequestDirectory":  # in the order of the names' bytes: those after rest[0], at most rest[1]
        directory, after = path_of(uri), os.fsencode(path_of(rest[0]))
        names = sorted(name for name in os.listdir(os.fsencode(directory))
                       if name > after and is_own(os.path.join(directory, os.fsdecode(name))))
        page = [quoted(name) for name in names[:rest[1] or None]]
        following = page[-1] if len(page) < len(names) else ""
        return GLib.Variant("(asasauaysa{sv})", (page, *columns(directory, page), following, {}))
    paths = [path for path in map(path_of, rest[0] + rest[1]) if is_own(path)]  # ItemsChanged: directories and items
    for path in paths:
        on_its_way[path] = on_its_way.get(path, 0) + 1
    GLib.timeout_add_seconds(1, arrived, paths)
    tell(paths)
    return GLib.Variant("(a{sv})", ({},))


def arrived(paths):
    for path in paths:
        on_its_way[path] -= 1
        if not on_its_way[path]:
            del on_its_way[path]
    tell(paths)
    return GLib.SOURCE_REMOVE


def tell(paths):
    """Tells the badges of items and of the directories that hold them, in one call for each directory. The last is the
    folder's own, which belongs to its parent directory, as each badge belongs to the directory that lists the item."""
    changed = {}
    for path in paths:
        item = path
        while is_own(item):
            directory, name = os.path.split(item)
            changed.setdefault(directory, set()).add(quoted(name))
            item = directory
    for directory, found in changed.items():
        names = sorted(found)
        call("UpdateBadges", "(sasasauaya{sv})", "file://" + quoted(directory), names, *columns(directory, names), {})


def register(*_owner):
    """Once for each service that appears: it remembers nobody who is not on the bus."""
    folder = "file://" + quoted(FOLDER)
    call("Register", "(oa{sv})", "/com/example/Sync",
         {"id": GLib.Variant("s", "example"), "name": GLib.Variant("s", "Example")})
    call("StorePicture", "(saya{sv})", "draft", DRAFT, {}, then=draft_stored)
    call("SetFolders", "(a(sa{sv})a{sv})", [(folder, {"watch": GLib.Variant("b", True)})], {})
    call("Flush", "(sa{sv})", folder, {})  # What is asked before its answer may be of an earlier moment.
    call("SetFolderStatus", "(susya{sv})", folder, 1, "Up to date", 255, {})  # 1: idle, 255: no progress


def draft_stored(icon):
    """A badge of its own, with a picture that the service keeps as long as it is registered."""
    call("SetBadgeImages", "(a(sss)a{sv})", [("example.draft", "Draft", icon)], {})


def call(method, signature, *arguments, then=None):
    """Calls take effect in their order, so none has to wait for the answer to the one before, but for what it tells."""
    def answered(_bus, result):
        try:
            values = bus.call_finish(result).unpack()
            if then:
                then(*values[:-1])
        except GLib.Error as error:
            print(f"{method}: {error.message}", file=sys.stderr)
    bus.call(SERVICE, OBJECT, REGISTRY, method, GLib.Variant(signature, arguments), None,
             Gio.DBusCallFlags.NO_AUTO_START, -1, None, answered)


bus.register_object("/com/example/Sync", PROVIDER, on_call, None, None)
Gio.bus_own_name_on_connection(bus, "com.example.Sync", Gio.BusNameOwnerFlags.NONE, None, None)
Gio.bus_watch_name_on_connection(bus, SERVICE, Gio.BusNameWatcherFlags.AUTO_START, register, None)
GLib.MainLoop().run()
