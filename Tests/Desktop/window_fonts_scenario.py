"""The window with letters of twice the size on a narrow screen: everything can be narrow, and says what it has to say."""
import subprocess
from typing import Any

from accessible import Accessible
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from waiting import Failure

PROGRAM = "roundel-window"
NARROW = (360, 700)  # pixels
PAGES = ("Problems", "Activity", "Versions", "Folders")


class WindowFontsScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager | None) -> None:
        del file_manager
        self.desktop = desktop
        self.roundel = service.roundel
        self.service = service
        self.screen = desktop.screen
        self.folder = desktop.home / "Documents"
        self.remote = desktop.work / "remote"
        self.window = Accessible(desktop, PROGRAM)

    def run(self) -> None:
        for directory in (self.folder, self.remote):
            directory.mkdir()
        (self.folder / "A rather long name of a letter.txt").write_text("first\n")
        self.roundel("add", str(self.folder), str(self.remote), "--wait")
        (self.remote / "A rather long name of a letter.txt").unlink()
        self.roundel("sync", str(self.folder), "--wait")
        self.service.make_conflict(str(self.folder), str(self.remote), "Report.txt")
        # Twice the 96 dots per inch for which letters have their usual size.
        subprocess.run(["xprop", "-root", "-format", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t192\n"],
                       env=self.desktop.environment, check=True)
        self.desktop.spawn("window", [PROGRAM], G_DEBUG="fatal-criticals")
        self.window.wait_for("list item", lambda name: name.startswith("Documents, "))
        self.is_narrow("Roundel", "folders")
        for page in PAGES:
            self.window.click("page tab", page)
            self.is_narrow("Roundel", page.lower())
        self.window.click("push button", "More actions for Documents")
        self.window.click("menu item", "Preferences")
        self.window.wait_for("frame", "Preferences of Documents")
        self.is_narrow("Preferences of Documents", "preferences")
        self.window.click("page tab", "Not Synced")
        self.is_narrow("Preferences of Documents", "not-synced")

    def is_narrow(self, title: str, what: str) -> None:
        frame = self.window.wait_for("frame", title)
        self.screen.place(self.screen.windows_named(title)[0], 20, 20, *NARROW)
        self.screen.wait_until_still()
        self.desktop.shoot(what)
        if (width := self.width(frame)) > NARROW[0]:
            raise Failure(f"{what}: {width} pixels are the least that it takes")

    @staticmethod
    def width(frame: Any) -> int:
        return int(frame.get_component_iface().get_extents(1).width)
