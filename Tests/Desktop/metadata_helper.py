"""The helper that writes emblems for file managers that tell nobody what they show, as a process of a desktop."""
import os
import pathlib
import signal
import subprocess
from typing import Any

from desktop import Desktop
from waiting import PROGRAM_SECONDS, Failure, pump, wait_for

EMBLEMS = "metadata::emblems"
ENDED_WELL = 0


class MetadataHelper:
    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        self.program = desktop.work / "stage/own/bin/roundel-metadata"
        self.ledger = desktop.home / ".state/roundel/metadata-emblems"
        self.process: Any = None

    def start(self) -> None:
        self.process = self.desktop.spawn("roundel-metadata", [str(self.program)])

    def end(self) -> None:
        """As a session manager ends it. Everything is taken away by then."""
        self.process.terminate()
        wait_for("the end of the helper", lambda: self.process.poll() is not None)
        if self.process.returncode != ENDED_WELL:
            raise Failure(f"the helper ended with {self.process.returncode}")

    def crash(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def run(self, *arguments: Any) -> tuple[int, str]:
        """Runs it with arguments that make it end by itself; its exit status and what it said."""
        done = subprocess.run([self.program, *arguments], env=self.desktop.environment, capture_output=True, text=True,
                              timeout=PROGRAM_SECONDS, check=False)
        return done.returncode, done.stdout + done.stderr

    def recorded(self) -> dict[str, str]:
        """Item URI → emblem, as its file states them."""
        emblems = {}
        # The helper appends to it: behind the last end of a line stands what it has written a part of.
        whole, _, _ = self.ledger.read_text().rpartition("\n")
        for line in whole.splitlines():
            uri, _, emblem = line.split("\t")
            emblems[uri] = emblem
        return {uri: emblem for uri, emblem in emblems.items() if emblem}

    def expect_idle(self, what: str, *paths: str) -> None:
        """Nothing is written any more, and no item touched: no change of ours is the cause of another one."""
        def state() -> tuple[bytes, list[int]]:
            return self.ledger.read_bytes(), [os.lstat(path).st_ctime_ns for path in paths]
        before = state()
        pump(3)
        if state() != before:
            raise Failure(f"{what}: the helper goes on writing, now {self.recorded()}")

    def nothing_complained(self) -> None:
        said = self.desktop.log("roundel-metadata")
        if said.strip():
            raise Failure(f"the helper says: {said}")


def _gio(desktop: Desktop, *arguments: Any) -> str:
    return subprocess.run(["gio", *arguments], env=desktop.environment, stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def emblems(desktop: Desktop, path: str) -> list[str]:
    """The emblems of a file, the person's own and ours."""
    for line in _gio(desktop, "info", "-a", EMBLEMS, path).splitlines():
        name, _, value = line.strip().partition(": ")
        if name == EMBLEMS:
            return [emblem.strip() for emblem in value.strip("[]").split(",")]
    return []


def give_emblem(desktop: Desktop, path: str | pathlib.Path, *names: str) -> None:
    """What a person does in the properties dialog."""
    _gio(desktop, "set", "-t", "stringv", str(path), EMBLEMS, *names)
