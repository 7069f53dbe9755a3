"""The menu commands of a folder on demand, by real clicks: Download, Free Up Space, Always Keep on This Computer, of a file,
of a directory that is partly here, and of several items. After each it is looked at what is true, and what is shown."""
import dataclasses
import json
from typing import Any

from contents_scenario import ARCHIVE, FILMS, LETTER, LONG, SHORT, ContentsScenario
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from marks import MARK
from screen import Box
from waiting import Failure
from worker_menu import WorkerMenu

DOWNLOAD, FREE, KEEP = 1, 2, 3  # the number of marks before each text
WORDS = {"Download": DOWNLOAD, "Download ({1})": DOWNLOAD, "Free Up Space ({1})": FREE, "Always Keep on This Computer": KEEP}


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


class ContentsMenuScenario(ContentsScenario):
    words = WORDS

    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.menu = WorkerMenu(desktop, file_manager)

    def prepare(self) -> None:
        self.menu.prepare()
        super().prepare()

    # Clicks

    def offers(self, *names: str) -> list[Offer]:
        """What the worker offers for these items."""
        menu = json.loads(self.roundel("menu", "items", *(str(self.folder / name) for name in names), "--json"))
        return [found for found in map(offer, menu) if found]

    def open_menu(self, what: str, wanted: list[Offer], *names: str) -> dict[int, Box]:
        """Right-clicks the items; where each command stands, once the menu has these and no others."""
        offered = self.offers(*names)
        if offered != wanted:
            raise Failure(f"{what}: {wanted} should be offered, not {offered}")
        return self.menu.open(what, self.places[names[0]], [one.kind for one in wanted], lambda: self.select(*names))

    def select(self, *names: str) -> None:
        self.deselect()
        if len(names) > 1:
            self.screen.keys("ctrl+a")

    def choose(self, what: str, command: int, wanted: list[Offer], *names: str) -> None:
        self.menu.click(self.open_menu(what, wanted, *names)[command])

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
        unchecked = self.menu.check(place)
        self.menu.click(place)
        self.expect_fetched("Always Keep", ARCHIVE)
        self.expect_contents("here", ARCHIVE, pinned=True)
        self.expect_badges("kept", {LETTER: ["online-only"], ARCHIVE: ["synced", "pinned"]})
        place = self.open_menu("menu of a kept file", [self.keep(True)], ARCHIVE)[KEEP]
        # With or without a box around it, as the menu was there before the answer or not.
        if self.menu.check(place) in (0, unchecked):
            raise Failure("the menu of a kept file has no check mark")
        self.menu.click(place)
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
        self.end()
