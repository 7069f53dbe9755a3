"""The parts of a soak: in each, some programs live through it and are measured, while others are killed."""
import dataclasses
import random
import time
from collections.abc import Callable, Mapping

from churn import Churn
from crashes import Crashes, ProviderCrashes
from demands import Demands
from disturbance import Disturbance
from hosts import Hosts
from judgement import Reading, Verdict, judged
from outages import Outages
from registrations import Registrations
from repositories import Repositories
from suspends import ClockJumps, Suspends
from world import World

# A pause between two steps, in which the programs get somewhere.
STEP_SECONDS = 0.1
# In the reverse of the order in which they are calmed.
GENTLE: tuple[type[Disturbance], ...] = (
    Churn, Hosts, Demands, Registrations, Repositories, ProviderCrashes, Outages, Suspends, ClockJumps)
# Measured in every stage; the bus is not of ours, and no leak of ours may show in it either.
ALWAYS = ("dbus-daemon", "session")

Report = Callable[[str, float, Mapping[str, Reading]], None]


@dataclasses.dataclass(frozen=True)
class Stage:
    name: str
    share: float                    # of the whole time
    killed: tuple[str, ...]         # programs that are killed again and again
    lasting: tuple[str, ...]        # those that have to live through it
    restarts_bus: bool = False      # before each rest


STAGES = [
    Stage("engines crash", 0.42, ("roundel-worker", "roundel-git", "roundel-marks"), ("roundeld", "roundel-mount")),
    Stage("the service crashes", 0.42, ("roundeld", "roundel-mount"), ("roundel-worker", "roundel-git", "roundel-marks")),
    Stage("the bus restarts", 0.16, (), (), restarts_bus=True),
]


class Player:
    """Plays one stage: rounds of disturbances with a rest after each."""

    def __init__(self, stage: Stage, world: World, seed: str, report: Report) -> None:
        self.stage, self.world, self.report = stage, world, report
        self.random = random.Random(f"{seed} {stage.name}")
        part = f"{seed} {stage.name}"
        self.disturbances: list[Disturbance] = [kind(world, part) for kind in GENTLE]
        if stage.killed:
            self.disturbances.append(Crashes(world, part, stage.killed))

    def play(self, seconds: float, warm_up: float, round_seconds: float) -> list[Verdict]:
        """What is to be said of the first rest after the warm-up and the last one."""
        began = time.monotonic()
        before: Mapping[str, Reading] | None = None
        after: Mapping[str, Reading] | None = None
        # There is a last one to compare with, however long they take.
        while after is None or time.monotonic() - began < seconds:
            self._disturb(round_seconds)
            self._calm()
            if self.stage.restarts_bus:
                self.world.restart_bus()
            self.world.rest()
            readings = self.world.readings()
            self.report(self.stage.name, time.monotonic() - began, readings)
            if before is not None:
                after = readings
            elif time.monotonic() - began >= warm_up:
                before = readings
        assert before is not None
        measured = {*ALWAYS, *self.stage.lasting} if self.stage.lasting else set(before)
        return judged({name: before[name] for name in measured}, {name: after[name] for name in measured},
                      frozenset(self.stage.lasting))

    def _disturb(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        weights = [disturbance.weight for disturbance in self.disturbances]
        while time.monotonic() < deadline:
            self.random.choices(self.disturbances, weights)[0].step()
            self.world.reap()
            time.sleep(STEP_SECONDS)

    def _calm(self) -> None:
        # The last first: they have the programs and servers go on, which the others ask.
        for disturbance in reversed(self.disturbances):
            disturbance.calm()
