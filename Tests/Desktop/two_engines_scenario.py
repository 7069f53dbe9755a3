"""Two engines at once, each with a folder of its own: the bundled worker and git, side by side in two windows. One is
killed, and the other goes on as if nothing were."""
import dataclasses
import pathlib
import subprocess
import time
from collections.abc import Callable
from typing import ClassVar

from desktop import Desktop
from file_manager import FileManager
from installed import WORKER_NAME, InstalledServices
from metadata_helper import MetadataHelper
from metadata_scenario import set_icon_theme
from screen import Box, Picture
from waiting import Failure, wait_for

GIT_NAME = "org.roundel.Git1"
GIT_COLOURS = {"git-modified": "7B2D8E", "git-staged": "2D8E7B", "git-untracked": "8E7B2D"}
WHO = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
WIDTH, HEIGHT = 540, 700  # of each window
AWAY = 1098, 758          # where the pointer lights up nothing

Counts = dict[str, int]  # badge → how many


@dataclasses.dataclass(frozen=True)
class Side:
    """An engine, and the window with its folder."""
    name: str    # on the bus
    folder: pathlib.Path
    box: Box     # that holds the window

    def pixels(self, picture: Picture, colours: dict[str, str]) -> Counts:
        return self._without_none({badge: picture.count(colour, self.box) for badge, colour in colours.items()})

    def items(self, picture: Picture, colours: dict[str, str]) -> Counts:
        return self._without_none({badge: sum(self.box.holds(*box.centre) for box in picture.boxes(colour))
                                   for badge, colour in colours.items()})

    @staticmethod
    def _without_none(counts: Counts) -> Counts:
        return {badge: count for badge, count in counts.items() if count}


class TwoEnginesScenario:
    # What the worker's folder shows at first, and with a file in conflict, of which there are two versions then.
    before: ClassVar[Counts] = {"synced": 3, "excluded": 1}
    after: ClassVar[Counts] = {"synced": 2, "conflict": 2, "excluded": 1}

    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.worker = Side(WORKER_NAME, desktop.home / "Documents", Box(0, 0, 550, 760))
        self.git = Side(GIT_NAME, desktop.home / "Project", Box(550, 0, 1100, 760))
        self.remote = desktop.work / "remote"

    # Acting

    def write(self, folder: pathlib.Path, **files: str) -> None:
        for name, text in files.items():
            (folder / f"{name}.txt").write_text(text)

    def run_git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", self.git.folder, *WHO, *arguments], env=self.desktop.environment, check=True)

    def make_folders(self) -> None:
        for directory in (self.worker.folder, self.remote, self.git.folder):
            directory.mkdir()
        self.write(self.worker.folder, Budget="1\n", Letter="Dear\n", Notes="text\n")
        (self.worker.folder / "Scratch.tmp").write_text("text\n")
        self.run_git("init", "-q")
        self.write(self.git.folder, Plan="1\n", Report="1\n")
        self.run_git("add", "-A")
        self.run_git("commit", "-q", "-m", "first")
        self.write(self.git.folder, Plan="2\n", Ideas="text\n")
        self.run_git("add", "Plan.txt")
        self.write(self.git.folder, Report="as changed\n")

    def open(self, side: Side) -> None:
        screen = self.desktop.screen
        before = screen.windows(self.file_manager.window_class)
        self.file_manager.open(str(side.folder))
        new = [window for window in screen.windows(self.file_manager.window_class) if window not in before]
        screen.place(new[0], side.box.left, 0, WIDTH, HEIGHT)

    # What is shown

    def expect(self, what: str, wanted: dict[Side, Counts], kept: dict[Side, Counts] | None = None,
               seconds: float = 0) -> None:
        """Waits for so long at least, and until so many items of these windows show these badges and no others. The
        pixels that are kept may not change meanwhile: one picture in which they have is a failure."""
        seen: dict[str, Counts] = {}
        end = time.monotonic() + seconds

        def is_shown() -> Picture | None:
            picture = self.desktop.screen.grab()
            for side, pixels in (kept or {}).items():
                self.expect_kept(what, side, pixels, picture)
            seen.update({side.name: side.items(picture, self.desktop.colours) for side in wanted})
            is_there = all(seen[side.name] == counts for side, counts in wanted.items())
            return picture if is_there and time.monotonic() >= end else None
        try:
            picture = wait_for(what, is_shown)
        except Failure as failure:
            raise Failure(f"{failure}; wanted {list(wanted.values())}, saw {seen}") from None
        self.desktop.shoot(what, picture=picture)
        print(f"  {what}: {seen}", flush=True)

    def expect_kept(self, what: str, side: Side, pixels: Counts, picture: Picture) -> None:
        now = side.pixels(picture, self.desktop.colours)
        if now != pixels:
            self.desktop.shoot(f"{what} and not kept", picture=picture)
            raise Failure(f"{what}: {side.name} was to keep {pixels}, and shows {now}")

    def settled(self, side: Side) -> Counts:
        """The pixels that it shows once nothing is drawn any more."""
        return side.pixels(self.desktop.screen.wait_until_still(1), self.desktop.colours)

    # Steps

    def both_are_shown(self) -> None:
        self.desktop.screen.move(*AWAY)
        self.service.roundel("add", str(self.worker.folder), str(self.remote), "--wait")
        self.service.roundel("exclude", str(self.worker.folder), "*.tmp")
        self.service.roundel("git", "add", str(self.git.folder))
        self.open(self.worker)
        self.open(self.git)
        self.expect("both engines", {self.worker: self.before, self.git: dict.fromkeys(GIT_COLOURS, 1)})

    def one_dies(self, dead: Side, had: Counts, other: Side, change: Callable[[], None], changed: Counts) -> None:
        """Killed without warning, an engine takes its own badges along; the badge service starts it again by itself.
        The other one shows in each picture what it did, and what changes in its folder, too."""
        title, process = dead.folder.name, self.service.process_id(other.name)
        kept = {other: self.settled(other)}
        self.service.kill_until_started(dead.name)
        self.expect(f"{title} lost its engine", {dead: {}}, kept)
        self.expect(f"{title} goes on without", {dead: {}}, kept, seconds=2)
        change()
        self.expect(f"{other.folder.name} changed", {dead: {}, other: changed})
        kept = {other: self.settled(other)}
        self.service.give_name_back()
        self.expect(f"{title} has its engine again", {dead: had}, kept)
        if self.service.process_id(other.name) != process:
            raise Failure(f"{other.name} has ended, too")

    def make_conflict(self) -> None:
        self.service.make_conflict(str(self.worker.folder), str(self.remote), "Letter.txt")

    def stage_changes(self) -> None:
        self.run_git("add", "-u")

    def run(self) -> None:
        for name, colour in GIT_COLOURS.items():
            self.desktop.add_test_badge(name, colour)
        self.make_folders()
        self.both_are_shown()
        self.one_dies(self.git, dict.fromkeys(GIT_COLOURS, 1), self.worker, self.make_conflict, self.after)
        self.one_dies(self.worker, self.after, self.git, self.stage_changes, {"git-staged": 2, "git-untracked": 1})
        self.file_manager.close()
        self.file_manager.nothing_complained()


class MetadataTwoEnginesScenario(TwoEnginesScenario):
    """The same where our helper writes the emblems, of what is not synced alone."""
    before: ClassVar[Counts] = {"excluded": 1}
    after: ClassVar[Counts] = {"conflict": 2, "excluded": 1}

    def run(self) -> None:
        set_icon_theme(self.desktop, "RoundelTest")
        helper = MetadataHelper(self.desktop)
        helper.start()
        super().run()
        helper.nothing_complained()
