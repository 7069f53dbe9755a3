"""The results of the runs, which the next run can go on with, and the report that people read."""

import collections
import json
import pathlib

from plays import BROKEN, KILLED, WORK
from tables import Fault

RESULTS = WORK / "results.json"
REPORT = WORK / "report.md"
UNKNOWN = "not run yet"
HEADING = """# Planted faults

Each of these faults was switched on alone, and the test named beside it had to fail. A fault that survives is a promise
without a test. A result is that of the last run which played the fault as it is now.
"""
COLUMNS = ["Fault", "What it does", "The promise it breaks", "In", "Killed by", "Result", "Seconds"]

Results = dict[str, dict[str, str | float]]


def known(faults: list[Fault]) -> Results:
    """The results that hold for the present text of the faults and their functions."""
    results: Results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    return {fault.id: found for fault in faults
            if (found := results.get(fault.id)) is not None and found["text"] == fault.fingerprint}


def result(fault: Fault, outcome: str, seconds: float = 0) -> dict[str, str | float]:
    return {"text": fault.fingerprint, "result": outcome, "seconds": round(seconds, 1)}


def is_killed(found: dict[str, str | float] | None) -> bool:
    return found is not None and str(found["result"]).startswith(KILLED)


def write(faults: list[Fault], results: Results) -> None:
    replace(RESULTS, json.dumps(results, indent=1, sort_keys=True) + "\n")
    replace(REPORT, text(faults, results))


def replace(path: pathlib.Path, content: str) -> None:
    """As a whole, so that a run that ends in the midst leaves something to go on with."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(content)
    new.replace(path)


def text(faults: list[Fault], results: Results) -> str:
    outcomes = {fault.id: str(results[fault.id]["result"]) if fault.id in results else UNKNOWN for fault in faults}
    counts = collections.Counter(outcome.partition(" (")[0] for outcome in outcomes.values())
    lines = [HEADING, f"{len(faults)} faults: {', '.join(f'{count} {name}' for name, count in counts.most_common())}."]
    for module in sorted({fault.module for fault in faults}):
        lines += ["", f"## {module}", "", f"| {' | '.join(COLUMNS)} |", "|" + " --- |" * len(COLUMNS)]
        for fault in faults:
            if fault.module == module:
                seconds = str(results[fault.id]["seconds"]) if fault.id in results and outcomes[fault.id] != BROKEN else ""
                cells = [f"`{fault.id}`", fault.fault, fault.promise, f"`{fault.function}`", f"`{fault.killer}`",
                         outcomes[fault.id], seconds]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
