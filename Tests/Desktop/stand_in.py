"""A stand-in for the service: as much of the Host interface as a plugin for emblems uses, strict about its contract."""
import os
import signal
from typing import Any

import wire
from desktop import Desktop
from gi.repository import Gio, GLib

# An older service, or one that a plugin for emblems needs no more of.
NOT_FOR_EMBLEMS = {
    "GetMenu", "Activate", "GetAttributes", "GetItemService", "ActionFinished", "ToolbarItem", "FolderStatus", "WatchStatus",
    "AddsFolders"}


class StandIn:
    """Lives in the driver's main loop, on a bus connection of its own that is closed to make the service die."""

    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        self.connection: Any = None
        self.folders: list[str] = []          # paths
        self.badges: wire.Badges = {}           # directory path → {name: (state, flags, progress)}
        self.violations: list[str] = []       # what a host did against the contract
        self.requests: list[tuple[str, str, int]] = []         # (method, directory uri, number of names)
        self.observed: dict[str, int] = {}  # directory uri → count
        self.host: str | None = None  # unique name of the one host that calls
        self.held: list[tuple[Any, ...]] | None = None  # calls that are not answered yet, while it plays dead

    def start(self) -> None:
        self.observed, self.host = {}, None
        self.connection = wire.connect(self.desktop.address)
        interface = wire.interface(wire.HOST, left_out=NOT_FOR_EMBLEMS)
        self.connection.register_object(wire.OBJECT_PATH, interface, self._on_call, self._on_get, None)
        Gio.bus_own_name_on_connection(self.connection, wire.BUS_NAME, Gio.BusNameOwnerFlags.NONE, None, None)

    def stop(self) -> None:
        if self.connection is not None:
            self.connection.close_sync(None)
        self.connection = None

    def set_badge(self, path: str, state: str, flags: int = 0, progress: int = 255) -> None:
        """Records the value, and tells it if the directory is observed."""
        directory, name = os.path.split(path)
        self.badges.setdefault(directory, {})[name] = (state, flags, progress)
        uri = wire.uri(directory)
        if self.connection is not None and self.observed.get(uri):
            self._emit("BadgesChanged", "(sasasauaya{sv})",
                       (uri, [wire.encode(name)], [state], [flags], [progress], {}))

    def tell_directory(self, directory: str) -> None:
        """Tells every value of a directory in one signal."""
        items = self._items(wire.uri(directory))
        columns = [list(column) for column in zip(*items.values())]
        self._emit("BadgesChanged", "(sasasauaya{sv})", (wire.uri(directory), list(items), *columns, {}))

    def set_folders(self, folders: list[str]) -> None:
        self.folders = folders
        changed = GLib.Variant("(sa{sv}as)", (wire.HOST, {"Folders": GLib.Variant("as", self._folder_uris())}, []))
        if self.connection is not None:
            self.connection.emit_signal(None, wire.OBJECT_PATH, "org.freedesktop.DBus.Properties",
                                        "PropertiesChanged", changed)

    def reset(self) -> None:
        self.observed = {}
        self._emit("Reset", "(a{sv})", ({},))

    def play_dead(self) -> None:
        self.held = []

    def was_called(self) -> bool:
        """Whether somebody waits for an answer."""
        return bool(self.held)

    def wake(self) -> None:
        """Answers what it was asked meanwhile, in order."""
        held, self.held = self.held, None
        for arguments in held or []:
            self._on_call(*arguments)

    def answer_together_with_a_time_out(self, process: Any) -> None:
        """Holds the next answer until the host waits for it, and the host's process up until it has waited too long."""
        self.play_dead()

        def stop() -> None:
            os.kill(process.pid, signal.SIGSTOP)
            self.wake()
            GLib.timeout_add(400, proceed)

        def proceed() -> None:
            os.kill(process.pid, signal.SIGCONT)
        GLib.timeout_add(10, lambda: not self._holds_a_request() or GLib.timeout_add(150, stop) == 0)

    def _holds_a_request(self) -> bool:
        held = self.held or []
        if any(method == "RequestDirectory" for _, _, _, _, method, _, _ in held):
            return True
        for arguments in held:
            self._answer(*arguments)
        self.held = []
        return False

    def _emit(self, member: str, signature: str, values: Any) -> None:
        self.connection.emit_signal(self.host, wire.OBJECT_PATH, wire.HOST, member, GLib.Variant(signature, values))

    def _folder_uris(self) -> list[str]:
        return [wire.uri(folder) for folder in self.folders]

    def _on_get(self, connection: Any, sender: str, path: str, interface: str, name: str) -> Any:
        return {
            "Version": GLib.Variant("u", 1),
            "Folders": GLib.Variant("as", self._folder_uris()),
            "Badges": GLib.Variant("a{s(ss)}", {state: (state, f"emblem-roundel-{state}") for state in wire.STATES}),
            "IconThemePath": GLib.Variant("s", ""),
        }[name]

    def _monitored(self, uri: str) -> bool:
        folders = self._folder_uris()
        return any(uri == folder or uri.startswith(folder + "/") for folder in folders) \
            or any(folder.rpartition("/")[0] == uri for folder in folders)

    def _items(self, uri: str) -> dict[str, tuple[str, int, int]]:
        by_uri = {wire.uri(directory): items for directory, items in self.badges.items()}
        return {wire.encode(name): value for name, value in by_uri.get(uri, {}).items()}

    def _refuse(self, invocation: Any, error: str, text: str) -> None:
        self.violations.append(text)
        invocation.return_dbus_error(f"org.roundel.Error.{error}", text)

    def _on_call(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                 invocation: Any) -> Any:
        if self.held is not None:
            self.held.append((connection, sender, path, interface, method, parameters, invocation))
            return None
        return self._answer(connection, sender, path, interface, method, parameters, invocation)

    def _answer(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                invocation: Any) -> Any:
        self.host = sender
        arguments = parameters.unpack()
        uri = arguments[0]
        if method in ("RequestBadges", "RequestDirectory") and not self.observed.get(uri):
            return self._refuse(invocation, "NotObserving", f"{method} {uri} without observing it")
        return getattr(self, f"_{method}")(invocation, uri, *arguments[1:])

    def _BeginObserving(self, invocation: Any, uri: str, options: dict[str, Any]) -> None:
        monitored = self._monitored(uri)
        if monitored:
            self.observed[uri] = self.observed.get(uri, 0) + 1
        invocation.return_value(GLib.Variant("(ba{sv})", (monitored, {})))

    def _EndObserving(self, invocation: Any, uri: str, options: dict[str, Any]) -> Any:
        if not self.observed.get(uri):
            return self._refuse(invocation, "NotObserving", f"EndObserving {uri} without beginning")
        self.observed[uri] -= 1
        return invocation.return_value(GLib.Variant("(a{sv})", ({},)))

    def _RequestBadges(self, invocation: Any, uri: str, names: list[str], options: dict[str, Any]) -> None:
        self.requests.append(("RequestBadges", uri, len(names)))
        items = self._items(uri)
        values = [items.get(name, ("", 0, 255)) for name in names]
        columns = [list(column) for column in zip(*values)] or [[], [], []]
        invocation.return_value(GLib.Variant("(asauaya{sv})", (*columns, {})))

    def _RequestDirectory(self, invocation: Any, uri: str, after: str, limit: int, options: dict[str, Any]) -> None:
        self.requests.append(("RequestDirectory", uri, limit))
        items = sorted((name, value) for name, value in self._items(uri).items() if name > after)
        page, rest = items[:limit or None], items[limit or len(items):]
        names = [name for name, _ in page]
        columns = [list(column) for column in zip(*(value for _, value in page))] or [[], [], []]
        following = names[-1] if rest else ""
        invocation.return_value(GLib.Variant("(asasauaysa{sv})", (names, *columns, following, {})))

    def explain(self) -> list[str]:
        return [f"requests: {self.requests[-8:]}", f"violations: {self.violations}"]
