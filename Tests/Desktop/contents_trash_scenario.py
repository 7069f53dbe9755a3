"""The trash of a folder on demand: a placeholder and a file that is here go there by the file manager's own key, and come back
by its own means, as what they were. The remote follows, and nothing is transferred but what has to be."""
import os
import pathlib
from typing import Any

from contents_scenario import ARCHIVE, FILMS, ITEMS, LETTER, LONG, SHORT, SIZES, ContentsScenario
from menu import Menu
from waiting import Failure, wait_for

# The entry of the trash's menu that restores an item: of those that can be chosen, the first being 0, the last -1.
RESTORE = {"nautilus": -2, "nemo": -2, "caja": -4, "dolphin": 0, "thunar": -2, "pcmanfm-qt": -3}
CANNOT_UNDO = ("pcmanfm-qt",)
TRASHED = (LETTER, ARCHIVE)


class ContentsTrashScenario(ContentsScenario):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # KDE has no trash in file systems that it does not know by their names, so that the file is moved to another one.
        self.goes_home = self.file_manager.name == "dolphin"
        self.before: dict[str, tuple[int, int]] = {}

    def open_window(self) -> None:
        super().open_window()
        (self.folder / ARCHIVE).read_bytes()
        self.expect_fetched("read before it is trashed", ARCHIVE)

    # What is true

    def trashes(self) -> tuple[pathlib.Path, pathlib.Path]:
        """The one that this file manager moves items to, and the other."""
        own = self.folder / f".Trash-{os.getuid()}/files"
        home = self.desktop.home / ".data/Trash/files"
        return (home, own) if self.goes_home else (own, home)

    def is_gone(self, name: str) -> bool:
        """From the folder, and from the window, which changes what is selected when it hears of it."""
        return not (self.folder / name).exists() and not self.screen.grab().has(ITEMS[name][0])

    def look(self) -> None:
        """What comes back has to be this again."""
        for name in TRASHED:
            status = (self.folder / name).stat()
            self.before[name] = (status.st_size, status.st_mtime_ns)

    # Steps

    def are_trashed(self, what: str, *names: str) -> None:
        self.look()
        # Moved to another file system, it is read.
        fetched = [name for name in names if self.goes_home and not self.is_here(name)]
        for name in names:
            self.deselect()
            self.screen.click(*self.places[name])
            self.screen.wait_until_still()
            self.screen.keys("Delete")
            wait_for(f"{name} to be gone", lambda name=name: self.is_gone(name))  # type: ignore[misc]
            self.screen.wait_until_still(0.6)
        place, other = self.trashes()
        wait_for("all in the trash", lambda: all((place / name).exists() for name in names))
        self.desktop.shoot(what)
        self.roundel("sync", str(self.folder), "--wait")
        left = sorted({LETTER, ARCHIVE, FILMS, LONG, SHORT} - set(names))
        wait_for("all gone at the remote", lambda: self.on_remote() == left)
        self.expect_fetched(what, *fetched)
        if any(other.rglob("*")):
            raise Failure(f"in the other trash: {list(other.rglob('*'))}")
        if ARCHIVE in names and (place / ARCHIVE).stat().st_blocks * 512 < SIZES[ARCHIVE]:
            raise Failure("what was here is not in the trash as it was")

    def are_back(self, what: str, *names: str) -> None:
        """With their names, dates, and contents or none, here and on the remote."""
        wait_for(f"{what}: {names} in the folder", lambda: all((self.folder / name).exists() for name in names))
        everything = sorted({LETTER, ARCHIVE, FILMS, LONG, SHORT})
        wait_for(f"{what}: {names} on the remote", lambda: self.on_remote() == everything)
        # What has come home with its contents, or always was here, is new to the remote.
        uploaded = [name for name in names if self.goes_home or name == ARCHIVE]
        self.expect_transfers(what, *(("uploaded", name) for name in uploaded))
        self.expect_contents("here", ARCHIVE)
        self.expect_contents("here" if self.goes_home else "online", LETTER)
        self.look_same(what)
        self.deselect()
        self.find_places()
        self.expect_badges(what, {LETTER: ["synced" if self.goes_home else "online-only"], ARCHIVE: ["synced"]})

    def look_same(self, what: str) -> None:
        before = dict(self.before)
        self.look()
        if self.before != before:
            raise Failure(f"{what}: sizes and dates were {before}, and are {self.before}")
        names = sorted(path.name for path in self.folder.iterdir() if not path.name.startswith("."))
        if names != sorted([LETTER, ARCHIVE, FILMS]):
            raise Failure(f"{what}: the folder has {names}")

    def undo(self, name: str) -> None:
        """Of what was done last, where the file manager can undo it."""
        if self.file_manager.name in CANNOT_UNDO:
            self.restore(name)
            return
        self.deselect()
        self.screen.keys("ctrl+z")

    def restore(self, name: str) -> None:
        """In the window of the trash, by the item's menu."""
        self.file_manager.open("trash:///")
        colour = ITEMS[name][0]
        wait_for(f"{name} in the trash", lambda: self.screen.grab().has(colour))
        picture = self.screen.wait_until_still(0.6)
        box = max(picture.boxes(colour), key=lambda box: (box.right - box.left) * (box.bottom - box.top))
        self.desktop.shoot("the trash")
        menu = Menu(self.screen, *box.centre)
        self.desktop.shoot("menu in the trash")
        menu.choose(range(len(menu.entries()))[RESTORE[self.file_manager.name]])
        wait_for(f"{name} to be restored", (self.folder / name).exists)
        self.screen.wait_until_still()
        self.desktop.shoot("the trash after it")
        self.file_manager.close_active()

    def run(self) -> None:
        self.prepare()
        self.open_window()
        self.are_trashed("a placeholder is trashed", LETTER)
        self.undo(LETTER)
        self.are_back("undone", LETTER)
        self.are_trashed("a file that is here is trashed", ARCHIVE)
        self.undo(ARCHIVE)
        self.are_back("a file undone", ARCHIVE)
        self.are_trashed("trashed again", LETTER)
        self.restore(LETTER)
        self.are_back("restored", LETTER)
        self.end()
