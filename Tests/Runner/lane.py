"""What the lanes of the test run have in common."""
import dataclasses
import os
import pathlib
from typing import Protocol

from job import Job

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Mistake(Exception):
    """What is wrong with the run itself, in words."""


@dataclasses.dataclass(frozen=True)
class Setting:
    """What every lane of one run is given."""

    directory: pathlib.Path     # for the files of this run
    takes_all: bool = False     # whether what takes long is played as well, with the programs that people install
    seconds: float = 1800       # how long one process may take

    @property
    def installation(self) -> str:
        """The build that fills the prefix from which programs are installed."""
        return "release" if self.takes_all else "staged"

    @property
    def prefix(self) -> pathlib.Path:
        return ROOT / "build" / ("stage" if self.takes_all else "stage-debug")

    @property
    def programs(self) -> pathlib.Path:
        """The programs from which that prefix is filled."""
        return ROOT / "build" / ("programs" if self.takes_all else "debug-programs")

    @property
    def is_strict(self) -> bool:
        """Whether a skipped test fails the run."""
        return os.environ.get("CI") == "true"


class Lane(Protocol):
    """Tests of one kind, and how they are played."""

    name: str
    needs: tuple[str, ...]      # the builds without which nothing of it can be played

    def tests(self) -> list[str]:
        """The names of its tests; asked when what it needs is built."""

    def jobs(self, chosen: list[str]) -> list[Job]:
        """The processes that play these tests."""

    def alone(self, test: str) -> Job:
        """A process that plays nothing but this test."""

    def command(self, test: str) -> str:
        """What a person types to play nothing but this test."""


def say(text: str) -> None:
    print(text, flush=True)


def first_line(text: str) -> str:
    """The first line of a text that says something, cut to a bearable length."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (lines[0] if lines else "nothing was said")[:400]


