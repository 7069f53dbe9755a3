"""A process of the test run: a build, or some tests of a lane."""
import contextlib
import dataclasses
import os
import pathlib
import select
import signal
import subprocess
import time
from collections.abc import Callable

from outcome import Outcome

# What the whole machine takes at once, for each processor. A job that keeps one processor busy has this load; one that
# mostly waits has 1.
PROCESSOR = 4
# A process that has been told to end gets so long before it is killed.
FAREWELL_SECONDS = 10


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a process ended, and what it left."""

    status: int | None      # None where it took too long and was killed
    log: pathlib.Path       # what it printed
    seconds: float
    processor: float = 0    # seconds of a processor that it and those it waited for took

    @property
    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def why(self) -> str:
        """What went wrong with the process as a whole, in words."""
        if self.status is None:
            return f"it did not end within {self.seconds:.0f} s"
        if self.status < 0:
            return f"it was ended by {signal.Signals(-self.status).name}"
        return f"it ended with {self.status}"


def no_tests(_: Ended) -> list[Outcome]:
    return []


@dataclasses.dataclass(frozen=True)
class Job:
    """One process to start."""

    lane: str
    name: str
    command: list[str]
    load: int
    expected: float                                     # seconds, a guess: the longest are started first
    bound: float = 1800                                 # seconds, after which it is killed
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    outcomes: Callable[[Ended], list[Outcome]] = no_tests


def kill(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Signals all that a process started and that has not taken leave of it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def has_ended(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Waits for its end and leaves its status to be taken, so that nobody else gets the number of its group meanwhile."""
    with open(os.pidfd_open(process.pid), "rb", buffering=0) as end:
        return bool(select.select([end], [], [], seconds)[0])


def run(job: Job, directory: pathlib.Path, root: pathlib.Path, begun: Callable[["subprocess.Popen[bytes]"], None]) -> Ended:
    """Runs a job to its end. Its output goes to a file, not to a pipe: a program under test may leave a process behind that
    would hold a pipe open, or make one non-blocking that it shares with us."""
    log = directory / f"{job.lane}-{job.name}.log".replace("/", "-")
    began = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(job.command, cwd=root, env=os.environ | job.environment, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output, start_new_session=True)
    begun(process)
    is_over = has_ended(process, job.bound)
    if not is_over:
        # A test runner that is told to end says where it stands.
        kill(process, signal.SIGTERM)
        has_ended(process, FAREWELL_SECONDS)
    kill(process, signal.SIGKILL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(process.returncode if is_over else None, log, time.monotonic() - began, usage.ru_utime + usage.ru_stime)
