"""A folder on demand in a window of a file manager, with the real worker and mount: what is true of its items, and what is
shown of them. Scenarios of their menus and of the trash begin with it."""
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import marked_words
from desktop import COLOURS, Desktop
from file_manager import FileManager
from installed import InstalledServices
from metadata_helper import MetadataHelper
from metadata_scenario import set_icon_theme
from screen import Box, Picture
from waiting import Failure, pump, wait_for

LETTER, ARCHIVE, FILMS = "Letter.txt", "Archive.zip", "Films"
LONG, SHORT = f"{FILMS}/Long.txt", f"{FILMS}/Short.txt"
SIZES = {LETTER: 41_000, ARCHIVE: 120_000, LONG: 200_000, SHORT: 60_000}
# The icon of each item, in its own colour, which no text has; the names that the types have.
ITEMS = {
    LETTER: ("3BCA57", ("text-plain", "text-x-generic")),
    ARCHIVE: ("C03FD3", ("application-zip", "package-x-generic")),
    FILMS: ("C19A6B", ("folder", "inode-directory")),
}
SHOWN = ("synced", "online-only", "pinned")  # badges that the items can have
METADATA_SHOWN = ("online-only",)  # of these, those that the helper writes as emblems
TRANSFERS = ("downloaded", "uploaded", "copied-out")
OWN = ".roundel"  # in which the services keep what they need at a remote, and what was deleted there


