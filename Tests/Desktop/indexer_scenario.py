"""Programs that read every file which they find, to search it or to draw it small, told to do so for a folder on demand and
for a plain directory beside it: the plain one is indexed, and of the other nothing is fetched."""
import os
import pathlib
import shutil
import subprocess
from typing import ClassVar

import all_types
import wire
from desktop import Desktop
from file_manager import FileManager
from gi.repository import GLib
from mounted_folder import MountedFolder
from provider import ProvidedService
from waiting import CALL_MILLISECONDS, PROGRAM_SECONDS, Failure, pump, wait_for

WORD = "quetzalcoatl"
NOTES, PICTURE = "notes.txt", "photo.jpg"
INDEX_SECONDS = 600  # they run as the system is idle, and get nothing of cores that are busy
QUIET = 3.0  # seconds after which one that has indexed the one directory is done with the other as well


class IndexerScenario:
    """What they have in common."""
    program: ClassVar[str]

    def __init__(self, desktop: Desktop, _service: ProvidedService, _file_manager: FileManager | None) -> None:
        self.desktop = desktop
        self.folder = MountedFolder(desktop)
        self.plain = desktop.home / "Plain"

    def prepare(self) -> None:
        self.folder.originals.mkdir()
        for name, contents in all_types.files().items():
            (self.folder.originals / name).write_bytes(contents)
        (self.folder.originals / NOTES).write_text(f"{WORD} and more\n" * 20)
        shutil.copytree(self.folder.originals, self.plain)
        self.folder.start()

    def say(self, *command: str) -> str:
        """What a program says."""
        return subprocess.run(command, env=self.desktop.environment, capture_output=True, text=True,
                              timeout=PROGRAM_SECONDS, check=False).stdout

    def configure(self) -> None:
        raise NotImplementedError

    def work(self) -> None:
        """Has the program begin."""
        raise NotImplementedError

    def knows(self, file: pathlib.Path) -> bool:
        """Whether the program knows what is in the file."""
        raise NotImplementedError

    def run(self) -> None:
        self.prepare()
        self.configure()
        self.work()
        wait_for(f"{self.program} to know the plain directory", lambda: self.knows(self.subject(self.plain)),
                 INDEX_SECONDS)
        pump(QUIET)
        self.folder.expect_fetched(self.program)
        if self.knows(self.subject(self.folder.path)):
            raise Failure(f"{self.program} knows what is in a file that is not here")
        self.notices_changes()

    def notices_changes(self) -> None:
        """A file of both directories gets another name, and both get one more, which a program that watches knows soon."""
        for directory in (self.plain, self.folder.path):
            os.rename(directory / "data.csv", directory / "renamed.csv")
            (directory / "new.txt").write_text(f"{WORD} was written here\n")
        wait_for(f"{self.program} to know what was written", lambda: self.knows(self.plain / "new.txt"), INDEX_SECONDS)
        pump(QUIET)
        self.folder.expect_fetched(f"{self.program}, after changes")

    def subject(self, directory: pathlib.Path) -> pathlib.Path:
        return directory / NOTES

    def explain(self) -> list[str]:
        return self.folder.explain()


class TrackerScenario(IndexerScenario):
    """The indexer of GNOME, with its extractor."""
    program = "tracker-miner-fs-3"
    miner = "/usr/libexec/tracker-miner-fs-3"

    def configure(self) -> None:
        self.desktop.write_setting(
            "glib-2.0/settings/keyfile",
            "[org/freedesktop/tracker/miner/files]\ninitial-sleep=0\nthrottle=0\nindex-removable-devices=true\n"
            f"index-single-directories=@as []\nindex-recursive-directories={[str(self.folder.path), str(self.plain)]}\n")

    def work(self) -> None:
        self.desktop.spawn("tracker", [self.miner, "--initial-sleep", "0"])

    def knows(self, file: pathlib.Path) -> bool:
        found = self.say("tracker3", "sparql", "--dbus-service", "org.freedesktop.Tracker3.Miner.Files", "--query",
                         f"SELECT ?url {{ ?found fts:match '{WORD}' ; nie:isStoredAs ?url }}")
        return wire.uri(file) in found


class BalooScenario(IndexerScenario):
    """The indexer of KDE, with its extractor."""
    program = "baloo_file"

    def configure(self) -> None:
        self.desktop.write_setting(
            "baloofilerc",
            "[Basic Settings]\nIndexing-Enabled=true\n\n[General]\nfirst run=true\nonly basic indexing=false\n"
            f"folders={self.folder.path}/,{self.plain}/\nexclude folders=\nexclude filters=\n")

    def work(self) -> None:
        self.desktop.spawn("baloo", [self.program])

    def knows(self, file: pathlib.Path) -> bool:
        return str(file) in self.say("baloosearch", WORD)


class TumblerScenario(IndexerScenario):
    """The thumbnailer of Xfce, asked for pictures as a file manager does."""
    program = "tumblerd"

    def configure(self) -> None:
        """It needs to be told nothing."""

    def work(self) -> None:
        files = [path for directory in (self.folder.path, self.plain) for path in sorted(directory.iterdir())
                 if path.suffix in (".jpg", ".png", ".svg", ".pdf")]
        types = {".jpg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml", ".pdf": "application/pdf"}
        connection = wire.connect(self.desktop.address)
        connection.call_sync(
            "org.freedesktop.thumbnails.Thumbnailer1", "/org/freedesktop/thumbnails/Thumbnailer1",
            "org.freedesktop.thumbnails.Thumbnailer1", "Queue",
            GLib.Variant("(asasssu)", ([wire.uri(file) for file in files], [types[file.suffix] for file in files],
                                       "normal", "default", 0)), None, 0, CALL_MILLISECONDS, None)
        connection.close_sync(None)

    def notices_changes(self) -> None:
        """It watches nothing."""

    def subject(self, directory: pathlib.Path) -> pathlib.Path:
        return directory / PICTURE

    def knows(self, file: pathlib.Path) -> bool:
        name = GLib.compute_checksum_for_string(GLib.ChecksumType.MD5, wire.uri(file), -1)
        return (self.desktop.home / f".cache/thumbnails/normal/{name}.png").exists()
