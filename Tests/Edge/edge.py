"""A folder with everything that syncing does, for tests that disturb it: what is there before, what people do, and what
has to be there in the end."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNNER = pathlib.Path(os.environ.get("ROUNDEL_EDGE_RUNNER", ROOT / ".build" / "debug" / "edge-runner"))
BUILD = ROOT / "build" / "edge"
# What the person's steps are in a run that goes as it should; decided twice, as the first may be what was disturbed.
STEPS = ["start", "mine:mine", "theirs:theirs", "sync", "stop"]
# For one run of the program, on a machine whose cores are all busy with something else: each step has its own bound.
HANGING_SECONDS = 1200
CONFLICT = re.compile(r" \(conflict [^)]*\)")
# Names whose conflict may be decided or not after a disturbance: then both versions stand there.
DECIDED = ("mine", "theirs", "kind")

Tree = dict[str, tuple[int, str | None]]


class Failed(Exception):
    """Something that people were promised does not hold."""


def text(name: str, version: int = 0, lines: int = 20) -> str:
    """Contents that show whose they are, and where they begin and end."""
    return f"begin {name} {version}\n" + f"{name} {version} of a line that is somewhat longer\n" * lines + "end\n"


def library() -> pathlib.Path:
    """What has calls fail, compiled when it is first asked for."""
    BUILD.mkdir(parents=True, exist_ok=True)
    source, built = ROOT / "Tests" / "Edge" / "faults.c", BUILD / "faults.so"
    if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
        # Other processes may do the same meanwhile.
        new = built.with_suffix(f".{os.getpid()}")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-o", new, source, "-ldl"], check=True)
        new.rename(built)
    return built


@dataclasses.dataclass
class Fault:
    """Which call is disturbed, and how: see faults.c."""

    at: int = 0
    span: int = 1
    error: int = 0
    when: str = "before"
    only: str = ""
    leave: str = ""
    lack: str = ""
    act: str = ""
    # Seconds after which a step is given up; 0 for what the program takes for never.
    patience: int = 0

    def environment(self) -> dict[str, str]:
        values = {"EDGE_SPAN": str(self.span), "EDGE_WHEN": self.when}
        named = {"AT": str(self.at or ""), "ERROR": str(self.error or ""), "ONLY": self.only, "LEAVE": self.leave,
                 "LACK": self.lack, "ACT": self.act, "PATIENCE": str(self.patience or "")}
        return values | {f"EDGE_{name}": value for name, value in named.items() if value}


@dataclasses.dataclass
class Outcome:
    """How a run ended, and which calls were disturbed in it."""

    status: int
    output: str
    hits: list[str]
    calls: int


class Scene:
    """The two sides of a folder and what keeps them equal, in a directory of its own."""

    def __init__(self, parent: str | os.PathLike[str], keeps_permissions: bool = True) -> None:
        self.keeps_permissions = keeps_permissions
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="edge-", dir=parent))
        self.local, self.remote = self.place / "local", self.place / "remote"
        for name in ("local", "remote", "state", "data"):
            (self.place / name).mkdir()
        # Every text that is on one of the sides when people are done: none of them may be lost.
        self.texts: set[str] = set()

    def close(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)

    def write(self, side: pathlib.Path, name: str, version: int = 0, lines: int = 20) -> None:
        """A person writes a file, new or in place."""
        path = side / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(name, version, lines))

    # What people do

    def begin(self) -> None:
        """What both sides hold before."""
        for name in ("keep", "edit-l", "edit-r", "mine", "theirs", "kind", "del-l", "del-r", "mv-l", "mv-r", "box/inside",
                     "ren-l/x", "ren-r/x", "gone-l/y", "gone-r/y", "swap-1", "swap-2", "perm-l", "perm-r", "turn-l", "turn-r"):
            self.write(self.local, name)
        for name in ("perm-l", "perm-r"):
            (self.local / name).chmod(0o644)

    def change(self) -> None:
        """What people do then, on both sides."""
        here, there = self.local, self.remote
        self.write(here, "edit-l", 1)
        self.write(there, "edit-r", 1)
        for side, version in ((here, 1), (there, 2)):
            for name in ("mine", "theirs"):
                self.write(side, name, version)
        self.write(there, "kind", 2)
        (here / "kind").unlink()
        self.write(here, "kind/f", 1)
        (here / "del-l").unlink()
        (there / "del-r").unlink()
        (here / "mv-l").rename(here / "box" / "mv-l")
        (there / "mv-r").rename(there / "box" / "mv-r")
        (here / "ren-l").rename(here / "ren-l2")
        (there / "ren-r").rename(there / "ren-r2")
        shutil.rmtree(here / "gone-l")
        shutil.rmtree(there / "gone-r")
        (here / "swap-1").rename(here / "swap-0")
        (here / "swap-2").rename(here / "swap-1")
        (here / "swap-0").rename(here / "swap-2")
        (here / "perm-l").chmod(0o700)
        (there / "perm-r").chmod(0o700)
        for side, letter in ((here, "l"), (there, "r")):
            self.write(side, f"new-{letter}")
            self.write(side, f"new-dir-{letter}/n/deep")
            self.write(side, f"big-{letter}", 0, 60_000)
            (side / f"empty-{letter}").mkdir()
            (side / f"turn-{letter}").unlink()
            self.write(side, f"turn-{letter}/f")

    @staticmethod
    def expected() -> dict[str, str | None]:
        """What both sides hold in the end, besides the conflicts."""
        same = ["keep", "box/inside"]
        wanted: dict[str, str | None] = {name: text(name) for name in same}
        wanted |= {"box": None, "edit-l": text("edit-l", 1), "edit-r": text("edit-r", 1), "box/mv-l": text("mv-l"),
                   "box/mv-r": text("mv-r"), "ren-l2": None, "ren-l2/x": text("ren-l/x"), "ren-r2": None,
                   "ren-r2/x": text("ren-r/x"), "swap-1": text("swap-2"), "swap-2": text("swap-1"),
                   "perm-l": text("perm-l"), "perm-r": text("perm-r")}
        for letter in "lr":
            wanted |= {f"new-{letter}": text(f"new-{letter}"), f"new-dir-{letter}": None, f"new-dir-{letter}/n": None,
                       f"new-dir-{letter}/n/deep": text(f"new-dir-{letter}/n/deep"),
                       f"turn-{letter}": None, f"turn-{letter}/f": text(f"turn-{letter}/f"),
                       f"big-{letter}": text(f"big-{letter}", 0, 60_000), f"empty-{letter}": None}
        return wanted

    @classmethod
    def meant(cls) -> set[str]:
        """What both sides hold in the end: replaced versions give way where there is no space."""
        decided = [("mine", 1), ("theirs", 2), ("kind", 2), ("kind/f", 1)]
        return {contents for contents in cls.expected().values() if contents} | {text(*version) for version in decided}

    # The program

    def run(self, steps: list[str], fault: Fault | None = None, wrapper: typing.Sequence[str] = ()) -> Outcome:
        """Syncs; with a fault one of the calls is disturbed."""
        environment = dict(os.environ)
        log = self.place / "faults.log"
        log.unlink(missing_ok=True)
        if fault:
            environment |= fault.environment()
            environment |= {"LD_PRELOAD": str(library()), "EDGE_ROOT": str(self.place), "EDGE_LOG": str(log)}
        done = subprocess.run(
            [*wrapper, str(RUNNER), str(self.place), *steps], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=HANGING_SECONDS, check=False)
        lines = log.read_text().splitlines() if log.exists() else []
        hits = [line for line in lines if line.startswith("hit ")]
        calls = [int(line.split()[1]) for line in lines if line.startswith("calls ")]
        return Outcome(done.returncode, done.stdout, hits, calls[-1] if calls else 0)

    def prepare(self) -> None:
        """Both sides are equal, and then people do things."""
        self.begin()
        outcome = self.run(["start", "stop"])
        if outcome.status != 0 or self.tree(self.local) != self.tree(self.remote):
            raise Failed(f"the scene cannot be prepared: {outcome.output}")
        self.change()
        self.note_texts()

    def note_texts(self) -> None:
        """People are done: what is there now must not be lost."""
        trees = [self.tree(self.local), self.tree(self.remote)]
        self.texts = {contents for tree in trees for _, contents in tree.values() if contents is not None}

    # What has to hold

    @staticmethod
    def tree(side: pathlib.Path) -> Tree:
        """Every item with its permissions and, of a file, its contents."""
        found: Tree = {}
        for path in side.rglob("*"):
            name = str(path.relative_to(side))
            if name.split("/", maxsplit=1)[0] == ".roundel":
                continue
            mode = path.stat().st_mode & 0o700
            found[name] = (mode, path.read_text() if path.is_file() else None)
        return found

    def whole(self, keeps_replaced: bool = True) -> None:
        """No file holds anything but what somebody wrote, and nothing that was written is lost."""
        for side in (self.local, self.remote):
            for name, (_, contents) in self.tree(side).items():
                if contents is not None and contents not in self.texts:
                    raise Failed(f"{side.name}/{name} holds {len(contents)} bytes that nobody wrote")
        left = set(self.texts if keeps_replaced else self.meant())
        for path in self.place.rglob("*"):
            if path.is_file() and path.suffix not in (".db", ".db-wal", ".db-shm"):
                left.discard(path.read_bytes().decode(errors="replace"))
        if left:
            raise Failed(f"lost: {[contents.splitlines()[0] for contents in left]}")

    def converged(self, keeps_replaced: bool = True) -> None:
        """Both sides are equal, and hold what people meant."""
        self.whole(keeps_replaced)
        here, there = self.tree(self.local), self.tree(self.remote)
        if here != there:
            different = sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))
            raise Failed(f"the sides differ in {different}")
        wanted = self.expected()
        found = {name: contents for name, (_, contents) in here.items() if CONFLICT.sub("", name).split("/")[0] not in DECIDED}
        if found != wanted:
            different = sorted(name for name in found.keys() | wanted.keys() if found.get(name, 0) != wanted.get(name, 0))
            raise Failed(f"not what people meant: {different}")
        for name in ("perm-l", "perm-r"):
            if self.keeps_permissions and here[name][0] != 0o700:
                raise Failed(f"the permissions of {name} are {here[name][0]:o}")
        contents = [contents for name, (_, contents) in here.items() if CONFLICT.sub("", name).split("/")[0] in DECIDED]
        for name, version in (("mine", 1), ("theirs", 2), ("kind", 2), ("kind/f", 1)):
            if text(name, version) not in contents:
                raise Failed(f"{name} {version} is not among the conflicts")
