"""The whole of it: a folder that the installed services sync, shown by a file manager while it changes."""
import os

from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from waiting import Failure, pump

UNSETTLED = ["pending", "syncing", "paused", "error", "conflict"]
CONFLICT_COLOUR = "F57C1F"  # of the emblem that is installed
FILM_SIZE = 512 << 20  # bytes; several times what is written before the transfer is held


class SyncedFolderScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.roundel = service.roundel
        self.folder = str(desktop.home / "Documents")
        self.remote = str(desktop.work / "remote")

    # Acting

    def write(self, path: str, text: str = "text\n") -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def make_files(self) -> None:
        for name in ("Budget.ods", "Letter.odt", "Photos/Lake.jpg", "Photos/Hill.jpg", "Thesis/Chapter 1.odt",
                     "Notes.txt", "Talk.odp"):
            self.write(os.path.join(self.folder, name), f"{name}\n" * 100)
        os.mkdir(self.remote)

    # Steps

    def folder_is_added(self) -> None:
        self.roundel("add", self.folder, self.remote, "--wait")
        self.file_manager.begin_afresh()
        self.file_manager.open(self.folder)
        self.file_manager.expect_shown("synced", ["synced"], UNSETTLED)
        self.file_manager.expect_observed("observing the folder", self.folder)

    def edit(self) -> None:
        """A file that is still being written waits; then it is on its way; then it is there."""
        with open(self.folder + "/Film.mkv", "wb") as film:
            self.file_manager.expect_shown("being written", ["synced", "pending"], ["syncing", "error"])
            block = os.urandom(1 << 20)
            film.writelines(block for _ in range(FILM_SIZE >> 20))
            before = self.service.written()
        with self.service.held_transfer(before):
            self.file_manager.expect_shown("on its way", ["synced", "syncing"])
        self.file_manager.expect_shown("arrived", ["synced"], UNSETTLED)
        if os.path.getsize(self.remote + "/Film.mkv") != FILM_SIZE:
            raise Failure("the film is shown as synced, but not all of it is at the remote")

    def error(self) -> None:
        """What cannot be read cannot be synced, until it can."""
        self.write(self.folder + "/Talk.odp", "secret\n")
        os.chmod(self.folder + "/Talk.odp", 0)
        self.file_manager.expect_shown("error", ["synced", "error"])
        os.chmod(self.folder + "/Talk.odp", 0o644)
        self.roundel("sync", self.folder, "--wait")
        self.file_manager.expect_shown("no error any more", ["synced"], UNSETTLED)

    def change_while_paused(self) -> None:
        self.roundel("pause", self.folder)
        self.write(self.folder + "/Notes.txt", "more\n")
        self.file_manager.expect_shown("paused", ["synced", "paused"])
        self.roundel("resume", self.folder)
        self.file_manager.expect_shown("resumed", ["synced"], UNSETTLED)

    def conflict(self) -> None:
        self.service.make_conflict(self.folder, self.remote, "Letter.odt")
        self.file_manager.expect_shown("conflict", ["synced", "conflict"])

    def resolution(self) -> None:
        self.roundel("resolve", self.folder + "/Letter.odt", "mine")
        self.file_manager.expect_shown("resolved", ["synced"], UNSETTLED)

    def exclusion(self) -> None:
        self.roundel("exclude", self.folder, "*.tmp")
        self.write(self.folder + "/Scratch.tmp")
        self.file_manager.expect_shown("excluded", ["synced", "excluded"])

    def service_dies(self) -> None:
        """Killed, it is activated again, and the plugin observes again by itself."""
        self.service.kill_until_started()
        self.file_manager.expect_nothing_shown("killed")
        self.file_manager.begin_afresh()
        self.service.start()
        self.file_manager.expect_shown("after a crash", ["synced", "excluded"])
        self.file_manager.expect_begun("observing the folder again", self.folder)

    def picture(self) -> None:
        """One with the icons that are installed, to be looked at."""
        self.desktop.remove_test_icons()
        self.service.make_conflict(self.folder, self.remote, "Budget.ods")
        self.roundel("pause", self.folder)
        self.write(self.folder + "/Talk.odp", "not yet\n")
        self.file_manager.forget_process()
        self.file_manager.open(self.folder)
        self.file_manager.expect_observed("observing for the picture", self.folder)
        pump(3)
        self.desktop.shoot("installed icons")
        self.menu_picture()

    def menu_picture(self) -> None:
        """One of the menu of a file in conflict, as a person opens it."""
        screen = self.desktop.screen
        emblem = screen.wait_for_colour(CONFLICT_COLOUR).boxes(CONFLICT_COLOUR)[0]
        screen.right_click(emblem.left - 16, emblem.bottom + 8)
        pump(2)
        self.desktop.shoot("menu of a conflict")

    def run(self) -> None:
        self.make_files()
        self.folder_is_added()
        self.edit()
        self.error()
        self.change_while_paused()
        self.conflict()
        self.resolution()
        self.exclusion()
        self.service_dies()
        self.file_manager.close()
        self.file_manager.leave()
        self.file_manager.nothing_complained()
        self.picture()
