"""Reads the system calls of a run, as strace wrote them, and finds what was not durable when the database was committed."""
from __future__ import annotations

import dataclasses
import pathlib
import re
import typing

CALLS = ("openat2,openat,renameat2,linkat,unlinkat,unlink,mkdirat,fsync,fdatasync,syncfs,write,pwrite64,fchmod,chmod,"
         "fchown,fsetxattr,ftruncate")
STRACE = ["strace", "-f", "-y", "-xx", "-s", "4096", "-e", f"trace={CALLS}", "-e", "signal=none"]

LINE = re.compile(r"^(\d+) +(.*)$")
UNFINISHED = re.compile(r"^(\w+)\((.*) <unfinished \.\.\.>$")
RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$")
WHOLE = re.compile(r"^(\w+)\((.*)\) += (-?\d+)(?:<(.*?)>)?(?:\(deleted\))?(?: .*)?$")
DESCRIPTOR = re.compile(r'(\d+|AT_FDCWD)<((?:[^>\\]|\\.)*)>(?:\(deleted\))?')
STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
HEADER = 24
# How long the machine has run, as last recorded: whatever a power cut takes of it, kept versions stay the longer for it.
CLOCK = "/lived.new"


def plain(text: str) -> str:
    """A path as strace writes it with -xx, or a string's bytes."""
    return re.sub(r"\\x([0-9a-f]{2})", lambda match: chr(int(match[1], 16)), text).removesuffix(" (deleted)")


@dataclasses.dataclass
class Call:
    """One call that succeeded; `began` and `ended` order it among the others."""

    name: str
    arguments: str
    result: int
    result_path: str
    began: int
    ended: int

    @property
    def descriptors(self) -> list[str]:
        """Where the descriptors among the arguments lead."""
        return [plain(match[2]) for match in DESCRIPTOR.finditer(self.arguments)]

    @property
    def strings(self) -> list[str]:
        return [plain(match[1]) for match in STRING.finditer(self.arguments)]


def calls(path: pathlib.Path) -> typing.Iterator[Call]:
    """The calls in the order in which they ended."""
    open_calls: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(path.read_text(errors="replace").splitlines()):
        match = LINE.match(line)
        if not match:
            continue
        thread, rest = match.groups()
        began = number
        if unfinished := UNFINISHED.match(rest):
            open_calls[thread] = (f"{unfinished[1]}({unfinished[2]}", number)
            continue
        if resumed := RESUMED.match(rest):
            if thread not in open_calls:
                continue
            first, began = open_calls.pop(thread)
            rest = first + resumed[2]
        if whole := WHOLE.match(rest):
            if int(whole[3]) >= 0:
                yield Call(whole[1], whole[2], int(whole[3]), plain(whole[4] or ""), began, number)
        elif not rest.startswith(("+++", "---")) and " = ?" not in rest and "???" not in rest and "= -1" not in rest:
            raise ValueError(f"a line that is not understood: {line}")


def is_commit(call: Call, database: str) -> bool:
    """Whether the call writes the last frame of a commit into the log: its header says how many pages there are."""
    if call.name != "pwrite64" or call.descriptors[:1] != [database + "-wal"] or call.result != HEADER:
        return False
    return any(ord(letter) for letter in call.strings[0][4:8])


