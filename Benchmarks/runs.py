"""Runs of the benchmarks as they are kept: a JSON file of each, with what every round of every row gave.

    {"format": 1, "began": …, "commit": …, "changed": …, "kernel": …, "processor": …, "cores": …, "rows": [
        {"group": …, "what": …, "target": …, "measured": …, "how": …, "met": …, "figures": [
            {"name": …, "unit": "ns", "own": [each round], "peer": [the same rounds; empty without a peer]}]}]}

A figure's name is the same in each run, and no other figure has it. Less is better.
"""
import datetime
import json
import os
import pathlib
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "bench"
FORMAT = 1


class Mistake(Exception):
    """What the person who started it did wrong."""


@dataclass(frozen=True)
class Figure:
    name: str
    unit: str
    own: tuple[float, ...]
    peer: tuple[float, ...]

    @property
    def rounds(self) -> list[tuple[float, float | None]]:
        """What each round gave, and the peer in the same round."""
        return list(zip(self.own, self.peer)) if self.peer else [(value, None) for value in self.own]


def figures(run: dict[str, Any]) -> dict[str, Figure]:
    """Those of all rows, by name, in their order."""
    found = {}
    for row in run["rows"]:
        for entry in row["figures"]:
            own, peer = ([float(value) for value in entry[side]] for side in ("own", "peer"))
            if own:
                found[entry["name"]] = Figure(entry["name"], entry["unit"], tuple(own), tuple(peer))
    return found


def circumstances() -> dict[str, Any]:
    """When, of what and where a run is."""
    def git(*words: str) -> str:
        try:
            return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return ""
    models = [line.partition(":")[2].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
              if line.startswith("model name")]
    return {"format": FORMAT, "began": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "commit": git("rev-parse", "--short=12", "HEAD"), "changed": bool(git("status", "--porcelain")),
            "kernel": platform.release(), "processor": models[0] if models else platform.machine(), "cores": os.cpu_count()}


def add(path: pathlib.Path, rows: Iterable[dict[str, Any]]) -> None:
    """Adds rows to the file of a run, which is made with the first; a row that is there already is replaced."""
    added = list(rows)
    run = read(path) if path.exists() else {**circumstances(), "rows": []}
    names = {(row["group"], row["what"]) for row in added}
    run["rows"] = [row for row in run["rows"] if (row["group"], row["what"]) not in names] + added
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(json.dumps(run, ensure_ascii=False, indent=1) + "\n")
    temporary.replace(path)


def read(path: pathlib.Path) -> dict[str, Any]:
    try:
        run = json.loads(path.read_text())
    except OSError as error:
        raise Mistake(f"{path}: {error.strerror}") from None
    except ValueError:
        raise Mistake(f"{path} is no run of the benchmarks") from None
    if not isinstance(run, dict) or run.get("format") != FORMAT:
        raise Mistake(f"{path} is no run of the benchmarks in this form")
    return run


def path_of(name: str) -> pathlib.Path:
    """The file of a run: a path, or the name of one that is kept at the usual place."""
    given = pathlib.Path(name)
    return given if given.suffix == ".json" or len(given.parts) > 1 else PLACE / f"{name}.json"