class ContentsScenario:
    words: Mapping[str, int] = MappingProxyType({})  # sentences of the services that begin with marks: how many

    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.roundel = service.roundel
        self.file_manager = file_manager
        self.folder = desktop.home / "Cloud"
        self.remote = desktop.work / "remote"
        self.helper = MetadataHelper(desktop) if file_manager.name in ("thunar", "pcmanfm-qt") else None
        self.shown = METADATA_SHOWN if self.helper else SHOWN
        self.places: dict[str, tuple[int, int]] = {}
        self.seen = 0  # the number of the last transfer that was looked at

    # Preparing

    def prepare(self) -> None:
        set_icon_theme(self.desktop, "RoundelTest")
        for colour, names in ITEMS.values():
            for name in names:
                self.desktop.add_test_icon(name, colour)
        marked_words.speak(self.desktop, self.words)
        for path, size in SIZES.items():
            file = self.remote / path
            file.parent.mkdir(parents=True, exist_ok=True)
            # Random letters: what is no archive has no preview either.
            file.write_text(os.urandom(size // 2).hex())
        self.folder.mkdir()
        self.roundel("add", str(self.folder), str(self.remote), "--on-demand", "--wait")
        (self.folder / SHORT).read_bytes()
        self.expect_fetched("read by a program", SHORT)
        if self.helper:
            self.helper.start()

    def open_window(self) -> None:
        self.file_manager.open(str(self.folder))
        self.screen.move(2, 2)
        self.find_places()
        self.expect_badges("opened", {LETTER: ["online-only"], ARCHIVE: ["online-only"]})

    def find_places(self) -> None:
        wait_for("the items", lambda: all(self.screen.grab().has(colour) for colour, _ in ITEMS.values()))
        picture = self.screen.wait_until_still(0.6)
        for name, (colour, _) in ITEMS.items():
            # The places beside the items have small icons of the same kind.
            box = max(picture.boxes(colour), key=lambda box: (box.right - box.left) * (box.bottom - box.top))
            self.places[name] = box.centre

    # What is true

    def transfers(self) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = json.loads(self.roundel("activity", "--json"))
        return [entry for entry in entries if entry["sequence"] > self.seen and entry["action"] in TRANSFERS]

    def expect_fetched(self, what: str, *paths: str) -> None:
        """Exactly these were fetched since the last time, each once, and nothing else was transferred."""
        self.expect_transfers(what, *(("downloaded", path) for path in paths))

    def expect_transfers(self, what: str, *entries: tuple[str, str]) -> None:
        """Exactly these are in the log since the last time: what was done, and with which item."""
        wanted = sorted(entries)
        wait_for(what, lambda: len(self.transfers()) >= len(wanted))
        pump(0.4)
        transfers = self.transfers()
        self.seen = max((entry["sequence"] for entry in transfers), default=self.seen)
        moved = sorted((entry["action"], os.path.relpath(entry["path"], self.folder)) for entry in transfers)
        print(f"  {what}: {moved}", flush=True)
        if moved != wanted:
            raise Failure(f"{what}: {wanted} should be transferred, not {moved}")

    def said(self, names: Sequence[str]) -> list[tuple[str, bool]]:
        """Of each item what is said to be here, and whether it is kept."""
        paths = [str(self.folder / name) for name in names]
        found = json.loads(self.roundel("badge", *paths, "--json", "--attributes"))
        return [(item["attributes"]["contents"], item["attributes"]["pinned"]) for item in found]

    def expect_contents(self, contents: str, *names: str, pinned: bool = False) -> None:
        """What is here of items, as it is said and as the disk has it."""
        said: list[tuple[str, bool]] = []

        def is_right() -> bool:
            said[:] = self.said(names)
            return said == [(contents, pinned)] * len(names)
        try:
            wait_for(f"{names} to be {contents}, pinned: {pinned}", is_right)
        except Failure as failure:
            raise Failure(f"{failure}; they are {said}") from None
        for name in names:
            self.expect_blocks(contents, name)

    def expect_blocks(self, contents: str, name: str) -> None:
        """The disk has as much of an item as that, and it is what the remote has."""
        files = [path for path in SIZES if path == name or path.startswith(f"{name}/")]
        here = [self.is_here(path) for path in files]
        if contents != ("here" if all(here) else "partly" if any(here) else "online"):
            raise Failure(f"{name} is said to be {contents}, but the blocks of {files} are there: {here}")
        for path in (path for path in files if self.is_here(path)):
            if (self.folder / path).read_bytes() != (self.remote / path).read_bytes():
                raise Failure(f"{path} is not what the remote has")

    def is_here(self, path: str) -> bool:
        return (self.folder / path).stat().st_blocks > 0

    # What is shown

    def badges(self, picture: Picture) -> dict[str, list[str]]:
        """The badges of each item: those that are nearer to it than to the others."""
        found: dict[str, list[str]] = {name: [] for name in self.places}
        for badge in self.shown:
            for box in picture.boxes(COLOURS[badge]):
                x, y = box.centre
                name = min(self.places, key=lambda name: abs(self.places[name][0] - x) + abs(self.places[name][1] - y))
                found[name].append(badge)
        return found

    def expect_badges(self, what: str, wanted: dict[str, list[str]]) -> None:
        seen: dict[str, list[str]] = {}

        def shown() -> bool:
            # Thunar selects what comes back, some time after it is there. Two clicks are no double click.
            self.deselect()
            pump(0.8)
            seen.update(self.badges(self.screen.grab()))
            return all(seen[name] == [badge for badge in badges if badge in self.shown] for name, badges in wanted.items())
        try:
            wait_for(what, shown)
        except Failure as failure:
            raise Failure(f"{failure}: {wanted} should be shown, not {seen}") from None
        self.desktop.shoot(what)
        print(f"  {what}: shown {seen}", flush=True)

    # Clicks

    def deselect(self) -> None:
        """What is selected, or under the pointer, is drawn in other colours."""
        self.screen.click(*self.background())
        self.screen.move(2, 2)

    def background(self) -> tuple[int, int]:
        """A place in the window where no item is."""
        box = self.window_box()
        return box.right - 60, box.bottom - 80

    def window_box(self) -> Box:
        return self.screen.window_box(self.screen.windows(self.file_manager.window_class)[0])

    # On the remote

    def on_remote(self) -> list[str]:
        """Everything that is there of the folder's items."""
        found = (path.relative_to(self.remote) for path in self.remote.rglob("*"))
        return sorted(str(path) for path in found if path.parts[0] != OWN)

    # The end

    def end(self) -> None:
        self.file_manager.close()
        self.file_manager.nothing_complained()
        if self.helper:
            self.helper.end()
        self.unmount()

    def unmount(self) -> None:
        """As the end of a session does it where systemd runs it."""
        subprocess.run(["fusermount3", "-u", "-z", str(self.folder)], check=True)
