"""The real badge service with a provider in the driver's main loop, behind the same face as the stand-in."""
import os
import re
import signal
from collections.abc import Callable
from typing import Any

import wire
from desktop import Desktop
from gi.repository import Gio, GLib
from waiting import CALL_MILLISECONDS, pump, wait_for

REGISTRY = "org.roundel.Roundel1.Registry"
PROVIDER = "org.roundel.Provider1"
PROVIDER_PATH = "/org/roundel/DesktopTest"
# As dbus-monitor writes an answer, or a signal, of the type (taa{sv}a{sv}).
MENU = r"^(?:method return|signal) .*\n   uint64 \d+\n   array \[\n"
EMPTY_MENU = re.compile(MENU + r"   \]", re.MULTILINE)
FULL_MENU = re.compile(MENU + r"      array \[", re.MULTILINE)


class ProvidedService:
    """What hosts do against the contract, the service refuses by itself: nothing is recorded here."""

    violations: tuple[str, ...] = ()
    requests: list[tuple[str, str, int]] | None = None

    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        self.process: Any = None
        self.connection: Any = None
        self.folders: list[str] = []   # paths
        self.badges: wire.Badges = {}    # directory path → {name: (state, flags, progress)}
        self.told: list[tuple[str, str]] = []      # (method, directory uri) of each Begin- and EndObserving, in their order
        self.registration: dict[str, Any] = {}  # further options of Register
        # Method → what is called with its invocation and arguments, for menus and attributes.
        self.answers: dict[str, Callable[..., None]] = {}

    # How late this provider was

    def watch_menus(self) -> None:
        """From now on it can be told which menus the service gave, or completed, and whether something was in them."""
        self.menus = self.desktop.work / "menus.log"
        self.desktop.monitor(self.menus, f"sender='{wire.BUS_NAME}'")

    def menus_without_us(self) -> int:
        """How many menus were given that nothing was in, or not yet."""
        return len(EMPTY_MENU.findall(self.menus.read_text(errors="replace")))

    def menus_with_us(self) -> int:
        """How many menus were given that something was in."""
        return len(FULL_MENU.findall(self.menus.read_text(errors="replace")))

    # How it comes and goes

    def start(self) -> None:
        self.process = self.desktop.spawn("roundeld", ["roundeld"])
        self.join()

    def join(self) -> None:
        """The provider enters the bus and registers with the service."""
        self.connection = wire.connect(self.desktop.address)
        self.connection.register_object(PROVIDER_PATH, wire.interface(wire.PROVIDER), self._on_call, None, None)
        wait_for("the service's name", self._has_owner)
        options = {"id": GLib.Variant("s", "desktop-test"), "name": GLib.Variant("s", "Desktop test"),
                   **self.registration}
        self.call("Register", "(oa{sv})", (PROVIDER_PATH, options))
        self._send_folders(self.folders)

    def stop(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.leave()

    def leave(self) -> None:
        """The provider leaves the bus, as one that died."""
        self.connection.close_sync(None)

    def set_badge(self, path: str, state: str, flags: int = 0, progress: int = 255) -> None:
        directory, name = os.path.split(path)
        self.badges.setdefault(directory, {})[name] = (state, flags, progress)
        if self.connection is not None:
            self.call("UpdateBadges", "(sasasauaya{sv})",
                       (wire.uri(directory), [wire.encode(name)], [state], [flags], [progress], {}))

    def set_badge_images(self, images: Any) -> None:
        """(identifier, label, icon name) of each."""
        self.call("SetBadgeImages", "(a(sss)a{sv})", (images, {}))

    def store_picture(self, name: str, picture: bytes) -> str:
        """The name of the icon that the picture is now."""
        return str(self.call("StorePicture", "(saya{sv})", (name, picture, {}))[0])

    def set_folders(self, folders: list[str]) -> None:
        self.folders = folders
        self._send_folders(folders)

    def reset(self) -> None:
        self._send_folders([])
        self._send_folders(self.folders)

    def play_dead(self) -> None:
        os.kill(self.process.pid, signal.SIGSTOP)

    def was_called(self) -> bool:
        return True

    def wake(self) -> None:
        os.kill(self.process.pid, signal.SIGCONT)

    def _has_owner(self) -> bool:
        reply = self.connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                          "NameHasOwner", GLib.Variant("(s)", (wire.BUS_NAME,)), None,
                                          Gio.DBusCallFlags.NONE, CALL_MILLISECONDS, None)
        return reply.unpack()[0]

    def _send_folders(self, folders: list[str]) -> None:
        self.call("SetFolders", "(a(sa{sv})a{sv})", ([(wire.uri(folder), {}) for folder in folders], {}))

    def call(self, method: str, signature: str, arguments: Any) -> Any:
        """Calls the registry and returns the answer. This loop, which may have to answer the service meanwhile, goes on."""
        answers: list[Any] = []

        def finish(connection: Any, result: Any) -> None:
            try:
                answers.append(connection.call_finish(result).unpack())
            except GLib.Error as error:
                answers.append(error)
        self.connection.call(wire.BUS_NAME, wire.OBJECT_PATH, REGISTRY, method, GLib.Variant(signature, arguments), None,
                             Gio.DBusCallFlags.NO_AUTO_START, CALL_MILLISECONDS, None,
                             finish)
        wait_for(method, lambda: answers)
        pump()
        if isinstance(answers[0], GLib.Error):
            raise answers[0]
        return answers[0]

    def _items(self, uri: str) -> dict[str, tuple[str, int, int]]:
        by_uri = {wire.uri(directory): items for directory, items in self.badges.items()}
        return {wire.encode(name): value for name, value in by_uri.get(uri, {}).items()}

    def _on_call(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                 invocation: Any) -> None:
        arguments = parameters.unpack()
        if method in self.answers:
            self.answers[method](invocation, *arguments)
        elif method == "RequestBadges":
            items = self._items(arguments[0])
            values = [items.get(name, ("", 0, 255)) for name in arguments[1]]
            columns = [list(column) for column in zip(*values)] or [[], [], []]
            invocation.return_value(GLib.Variant("(asauaya{sv})", (*columns, {})))
        elif method == "RequestDirectory":
            page = sorted((name, value) for name, value in self._items(arguments[0]).items() if name > arguments[1])
            names = [name for name, _ in page]
            columns = [list(column) for column in zip(*(value for _, value in page))] or [[], [], []]
            invocation.return_value(GLib.Variant("(asasauaysa{sv})", (names, *columns, "", {})))
        elif method == "GetMenu":
            invocation.return_value(GLib.Variant("(aa{sv}a{sv})", ([], {})))
        elif method == "GetAttributes":
            invocation.return_value(GLib.Variant("(a{sv}a{sv})", ({}, {})))
        else:
            if method in ("BeginObserving", "EndObserving"):
                self.told.append((method.removesuffix("Observing"), arguments[0]))
            invocation.return_value(GLib.Variant("(a{sv})", ({},)))

    def explain(self) -> list[str]:
        return [f"told the provider: {self.told[-8:]}"]
