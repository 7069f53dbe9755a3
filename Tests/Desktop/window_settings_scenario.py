"""The window's sync engines and its check of this computer, and what menus and a new provider lead to: read as a screen
reader does, and used by its buttons and the keyboard."""
import json
import pathlib
from typing import Any

from accessible import Accessible
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from notification_daemon import NotificationDaemon
from waiting import wait_for

PROGRAM = "roundel-window"
MANIFEST = """[Provider]
Name=Cloud Drive
Description=Shows what Cloud Drive does with your files
BusName=org.example.CloudDrive
ObjectPath=/org/example/CloudDrive
"""


class WindowSettingsScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager | None) -> None:
        del file_manager
        self.desktop = desktop
        self.roundel = service.roundel
        self.folder = desktop.home / "Documents"
        self.window = Accessible(desktop, PROGRAM)
        self.daemon = NotificationDaemon(desktop)

    def run(self) -> None:
        self.is_asked_about_a_new_provider()
        self.desktop.spawn("window", [PROGRAM], G_DEBUG="fatal-criticals")
        self.checks_the_computer()
        self.turns_engines_on_and_off()
        self.says_why_an_item_is_not_synced()
        self.shows_the_history()
        self.reports_a_problem()

    def engine(self, name: str) -> dict[str, Any]:
        found = json.loads(self.roundel("providers", "--json"))
        return dict(next(one for one in found if one["id"] == name))

    def is_asked_about_a_new_provider(self) -> None:
        place = pathlib.Path(self.desktop.environment["XDG_DATA_HOME"], "roundel/providers")
        place.mkdir(parents=True)
        (place / "cloud-drive.provider").write_text(MANIFEST)
        self.daemon.start()
        assert self.engine("cloud-drive")["new"]
        asked = self.daemon.wait_for("Turn on “Cloud Drive”?")
        assert "Shows what Cloud Drive does" in asked.text, asked.text

    def choose(self, entry: str) -> None:
        self.window.click("push button", "Main Menu")
        self.window.click("menu item", entry)

    def checks_the_computer(self) -> None:
        """Nothing is synced yet, which its button mends."""
        self.choose("Check This Computer")
        self.window.wait_for("list item", lambda name: name.startswith("Could be better, No folder is synced yet."))
        self.window.wait_for("list item", lambda name: name == "Good, Syncing works.")
        self.desktop.shoot("checkup")
        self.window.click("push button", "Add a Folder")
        self.window.wait_for("label", "Where Are Your Files?")
        self.window.click("push button", "Cancel")
        self.window.wait_until_gone("label", "Where Are Your Files?")

    def turns_engines_on_and_off(self) -> None:
        self.choose("Sync Engines")
        self.window.wait_for("list item", lambda name: name.startswith("Cloud Drive, Just installed"))
        self.desktop.shoot("engines")
        self.window.click("push button", "Turn on Cloud Drive")
        wait_for("the provider to be on", lambda: self.engine("cloud-drive")["enabled"])
        # Nothing can start it, which is said where it can be turned off again.
        self.window.wait_for("list item",
                             lambda name: name.startswith("Cloud Drive, On, but it does not run, It could not be started"))
        self.desktop.shoot("broken")
        self.window.toggle("check box", "Cloud Drive")
        wait_for("the provider to be off", lambda: not self.engine("cloud-drive")["enabled"])
        self.window.wait_for("list item", lambda name: name.startswith("Cloud Drive, Off"))
        self.desktop.screen.keys("Escape")
        self.window.wait_until_gone("list item", lambda name: name.startswith("Cloud Drive, Off"))

    def says_why_an_item_is_not_synced(self) -> None:
        remote = self.desktop.work / "remote"
        for directory in (self.folder, remote):
            directory.mkdir()
        for name in ("plan.txt", "draft.tmp"):
            (self.folder / name).write_text("text\n")
        self.roundel("add", str(self.folder), str(remote))
        self.roundel("sync", str(self.folder), "--wait")
        self.roundel("exclude", str(self.folder), "*.tmp")
        self.roundel("sync", str(self.folder), "--wait")
        self.roundel("do", "roundel/why", str(self.folder / "draft.tmp"))
        self.window.wait_for("label", "draft.tmp: Not synced")
        self.window.wait_for("label", "Names like this are not synced.")
        self.desktop.shoot("why")
        self.desktop.screen.keys("Escape")
        self.window.wait_until_gone("label", "draft.tmp: Not synced")

    def shows_the_history(self) -> None:
        self.roundel("do", "roundel/history", str(self.folder / "plan.txt"))
        # The list of everything that was done has the line as well.
        self.window.wait_for("label", "What was done with ~/Documents/plan.txt")
        self.window.wait_for("list item", lambda name: name.startswith("plan.txt, Uploaded"))
        self.desktop.shoot("history")

    def reports_a_problem(self) -> None:
        """It is there to be read before it is copied or saved, and has no name of a folder or a file."""
        self.choose("Report a Problem…")
        shown = wait_for("the report", lambda: self.window.text("Report"))
        self.window.click("push button", "Copy")
        self.desktop.shoot("report")
        assert shown.startswith("Roundel ") and "Folders: 1\n- directory, on " in shown, shown
        for name in ("Documents", "plan", "draft", str(self.desktop.home)):
            assert name not in shown, f"{name} in {shown}"
        self.desktop.screen.expect_clipboard(shown)
        self.window.click("push button", "Save…")
        # A dialog of GTK has no role of its own here.
        self.window.wait_for("filler", "Save the Report")
        file = self.desktop.home / "report.txt"
        self.desktop.screen.keys("ctrl+a")
        self.desktop.screen.type(str(file))
        self.desktop.screen.keys("Return")
        wait_for("the saved report", lambda: file.exists() and file.read_text() == shown)
        self.desktop.shoot("report-saved")
