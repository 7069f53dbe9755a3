"""Thunar's menus, opened by real clicks: of items, of the folder's background, of a place in the side pane (F9); and
its properties dialog (F14)."""
import os
from collections.abc import Callable
from typing import Any

import wire
from desktop import Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from gi.repository import GLib
from menu import Menu
from menu_provider import CONTAINER, ITEMS, LINK, SIDEBAR, MenuProvider, entry, separator
from metadata_helper import give_emblem
from provider import ProvidedService
from screen import Box
from waiting import Failure, pump, wait_for

# Icons of one colour each: of an item to click at, of our entry in a menu, and of every folder.
PLACES = {"emblem-place": "3B7A57", "org.roundel.Roundel": "5D3FD3", "folder": "C19A6B"}
SIDE_PANE_WIDTH = 150
ATTEMPTS = 20  # at a menu for which the service was not there yet
ICON = PLACES["org.roundel.Roundel"]
Sign = Callable[[], bool]

OFFERED = [
    entry("sync", "Sync Now"), entry("follow", "Follow _this_", checked=True), separator(id="line"),
    entry("resolve", "Resolve Conflict", children=[entry("mine", "Keep Mine"), entry("both", "Keep Both")]),
    entry("off", "Not Now", enabled=False),
]
ATTRIBUTES = {
    "state": GLib.Variant("s", "synced"), "label": GLib.Variant("s", "Synced"),
    "last-synced": GLib.Variant("x", 1_700_000_000_000_000),
    "remote-uri": GLib.Variant("s", "https://example.org/files/a.txt"),
}


class ThunarMenuScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.provider = MenuProvider(service)
        self.provider.menu = OFFERED
        self.provider.clipboard["both"] = LINK
        self.provider.attributes = ATTRIBUTES
        self.item = self.sync + "/a.txt"
        self.place = (0, 0)  # on the screen, of the item

    def prepare(self) -> None:
        self.make_files(self.item, "b.txt", str(self.desktop.home / "outside.txt"))
        for name, colour in PLACES.items():
            self.desktop.add_test_icon(name, colour)
        self.desktop.write_setting(
            "gtk-3.0/settings.ini", "[Settings]\ngtk-icon-theme-name=RoundelTest\ngtk-menu-images=1\n")
        self.desktop.write_setting("gtk-3.0/bookmarks", f"{wire.uri(self.sync)} Sync\n")
        give_emblem(self.desktop, self.item, "emblem-place")
        give_emblem(self.desktop, self.desktop.home / "outside.txt", "emblem-place")
        self.service.set_badge(self.sync, "synced")
        self.service.watch_menus()
        self.service.start()

    # Clicks

    def open_menu(self, x: int, y: int) -> Menu:
        """Right-clicks; the menu, once our entry is in it and filled."""
        return self.open_filled(lambda sign: Menu(self.screen, x, y, sign=sign))

    def open_unanswered_menu(self, x: int, y: int) -> Menu:
        """The same, before it can be filled."""
        return Menu(self.screen, x, y, sign=lambda: self.screen.grab().has(ICON))

    def open_filled(self, open_it: Callable[[Sign], Any]) -> Any:
        """Has a menu opened that gives the sign when our entry is filled."""
        full = self.service.menus_with_us()
        return open_it(lambda: self.service.menus_with_us() > full and self.screen.grab().has(ICON))

    def open_submenu(self, menu: Menu) -> Menu:
        """Opens our entry's submenu and selects the first item of it."""
        self.screen.move(*self.screen.wait_until_still().boxes(ICON)[0].centre)
        self.select_first()
        return menu

    def select_first(self) -> None:
        """Goes into the submenu of the entry below the pointer; the key opens it if the pointer has not done so yet."""
        before = self.screen.wait_until_still()
        self.screen.keys("Right")
        wait_for("a selected item", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still()

    def find_item(self) -> None:
        """Once, because an item that is selected has other colours."""
        self.screen.wait_for_colour(PLACES["emblem-place"])
        self.place = self.screen.wait_until_still().boxes(PLACES["emblem-place"])[0].centre

    def background_place(self) -> tuple[int, int]:
        box = self.window_box()
        return box.right - 60, box.bottom - 90

    def side_pane_place(self) -> tuple[int, int]:
        left = self.window_box().left
        boxes = self.screen.wait_until_still().boxes(PLACES["folder"])
        return next(box.centre for box in boxes if box.left < left + SIDE_PANE_WIDTH)

    def window_box(self) -> Box:
        return self.screen.window_box(self.screen.active_window())

    def expect_asked(self, kind: int, selection: list[str]) -> None:
        """Once, or again where the service did not wait for the answer."""
        self.provider.expect_asked_alone(kind, wire.uri(self.sync), selection)

    def choose(self, index: int, item: str, selection: list[str]) -> None:
        """Activates an entry of the submenu that was just opened, in which the first one is selected."""
        self.screen.keys(*["Down"] * index, "Return")
        self.provider.expect_click(item, wire.uri(self.sync), selection)

    # Steps

    def items_menu(self) -> None:
        menu = self.open_menu(*self.place)
        self.desktop.shoot("items menu")
        self.open_submenu(menu)
        self.desktop.shoot("items submenu")
        self.expect_asked(ITEMS, [wire.uri(self.item)])
        self.choose(0, "sync", [wire.uri(self.item)])

    def nested_submenu(self) -> None:
        self.open_submenu(self.open_menu(*self.place))
        self.screen.keys("Down", "Down", "Right")
        self.screen.wait_until_still()
        self.desktop.shoot("nested submenu")
        self.choose(1, "both", [wire.uri(self.item)])
        self.screen.expect_clipboard(LINK)
        self.provider.asked.clear()

    def background_menu(self) -> None:
        self.open_submenu(self.open_menu(*self.background_place()))
        self.desktop.shoot("background submenu")
        self.expect_asked(CONTAINER, [])
        self.choose(1, "follow", [])

    def menu_bar(self) -> None:
        """The File menu is the folder's as well, while nothing is selected."""
        self.open_filled(self.open_file_menu)
        self.screen.move(*self.screen.wait_until_still().boxes(ICON)[0].centre)
        self.select_first()
        self.desktop.shoot("menu bar")
        self.expect_asked(CONTAINER, [])
        self.choose(0, "sync", [])

    def open_file_menu(self, sign: Sign) -> None:
        self.screen.wait_until_still()
        self.screen.keys("alt+f")
        wait_for("the File menu", sign)

    def side_pane_menu(self) -> None:
        self.open_submenu(self.open_menu(*self.side_pane_place()))
        self.desktop.shoot("side pane submenu")
        self.expect_asked(SIDEBAR, [])
        self.choose(0, "sync", [])

    def keys_ask_nothing(self) -> None:
        """Thunar asks for the items of the menu at each key, only for their shortcuts. The service hears none of it."""
        self.screen.click(*self.place)
        for key in ("Right", "Left", "F2", "Escape", "ctrl+a", "Right"):
            self.screen.keys(key)
        self.screen.wait_until_still()
        pump(0.5)
        if self.provider.asked:
            raise Failure(f"keys asked for menus: {self.provider.asked}")

    def empty_menu(self) -> None:
        """Our entry cannot be chosen when the service has nothing for it."""
        normal = self.open_menu(*self.place)
        entries = len(normal.entries())
        normal.close()
        self.provider.menu = []
        empty = self.service.menus_without_us()
        menu = Menu(self.screen, *self.place, sign=lambda: self.service.menus_without_us() > empty)
        self.desktop.shoot("nothing applies")
        if len(menu.entries()) != entries - 1:
            raise Failure(f"{len(menu.entries())} entries can be chosen, not {entries - 1}")
        menu.close()
        self.provider.menu = OFFERED
        self.provider.asked.clear()

    def slow_provider(self) -> None:
        """An answer that the service did not wait for is had a moment later, while the menu is open."""
        self.provider.late, self.provider.lateness = 1, 4000
        menu = self.open_unanswered_menu(*self.place)
        self.open_submenu(menu)
        self.desktop.shoot("late provider")
        full = self.service.menus_with_us()
        wait_for("the provider's answer", lambda: self.service.menus_with_us() > full)
        self.screen.wait_until_still(1)
        self.desktop.shoot("late provider has answered")
        self.select_first()
        self.choose(0, "sync", [wire.uri(self.item)])
        if len(self.provider.asked) != 1:
            raise Failure(f"the late provider was asked {len(self.provider.asked)} times")
        self.provider.asked.clear()

    def slow_service(self) -> None:
        """The menu opens without an answer, which goes into the open submenu when it comes."""
        self.service.play_dead()
        self.open_submenu(self.open_unanswered_menu(*self.place))
        self.desktop.shoot("no answer yet")
        before = self.screen.wait_until_still()
        self.service.wake()
        wait_for("the answer on the screen", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still(1)
        self.desktop.shoot("late answer")
        self.select_first()
        self.choose(1, "follow", [wire.uri(self.item)])
        self.provider.asked.clear()

    def closed_too_early(self) -> None:
        """An answer for a menu that is gone is dropped."""
        self.service.play_dead()
        self.open_unanswered_menu(*self.place).close()
        self.service.wake()
        wait_for("the late question", lambda: self.provider.asked)
        self.provider.asked.clear()
        self.items_menu()

    def properties(self) -> None:
        """The page of ours comes last, and is filled when the provider has answered."""
        self.screen.click(*self.place)
        self.screen.keys("alt+Return")
        window = wait_for("the dialog", lambda: self.screen.windows_named("Properties"))[0]
        self.screen.activate(window)
        wait_for("the attributes", lambda: self.provider.described)
        if self.provider.described != [wire.uri(self.item)]:
            raise Failure(f"attributes were asked of {self.provider.described}")
        self.screen.wait_until_still()
        self.screen.keys(*["ctrl+Page_Down"] * 4)
        self.screen.wait_until_still()
        self.desktop.shoot("properties")
        self.screen.keys("Escape")
        wait_for("the end of the dialog", lambda: not self.screen.windows_named("Properties"))

    def outside(self) -> None:
        """A menu outside the registered folders has nothing of ours in it."""
        self.file_manager.open(str(self.desktop.home))
        menu = Menu(self.screen, *self.background_place())
        if self.screen.grab().has(ICON) or self.provider.asked:
            raise Failure("our entry is in a menu outside the registered folders")
        menu.close()
        self.file_manager.close_active()

    def linked(self) -> None:
        """The folder behind a symbolic link. Thunar may ask for the first menus before the service has said where it leads."""
        link = self.desktop.home / "Linked"
        os.symlink(self.sync, link)
        self.file_manager.open(str(link))
        for _ in range(ATTEMPTS):
            menu = Menu(self.screen, *self.background_place())
            self.desktop.shoot("menu behind a link")
            has_entry = self.screen.grab().has(ICON)
            menu.close()
            if has_entry:
                break
        else:
            raise Failure("our entry is not in the menu of a folder behind a link")
        self.provider.expect_asked(CONTAINER, wire.uri(self.sync), [])
        self.file_manager.close_active()

    def run(self) -> None:
        self.prepare()
        self.file_manager.open(self.sync)
        self.find_item()
        self.items_menu()
        self.nested_submenu()
        self.background_menu()
        self.menu_bar()
        self.side_pane_menu()
        self.keys_ask_nothing()
        self.empty_menu()
        self.slow_provider()
        self.slow_service()
        self.closed_too_early()
        self.properties()
        self.outside()
        self.linked()
        self.end()
        if "BUG" in self.desktop.log("thunar"):
            raise Failure("a menu was drawn wrongly: " + self.desktop.log("thunar"))

    def explain(self) -> list[str]:
        return self.provider.explain()
