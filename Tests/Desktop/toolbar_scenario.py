"""Caja's toolbar button (F11): the provider's icon, everywhere, and its menu, inside a registered folder with what is
selected there, outside without target and selection (F10)."""
import os

import wire
from desktop import COLOURS, Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from gi.repository import GLib
from marks import BLACK_TEXT, MARK, open_marked_menu
from menu_provider import TOOLBAR, MenuProvider, entry
from provider import ProvidedService
from screen import LEFT, Box
from waiting import Failure, wait_for

ICON, COLOUR = "roundel-test-button", "3B7A57"


class ToolbarScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.provider = MenuProvider(service, kinds={TOOLBAR})
        self.provider.menu = [entry(name, f"{MARK} {name}") for name in ("sync", "pause")]
        self.outside = str(desktop.home / "Elsewhere" / "Outside")

    def prepare(self) -> None:
        os.makedirs(self.outside)
        self.make_files("a.txt")
        self.desktop.add_test_icon(ICON, COLOUR)
        self.service.registration["toolbar-item"] = GLib.Variant("(sss)", ("Test", ICON, "The test's button"))
        self.service.set_badge(f"{self.sync}/a.txt", "conflict")
        self.service.start()
        # Caja asks for the button when it opens a folder, in its first window before the service has named it.
        self.file_manager.open(self.outside)
        self.screen.wait_until_still()

    def open_wide(self, path: str) -> None:
        """So wide that the toolbar has room for every button."""
        before = self.screen.windows(self.file_manager.window_class)
        self.file_manager.open(path)
        window, = [found for found in self.screen.windows(self.file_manager.window_class) if found not in before]
        self.screen.place(window, 0, 30, 1090, 600)
        self.screen.wait_for_colour(COLOUR)
        self.screen.wait_until_still()

    def press(self, count: int) -> list[Box]:
        def open_it() -> None:
            self.provider.asked.clear()
            self.screen.click_colour(COLOUR, LEFT)
        return open_marked_menu(self.screen, open_it, count, BLACK_TEXT)

    def choose(self, mark: Box, item: str, target: str, selection: list[str]) -> None:
        self.screen.click(*mark.centre)
        self.provider.expect_click(item, target, selection)

    def outside_of_every_folder(self) -> None:
        self.open_wide(self.outside)
        self.desktop.shoot("button outside")
        _first, second = self.press(2)
        self.desktop.shoot("menu outside")
        self.provider.expect_asked_alone(TOOLBAR, "", [])
        self.choose(second, "pause", "", [])
        self.file_manager.close_active()

    def inside_a_folder(self) -> None:
        self.open_wide(self.sync)
        first, _ = self.press(2)
        self.choose(first, "sync", wire.uri(self.sync), [])

    def with_a_selection(self) -> None:
        self.screen.click_colour(COLOURS["conflict"])
        self.screen.wait_until_still()
        first, _ = self.press(2)
        self.desktop.shoot("menu with a selection")
        if (TOOLBAR, wire.uri(self.sync), [wire.uri(f"{self.sync}/a.txt")]) not in self.provider.asked:
            raise Failure(f"the provider was asked {self.provider.asked}")
        self.choose(first, "sync", wire.uri(self.sync), [wire.uri(f"{self.sync}/a.txt")])

    def nothing_to_do(self) -> None:
        self.provider.menu = []
        before = self.screen.wait_until_still()
        self.screen.click_colour(COLOUR)
        wait_for("a menu", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still()
        self.desktop.shoot("nothing to do")
        self.screen.keys("Escape")
        self.screen.wait_until_still()

    def service_is_gone(self) -> None:
        """The button stays, and says so."""
        self.service.stop()
        before = self.screen.wait_until_still()
        self.screen.click_colour(COLOUR)
        wait_for("a menu", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still()
        self.desktop.shoot("service gone")
        self.screen.keys("Escape")
        self.screen.wait_until_still()

    def run(self) -> None:
        self.prepare()
        self.outside_of_every_folder()
        self.inside_a_folder()
        self.with_a_selection()
        self.nothing_to_do()
        self.service_is_gone()
        self.screen.move(500, 500)  # away from the button, whose tooltip is a window too
        self.screen.wait_until_still()
        self.end()

    def explain(self) -> list[str]:
        return self.provider.explain()
