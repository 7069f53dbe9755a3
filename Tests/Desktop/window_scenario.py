"""The window: read as a screen reader does, and used by its buttons alone; what they do is asked of the services."""
import json
import pathlib
from typing import Any

from accessible import Accessible
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from waiting import wait_for

PROGRAM = "roundel-window"
MANY = 30  # files: so many deletions at once are held back


class WindowScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager | None) -> None:
        del file_manager
        self.desktop = desktop
        self.service = service
        self.roundel = service.roundel
        self.folder = desktop.home / "Documents"
        self.remote = desktop.work / "remote"
        self.window = Accessible(desktop, PROGRAM)
        self.compared = desktop.work / "compared"
        self.process: Any = None

    def run(self) -> None:
        self.make_folder()
        self.install_compare_tool()
        self.open()
        self.pauses_and_resumes()
        self.resolves_a_conflict()
        self.restores_what_was_deleted()
        self.shows_the_activity()
        self.restores_a_version()
        self.stops_syncing()

    def make_folder(self) -> None:
        for directory in (self.folder, self.remote):
            directory.mkdir()
        for number in range(MANY):
            (self.folder / f"Letter {number}.txt").write_text("first\n")
        self.roundel("add", str(self.folder), str(self.remote))
        self.roundel("sync", str(self.folder), "--wait")

    def install_compare_tool(self) -> None:
        """A program that is to show two files, and notes which."""
        programs = self.desktop.work / "programs"
        programs.mkdir()
        tool = programs / "meld"
        tool.write_text(f'#!/bin/sh\ncat "$1" "$2" >"{self.compared}"\n')
        tool.chmod(0o755)
        self.desktop.environment["PATH"] = f"{programs}:{self.desktop.environment['PATH']}"

    def open(self) -> None:
        self.process = self.desktop.spawn("window", [PROGRAM], G_DEBUG="fatal-criticals")
        self.window.wait_for("list item", lambda name: name.startswith("Documents, Up to date, ~/Documents ↔ "))
        self.desktop.shoot("folders")

    def state(self) -> str:
        return str(json.loads(self.roundel("status", "--json"))["folders"][0]["state"])

    def choose(self, entry: str) -> None:
        """In the menu of the folder."""
        self.window.click("push button", "More actions for Documents")
        self.window.click("menu item", entry)

    def pauses_and_resumes(self) -> None:
        self.choose("Pause until I Resume")
        wait_for("the folder to be paused", lambda: self.state() == "paused")
        self.window.wait_for("list item", lambda name: name.startswith("Documents, Paused"))
        self.desktop.shoot("paused")
        self.window.click("push button", "Resume Syncing")
        wait_for("the folder to be resumed", lambda: self.state() == "synced")
        self.choose("Pause for an Hour")
        wait_for("the folder to be paused", lambda: self.state() == "paused")
        self.choose("Resume Syncing")
        wait_for("the folder to be resumed", lambda: self.state() == "synced")

    def conflicts(self) -> list[Any]:
        return list(json.loads(self.roundel("conflicts", "--json")))

    def resolves_a_conflict(self) -> None:
        self.service.make_conflict(str(self.folder), str(self.remote), "Report.txt")
        self.window.click("push button", "Show Problems")
        self.window.wait_for("list item", self.is_conflict)
        self.desktop.shoot("conflict")
        self.window.click("push button", "Compare")
        self.window.wait_for("frame", "Report.txt")
        self.desktop.shoot("comparison")
        self.window.click("push button", "Compare in Meld")
        wait_for("both versions to be compared", lambda: self.text(self.compared) == "theirs\nmine\n")
        self.desktop.screen.keys("Escape")
        self.window.wait_until_gone("frame", "Report.txt")
        self.window.click("push button", "Keep this computer's version of Report.txt")
        wait_for("the conflict to be resolved", lambda: not self.conflicts())
        self.window.wait_until_gone("list item", self.is_conflict)
        wait_for("the version of this computer on the remote", lambda: self.text(self.remote / "Report.txt") == "mine\n")

    @staticmethod
    def is_conflict(name: str) -> bool:
        return name == "Report.txt, Changed on this computer and on the remote, Documents"

    @staticmethod
    def is_letter(name: str) -> bool:
        return name.startswith("Letter 7.txt, Deleted on the remote")

    @staticmethod
    def text(file: pathlib.Path) -> str:
        return file.read_text() if file.exists() else ""

    def letters(self, directory: pathlib.Path) -> int:
        return len(list(directory.glob("Letter *.txt")))

    def restores_what_was_deleted(self) -> None:
        for file in self.folder.glob("Letter *.txt"):
            file.unlink()
        self.roundel("sync", str(self.folder), "--wait")
        self.window.wait_for("list item", f"Documents: {MANY} deletions need your answer")
        self.desktop.shoot("deletions")
        self.window.click("push button", "Restore")
        wait_for("the files to be back", lambda: self.letters(self.folder) == MANY)
        self.window.wait_until_gone("push button", "Restore")
        for file in self.folder.glob("Letter *.txt"):
            file.unlink()
        self.roundel("sync", str(self.folder), "--wait")
        self.window.click("push button", "Delete")
        wait_for("the deletions on the remote", lambda: self.letters(self.remote) == 0)

    def shows_the_activity(self) -> None:
        self.window.click("page tab", "Activity")
        self.window.wait_for("list item", lambda name: name.startswith("Report.txt, Uploaded"))
        self.desktop.shoot("activity")
        self.window.wait_for("list item", self.is_letter)
        self.window.type("Search the activity", "report uploaded")
        self.window.wait_until_gone("list item", self.is_letter)
        self.window.wait_for("list item", lambda name: name.startswith("Report.txt, Uploaded"))

    def restores_a_version(self) -> None:
        self.window.click("page tab", "Versions")
        self.window.wait_for("list item", lambda name: name.startswith("Letter 7.txt, Deleted"))
        self.desktop.shoot("versions")
        self.window.click("push button", "Restore Letter 7.txt")
        wait_for("the file to be back", lambda: self.text(self.folder / "Letter 7.txt") == "first\n")
        self.window.click("push button", "Restore everything since Letter 5.txt went")
        self.window.wait_for("label", lambda name: name.startswith("Restore Everything since "))
        self.desktop.shoot("restore-since")
        self.window.click("push button", lambda name: name.startswith("In All of “Documents”"))
        wait_for("all files to be back", lambda: self.letters(self.folder) >= MANY)

    def stops_syncing(self) -> None:
        self.window.click("page tab", "Folders")
        self.choose("Stop Syncing…")
        self.window.wait_for("label", "Stop Syncing “Documents”?")
        self.desktop.shoot("question")
        # libadwaita says the words of such a button twice.
        self.window.click("push button", lambda name: name.startswith("Stop Syncing"))
        wait_for("the folder to be removed", lambda: not json.loads(self.roundel("list", "--json")))
        self.window.wait_until_gone("list item", lambda name: name.startswith("Documents, "))
        self.desktop.shoot("empty")
