"""The column of a list view: the label of each item's badge, with its progress, as it changes (F14)."""
from typing import Any

import list_view
from desktop import Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from marks import BLACK_TEXT, MARK, wait_for_marks
from provider import ProvidedService
from screen import Box
from waiting import Failure, wait_for

BADGE = "desktop-test.marked"
WORDS = 60  # pixels right of a mark, in which its progress stands


class ColumnScenario(FolderScenario):
    viewer = "list-view"

    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        list_view.use(desktop, file_manager.name, self.viewer)

    def prepare(self) -> None:
        self.make_files("a.txt", "b.txt", "c.txt")
        self.service.start()
        self.service.set_badge_images([(BADGE, MARK, "emblem-roundel-synced")])
        self.service.set_badge(f"{self.sync}/a.txt", "conflict")
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("list", ["conflict"])
        self.bare = self.screen.wait_until_still()

    def words(self, mark: Box) -> list[str]:
        """What stands right of a mark."""
        picture = self.screen.wait_until_still()
        return [picture.at(x, y) for y in range(mark.top, mark.bottom) for x in range(mark.right + 1, mark.right + WORDS)]

    def label(self) -> Box:
        self.service.set_badge(f"{self.sync}/b.txt", BADGE)
        mark, = wait_for_marks(self.screen, self.bare, 1, BLACK_TEXT)
        self.desktop.shoot("label")
        return mark

    def progress(self, mark: Box) -> None:
        """It changes alone, without the badge, and is shown all the same."""
        seen = [self.words(mark)]
        if len(set(seen[0])) != 1:
            raise Failure("there is something after the label of an item without progress")
        for percent in (40, 80):
            self.service.set_badge(f"{self.sync}/b.txt", BADGE, 0, percent)
            wait_for(f"{percent} %", lambda: self.words(mark) not in seen)
            seen.append(self.words(mark))
            self.desktop.shoot(f"progress {percent}")
        self.service.set_badge(f"{self.sync}/b.txt", BADGE)
        wait_for("the label alone", lambda: self.words(mark) == seen[0])

    def another_item(self, first: Any) -> Box:
        self.service.set_badge(f"{self.sync}/c.txt", BADGE)
        above, below = wait_for_marks(self.screen, self.bare, 2, BLACK_TEXT)
        if above.left != below.left or above != first:
            raise Failure(f"the labels stand at {above} and {below}, the first one stood at {first}")
        return below

    def removal(self, *labels: Any) -> None:
        for name in ("b.txt", "c.txt"):
            self.service.set_badge(f"{self.sync}/{name}", "")
        wait_for("an empty column", lambda: not any(self.is_marked(mark) for mark in labels))
        self.screen.wait_until_still()
        self.desktop.shoot("empty")

    def service_is_gone(self) -> None:
        mark = self.label()
        self.service.stop()
        wait_for("an empty column", lambda: len(set(self.words(mark))) == 1 and not self.is_marked(mark))
        self.desktop.shoot("service gone")

    def is_marked(self, mark: Box) -> bool:
        picture = self.screen.grab()
        return picture.at(*mark.centre) != picture.at(mark.right + WORDS, mark.centre[1])

    def run(self) -> None:
        self.prepare()
        mark = self.label()
        self.progress(mark)
        self.removal(mark, self.another_item(mark))
        self.service_is_gone()
        self.end()


class LaterColumnScenario(ColumnScenario):
    """The column of a list view into which an icon view is turned: its items were asked about without a column."""
    viewer = "icon-view"

    def run(self) -> None:
        self.prepare()
        self.service.set_badge(f"{self.sync}/b.txt", BADGE)
        self.file_manager.expect_shown("icons", ["conflict", "synced"])
        self.screen.keys(list_view.TURN[self.file_manager.name])
        wait_for_marks(self.screen, self.bare, 1, BLACK_TEXT)
        self.desktop.shoot("turned into a list")
        self.end()
