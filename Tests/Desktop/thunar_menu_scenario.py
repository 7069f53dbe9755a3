"""Thunar's menus, opened by real clicks: of items, of the folder's background, of a place in the side pane (F9); and
its properties dialog (F14)."""
import os

from gi.repository import GLib

import wire
from menu import Menu
from metadata_helper import give_emblem
from screen import RIGHT
from waiting import Failure, pump, wait_for

ITEMS, CONTAINER, SIDEBAR = 0, 1, 2

# Icons of one colour each: of an item to click at, of our entry in a menu, and of every folder.
PLACES = {"emblem-place": "3B7A57", "org.roundel.Roundel": "5D3FD3", "folder": "C19A6B"}
SIDE_PANE_WIDTH = 150


class ThunarMenuScenario:
    def __init__(self, desktop, service, file_manager):
        self.desktop = desktop
        self.screen = desktop.screen
        self.service = service
        self.file_manager = file_manager
        self.sync = str(desktop.home / "Sync")
        self.item = self.sync + "/a.txt"
        self.asked = []      # (kind, target, selection) of each GetMenu that reached the provider
        self.activated = []  # (item id, target, selection, options)
        self.described = []  # URIs whose attributes were asked for
        self.has_items = True
        self.delay = 0       # milliseconds before the next answer
        self.place = None    # on the screen, of the item

    # The provider

    def answer_menu(self, invocation, kind, target, selection, options):
        self.asked.append((kind, target, selection))
        text, yes = (lambda value: GLib.Variant("s", value)), (lambda value: GLib.Variant("b", value))
        children = [{"id": text("mine"), "label": text("Keep Mine")}, {"id": text("both"), "label": text("Keep Both")}]
        items = [
            {"id": text("sync"), "label": text("Sync Now")},
            {"id": text("follow"), "label": text("Follow _this_"), "checked": yes(True)},
            {"id": text("line"), "type": text("separator")},
            {"id": text("resolve"), "label": text("Resolve Conflict"), "children": GLib.Variant("aa{sv}", children)},
            {"id": text("off"), "label": text("Not Now"), "enabled": yes(False)},
        ]
        answer = GLib.Variant("(aa{sv}a{sv})", (items if self.has_items else [], {}))
        delay, self.delay = self.delay, 0
        GLib.timeout_add(delay, lambda: invocation.return_value(answer))

    def answer_activate(self, invocation, item, target, selection, options):
        self.activated.append((item, target, selection, options))
        invocation.return_value(GLib.Variant("(a{sv})", ({},)))

    def answer_attributes(self, invocation, uri, keys, options):
        self.described.append(uri)
        values = {"state": GLib.Variant("s", "synced"), "label": GLib.Variant("s", "Synced"),
                  "last-synced": GLib.Variant("x", 1_700_000_000_000_000),
                  "remote-uri": GLib.Variant("s", "https://example.org/files/a.txt")}
        invocation.return_value(GLib.Variant("(a{sv}a{sv})", (values, {})))

    def prepare(self):
        os.makedirs(self.sync)
        for path in (self.item, self.sync + "/b.txt", str(self.desktop.home / "outside.txt")):
            with open(path, "w") as file:
                file.write("text\n")
        for name, colour in PLACES.items():
            self.desktop.add_test_icon(name, colour)
        self.desktop.write_setting(
            "gtk-3.0/settings.ini", "[Settings]\ngtk-icon-theme-name=RoundelTest\ngtk-menu-images=1\n")
        self.desktop.write_setting("gtk-3.0/bookmarks", f"{wire.uri(self.sync)} Sync\n")
        give_emblem(self.desktop, self.item, "emblem-place")
        give_emblem(self.desktop, self.desktop.home / "outside.txt", "emblem-place")
        self.service.folders = [self.sync]
        self.service.answers.update(GetMenu=self.answer_menu, Activate=self.answer_activate,
                                    GetAttributes=self.answer_attributes)
        self.service.set_badge(self.sync, "synced")
        self.service.start()

    # Clicks

    def open_menu(self, x, y):
        """Right-clicks; the menu, once our entry is in it."""
        return Menu(self.screen, x, y, colour=PLACES["org.roundel.Roundel"])

    def open_submenu(self, menu):
        """Opens our entry's submenu and selects the first item of it."""
        self.screen.move(*self.screen.wait_until_still().boxes(PLACES["org.roundel.Roundel"])[0].centre)
        self.select_first()
        return menu

    def select_first(self):
        """Goes into the submenu of the entry below the pointer; the key opens it if the pointer has not done so yet."""
        before = self.screen.wait_until_still()
        self.screen.keys("Right")
        wait_for("a selected item", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still()

    def find_item(self):
        """Once, because an item that is selected has other colours."""
        self.screen.wait_for_colour(PLACES["emblem-place"])
        self.place = self.screen.wait_until_still().boxes(PLACES["emblem-place"])[0].centre

    def background_place(self):
        box = self.window_box()
        return box.right - 60, box.bottom - 90

    def side_pane_place(self):
        left = self.window_box().left
        boxes = self.screen.wait_until_still().boxes(PLACES["folder"])
        return next(box.centre for box in boxes if box.left < left + SIDE_PANE_WIDTH)

    def window_box(self):
        return self.screen.window_box(self.screen.active_window())

    def expect_asked(self, *question):
        """Once, or again where the service did not wait for the answer."""
        if not self.asked or any(asked != question for asked in self.asked):
            raise Failure(f"the provider was asked {self.asked}, not {question}")
        self.asked.clear()

    def choose(self, index, *expected):
        """Activates an entry of the submenu that was just opened, in which the first one is selected."""
        self.screen.keys(*["Down"] * index, "Return")
        wait_for("the action", lambda: self.activated)
        item, target, selection, options = self.activated.pop()
        if (item, target, selection) != expected:
            raise Failure(f"activated {item} on {target} {selection}, not {expected}")
        if not options.get("timestamp") or not options.get("parent-window", "").startswith("x11:"):
            raise Failure(f"nothing is said of the click: {options}")

    # Steps

    def items_menu(self):
        menu = self.open_menu(*self.place)
        self.desktop.shoot("items menu")
        self.open_submenu(menu)
        self.desktop.shoot("items submenu")
        self.expect_asked(ITEMS, wire.uri(self.sync), [wire.uri(self.item)])
        self.choose(0, "sync", wire.uri(self.sync), [wire.uri(self.item)])

    def nested_submenu(self):
        self.open_submenu(self.open_menu(*self.place))
        self.screen.keys("Down", "Down", "Right")
        self.screen.wait_until_still()
        self.desktop.shoot("nested submenu")
        self.choose(1, "both", wire.uri(self.sync), [wire.uri(self.item)])
        self.asked.clear()

    def background_menu(self):
        self.open_submenu(self.open_menu(*self.background_place()))
        self.desktop.shoot("background submenu")
        self.expect_asked(CONTAINER, wire.uri(self.sync), [])
        self.choose(1, "follow", wire.uri(self.sync), [])

    def menu_bar(self):
        """The File menu is the folder's as well, while nothing is selected."""
        before = self.screen.wait_until_still()
        self.screen.keys("alt+f")
        wait_for("the File menu", lambda: self.screen.grab().difference(before))
        self.screen.wait_for_colour(PLACES["org.roundel.Roundel"])
        self.screen.move(*self.screen.wait_until_still().boxes(PLACES["org.roundel.Roundel"])[0].centre)
        self.select_first()
        self.desktop.shoot("menu bar")
        self.expect_asked(CONTAINER, wire.uri(self.sync), [])
        self.choose(0, "sync", wire.uri(self.sync), [])

    def side_pane_menu(self):
        self.open_submenu(self.open_menu(*self.side_pane_place()))
        self.desktop.shoot("side pane submenu")
        self.expect_asked(SIDEBAR, wire.uri(self.sync), [])
        self.choose(0, "sync", wire.uri(self.sync), [])

    def keys_ask_nothing(self):
        """Thunar asks for the items of the menu at each key, only for their shortcuts. The service hears none of it."""
        self.screen.click(*self.place)
        for key in ("Right", "Left", "F2", "Escape", "ctrl+a", "Right"):
            self.screen.keys(key)
        self.screen.wait_until_still()
        pump(0.5)
        if self.asked:
            raise Failure(f"keys asked for menus: {self.asked}")

    def empty_menu(self):
        """Our entry cannot be chosen when the service has nothing for it."""
        normal = self.open_menu(*self.place)
        entries = len(normal.entries())
        normal.close()
        self.has_items = False
        menu = Menu(self.screen, *self.place)
        self.desktop.shoot("nothing applies")
        if len(menu.entries()) != entries - 1:
            raise Failure(f"{len(menu.entries())} entries can be chosen, not {entries - 1}")
        menu.close()
        self.has_items = True
        self.asked.clear()

    def slow_provider(self):
        """An answer that the service did not wait for is had a moment later, while the menu is open."""
        self.delay = 400
        self.open_submenu(self.open_menu(*self.place))
        self.choose(0, "sync", wire.uri(self.sync), [wire.uri(self.item)])
        if len(self.asked) < 2:
            raise Failure(f"the late provider was asked {len(self.asked)} times")
        self.asked.clear()

    def slow_service(self):
        """The menu opens without an answer, which goes into the open submenu when it comes."""
        self.service.play_dead()
        self.open_submenu(self.open_menu(*self.place))
        self.desktop.shoot("no answer yet")
        before = self.screen.wait_until_still()
        self.service.wake()
        wait_for("the answer on the screen", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still(1)
        self.desktop.shoot("late answer")
        self.select_first()
        self.choose(1, "follow", wire.uri(self.sync), [wire.uri(self.item)])
        self.asked.clear()

    def closed_too_early(self):
        """An answer for a menu that is gone is dropped."""
        self.service.play_dead()
        self.open_menu(*self.place).close()
        self.service.wake()
        wait_for("the late question", lambda: self.asked)
        self.asked.clear()
        self.items_menu()

    def properties(self):
        """The page of ours comes last, and is filled when the provider has answered."""
        self.screen.click(*self.place)
        self.screen.keys("alt+Return")
        window = wait_for("the dialog", lambda: self.screen.windows_named("Properties"))[0]
        self.screen.activate(window)
        wait_for("the attributes", lambda: self.described)
        if self.described != [wire.uri(self.item)]:
            raise Failure(f"attributes were asked of {self.described}")
        self.screen.wait_until_still()
        self.screen.keys(*["ctrl+Page_Down"] * 4)
        self.screen.wait_until_still()
        self.desktop.shoot("properties")
        self.screen.keys("Escape")
        wait_for("the end of the dialog", lambda: not self.screen.windows_named("Properties"))

    def outside(self):
        """A menu outside the registered folders has nothing of ours in it."""
        self.file_manager.open(str(self.desktop.home))
        menu = Menu(self.screen, *self.background_place())
        if self.screen.grab().count(PLACES["org.roundel.Roundel"]) or self.asked:
            raise Failure("our entry is in a menu outside the registered folders")
        menu.close()
        self.file_manager.close_active()

    def run(self):
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
        self.file_manager.close()
        self.file_manager.leave()
        self.file_manager.nothing_complained()
        if "BUG" in self.desktop.log("thunar"):
            raise Failure("a menu was drawn wrongly: " + self.desktop.log("thunar"))

    def explain(self):
        return [f"asked: {self.asked}", f"activated: {self.activated}"]
