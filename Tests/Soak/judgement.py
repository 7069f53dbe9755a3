"""What is said of figures that were taken at rest early and at the end: whether they grew."""
import dataclasses
from collections import Counter
from collections.abc import Mapping

Figures = Mapping[str, float]   # by the name of what was counted


@dataclasses.dataclass(frozen=True)
class Reading:
    """What one program had at rest."""

    processes: frozenset[int]
    figures: Figures
    # What was counted, by the name of the figure, where it has names.
    names: Mapping[str, Counter[str]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """How much more than before counts as the same."""

    share: float
    amount: float

    def most(self, before: float) -> float:
        return before * (1 + self.share) + self.amount


@dataclasses.dataclass(frozen=True)
class Verdict:
    program: str
    figure: str
    before: float | None
    after: float | None
    most: float | None
    fault: str  # empty if there is none
    more: Counter[str] = dataclasses.field(default_factory=Counter)  # what there was not before, where it has names


# Memory is that of freed and kept heaps as well, and wake-ups depend on when a server is asked next. Everything else that is
# counted at rest is exact.
EXACT = Tolerance(0, 0)
TOLERANCES = {
    "memory": Tolerance(0.1, 1),        # MB
    "anonymous": Tolerance(0.1, 1),     # MB
    "database": Tolerance(0.1, 0.25),   # MB
    "wake-ups": Tolerance(0.5, 10),     # in the seconds of a look
    "threads": Tolerance(0, 1),         # one that is just ending
}


def judged(before: Mapping[str, Reading], after: Mapping[str, Reading], lasting: frozenset[str]) -> list[Verdict]:
    """Each figure of each program early and at the end. Programs that are lasting must be the same processes."""
    verdicts: list[Verdict] = []
    for program in sorted({*before, *after, *lasting}):
        early, late = before.get(program), after.get(program)
        if early is None or late is None or 0 in (early.figures.get("processes"), late.figures.get("processes")):
            verdicts.append(Verdict(program, "processes", None, None, None, "not measured"))
            continue
        if program in lasting and early.processes != late.processes:
            verdicts.append(Verdict(program, "processes", None, None, None, "ended by itself"))
        verdicts += [_judged(program, figure, early, late) for figure in {**early.figures, **late.figures}]
    return verdicts


def _judged(program: str, figure: str, early: Reading, late: Reading) -> Verdict:
    before, after = early.figures.get(figure), late.figures.get(figure)
    if before is None or after is None:
        return Verdict(program, figure, before, after, None, "not measured")
    most = TOLERANCES.get(figure, EXACT).most(before)
    if after <= most:
        return Verdict(program, figure, before, after, most, "")
    more = late.names.get(figure, Counter()) - early.names.get(figure, Counter())
    return Verdict(program, figure, before, after, most, "grew", more)
