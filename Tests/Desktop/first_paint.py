"""Measures how long a file manager takes to show a folder of ten thousand synced files, and what that costs it: without a
plugin, with one that answers nothing, with one that adds an emblem to everything, with ours. Played by `bench`, which
lays a link over the system's extension directory; what the link leads to is changed from one start of the file manager
to the next."""
import json
import os
import pathlib
import struct
import time

from desktop import COLOURS
from screen import Box
from waiting import Failure, pump, wait_for

FILES = 10_000
VIEW = Box(360, 260, 900, 600)  # where every file manager's default window shows files, and nothing but files
STEP = 0.005                    # seconds between two looks at the screen
STILL = 1.5                     # seconds without a change after which the view is taken to be complete
IDLE_SHARE = 0.03               # of one processor that a file manager at rest may use
LONGEST = 120                   # seconds

ARMS = {"none": None, "silent": "silent.so", "least": "least.so", "plugin": "plugin.so", "clocked": "clocked.so"}
SHOW_EMBLEMS = ("least", "plugin", "clocked")


def processor_time(process_id):
    """Seconds that all threads of a process have used: the clock that clock_getcpuclockid(3) names."""
    return time.clock_gettime((~process_id << 3) | 2)


class FirstPaint:
    def __init__(self, desktop, service, file_manager):
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.folder = str(desktop.home / "Documents")
        self.arms = desktop.work / "arms"
        self.clock = desktop.work / "clock"
        self.rounds = int(os.environ["ROUNDEL_ROUNDS"])
        self.figures = {arm: [] for arm in ARMS}

    def make_folder(self):
        os.makedirs(self.folder)
        for number in range(FILES):
            pathlib.Path(self.folder, f"{number:05}.txt").write_text("text\n")
        remote = self.desktop.work / "remote"
        remote.mkdir()
        self.service.roundel("add", self.folder, str(remote), "--wait", seconds=600)

    # One start

    def measure(self, arm):
        self.choose(arm)
        extra = {} if arm != "clocked" else {"LD_PRELOAD": str(self.arms / "clock.so"), "ROUNDEL_CLOCK": str(self.clock)}
        began = time.monotonic()
        process = self.desktop.spawn(self.file_manager.name, [*self.file_manager.command, self.folder], **extra)
        painted = self.watch(process, began)
        used = processor_time(process.pid)
        figures = {"painted": painted, "processor": used, **(self.read_clock() if arm == "clocked" else {})}
        self.check(arm)
        self.quit(process)
        return figures

    def choose(self, arm):
        link = self.arms / "current.so"
        link.unlink(missing_ok=True)
        if ARMS[arm]:
            link.symlink_to(ARMS[arm])

    def watch(self, process, began):
        """Seconds until the view last changed, told when both the screen and the process have come to rest."""
        last, changed = self.view(), None
        used, used_at = 0, began
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

    def view(self):
        return self.desktop.screen.grab().part(VIEW)

    def check(self, arm):
        """The figures count only if the screen shows what the arm promises."""
        emblems = self.desktop.screen.grab().count(COLOURS["synced"], VIEW)
        if (emblems > 0) != (arm in SHOW_EMBLEMS):
            raise Failure(f"{emblems} pixels of emblems are shown with {arm}")
        if not self.figures[arm]:
            self.desktop.shoot(arm)

    def quit(self, process):
        self.desktop.spawn("quit", [self.file_manager.name, "-q"])
        wait_for("the end of the process", lambda: process.poll() is not None)

    def read_clock(self):
        names = ("longest_call", "longest_turn", "longest_turn_processor", "total", "calls")
        return dict(zip(names, struct.unpack("=5Q", self.clock.read_bytes())))

    def run(self):
        self.make_folder()
        self.desktop.screen.move(5, 5)
        self.measure("plugin")  # so that every arm finds warm caches
        for number in range(self.rounds):
            arms = list(ARMS)
            for arm in arms[number % len(arms):] + arms[:number % len(arms)]:
                self.figures[arm].append(self.measure(arm))
        (self.desktop.work / "figures.json").write_text(json.dumps(self.figures))
