"""A file manager on Wayland, in a compositor in a window of the private X server: badges, a change, a menu, an action (F9,
F10), and the activation token with which a program that the action starts gets the focus."""
import os
import signal
from typing import Any

import compositors
import wire
from compositors import Compositor
from desktop import COLOURS, Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from marks import MARK, open_marked_menu
from menu_provider import ITEMS, MenuProvider, entry
from provider import ProvidedService
from waiting import Failure, pump, wait_for

BADGES = ("synced", "error", "conflict")
COMPOSITORS = {"wayland": compositors.Weston, "gnome-shell": compositors.GnomeShell, "kwin": compositors.Kwin}
ACTIVE, INACTIVE = "2211FF", "887700"  # the started program's window, with the focus and without


class WaylandScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.provider = MenuProvider(service)
        self.provider.menu = [entry("sync", f"{MARK} Sync"), entry("share", f"{MARK} Share")]
        self.compositor: Compositor = COMPOSITORS[desktop.name.removeprefix(f"{file_manager.name}-")](desktop)
        self.token = desktop.work / "token"

    def open(self) -> None:
        self.desktop.spawn(self.file_manager.name, [*self.file_manager.command, self.sync], **self.compositor.client())

    def choose(self, place: tuple[int, int]) -> dict[str, Any]:
        """The options with which the first entry of the menu there comes to the provider."""
        found = open_marked_menu(self.screen, lambda: self.screen.right_click(*place), len(self.provider.menu))
        self.desktop.shoot("menu")
        self.provider.expect_asked(ITEMS, wire.uri(self.sync), [wire.uri(f"{self.sync}/a.txt")])
        self.screen.click(*found[0].centre)
        wait_for("the action", lambda: self.provider.activated)
        item, target, selection, options = self.provider.activated.pop()
        if (item, target, selection) != ("sync", wire.uri(self.sync), [wire.uri(f"{self.sync}/a.txt")]):
            raise Failure(f"activated {item} on {target} {selection}")
        if any(str(value).startswith("x11:") for value in options.values()):
            raise Failure(f"on Wayland there is no window of X11: {options}")
        print(f"  options: {options}", flush=True)
        return options

    def has_focus(self) -> bool:
        return self.screen.grab().has(ACTIVE)

    def choose_for_a_program(self, place: tuple[int, int]) -> None:
        """Another program's window gets the focus with the token that came with the action, and without it does not."""
        program = self.desktop.spawn("started", [
            "/usr/bin/python3", "-B", str(self.desktop.work / "scripts/started_program.py"), ACTIVE, INACTIVE,
            str(self.token)], **self.compositor.client())
        wait_for("the program's window", self.has_focus)
        token = self.choose(place).get("activation-token", "")
        wait_for("the file manager to have the focus", lambda: not self.has_focus())
        os.kill(program.pid, signal.SIGUSR1)
        pump(1)
        self.screen.wait_until_still()
        if self.has_focus():
            raise Failure("a program gets the focus without a token: nothing can be said of one")
        if not token:
            raise Failure("no activation token came with the action")
        self.token.write_text(token)
        os.kill(program.pid, signal.SIGUSR1)
        wait_for("the program to get the focus", self.has_focus)
        self.desktop.shoot("focus")

    def run(self) -> None:
        names = ("a.txt", "b.txt", "c.txt")
        self.make_files(*names)
        for name, badge in zip(names, BADGES, strict=True):
            self.service.set_badge(f"{self.sync}/{name}", badge)
        self.service.start()
        self.compositor.start()
        self.open()
        self.file_manager.expect_shown("on Wayland", list(BADGES))
        self.service.set_badge(f"{self.sync}/b.txt", "paused")
        self.file_manager.expect_shown("changed", ["synced", "paused", "conflict"], ["error"])
        place = self.screen.wait_until_still().boxes(COLOURS["synced"])[0].centre
        if not self.compositor.takes_clicks:
            print("  no menu is tried: this Weston does not know where the pointer of X is", flush=True)
        elif self.compositor.gives_tokens:
            self.choose_for_a_program(place)
        else:
            self.choose(place)
        self.file_manager.nothing_complained()
