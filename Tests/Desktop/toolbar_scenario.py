"""Caja's toolbar button (F11): the provider's icon, everywhere, and its menu, inside a registered folder with what is
selected there, outside without target and selection (F10)."""
import os

from gi.repository import GLib

import wire
from desktop import COLOURS
from marks import BLACK_TEXT, MARK, wait_for_marks
from screen import LEFT
from waiting import Failure, wait_for

TOOLBAR = 3
ICON, COLOUR = "roundel-test-button", "3B7A57"


class ToolbarScenario:
    def __init__(self, desktop, service, file_manager):
        self.desktop = desktop
        self.screen = desktop.screen
        self.service = service
        self.file_manager = file_manager
        self.sync = str(desktop.home / "Sync")
        self.outside = str(desktop.home / "Elsewhere" / "Outside")
        self.asked = []
        self.activated = []
        self.empty = False

    def answer_menu(self, invocation, kind, target, selection, options):
        self.asked.append((kind, target, selection))
        names = [] if self.empty or kind != TOOLBAR else ["sync", "pause"]
        items = [{"id": GLib.Variant("s", name), "label": GLib.Variant("s", f"{MARK} {name}")} for name in names]
        invocation.return_value(GLib.Variant("(aa{sv}a{sv})", (items, {})))

    def answer_activate(self, invocation, item, target, selection, options):
        self.activated.append((item, target, selection, options))
        invocation.return_value(GLib.Variant("(a{sv})", ({},)))

    def prepare(self):
        for directory in (self.sync, self.outside):
            os.makedirs(directory)
        with open(f"{self.sync}/a.txt", "w") as file:
            file.write("text\n")
        self.desktop.add_test_icon(ICON, COLOUR)
        self.service.folders = [self.sync]
        self.service.registration["toolbar-item"] = GLib.Variant("(sss)", ("Test", ICON, "The test's button"))
        self.service.answers.update(GetMenu=self.answer_menu, Activate=self.answer_activate)
        self.service.set_badge(f"{self.sync}/a.txt", "conflict")
        self.service.start()
        # Caja asks for the button when it opens a folder, in its first window before the service has named it.
        self.file_manager.open(self.outside)
        self.screen.wait_until_still()

    def open_wide(self, path):
        """So wide that the toolbar has room for every button."""
        before = self.screen.windows(self.file_manager.window_class)
        self.file_manager.open(path)
        window, = [found for found in self.screen.windows(self.file_manager.window_class) if found not in before]
        self.screen.place(window, 0, 30, 1090, 600)
        self.screen.wait_for_colour(COLOUR)
        self.screen.wait_until_still()

    def press(self, count):
        before = self.screen.wait_until_still()
        self.asked.clear()
        self.screen.click_colour(COLOUR, LEFT)
        return wait_for_marks(self.screen, before, count, BLACK_TEXT)

    def choose(self, mark, item, target, selection):
        self.screen.click(*mark.centre)
        wait_for("the action", lambda: self.activated)
        activated, *place, options = self.activated.pop()
        if (activated, *place) != (item, target, selection):
            raise Failure(f"activated {activated} on {place}, not {item} on {target} {selection}")
        if not options.get("timestamp") or not options.get("parent-window", "").startswith("x11:"):
            raise Failure(f"nothing is said of the click: {options}")

    def outside_of_every_folder(self):
        self.open_wide(self.outside)
        self.desktop.shoot("button outside")
        first, second = self.press(2)
        self.desktop.shoot("menu outside")
        if self.asked != [(TOOLBAR, "", [])]:
            raise Failure(f"the provider was asked {self.asked}")
        self.choose(second, "pause", "", [])
        self.file_manager.close_active()

    def inside_a_folder(self):
        self.open_wide(self.sync)
        first, _ = self.press(2)
        self.choose(first, "sync", wire.uri(self.sync), [])

    def with_a_selection(self):
        self.screen.click_colour(COLOURS["conflict"])
        self.screen.wait_until_still()
        first, _ = self.press(2)
        self.desktop.shoot("menu with a selection")
        if (TOOLBAR, wire.uri(self.sync), [wire.uri(f"{self.sync}/a.txt")]) not in self.asked:
            raise Failure(f"the provider was asked {self.asked}")
        self.choose(first, "sync", wire.uri(self.sync), [wire.uri(f"{self.sync}/a.txt")])

    def nothing_to_do(self):
        self.empty = True
        before = self.screen.wait_until_still()
        self.screen.click_colour(COLOUR)
        wait_for("a menu", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still()
        self.desktop.shoot("nothing to do")
        self.screen.keys("Escape")
        self.screen.wait_until_still()

    def service_is_gone(self):
        """The button stays, and says so."""
        self.service.stop()
        before = self.screen.wait_until_still()
        self.screen.click_colour(COLOUR)
        wait_for("a menu", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still()
        self.desktop.shoot("service gone")
        self.screen.keys("Escape")
        self.screen.wait_until_still()

    def run(self):
        self.prepare()
        self.outside_of_every_folder()
        self.inside_a_folder()
        self.with_a_selection()
        self.nothing_to_do()
        self.service_is_gone()
        self.screen.move(500, 500)  # away from the button, whose tooltip is a window too
        self.screen.wait_until_still()
        self.file_manager.close()
        self.file_manager.leave()
        self.file_manager.nothing_complained()

    def explain(self):
        return [f"asked: {self.asked[-4:]}", f"activated: {self.activated[-4:]}"]
