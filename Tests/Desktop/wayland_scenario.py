"""A file manager on Wayland, in a Weston whose one window fills the private X server: what it draws is on that screen, and
its keys and clicks come from there. Badges, a change, a menu and an action (F9, F10)."""
import os
import subprocess
from typing import Any

import wire
from desktop import COLOURS, Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from marks import MARK, wait_for_marks
from menu_provider import ITEMS, MenuProvider, entry
from provider import ProvidedService
from screen import SIZE
from waiting import Failure, wait_for

SOCKET = "roundel-wayland"
POINTING = 14  # the first version that was seen to take clicks at their places
BADGES = ("synced", "error", "conflict")


class WaylandScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.provider = MenuProvider(service)
        self.provider.menu = [entry("sync", f"{MARK} Sync"), entry("share", f"{MARK} Share")]

    def weston(self) -> int:
        """Its major version."""
        said = subprocess.run(["weston", "--version"], capture_output=True, text=True, check=True).stdout
        return int(said.split()[1].partition(".")[0])

    def start_compositor(self) -> None:
        """Its kiosk shell gives the file manager the whole screen; there is no other window."""
        width, height, _ = SIZE.split("x")
        self.desktop.spawn("weston", [
            "weston", "--backend=x11-backend.so", "--use-pixman", "--shell=kiosk-shell.so", "--no-config",
            "--idle-time=0", "--fullscreen", f"--width={width}", f"--height={height}", f"--socket={SOCKET}"])
        socket = os.path.join(self.desktop.environment["XDG_RUNTIME_DIR"], SOCKET)
        wait_for("the compositor", lambda: os.path.exists(socket))

    def open(self) -> None:
        # On Wayland GTK has the icon theme from the desktop's settings, and from no file of its own.
        self.desktop.write_setting("glib-2.0/settings/keyfile",
                                   "[org/gnome/desktop/interface]\nicon-theme='RoundelTest'\n")
        self.desktop.spawn(self.file_manager.name, [*self.file_manager.command, self.sync], WAYLAND_DISPLAY=SOCKET,
                           GDK_BACKEND="wayland", QT_QPA_PLATFORM="wayland", XDG_SESSION_TYPE="wayland",
                           GSETTINGS_BACKEND="keyfile", DISPLAY="")

    def choose(self, place: tuple[int, int]) -> dict[str, Any]:
        """The options with which the first entry of the menu there comes to the provider."""
        before = self.screen.wait_until_still()
        self.screen.right_click(*place)
        found = wait_for_marks(self.screen, before, len(self.provider.menu))
        self.desktop.shoot("menu")
        self.provider.expect_asked(ITEMS, wire.uri(self.sync), [wire.uri(f"{self.sync}/a.txt")])
        self.screen.click(*found[0].centre)
        wait_for("the action", lambda: self.provider.activated)
        item, target, selection, options = self.provider.activated.pop()
        if (item, target, selection) != ("sync", wire.uri(self.sync), [wire.uri(f"{self.sync}/a.txt")]):
            raise Failure(f"activated {item} on {target} {selection}")
        return options

    def run(self) -> None:
        names = ("a.txt", "b.txt", "c.txt")
        self.make_files(*names)
        for name, badge in zip(names, BADGES, strict=True):
            self.service.set_badge(f"{self.sync}/{name}", badge)
        self.service.start()
        self.start_compositor()
        self.open()
        self.file_manager.expect_shown("on Wayland", list(BADGES))
        self.service.set_badge(f"{self.sync}/b.txt", "paused")
        self.file_manager.expect_shown("changed", ["synced", "paused", "conflict"], ["error"])
        if self.weston() < POINTING:
            print(f"  no menu is tried: Weston {self.weston()} does not know where the pointer of X is", flush=True)
        else:
            place = self.screen.wait_until_still().boxes(COLOURS["synced"])[0].centre
            options = self.choose(place)
            if any(str(value).startswith("x11:") for value in options.values()):
                raise Failure(f"on Wayland there is no window of X11: {options}")
            print(f"  options: {options}", flush=True)
        self.file_manager.nothing_complained()
