"""Results that a program of ours wrote, one JSON object a line, and what is missing from them."""
import json
import pathlib

from job import Ended
from lane import first_line
from outcome import Outcome, Verdict


def read(path: pathlib.Path, lane: str, planned: list[str], ended: Ended) -> list[Outcome]:
    """The outcome of each planned test. One of which nothing was written has failed, for whatever ended its process."""
    told: dict[str, Outcome] = {}
    if path.exists():
        for line in path.read_text().splitlines():
            row = json.loads(line)
            told[row["name"]] = Outcome(lane, row["name"], Verdict(row["outcome"]), row["seconds"], first_line(row["reason"])
                                        if row["reason"] else "")
    reason = ended.why()
    if ended.status == 0:
        reason = "its process ended well and said nothing of it"
    missing = [Outcome(lane, name, Verdict.FAILED, ended.seconds, reason) for name in planned if name not in told]
    found = [told[name] for name in planned if name in told] + missing
    if ended.status != 0 and all(outcome.verdict is not Verdict.FAILED for outcome in found):
        # Whatever it was, it is no success: it is put down to the last test.
        found[-1] = Outcome(lane, found[-1].name, Verdict.FAILED, found[-1].seconds, ended.why())
    return found