class Checker:
    """Follows which directories and files changed since they were made durable."""

    def __init__(self, place: pathlib.Path) -> None:
        self.place = str(place)
        self.database = f"{self.place}/state/trees.db"
        # What changed, and in which line.
        self.entries: dict[str, int] = {}
        self.contents: dict[str, int] = {}
        self.attributes: dict[str, int] = {}
        self.descriptors: dict[int, str] = {}
        self.problems: list[str] = []
        self.commits = 0
        self.seen: set[str] = set()

    def run(self, trace: pathlib.Path) -> Checker:
        for call in calls(trace):
            self.follow(call)
        return self

    def at_end(self) -> Checker:
        """Everything has to be durable now."""
        self.judge("in the end")
        return self

    def is_ours(self, path: str) -> bool:
        return path.startswith(self.place + "/") and not path.startswith(self.database) and not path.endswith(CLOCK)

    def follow(self, call: Call) -> None:
        name, places, strings = call.name, call.descriptors, call.strings
        if name in ("openat2", "openat"):
            self.descriptors[call.result] = call.result_path
            if "O_CREAT" in call.arguments and "O_TMPFILE" not in call.arguments and self.is_ours(call.result_path):
                self.change(self.entries, str(pathlib.PurePath(call.result_path).parent), call)
        elif name in ("fsync", "fdatasync"):
            self.settle(places[0], call)
        elif name == "syncfs":
            self.settle(None, call)
        elif name in ("write", "pwrite64", "ftruncate"):
            if is_commit(call, self.database):
                self.commits += 1
                self.judge(f"at commit {self.commits}, line {call.began + 1}")
            elif places and self.is_ours(places[0]):
                self.change(self.contents, places[0], call)
        elif name in ("fchmod", "fchown", "fsetxattr"):
            if self.is_ours(places[0]):
                self.change(self.attributes, places[0], call)
        elif name == "chmod":
            self.change_by_link(strings[0], call)
        else:
            self.follow_names(call, places, strings)

    def change_by_link(self, path: str, call: Call) -> None:
        """An item that is open was changed by the link that /proc has for it."""
        target = self.descriptors.get(int(path.removeprefix("/proc/self/fd/")), "")
        if self.is_ours(target):
            self.change(self.attributes, target, call)

    def follow_names(self, call: Call, places: list[str], strings: list[str]) -> None:
        if call.name == "unlink":
            return
        directory, entry = places[0], f"{places[0]}/{strings[0]}"
        if entry.endswith(CLOCK):
            return
        if call.name == "linkat":
            source = entry
            if strings[0].startswith("/proc/self/fd/"):
                source = self.descriptors[int(strings[0].removeprefix("/proc/self/fd/"))]
            target = f"{places[-1]}/{strings[1]}"
            self.place_file(source, target, call)
            self.change(self.entries, places[-1], call)
            for kind in (self.contents, self.attributes):
                if source in kind:
                    kind[target] = kind[source]
            return
        if not self.is_ours(directory):
            return
        self.change(self.entries, directory, call)
        if call.name == "renameat2":
            target = f"{places[1]}/{strings[1]}"
            self.change(self.entries, places[1], call)
            is_exchange = "RENAME_EXCHANGE" in call.arguments
            self.place_file(entry, target, call)
            if is_exchange:
                self.place_file(target, entry, call)
            for kind in (self.entries, self.contents, self.attributes):
                self.rename(kind, entry, target, is_exchange)
        elif call.name == "unlinkat":
            for kind in (self.entries, self.contents, self.attributes):
                for path in [path for path in kind if path == entry or path.startswith(entry + "/")]:
                    del kind[path]

    @staticmethod
    def rename(kind: dict[str, int], old: str, new: str, is_exchange: bool) -> None:
        def moved(path: str, old: str, new: str) -> str | None:
            return new + path[len(old):] if path == old or path.startswith(old + "/") else None

        for path, number in list(kind.items()):
            other = moved(path, old, new) or (moved(path, new, old) if is_exchange else None)
            if other:
                if kind[path] == number:
                    del kind[path]
                kind[other] = number

    def change(self, kind: dict[str, int], path: str, call: Call) -> None:
        kind[path] = call.ended
        self.seen.add(call.name + (" exchange" if "RENAME_EXCHANGE" in call.arguments else ""))

    def settle(self, path: str | None, call: Call) -> None:
        """What changed before the call began is durable."""
        for kind in (self.entries, self.contents, self.attributes):
            for changed, number in list(kind.items()):
                if (path is None or changed == path) and number < call.began:
                    del kind[changed]

    def place_file(self, source: str, target: str, call: Call) -> None:
        """A file gets a name that a person sees: its contents are durable before."""
        sides = (self.place + "/local/", self.place + "/remote/")
        if target.startswith(sides) and "/.roundel/" not in target and source in self.contents:
            self.problems.append(f"line {call.began + 1}: the contents of {source} are not durable when it becomes {target}")

    def judge(self, when: str) -> None:
        for what, kind in (("the entries of", self.entries), ("the contents of", self.contents),
                           ("the attributes of", self.attributes)):
            for path, number in kind.items():
                # What stands in the staging directory, or has no name yet, is nobody's.
                if "/staging/" in path + "/" or "/#" in path:
                    continue
                self.problems.append(f"{when}: {what} {path}, changed in line {number + 1}, are not durable")
