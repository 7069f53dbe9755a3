"""What two runs of the benchmarks say of what changed between them.

A row's value in a round is what was measured, divided by what its peer took in the same round where it has a peer: so what
else the machine did meanwhile concerns both. A row's change is the median of one run's rounds divided by that of the
other's. Its range comes from a bootstrap: the rounds of each run are drawn again, with replacement, as many as there were,
and the medians' ratio is taken, 4,000 times from a fixed seed. 95 of 100 of these ratios lie in the range. A change is beyond
the noise if the range does not include 1, and there are enough rounds for chance to give such a range seldom.
"""
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from runs import Figure

DRAWS = 4_000
SEED = 1
SHARE = 0.95
# Three rounds of one run are all below three of the other in one of ten comparisons of the same; four in one of 35.
FEWEST = 4
# Units that are read more easily for values from so many on.
LARGER: dict[str, tuple[tuple[float, str], ...]] = {
    "ns": ((1e9, "s"), (1e6, "ms"), (1e3, "µs")), "KiB": ((1024, "MiB"),),
    "instructions": ((1e6, "M instructions"), (1e3, "k instructions"))}


class Verdict(Enum):
    BETTER = "**better**"
    WORSE = "**worse**"
    NOISE = "no"
    FEW = "too few rounds"


@dataclass(frozen=True)
class Change:
    """B divided by A."""
    ratio: float
    low: float
    high: float
    verdict: Verdict


def values(figure: Figure) -> list[float]:
    """What is compared: a round beside its peer, where there is one."""
    return [own if peer is None else own / peer if peer else math.nan for own, peer in figure.rounds]


def change(before: Figure, after: Figure) -> Change | None:
    """None if the two have nothing to be compared: one is nothing at all, or only one has a peer."""
    if bool(before.peer) != bool(after.peer) or before.unit != after.unit:
        return None
    first, second = values(before), values(after)
    if not all(math.isfinite(value) and value > 0 for value in first + second):
        return None
    ratio = statistics.median(second) / statistics.median(first)
    low, high = interval(first, second)
    return Change(ratio, low, high, verdict(low, high, min(len(first), len(second))))


def verdict(low: float, high: float, rounds: int) -> Verdict:
    if rounds < FEWEST:
        return Verdict.FEW
    if high < 1:
        return Verdict.BETTER
    return Verdict.WORSE if low > 1 else Verdict.NOISE


def interval(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Between which values the ratio of medians of rounds that are drawn again lies, as a rule."""
    chance = random.Random(SEED)
    ratios = sorted(
        statistics.median(chance.choices(second, k=len(second))) / statistics.median(chance.choices(first, k=len(first)))
        for _ in range(DRAWS))
    outside = round(DRAWS * (1 - SHARE) / 2)
    return ratios[outside], ratios[-1 - outside]


def text(value: float, unit: str) -> str:
    """A value as people read it."""
    for size, name in LARGER.get(unit, ()):
        if abs(value) >= size:
            return f"{value / size:.3g} {name}"
    return f"{value:.3g} {unit if unit != 'count' else ''}".strip()


def figure_text(figure: Figure) -> str:
    own = text(statistics.median(figure.own), figure.unit)
    beside = [value for value in values(figure) if math.isfinite(value)] if figure.peer else []
    return f"{own}, {statistics.median(beside):.3g} × its peer" if beside else own


def table(before: dict[str, Figure], after: dict[str, Figure]) -> list[str]:
    """Markdown: a line for each row that both have, then the names of the others."""
    lines = ["| row | A | B | B / A | beyond the noise |", "| --- | --- | --- | --- | --- |"]
    verdicts = []
    for name in (name for name in before if name in after):
        found = change(before[name], after[name])
        columns = [name, figure_text(before[name]), figure_text(after[name])]
        if found is None:
            lines.append(f"| {' | '.join(columns)} | | cannot be compared |")
            continue
        verdicts.append(found.verdict)
        lines.append(f"| {' | '.join(columns)} | {found.ratio:.2f} ({found.low:.2f} to {found.high:.2f}) | "
                     f"{found.verdict.value} |")
    judged = sum(verdict is not Verdict.FEW for verdict in verdicts)
    changed = sum(verdict in (Verdict.BETTER, Verdict.WORSE) for verdict in verdicts)
    lines += ["", f"Less is better. {changed} of {judged} rows with {FEWEST} rounds or more changed beyond the noise; "
                  f"chance alone lets about {max(1, round(judged / 20))} seem so."]
    for run, own, other in (("A", before, after), ("B", after, before)):
        if alone := [name for name in own if name not in other]:
            lines += ["", f"Only {run} has:", *(f"- {name}" for name in alone)]
    return lines
