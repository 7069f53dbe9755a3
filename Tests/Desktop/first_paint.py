"""Measures how long a file manager takes to show a folder of ten thousand synced files, and what that costs it, with one
arm of arms.py after the other. Played by `bench`, which has laid them out."""
import json
import os
import pathlib
import struct
import time
from typing import Any

import arms
from desktop import COLOURS, Desktop
from file_manager import FileManager
from installed import InstalledServices
from screen import Box
from waiting import Failure, pump, wait_for

FILES = 10_000
STEP = 0.005                    # seconds between two looks at the screen
STILL = 1.5                     # seconds without a change after which the view is taken to be complete
IDLE_SHARE = 0.03               # of one processor that a file manager at rest may use
LONGEST = 120                   # seconds


def processor_time(process_id: int) -> float:
    """Seconds that all threads of a process have used: the clock that clock_getcpuclockid(3) names."""
    return time.clock_gettime((~process_id << 3) | 2)


class FirstPaint:
    view_box = Box(360, 260, 900, 600)  # where each GTK file manager's default window shows files, and nothing but files

    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.folder = str(desktop.home / "Documents")
        self.clock = desktop.work / "clock"
        self.rounds = int(os.environ["ROUNDEL_ROUNDS"])
        self.figures: dict[str, list[dict[str, float]]] = {arm: [] for arm in arms.NAMES}

    def make_folder(self) -> None:
        os.makedirs(self.folder)
        for number in range(FILES):
            pathlib.Path(self.folder, f"{number:05}.txt").write_text("text\n")
        remote = self.desktop.work / "remote"
        remote.mkdir()
        self.service.roundel("add", self.folder, str(remote), "--wait", seconds=600)

    # One start

    def measure(self, arm: str) -> dict[str, float]:
        arms.choose(arm, self.desktop.work)
        extra = self.clock_environment() if arm == "clocked" else {}
        began = time.monotonic()
        process = self.desktop.spawn(self.file_manager.name, [*self.file_manager.command, self.folder], **extra)
        painted = self.watch(process, began)
        used = processor_time(process.pid)
        figures = {"painted": painted, "processor": used, **(self.read_clock() if arm == "clocked" else {})}
        self.check(arm)
        self.quit(process)
        return figures

    def clock_environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.desktop.work / "arms" / arms.CLOCK), "ROUNDEL_CLOCK": str(self.clock)}

    def watch(self, process: Any, began: float) -> float:
        """Seconds until the view last changed, told when both the screen and the process have come to rest."""
        last, changed = self.view(), 0.0
        used, used_at = 0.0, began
        while time.monotonic() < began + LONGEST:
            pump(STEP)
            view, now = self.view(), time.monotonic()
            if view != last:
                last, changed = view, now
            if now - used_at > 1:
                before, used, used_before, used_at = used, processor_time(process.pid), used_at, now
                is_idle = (used - before) / (now - used_before) < IDLE_SHARE
                if is_idle and changed and now - changed > STILL:
                    return changed - began
        raise Failure(f"{self.file_manager.name} did not come to rest")

    def view(self) -> list[bytes]:
        return self.desktop.screen.grab().part(self.view_box)

    def check(self, arm: str) -> None:
        """The figures count only if the screen shows what the arm promises."""
        emblems = self.desktop.screen.grab().count(COLOURS["synced"], self.view_box)
        if (emblems > 0) != (arm in arms.SHOW_EMBLEMS):
            raise Failure(f"{emblems} pixels of emblems are shown with {arm}")
        if not self.figures[arm]:
            self.desktop.shoot(arm)

    def quit(self, process: Any) -> None:
        self.ask_to_quit()
        wait_for("the end of the process", lambda: process.poll() is not None)

    def ask_to_quit(self) -> None:
        self.desktop.spawn("quit", [self.file_manager.name, "-q"])

    def read_clock(self) -> dict[str, int]:
        names = ("longest_call", "longest_turn", "longest_turn_processor", "total", "calls")
        return dict(zip(names, struct.unpack("=5Q", self.clock.read_bytes())))

    def run(self) -> None:
        self.make_folder()
        self.desktop.screen.move(5, 5)
        self.measure("plugin")  # so that every arm finds warm caches
        for number in range(self.rounds):
            first = number % len(arms.NAMES)
            for arm in arms.NAMES[first:] + arms.NAMES[:first]:
                self.figures[arm].append(self.measure(arm))
        (self.desktop.work / "figures.json").write_text(json.dumps(self.figures))


class DolphinFirstPaint(FirstPaint):
    """Dolphin has no option for the end of all its windows; the process ends with the last of them."""

    view_box = Box(450, 180, 900, 600)

    def ask_to_quit(self) -> None:
        self.file_manager.close_active()
