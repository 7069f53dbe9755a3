"""Stand-ins for what the tray's item talks to: a panel that is strict about the protocol, and a file manager on the bus."""
from collections.abc import Sequence
from typing import Any

import wire
from desktop import Desktop
from gi.repository import Gio, GLib
from waiting import CALL_MILLISECONDS, Failure, wait_for

WATCHER = "org.kde.StatusNotifierWatcher"
WATCHER_PATH = "/StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
ITEM_PATH = "/StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
FILE_MANAGER = "org.freedesktop.FileManager1"

WATCHER_XML = """<node><interface name='org.kde.StatusNotifierWatcher'>
 <method name='RegisterStatusNotifierItem'><arg type='s' direction='in'/></method>
 <method name='RegisterStatusNotifierHost'><arg type='s' direction='in'/></method>
 <signal name='StatusNotifierItemRegistered'><arg type='s'/></signal>
 <signal name='StatusNotifierItemUnregistered'><arg type='s'/></signal>
</interface></node>"""
FILE_MANAGER_XML = """<node><interface name='org.freedesktop.FileManager1'>
 <method name='ShowFolders'><arg type='as' direction='in'/><arg type='s' direction='in'/></method>
</interface></node>"""

ITEM_PROPERTIES = {
    "Category": "s", "Id": "s", "Title": "s", "Status": "s", "WindowId": "i", "IconName": "s", "IconPixmap": "a(iiay)",
    "IconThemePath": "s", "OverlayIconName": "s", "OverlayIconPixmap": "a(iiay)", "AttentionIconName": "s",
    "AttentionIconPixmap": "a(iiay)", "AttentionMovieName": "s", "ToolTip": "(sa(iiay)ss)", "ItemIsMenu": "b",
    "Menu": "o"}
MENU_PROPERTIES = {"Version": "u", "TextDirection": "s", "Status": "s", "IconThemePath": "as"}
LINE_PROPERTIES = {
    "label": "s", "enabled": "b", "visible": "b", "icon-name": "s", "type": "s", "toggle-type": "s",
    "toggle-state": "i", "children-display": "s"}


class OwnedName:
    """A name with one object on a connection of its own."""

    def __init__(self, desktop: Desktop, name: str, path: str, xml: str) -> None:
        self.connection = wire.connect(desktop.address)
        self.connection.register_object(path, Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], self.on_call, None, None)
        self.connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                                  GLib.Variant("(su)", (name, 4)), None, Gio.DBusCallFlags.NONE, CALL_MILLISECONDS, None)

    def on_call(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                invocation: Any) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        self.connection.close_sync(None)


class FileManagerOnTheBus(OwnedName):
    def __init__(self, desktop: Desktop) -> None:
        self.shown: list[Any] = []     # (uris, startup id) of each call
        super().__init__(desktop, FILE_MANAGER, "/org/freedesktop/FileManager1", FILE_MANAGER_XML)

    def on_call(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                invocation: Any) -> None:
        self.shown.append(parameters.unpack())
        invocation.return_value(None)


class Panel(OwnedName):
    """A watcher and host. Whatever does not have the type that the protocol says is a failure."""

    def __init__(self, desktop: Desktop) -> None:
        self.registered: list[Any] = []    # (sender, argument)
        self.signals: list[Any] = []       # (interface, member, arguments)
        super().__init__(desktop, WATCHER, WATCHER_PATH, WATCHER_XML)
        for interface in (ITEM, MENU):
            self.connection.signal_subscribe(None, interface, None, None, None, Gio.DBusSignalFlags.NONE, self._on_signal)

    def on_call(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                invocation: Any) -> None:
        self.registered.append((sender, parameters.unpack()[0]))
        invocation.return_value(None)

    def _on_signal(self, connection: Any, sender: str, path: str, interface: str, member: str, parameters: Any) -> None:
        self.signals.append((interface, member, parameters.unpack()))

    def told(self, member: str) -> list[Any]:
        return [arguments for _, name, arguments in self.signals if name == member]

    # The item

    @property
    def item(self) -> str:
        """The connection of the item, as it registered it."""
        sender, argument = wait_for("an item to register", lambda: self.registered)[-1]
        return sender if argument.startswith("/") else argument

    def call(self, path: str, interface: str, method: str, signature: str | None = None, arguments: Any = (),
             reply: str | None = None) -> Any:
        """The unpacked reply, which must have that type. It is waited for in the loop: the item may ask us meanwhile."""
        answers = []
        parameters = GLib.Variant(signature, arguments) if signature else None
        self.connection.call(
            self.item, path, interface, method, parameters, None, Gio.DBusCallFlags.NO_AUTO_START, CALL_MILLISECONDS, None,
            lambda connection, result: answers.append(self._finish(connection, result)))
        wait_for(f"an answer to {method}", lambda: answers)
        if isinstance(answers[0], GLib.Error):
            raise answers[0]
        if reply is not None and answers[0].get_type_string() != reply:
            raise Failure(f"{method} answers {answers[0].get_type_string()}, not {reply}")
        return answers[0].unpack()

    @staticmethod
    def _finish(connection: Any, result: Any) -> Any:
        try:
            return connection.call_finish(result)
        except GLib.Error as error:
            return error

    def properties(self, path: str = ITEM_PATH, interface: str = ITEM, expected: Any = ITEM_PROPERTIES) -> dict[str, Any]:
        answers = []
        self.connection.call(self.item, path, "org.freedesktop.DBus.Properties", "GetAll",
                             GLib.Variant("(s)", (interface,)), None, Gio.DBusCallFlags.NONE, CALL_MILLISECONDS, None,
                             lambda connection, result: answers.append(connection.call_finish(result)))
        wait_for("the properties", lambda: answers)
        values = answers[0].get_child_value(0)
        found = {}
        for at in range(values.n_children()):
            entry = values.get_child_value(at)
            value = entry.get_child_value(1).get_variant()
            found[entry.get_child_value(0).get_string()] = value
        types = {name: value.get_type_string() for name, value in found.items()}
        if types != expected:
            raise Failure(f"the properties of {interface} are {types}, not {expected}")
        return {name: value.unpack() for name, value in found.items()}

    # The menu

    @property
    def menu_path(self) -> str:
        return self.properties()["Menu"]

    def menu_call(self, method: str, signature: str, arguments: Any, reply: str) -> Any:
        return self.call("/MenuBar", MENU, method, signature, arguments, reply)

    def layout(self, line: int = 0, depth: int = -1, names: Sequence[str] = ()) -> dict[str, Any]:
        """The lines below one, as nested dictionaries with `id` and `children`."""
        _, layout = self.menu_call("GetLayout", "(iias)", (line, depth, list(names)), "(u(ia{sv}av))")
        return self._line(layout)

    def _line(self, layout: Any) -> dict[str, Any]:
        line, properties, children = layout
        unknown = set(properties) - set(LINE_PROPERTIES)
        if unknown:
            raise Failure(f"line {line} has properties that no host knows: {unknown}")
        return {"id": line, **properties, "children": [self._line(child) for child in children]}

    def line(self, label: str) -> Any:
        """The first line of that label, at any depth."""
        def search(lines: list[dict[str, Any]]) -> Any:
            for line in lines:
                if line.get("label") == label:
                    return line
                found = search(line["children"])
                if found:
                    return found
            return None
        return search(self.layout()["children"])

    def click(self, line: int, timestamp: int = 0) -> None:
        self.menu_call("Event", "(isvu)", (line, "clicked", GLib.Variant("i", 0), timestamp), "()")
