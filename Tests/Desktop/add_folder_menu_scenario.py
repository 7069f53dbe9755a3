"""“Sync This Folder…” in a file manager: on the background of a directory that nothing syncs and on one that is selected,
and not on a file; it leads to the window's assistant with that directory."""
import pathlib

import wire
from accessible import Accessible
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from menu import Menu
from provider import FULL_MENU
from screen import Box
from waiting import Failure

# Of our entry, where the file manager shows its icon, and of what is shown in the directory.
ENTRY, DIRECTORY, TEXT = "FBCEB1", "8DB600", "5D8AA8"


class AddFolderMenuScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.service = service
        self.file_manager = file_manager
        self.place = pathlib.Path(desktop.home, "Mine")
        self.menus = desktop.work / "menus.log"

    def run(self) -> None:
        for name, colour in (("org.roundel.Roundel", ENTRY), ("folder", DIRECTORY), ("text-x-generic", TEXT)):
            self.desktop.add_test_icon(name, colour)
        self.desktop.write_setting(
            "gtk-3.0/settings.ini", "[Settings]\ngtk-icon-theme-name=RoundelTest\ngtk-menu-images=1\n")
        self.service.start()
        # What the window does is read by AT-SPI. The library waits for itself where it hears of two programs at once.
        self.desktop.environment["NO_AT_BRIDGE"] = "1"
        self.desktop.monitor(self.menus, f"sender='{wire.BUS_NAME}'")
        (self.place / "Pictures").mkdir(parents=True)
        (self.place / "Notes.txt").write_text("text\n")
        self.file_manager.open(str(self.place))
        self.screen.wait_for_colour(DIRECTORY)
        self.screen.wait_for_colour(TEXT)
        self.background()
        self.file()
        self.directory()
        window = Accessible(self.desktop, "roundel-window")
        window.wait_for("label", "Where Are Your Files?")
        remote = self.desktop.work / "remote"
        remote.mkdir()
        self.screen.type(str(remote))
        self.screen.keys("Return")
        window.wait_for("label", "~/Mine/Pictures")
        self.desktop.shoot("assistant")

    def background(self) -> None:
        file = self.item(TEXT)
        Menu(self.screen, file.centre[0], file.bottom + 250, sign=lambda: self.screen.grab().has(ENTRY)).close()

    def file(self) -> None:
        before = self.given()
        menu = Menu(self.screen, *self.item(TEXT).centre)
        menu.close()
        if self.given() > before:
            raise Failure("a file has a menu of ours")

    def directory(self) -> None:
        """The entry is above the last one, “Properties”."""
        before = self.given()
        menu = Menu(self.screen, *self.item(DIRECTORY).centre, sign=lambda: self.given() > before)
        self.desktop.shoot("a directory")
        menu.choose(len(menu.entries()) - 2)

    def given(self) -> int:
        """How many menus the service gave in which something was."""
        return len(FULL_MENU.findall(self.menus.read_text(errors="replace")))

    def item(self, colour: str) -> Box:
        """The largest place with that colour."""
        boxes = self.screen.wait_until_still().boxes(colour)
        return max(boxes, key=lambda box: (box.right - box.left) * (box.bottom - box.top))
