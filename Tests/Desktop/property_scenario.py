"""The properties of an item: what the service knows of it, filled in when it answers, and again when its badge changes
(F14)."""

import wire
from desktop import COLOURS, Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from gi.repository import GLib
from marks import BLACK_TEXT, MARK, wait_for_marks
from menu_provider import MenuProvider
from provider import ProvidedService
from screen import Box, Picture
from waiting import Failure, pump, wait_for

# Where the plugin's part of the properties is opened: how far across the window, and how far above (negative) or below
# its upper or lower edge, as xdotool tells them, with the frame counted twice.
PAGE = {"nautilus": (0.5, "bottom", -40), "nemo": (0.774, "top", -5), "caja": (0.874, "top", 9),
        "dolphin": (0.71, "top", 9)}
# Where the values are in Dolphin's page: from the left edge, and how far below the upper one they are looked for. How high a
# row is depends on the style of the widgets.
VALUE = 165
ROWS = range(30, 200, 8)


class PropertyScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.item = f"{self.sync}/a.txt"
        self.provider = MenuProvider(service)
        self.provider.attributes = {
            "state": GLib.Variant("s", "syncing"), "label": GLib.Variant("s", f"{MARK} Syncing"),
            "progress": GLib.Variant("y", 40), "bytes-done": GLib.Variant("t", 400_000),
            "bytes-total": GLib.Variant("t", 1_000_000), "last-synced": GLib.Variant("x", 1_700_000_000_000_000),
            "remote-uri": GLib.Variant("s", "https://example.org/remote/a.txt"),
            "tags": GLib.Variant("as", ["red", "work"]), "message": GLib.Variant("s", ""),
        }

    def prepare(self) -> None:
        self.make_files(self.item)
        self.service.set_badge(self.item, "syncing", 0, 40)
        self.service.start()
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("opened", ["syncing"])

    def open_page(self) -> Picture:
        """Opens the properties of the item, and the plugin's part of them; what the screen was before."""
        self.screen.click_colour(COLOURS["syncing"])
        self.screen.wait_until_still()
        before = self.screen.windows(self.file_manager.window_class)
        self.screen.keys("alt+Return")
        self.window, = wait_for("the properties", lambda: [
            window for window in self.screen.windows(self.file_manager.window_class) if window not in before])
        self.screen.wait_until_still()
        self.desktop.shoot("properties")
        box = self.screen.window_box(self.window)
        across, edge, down = PAGE[self.file_manager.name]
        bare = self.screen.wait_until_still()
        self.screen.click(round(box.left + across * (box.right - box.left)), getattr(box, edge) + down)
        return bare

    def wait_for_texts(self, bare: Picture, count: int) -> None:
        """Waits until so many of the marked texts are on the page."""
        wait_for_marks(self.screen, bare, count, BLACK_TEXT)

    def page(self) -> Picture:
        bare = self.open_page()
        self.wait_for_texts(bare, 1)
        self.desktop.shoot("page")
        if set(self.provider.described) != {wire.uri(self.item)}:
            raise Failure(f"the provider was asked about {self.provider.described}")
        return bare

    def change(self, bare: Picture) -> None:
        self.provider.attributes["message"] = GLib.Variant("s", f"{MARK} Half done")
        self.service.set_badge(self.item, "syncing", 0, 50)
        self.wait_for_texts(bare, 2)
        self.desktop.shoot("changed page")

    def closed(self) -> None:
        """Nobody looks any more, and nobody asks."""
        self.screen.keys("alt+F4")
        wait_for("closed properties", lambda: self.window not in self.screen.windows(self.file_manager.window_class))
        self.screen.wait_until_still()
        pump(0.5)
        self.unselect()
        self.provider.described.clear()
        self.service.set_badge(self.item, "error")
        self.file_manager.expect_shown("another badge", ["error"])
        pump(0.5)
        if self.provider.described:
            raise Failure(f"asked about {self.provider.described} with the properties closed")

    def unselect(self) -> None:
        """Has the item drawn in its own colours."""

    def run(self) -> None:
        self.prepare()
        bare = self.page()
        self.change(bare)
        self.closed()
        self.end()

    def explain(self) -> list[str]:
        return [f"asked: {self.provider.described[-4:]}"]


class DolphinPropertyScenario(PropertyScenario):
    """Qt draws the marks of a text that can be selected with gaps, and nothing within the pages of a KDE dialog is on the
    accessibility bus; so each text is copied."""

    def wait_for_texts(self, bare: Picture, count: int) -> None:
        box = self.screen.window_box(self.window)
        for text in (f"{MARK} Syncing", f"{MARK} Half done")[:count]:
            self.wait_for_text(box, text)

    def wait_for_text(self, box: Box, text: str) -> None:
        wait_for(f"the text {text}", lambda: any(self.copied(box, down) == text for down in ROWS))

    def unselect(self) -> None:
        self.screen.keys("Escape")

    def copied(self, box: Box, down: int) -> str:
        """The value at this height of the page; what was copied before, if there is none."""
        self.screen.click(box.left + VALUE, box.top + down)
        self.screen.keys("ctrl+a")
        self.screen.keys("ctrl+c")
        self.screen.wait_until_still()
        return self.screen.clipboard()
