"""A folder that the installed services sync, shown by Thunar or PCManFM-Qt while it changes. What the helper writes
must not make the worker do anything."""
import json
import os
from typing import Any

from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from metadata_helper import MetadataHelper, emblems
from metadata_scenario import set_icon_theme
from waiting import Failure, pump, wait_for

UNSETTLED = ["pending", "syncing", "paused", "error", "conflict"]
FILM_SIZE = 512 << 20  # bytes; several times what is written before the transfer is held


class MetadataSyncedScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.helper = MetadataHelper(desktop)
        self.folder = str(desktop.home / "Documents")
        self.remote = str(desktop.work / "remote")

    def write(self, name: str, text: str = "text\n", root: Any = None) -> None:
        path = os.path.join(root or self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def transfers(self) -> list[tuple[str, str]]:
        """What the worker says it did, newest first."""
        entries = json.loads(self.service.roundel("activity", "--json"))
        return [(entry["action"], os.path.basename(entry["path"])) for entry in entries]

    def messages(self) -> list[str]:
        """What the worker said about items, newest first."""
        return [entry["message"] for entry in json.loads(self.service.roundel("activity", "--json")) if entry["message"]]

    # Steps

    def add_folder(self) -> None:
        for name in ("Budget.ods", "Letter.odt", "Photos/Lake.jpg", "Thesis/Chapter 1.odt", "Notes.txt"):
            self.write(name, f"{name}\n" * 100)
        os.mkdir(self.remote)
        self.service.roundel("add", self.folder, self.remote, "--wait")
        self.helper.start()
        self.file_manager.open(self.folder)
        self.file_manager.open(os.path.dirname(self.folder))
        self.file_manager.expect_shown("the folder", ["synced"], UNSETTLED)

    def film(self) -> None:
        """The folder shows that something moves; the file that moves is not disturbed: it is transferred once."""
        with open(self.path("Film.mkv"), "wb") as film:
            for _ in range(FILM_SIZE >> 20):
                film.write(os.urandom(1 << 20))
                pump(0.001)
            before = self.service.written()
        written = os.stat(self.path("Film.mkv"))
        with self.service.held_transfer(before):
            self.file_manager.expect_shown("on its way", ["syncing"])
        self.file_manager.expect_shown("arrived", ["synced"], UNSETTLED)
        now = os.stat(self.path("Film.mkv"))
        if (now.st_mtime_ns, now.st_ctime_ns) != (written.st_mtime_ns, written.st_ctime_ns):
            raise Failure(f"the file was touched while it was transferred: {written}, now {now}; {self.messages()}")
        if self.transfers().count(("uploaded", "Film.mkv")) != 1:
            raise Failure(f"the film was not uploaded once: {self.transfers()}")

    def pause(self) -> None:
        self.service.roundel("pause", self.folder)
        self.write("Notes.txt", "more\n")
        self.write("Thesis/Chapter 1.odt", "more\n")
        for name in ("Notes.txt", "Thesis", "Thesis/Chapter 1.odt"):
            wait_for(f"{name} paused", lambda: emblems(self.desktop, self.path(name)) == ["emblem-roundel-paused"])
        self.file_manager.expect_shown("paused", ["paused"])
        self.helper.expect_idle("paused", self.path("Notes.txt"), self.path("Thesis"))
        self.service.roundel("resume", self.folder)
        self.file_manager.expect_shown("resumed", ["synced"], UNSETTLED)
        for name in ("Notes.txt", "Thesis", "Thesis/Chapter 1.odt"):
            wait_for(f"{name} synced", lambda: not emblems(self.desktop, self.path(name)))
        self.helper.expect_idle("resumed", self.path("Notes.txt"), self.path("Thesis/Chapter 1.odt"))

    def conflict(self) -> None:
        self.service.roundel("pause", self.folder)
        self.write("Letter.odt", "mine\n")
        self.write("Letter.odt", "theirs\n", self.remote)
        self.service.roundel("resume", self.folder)
        self.service.roundel("sync", self.folder, "--wait")
        self.file_manager.expect_shown("conflict", ["conflict"])
        self.helper.expect_idle("conflict", self.path("Letter.odt"))
        self.service.roundel("resolve", self.path("Letter.odt"), "mine")
        self.file_manager.expect_shown("resolved", ["synced"], UNSETTLED)

    def nothing_more_happens(self) -> None:
        """Every file was touched when its emblem went. The worker looks at it and has nothing to do."""
        self.service.roundel("sync", self.folder, "--wait")
        before = self.transfers()
        self.helper.expect_idle("at the end", *(self.path(name) for name in ("Letter.odt", "Notes.txt", "Thesis")))
        if self.transfers() != before:
            raise Failure(f"the worker went on: {self.transfers()}")
        for name in ("Notes.txt", "Chapter 1.odt"):
            if self.transfers().count(("uploaded", name)) != 2:
                raise Failure(f"{name} was not uploaded at first and once more: {self.transfers()}")

    def services_die(self) -> None:
        self.service.kill_until_started()
        self.file_manager.expect_nothing_shown("killed")
        self.service.start()
        self.file_manager.expect_shown("after a crash", ["synced"])

    def picture(self) -> None:
        """One with the icons that are installed, to be looked at."""
        self.helper.end()
        self.file_manager.close()
        self.desktop.remove_test_icons()
        set_icon_theme(self.desktop, "breeze")
        self.service.roundel("pause", self.folder)
        self.write("Notes.txt", "not yet\n")
        self.write("Letter.odt", "mine again\n")
        self.write("Letter.odt", "theirs again\n", self.remote)
        self.service.roundel("resume", self.folder)
        self.service.roundel("sync", self.folder, "--wait")
        self.service.roundel("pause", self.folder)
        self.write("Photos/Lake.jpg", "not yet\n")
        self.write("Budget.ods", "not yet\n")
        self.helper.start()
        wait_for("an emblem", lambda: emblems(self.desktop, self.path("Budget.ods")))
        self.file_manager.forget_process()
        self.file_manager.open(self.folder)
        pump(2)
        self.desktop.shoot("installed icons")
        self.helper.end()
        self.file_manager.close()

    def run(self) -> None:
        set_icon_theme(self.desktop, "RoundelTest")
        self.add_folder()
        self.film()
        self.pause()
        self.conflict()
        self.nothing_more_happens()
        self.services_die()
        self.helper.nothing_complained()
        self.picture()

    def explain(self) -> list[str]:
        return [f"recorded: {self.helper.recorded()}", f"transfers: {self.transfers()}",
                *self.desktop.last_lines("roundel-metadata")]
