"""The menu commands of a folder on demand, by real clicks: Download, Free Up Space, Always Keep on This Computer, of a file,
of a directory that is partly here, and of several items. After each it is looked at what is true, and what is shown."""
import dataclasses
import json
import os
import subprocess
from collections.abc import Sequence
from typing import Any

import marked_words
from desktop import COLOURS, Desktop
from file_manager import FileManager
from installed import InstalledServices
from marks import BLACK_TEXT, MARK, TEXT
from metadata_helper import MetadataHelper
from metadata_scenario import set_icon_theme
from screen import Box, Picture
from waiting import Failure, pump, wait_for

DOWNLOAD, FREE, KEEP = 1, 2, 3  # the number of marks before each text
WORDS = {"Download": DOWNLOAD, "Download ({1})": DOWNLOAD, "Free Up Space ({1})": FREE, "Always Keep on This Computer": KEEP}
LETTER, ARCHIVE, FILMS = "Letter.txt", "Archive.zip", "Films"
LONG, SHORT = f"{FILMS}/Long.txt", f"{FILMS}/Short.txt"
SIZES = {LETTER: 41_000, ARCHIVE: 120_000, LONG: 200_000, SHORT: 60_000}
# The icon of each item, in its own colour, which no text has; the names that the types have.
ITEMS = {
    LETTER: ("3BCA57", ("text-plain", "text-x-generic")),
    ARCHIVE: ("C03FD3", ("application-zip", "package-x-generic")),
    FILMS: ("C19A6B", ("folder", "inode-directory")),
}
ENTRY_COLOUR = "FBCEB1"  # of our entry in Thunar's menu
SHOWN = ("synced", "online-only", "pinned")  # badges that the items can have
METADATA_SHOWN = ("online-only",)  # of these, those that the helper writes as emblems
TRANSFERS = ("downloaded", "uploaded")
OWN = ".roundel"  # in which the services keep what they need at a remote, and what was deleted there
ATTEMPTS = 6        # at a menu: the worker may be later than the service waits for it
MENU_SECONDS = 4.0  # in which a menu has its entries, or does not get them


@dataclasses.dataclass(frozen=True)
class Offer:
    """An entry of the menu: which command it is, the text without its marks, and whether it has a check mark."""
    kind: int
    text: str
    checked: bool


def offer(entry: dict[str, Any]) -> Offer | None:
    """What an entry of the worker's menu is, if it is one about contents."""
    words = [word for word in entry["label"].split(" ") if word != MARK]
    kind = entry["label"].count(MARK)
    return Offer(kind, " ".join(words), bool(entry["checked"])) if kind else None


class ContentsMenuScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.roundel = service.roundel
        self.file_manager = file_manager
        self.folder = desktop.home / "Cloud"
        self.remote = desktop.work / "remote"
        self.helper = MetadataHelper(desktop) if file_manager.name in ("thunar", "pcmanfm-qt") else None
        self.text = BLACK_TEXT if file_manager.name == "dolphin" else TEXT  # the colours of what is written
        self.shown = METADATA_SHOWN if self.helper else SHOWN
        self.places: dict[str, tuple[int, int]] = {}
        self.seen = 0  # the number of the last transfer that was looked at

    # Preparing

    def prepare(self) -> None:
        set_icon_theme(self.desktop, "RoundelTest")
        for colour, names in ITEMS.values():
            for name in names:
                self.desktop.add_test_icon(name, colour)
        self.desktop.add_test_icon("org.roundel.Roundel", ENTRY_COLOUR)
        self.desktop.write_setting(
            "gtk-3.0/settings.ini", "[Settings]\ngtk-icon-theme-name=RoundelTest\ngtk-menu-images=1\n")
        marked_words.speak(self.desktop, WORDS)
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
        wait_for("the items", lambda: all(self.screen.grab().has(colour) for colour, _ in ITEMS.values()))
        picture = self.screen.wait_until_still(0.6)
        for name, (colour, _) in ITEMS.items():
            # The places beside the items have small icons of the same kind.
            box = max(picture.boxes(colour), key=lambda box: (box.right - box.left) * (box.bottom - box.top))
            self.places[name] = box.centre
        self.expect_badges("opened", {LETTER: ["online-only"], ARCHIVE: ["online-only"]})

    # What is true

    def transfers(self) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = json.loads(self.roundel("activity", "--json"))
        return [entry for entry in entries if entry["sequence"] > self.seen and entry["action"] in TRANSFERS]

    def expect_fetched(self, what: str, *paths: str) -> None:
        """Exactly these were fetched since the last time, each once, and nothing else was transferred."""
        wanted = sorted(("downloaded", path) for path in paths)

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
        self.deselect()
        seen: dict[str, list[str]] = {}

        def shown() -> bool:
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
        box = self.window_box()
        self.screen.click(box.right - 60, box.bottom - 80)
        self.screen.move(2, 2)

    def window_box(self) -> Box:
        return self.screen.window_box(self.screen.windows(self.file_manager.window_class)[0])

    def offers(self, *names: str) -> list[Offer]:
        """What the worker offers for these items."""
        menu = json.loads(self.roundel("menu", "items", *(str(self.folder / name) for name in names), "--json"))
        return [found for found in map(offer, menu) if found]

    def open_menu(self, what: str, wanted: list[Offer], *names: str) -> dict[int, Box]:
        """Right-clicks the items; where each command stands, once the menu has these and no others."""
        offered = self.offers(*names)
        if offered != wanted:
            raise Failure(f"{what}: {wanted} should be offered, not {offered}")
        for _ in range(ATTEMPTS):
            self.select(*names)
            before = self.screen.wait_until_still()
            self.screen.right_click(*self.places[names[0]])
            if self.file_manager.name == "thunar":
                self.open_submenu()
            seen: list[tuple[int, Box]] = []
            try:
                wait_for("the entries", lambda before=before, seen=seen: self.has_come(before, seen, wanted),  # type: ignore[misc]
                         MENU_SECONDS)
            except Failure:
                print(f"  {what}: the menu has {[kind for kind, _ in seen]}; once more", flush=True)
                self.desktop.shoot(f"{what}, wrong")
                self.screen.keys("Escape")
                self.screen.wait_until_still()
                continue
            self.desktop.shoot(what)
            self.menu_is_whole(what)
            return dict(seen)
        raise Failure(f"{what}: {ATTEMPTS} menus were without {wanted}")

    def check(self, place: Box) -> int:
        """What the check mark of an entry looks like."""
        return marked_words.ink_left_of(self.screen.grab(), place, self.text)

    def menu_is_whole(self, what: str) -> None:
        """Our entries come after the menu in Dolphin, which makes it larger; no part of it may be beyond the screen."""
        if self.file_manager.name != "dolphin":
            return
        whole = self.screen.grab()
        for box in self.screen.shown_boxes(self.file_manager.window_class):
            if box.right > whole.width or box.bottom > whole.height:
                raise Failure(f"{what}: {box} is not all on the screen")

    def open_submenu(self) -> None:
        """Thunar has one entry of ours, behind which the others are."""
        self.screen.wait_for_colour(ENTRY_COLOUR)
        self.screen.click(*self.screen.wait_until_still().boxes(ENTRY_COLOUR)[0].centre)

    def has_come(self, before: Picture, seen: list[tuple[int, Box]], wanted: list[Offer]) -> bool:
        """Whether the menu stands still with these entries."""
        self.screen.wait_until_still(0.2)
        seen[:] = marked_words.marked_rows(before, self.screen.grab(), self.text)
        return [kind for kind, _ in seen] == [offered.kind for offered in wanted]

    def select(self, *names: str) -> None:
        self.deselect()
        if len(names) > 1:
            self.screen.keys("ctrl+a")

    def choose(self, what: str, command: int, wanted: list[Offer], *names: str) -> None:
        self.click(self.open_menu(what, wanted, *names)[command])

    def click(self, place: Box) -> None:
        self.screen.click(*place.centre)
        self.screen.move(2, 2)

    # Steps

    def a_file_is_downloaded(self) -> None:
        self.choose("menu of a placeholder", DOWNLOAD, [Offer(DOWNLOAD, "Download", False), self.keep()], LETTER)
        self.expect_fetched("Download", LETTER)
        self.expect_contents("here", LETTER)
        self.expect_badges("downloaded", {LETTER: ["synced"], ARCHIVE: ["online-only"]})

    def a_file_is_freed(self) -> None:
        self.choose("menu of a file that is here", FREE, [self.free("41.0 kB"), self.keep()], LETTER)
        self.expect_contents("online", LETTER)
        self.expect_fetched("Free Up Space")
        self.expect_badges("freed", {LETTER: ["online-only"], ARCHIVE: ["online-only"]})

    def a_file_is_kept(self) -> None:
        place = self.open_menu("menu before keeping", [Offer(DOWNLOAD, "Download", False), self.keep()], ARCHIVE)[KEEP]
        unchecked = self.check(place)
        self.click(place)
        self.expect_fetched("Always Keep", ARCHIVE)
        self.expect_contents("here", ARCHIVE, pinned=True)
        self.expect_badges("kept", {LETTER: ["online-only"], ARCHIVE: ["synced", "pinned"]})
        place = self.open_menu("menu of a kept file", [self.keep(True)], ARCHIVE)[KEEP]
        # With or without a box around it, as the menu was there before the answer or not.
        if self.check(place) in (0, unchecked):
            raise Failure("the menu of a kept file has no check mark")
        self.click(place)
        self.expect_contents("here", ARCHIVE)
        self.expect_fetched("no longer kept")
        self.expect_badges("no longer kept", {LETTER: ["online-only"], ARCHIVE: ["synced"]})

    def a_directory_is_completed(self) -> None:
        self.expect_contents("partly", FILMS)
        self.choose("menu of a directory that is partly here", DOWNLOAD,
                    [Offer(DOWNLOAD, "Download", False), self.free("60.0 kB"), self.keep()], FILMS)
        self.expect_fetched("Download of the rest", LONG)
        self.expect_contents("here", FILMS)
        self.choose("menu of a directory that is here", FREE, [self.free("260 kB"), self.keep()], FILMS)
        self.expect_contents("online", FILMS)
        self.expect_fetched("Free Up Space of a directory")
        self.expect_badges("directory freed", {LETTER: ["online-only"], ARCHIVE: ["synced"]})

    def several_items(self) -> None:
        """Of which one is here."""
        everything = (LETTER, ARCHIVE, FILMS)
        self.choose("menu of several", DOWNLOAD,
                    [Offer(DOWNLOAD, "Download (301 kB)", False), self.free("120 kB"), self.keep()], *everything)
        self.expect_fetched("Download of several", LETTER, LONG, SHORT)
        self.expect_contents("here", *everything)
        self.choose("menu of several that are here", FREE, [self.free("421 kB"), self.keep()], *everything)
        self.expect_contents("online", *everything)
        self.expect_fetched("Free Up Space of several")
        self.expect_badges("all freed", {LETTER: ["online-only"], ARCHIVE: ["online-only"]})

    def trash(self) -> None:
        """A placeholder and a file that is here. Both go at the remote, and what is in the trash stays on this computer."""
        (self.folder / ARCHIVE).read_bytes()
        self.expect_fetched("read before it is trashed", ARCHIVE)
        for name in (LETTER, ARCHIVE):
            self.deselect()
            self.screen.click(*self.places[name])
            self.screen.wait_until_still()
            self.screen.keys("Delete")
            wait_for(f"{name} to be gone", lambda name=name: self.is_gone(name))  # type: ignore[misc]
            self.screen.wait_until_still(0.6)
        own = self.folder / f".Trash-{os.getuid()}/files"
        home = self.desktop.home / ".data/Trash/files"
        # KDE has no trash in file systems that it does not know by their names, so that the file is moved to another one.
        is_home = self.file_manager.name == "dolphin"
        place, other = (home, own) if is_home else (own, home)
        wait_for("both in the trash", lambda: all((place / name).exists() for name in (LETTER, ARCHIVE)))
        self.desktop.shoot("trashed")
        self.roundel("sync", str(self.folder), "--wait")
        wait_for("both gone at the remote", lambda: not any((self.remote / name).exists() for name in (LETTER, ARCHIVE)))
        self.expect_fetched("trashed", *([LETTER] if is_home else []))
        remote = (path.relative_to(self.remote) for path in self.remote.rglob("*"))
        left = sorted(str(path) for path in remote if path.parts[0] != OWN)
        if left != [FILMS, LONG, SHORT] or any(other.rglob("*")):
            raise Failure(f"the remote has {left}; in the other trash: {list(other.rglob('*'))}")
        if (place / ARCHIVE).stat().st_size != SIZES[ARCHIVE] or not (place / ARCHIVE).stat().st_blocks:
            raise Failure("what was here is not in the trash as it was")

    def is_gone(self, name: str) -> bool:
        """From the folder, and from the window, which changes what is selected when it hears of it."""
        return not (self.folder / name).exists() and not self.screen.grab().has(ITEMS[name][0])

    @staticmethod
    def free(size: str) -> Offer:
        return Offer(FREE, f"Free Up Space ({size})", False)

    @staticmethod
    def keep(is_checked: bool = False) -> Offer:
        return Offer(KEEP, "Always Keep on This Computer", is_checked)

    def run(self) -> None:
        self.prepare()
        self.open_window()
        self.a_file_is_downloaded()
        self.a_file_is_freed()
        self.a_file_is_kept()
        self.a_directory_is_completed()
        self.several_items()
        self.trash()
        self.end()

    def end(self) -> None:
        self.file_manager.close()
        self.file_manager.nothing_complained()
        if self.helper:
            self.helper.end()
        self.unmount()

    def unmount(self) -> None:
        """As the end of a session does it where systemd runs it."""
        subprocess.run(["fusermount3", "-u", "-z", str(self.folder)], check=True)


class ContentsTrashScenario(ContentsMenuScenario):
    """A file manager that shows no menu of ours."""

    def run(self) -> None:
        self.prepare()
        self.open_window()
        self.trash()
        self.end()
