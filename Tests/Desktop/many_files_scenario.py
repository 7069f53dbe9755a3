"""A folder of ten thousand files: whatever is on the screen has its badge, and the service is asked a few times, not once
for each file (F6)."""
import math
import os

from desktop import COLOURS, Desktop
from file_manager import FileManager
from screen import Box, Picture
from stand_in import StandIn
from waiting import Failure, wait_for

FILES = 10_000
PAGE = 2_000        # the most that one RequestDirectory may ask for, to stay short
FILE_COLOUR = "F4B6D2"
REACH = 32          # pixels between a file's icon and its emblem, at most
MOST_REQUESTS = 60  # for file managers that ask for what comes into view


class ManyFilesScenario:
    def __init__(self, desktop: Desktop, service: StandIn, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.sync = str(desktop.home / "Sync")

    def make_files(self) -> None:
        os.makedirs(self.sync)
        for number in range(FILES):
            path = f"{self.sync}/{number:05}.txt"
            with open(path, "w") as file:
                file.write("text\n")
            self.service.set_badge(path, "synced")
        self.service.folders = [self.sync]
        self.desktop.add_test_icon("text-x-generic", FILE_COLOUR)
        self.desktop.add_test_icon("text-plain", FILE_COLOUR)

    def whole_files(self, picture: Picture) -> list[Box]:
        """The boxes of the file icons that are not cut off."""
        boxes = picture.boxes(FILE_COLOUR, gap=1)
        tallest = max((box.bottom - box.top for box in boxes), default=0)
        return [box for box in boxes if box.bottom - box.top == tallest]

    def bare_files(self, picture: Picture, badge: str) -> list[Box] | None:
        """The files on a picture that lack the emblem, or None if there are no files on it."""
        files, emblems = self.whole_files(picture), picture.boxes(COLOURS[badge])
        return [file for file in files if not any(file.is_near(emblem, REACH) for emblem in emblems)] if files else None

    def every_file_has(self, badge: str, what: str) -> None:
        def complete() -> Picture | None:
            picture = self.desktop.screen.wait_until_still()
            return picture if self.bare_files(picture, badge) == [] else None
        try:
            picture = wait_for(what, complete)
        except Failure as failure:
            bare = self.bare_files(self.desktop.screen.grab(), badge)
            raise Failure(f"{failure}; without an emblem: {bare}") from None
        self.desktop.shoot(what, picture=picture)
        print(f"  {what}: {len(self.whole_files(picture))} files, each with its emblem", flush=True)

    def go_to_the_end(self) -> None:
        before = self.desktop.screen.grab()
        self.desktop.screen.click(*self.whole_files(before)[0].centre)
        selected = self.desktop.screen.wait_until_still()
        self.desktop.screen.keys("End")
        wait_for("other files", lambda: len(self.files_at_the_same_place(selected)) < 2)

    def files_at_the_same_place(self, before: Picture) -> list[Box]:
        """What a scrolled view has in common with the one before: the file names are drawn elsewhere."""
        now = self.desktop.screen.wait_until_still()
        below = [Box(file.left, file.bottom, file.right, file.bottom + REACH) for file in self.whole_files(before)]
        return [box for box in below if now.part(box) == before.part(box)]

    def asked_seldom(self) -> None:
        methods = {method for method, _, _ in self.service.requests}
        calls = len(self.service.requests)
        print(f"  asked by {calls} of {sorted(methods)}", flush=True)
        if self.file_manager.asks_for_directories:
            if methods != {"RequestDirectory"} or calls > math.ceil(FILES / PAGE) + 1:
                raise Failure(f"{FILES} files took {calls} calls of {methods}: {self.service.requests[:8]}")
        elif methods != {"RequestBadges"} or calls > MOST_REQUESTS:
            raise Failure(f"what came into view took {calls} calls of {methods}: {self.service.requests[:8]}")

    def run(self) -> None:
        self.make_files()
        self.service.start()
        self.file_manager.open(self.sync)
        self.every_file_has("synced", "first files")
        self.go_to_the_end()
        self.every_file_has("synced", "last files")
        self.asked_seldom()
        for number in range(FILES):
            self.service.badges[self.sync][f"{number:05}.txt"] = ("conflict", 0, 255)
        self.service.tell_directory(self.sync)
        self.every_file_has("conflict", "all changed at once")
        self.file_manager.expect_observed("observing the folder", self.sync)
        self.file_manager.close()
        self.file_manager.leave()
        self.file_manager.nothing_complained()
        if self.service.violations:
            raise Failure(f"against the interface: {self.service.violations}")
