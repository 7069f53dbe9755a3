"""Programs that read every file which they find, to search it or to draw it small, told to do so for a folder on demand and
for a plain directory beside it: the plain one is indexed, and of the other nothing is fetched. That a program fetched nothing
tells nothing unless it has been there, so it has to say itself that it has dealt with a file whose contents are not here."""
import os
import pathlib
import shlex
import shutil
import subprocess
from collections.abc import Callable
from typing import Any, ClassVar

import all_types
import scenarios
import wire
from desktop import Desktop
from file_manager import FileManager
from gi.repository import Gio, GLib
from mounted_folder import MountedFolder
from provider import ProvidedService
from waiting import CALL_MILLISECONDS, PROGRAM_SECONDS, Failure, pump, wait_for

WORD = "quetzalcoatl"
NOTES, PICTURE = "notes.txt", "photo.jpg"
RENAMED, WRITTEN = "renamed.txt", "written.txt"
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

    def is_done_with(self, file: pathlib.Path) -> bool:
        """Whether the program says that it has dealt with a file whose contents are not here."""
        raise NotImplementedError

    def expect(self, what: str, condition: Callable[[pathlib.Path], bool], file: pathlib.Path) -> None:
        wait_for(f"{self.program} to {what}", lambda: condition(file), INDEX_SECONDS)
        print(f"  {self.program}: seen to {what}", flush=True)

    def run(self) -> None:
        self.prepare()
        self.configure()
        self.work()
        self.expect("know the plain directory", self.knows, self.subject(self.plain))
        self.expect("be done with a placeholder", self.is_done_with, self.subject(self.folder.path))
        pump(QUIET)
        self.folder.expect_fetched(self.program)
        if self.knows(self.subject(self.folder.path)):
            raise Failure(f"{self.program} knows what is in a file that is not here")
        self.notices_changes()

    def notices_changes(self) -> None:
        """Of programs that watch."""

    def subject(self, directory: pathlib.Path) -> pathlib.Path:
        return directory / NOTES

    def explain(self) -> list[str]:
        return self.folder.explain()


class WatchingScenario(IndexerScenario):
    """An indexer that hears of changes."""

    def work(self) -> None:
        """As a session does."""
        entry = GLib.KeyFile()
        entry.load_from_file(f"/etc/xdg/autostart/{self.program}.desktop", GLib.KeyFileFlags.NONE)
        self.desktop.spawn(self.program, shlex.split(entry.get_string("Desktop Entry", "Exec")))

    def lists(self, file: pathlib.Path) -> bool:
        """Whether the program knows that there is a file of that name."""
        raise NotImplementedError

    def notices_changes(self) -> None:
        """A file of both directories gets another name, and both get one more, whose contents are here."""
        for directory in (self.plain, self.folder.path):
            os.rename(directory / NOTES, directory / RENAMED)
            (directory / WRITTEN).write_text(f"{WORD} was written here\n")
        for directory in (self.plain, self.folder.path):
            self.expect(f"know what was written in {directory.name}", self.knows, directory / WRITTEN)
            self.expect(f"list another name in {directory.name}", self.lists, directory / RENAMED)
        pump(QUIET)
        self.folder.expect_fetched(f"{self.program}, after changes")
        if self.knows(self.folder.path / RENAMED):
            raise Failure(f"{self.program} knows what is in a renamed file that is not here")


class TrackerScenario(WatchingScenario):
    """The indexer of GNOME, with its extractor; it is called Localsearch since 3.8."""
    asked = scenarios.TRACKER
    program = "localsearch-3" if asked == "localsearch" else "tracker-miner-fs-3"

    def configure(self) -> None:
        self.desktop.write_setting(
            "glib-2.0/settings/keyfile",
            "[org/freedesktop/tracker/miner/files]\ninitial-sleep=0\nthrottle=0\nindex-removable-devices=true\n"
            f"index-single-directories=@as []\nindex-recursive-directories={[str(self.folder.path), str(self.plain)]}\n")

    def work(self) -> None:
        super().work()
        # The bus starts a second one for who asks before the first is there, which finds half a database and gives up.
        connection = wire.connect(self.desktop.address)

        def is_there() -> bool:
            return bool(connection.call_sync(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                GLib.Variant("(s)", ("org.freedesktop.Tracker3.Miner.Files",)), None, 0, CALL_MILLISECONDS, None)[0])
        wait_for(f"{self.program} to be on the bus", is_there, INDEX_SECONDS)
        connection.close_sync(None)

    def said_of(self, file: pathlib.Path) -> str:
        return self.say(self.asked, "info", "--plain-text-content", str(file))

    def knows(self, file: pathlib.Path) -> bool:
        return WORD in self.said_of(file)

    def is_done_with(self, file: pathlib.Path) -> bool:
        """It lists what it could not read."""
        return wire.uri(file) in self.say(self.asked, "status")

    def lists(self, file: pathlib.Path) -> bool:
        return "nfo:fileName" in self.said_of(file)


class BalooScenario(WatchingScenario):
    """The indexer of KDE, with its extractor."""
    program = "baloo_file"
    search, control = scenarios.BALOO

    def configure(self) -> None:
        self.desktop.write_setting(
            "baloofilerc",
            "[Basic Settings]\nIndexing-Enabled=true\n\n[General]\nfirst run=true\nonly basic indexing=false\n"
            f"folders={self.folder.path}/,{self.plain}/\nexclude folders=\nexclude filters=\n")

    def knows(self, file: pathlib.Path) -> bool:
        return str(file) in self.say(self.search, WORD)

    def is_done_with(self, file: pathlib.Path) -> bool:
        return "Content Indexing: Done" in self.say(self.control, "status", str(file))

    def lists(self, file: pathlib.Path) -> bool:
        return str(file) in self.say(self.search, f"filename:{file.stem}")


class TumblerScenario(IndexerScenario):
    """The thumbnailer of Xfce, asked for pictures as a file manager does."""
    program = "tumblerd"
    interface, path = "org.freedesktop.thumbnails.Thumbnailer1", "/org/freedesktop/thumbnails/Thumbnailer1"

    def configure(self) -> None:
        """It needs to be told nothing, and tells of what it could draw nothing."""
        self.failed: set[str] = set()
        self.connection = wire.connect(self.desktop.address)

        def note(*signal: Any) -> None:
            self.failed.update(signal[5].unpack()[1])
        self.connection.signal_subscribe(None, self.interface, "Error", self.path, None, Gio.DBusSignalFlags.NONE, note)

    def work(self) -> None:
        files = [path for directory in (self.folder.path, self.plain) for path in sorted(directory.iterdir())
                 if path.suffix in (".jpg", ".png", ".svg", ".pdf")]
        types = {".jpg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml", ".pdf": "application/pdf"}
        self.connection.call_sync(
            self.interface, self.path, self.interface, "Queue",
            GLib.Variant("(asasssu)", ([wire.uri(file) for file in files], [types[file.suffix] for file in files],
                                       "normal", "default", 0)), None, 0, CALL_MILLISECONDS, None)

    def subject(self, directory: pathlib.Path) -> pathlib.Path:
        return directory / PICTURE

    def knows(self, file: pathlib.Path) -> bool:
        name = GLib.compute_checksum_for_string(GLib.ChecksumType.MD5, wire.uri(file), -1)
        return (self.desktop.home / f".cache/thumbnails/normal/{name}.png").exists()

    def is_done_with(self, file: pathlib.Path) -> bool:
        return wire.uri(file) in self.failed
