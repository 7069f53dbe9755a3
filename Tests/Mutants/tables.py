"""The tables of planted faults: what each does, where it is planted, and what has to fail."""

import collections
import dataclasses
import functools
import hashlib
import itertools
import pathlib
import re
import tomllib
from typing import Any

import places
from places import ROOT, Mistake, Place

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("expression", "statement")


@dataclasses.dataclass(frozen=True)
class Fault:
    """One entry of a table, with what was found in the tree."""

    id: str
    fault: str
    promise: str
    function: str
    find: str
    replace: str
    place: Place
    kind: str = "expression"
    test: str = ""
    unit: str = ""
    scenario: str = ""
    # The folder below Tests with the Swift test.
    target: str = ""

    @property
    def module(self) -> str:
        """The folder of Sources that it is in; each file manager's and each remote's is a module of its own."""
        parts = pathlib.Path(self.place.file).parts
        return "/".join(parts[1:3]) if parts[1] in ("FileManagers", "Remotes") else parts[1]

    @property
    def is_swift(self) -> bool:
        return self.place.file.endswith(".swift")

    @property
    def killer(self) -> str:
        """What has to fail, as people read it."""
        return self.test or self.unit or f"Tests/Desktop/run {self.scenario}"

    @property
    def filter(self) -> str:
        """Finds the Swift test. The target of a folder that is no module's is called by the folder's name and "Tests"."""
        suite, function = self.test.rpartition(".")[2].split("/")
        return rf"^{self.target}(Tests)?\.{suite}/{function}\("

    @property
    def fingerprint(self) -> str:
        """Changes with the fault and with the code of its function, not with how that is laid out."""
        span = self.place.function
        code = places.sources()[self.place.file][span.start : span.end].split()
        parts = [self.kind, self.function, self.find, self.replace, self.killer, " ".join(code)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def load() -> list[Fault]:
    """Every fault of every table."""
    faults: list[Fault] = []
    mistakes: list[str] = []
    for table in sorted(HERE.glob("*.toml")):
        try:
            entries = tomllib.loads(table.read_text())["mutant"]
        except tomllib.TOMLDecodeError as error:
            raise Mistake(f"{table.name}: {error}") from None
        for entry in entries:
            try:
                faults.append(located(entry))
            except (Mistake, KeyError, TypeError) as mistake:
                mistakes.append(f"{entry.get('id', table.name)}: {mistake}")
    counts = collections.Counter(fault.id for fault in faults)
    mistakes += [f"{name}: {count} faults have this id" for name, count in counts.items() if count > 1]
    mistakes += overlaps(faults)
    if mistakes:
        raise Mistake("\n".join(mistakes))
    return faults


def located(entry: dict[str, Any]) -> Fault:
    """A fault with its place and its test's target."""
    killers = [key for key in ("test", "unit", "scenario") if entry.get(key)]
    if len(killers) != 1:
        raise Mistake("it has to fail one test, one unit test or one scenario")
    if entry.get("kind", KINDS[0]) not in KINDS:
        raise Mistake(f"its kind is none of {', '.join(KINDS)}")
    values = {("function" if key == "in" else key): value for key, value in entry.items()}
    values["place"] = places.place(entry["in"], entry["find"])
    return Fault(**values, target=target(entry["test"]) if "test" in entry else "")


@functools.cache
def tests() -> dict[pathlib.Path, str]:
    """The text of every file of Swift tests, by its path below Tests."""
    return {path.relative_to(ROOT / "Tests"): path.read_text() for path in (ROOT / "Tests").rglob("*.swift")}


def target(test: str) -> str:
    """The folder below Tests with a Swift test, [Target.]Suite/function."""
    suite, _, function = test.rpartition("/")
    wanted, _, suite = suite.rpartition(".")
    declaration = re.compile(rf"func {re.escape(function)}\b")
    around = re.compile(rf"\b(struct|class|extension) {re.escape(suite)}\b")
    found = [
        path
        for path, text in tests().items()
        if wanted in ("", path.parts[0]) and f"func {function}" in text and declaration.search(text) and around.search(text)
    ]
    if len(found) != 1:
        raise Mistake(f"there are {len(found)} tests {test}: {' '.join(map(str, found))}")
    return found[0].parts[0]


def overlaps(faults: list[Fault]) -> list[str]:
    """Faults that cannot be planted beside each other."""
    placed = sorted(faults, key=lambda fault: (fault.place.file, fault.place.expression.start))
    return [
        f"{other.id}: it overlaps with {one.id}"
        for one, other in itertools.pairwise(placed)
        if one.place.file == other.place.file and other.place.expression.start < one.place.expression.end
    ]
