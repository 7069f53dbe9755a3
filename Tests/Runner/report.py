"""What a run says at its end."""
import dataclasses
import pathlib
import re
import subprocess
from collections.abc import Callable

from job import Ended
from lane import ROOT, say
from outcome import Outcome, Verdict

# Tests that needed a second try, with the reason of the first failure.
UNSTEADY = ROOT / "build" / "unsteady"
MOST_UNSTEADY = 3
SLOWEST = 10
EXCERPT_LINES = 80
# The beginning of a line that says nothing of a failure.
ORDINARY = re.compile(r"^[^\w\s]*\s*(Test|Suite|Test case) .* (started|passed after)")


@dataclasses.dataclass
class Tally:
    """What a lane took, in seconds since the run began."""

    tests: list[Outcome] = dataclasses.field(default_factory=list)
    began: float = float("inf")
    ended: float = 0
    seconds: float = 0      # of all its processes together
    processor: float = 0    # of a processor, of all that these processes waited for

    def add(self, outcomes: list[Outcome], now: float, ended: Ended) -> None:
        self.tests += outcomes
        self.began = min(self.began, now - ended.seconds)
        self.ended = max(self.ended, now)
        self.seconds += ended.seconds
        self.processor += ended.processor


@dataclasses.dataclass
class Result:
    """What came of all tests, when those that failed were tried again."""

    tests: list[Outcome]
    failed: list[Outcome]           # in both tries
    unsteady: list[Outcome]         # in the first try alone
    broken: list[str]               # what could not be built or listed, in words

    @property
    def skipped(self) -> list[Outcome]:
        return [test for test in self.tests if test.verdict is Verdict.SKIPPED]

    def faults(self, is_strict: bool) -> list[str]:
        """Why the run as a whole has failed; nothing if it has passed."""
        reasons = list(self.broken)
        if self.failed:
            reasons.append(f"{len(self.failed)} tests failed")
        if len(self.unsteady) > MOST_UNSTEADY:
            reasons.append(f"{len(self.unsteady)} tests needed a second try, more than {MOST_UNSTEADY}")
        if is_strict and self.skipped:
            reasons.append("under CI every test must run")
        if not self.tests:
            reasons.append("no test ran")
        return reasons


def excerpt(ended: Ended) -> str:
    """The last lines of what a process printed, without those that say that all is well."""
    lines = [line for line in ended.text.splitlines() if line.strip() and not ORDINARY.match(line)]
    return "\n".join(f"    | {line[:300]}" for line in lines[-EXCERPT_LINES:])


def say_durations(tallies: dict[str, Tally]) -> None:
    say("\nlane            tests   from     to   its processes   a processor")
    for name, tally in tallies.items():
        say(f"{name:<14} {len(tally.tests):>6} {tally.began:>6.0f} {tally.ended:>6.0f} s {tally.seconds:>12.0f} s"
            f" {tally.processor:>10.0f} s")
    tests = sorted((test for tally in tallies.values() for test in tally.tests), key=lambda test: -test.seconds)
    say("\nthe slowest tests:")
    for test in tests[:SLOWEST]:
        say(f"  {test.seconds:>6.1f} s  {test.title}")


def keep_unsteady(tests: list[Outcome], file: pathlib.Path = UNSTEADY) -> None:
    if not tests:
        return
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    file.parent.mkdir(exist_ok=True)
    with file.open("a") as kept:
        for test in tests:
            kept.write(f"{commit.stdout.strip()} {test.title} ({test.reason})\n")


def say_end(result: Result, is_strict: bool, command: Callable[[Outcome], str]) -> bool:
    """Says what failed, was skipped or needed a second try; whether the run as a whole has passed."""
    for test in result.skipped:
        say(f"skipped: {test.title}: {test.reason}")
    for test in result.unsteady:
        say(f"UNSTEADY: {test.title} ({test.reason})")
    for test in result.failed:
        say(f"failed: {test.title}: {test.reason}\n    again: {command(test)}")
    faults = result.faults(is_strict)
    for fault in faults:
        say(f"The run has failed: {fault}.")
    passed = len(result.tests) - len(result.failed) - len(result.skipped)
    say(f"tests: {passed} passed, {len(result.failed)} failed, {len(result.skipped)} skipped")
    return not faults
