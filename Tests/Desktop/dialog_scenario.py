"""GTK 4's file dialog has a row for each synced folder in its sidebar, which leads there (design.md 6)."""
import os
import pathlib

from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from screen import Box
from waiting import Failure, wait_for

ROW_ICON = "00C853"  # in no icon theme
PROGRAM = pathlib.Path(__file__).with_name("dialog_program.py")


class DialogScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.roundel = service.roundel
        self.screen = desktop.screen
        self.folder = str(desktop.home / "100% Café #1")  # whose name is not its URI

    def make_folder(self) -> None:
        remote = str(self.desktop.work / "remote")
        for path in (self.folder, remote):
            os.makedirs(path)
        with open(self.folder + "/Plan.odt", "w") as file:
            file.write("text\n")
        self.roundel("add", self.folder, remote, "--wait")

    def row(self) -> Box:
        self.screen.wait_for_colour(ROW_ICON)
        return self.screen.wait_until_still().boxes(ROW_ICON)[0]

    def run(self) -> None:
        self.desktop.add_test_icon("org.roundel.Roundel", ROW_ICON)
        self.desktop.write_setting("gtk-4.0/gtk.css", "image { opacity: 1; }\n")
        self.make_folder()
        dialog = self.desktop.spawn("dialog", ["/usr/bin/python3", str(PROGRAM), str(self.desktop.home)])
        wait_for("the dialog", lambda: self.screen.windows_named("Open a File"))
        box = self.row()
        self.desktop.shoot("a row in the dialog")
        before = self.screen.grab()
        x, y = box.centre
        content = Box(x + 200, 0, 1100, 760)
        self.screen.click(x + 40, y)
        wait_for("the folder", lambda: self.screen.grab().part(content) != before.part(content))
        self.screen.wait_until_still()
        self.desktop.shoot("the folder in the dialog")
        self.screen.keys("Escape")
        wait_for("the end of the dialog", lambda: dialog.poll() is not None)
        shown = self.desktop.log("dialog").splitlines()[-1]
        if shown != self.folder:
            raise Failure(f"the row leads to {shown}")
