"""Programs are killed, and come back by themselves: which ones, a stage says."""
import signal
from typing import Any

from disturbance import Disturbance
from session import end


class Crashes(Disturbance):
    weight = 3

    def __init__(self, world: Any, seed: str, programs: tuple[str, ...]) -> None:
        super().__init__(world, seed)
        self.programs = programs

    def step(self) -> None:
        for process in self.world.processes(self.random.choice(self.programs)):
            end(process, signal.SIGKILL)
        # Whoever shows something next has it started.
        self.world.wake()


class ProviderCrashes(Disturbance):
    """The example of a provider goes and comes."""

    weight = 4

    def step(self) -> None:
        if self.world.provider and self.random.random() < 0.6:
            self.world.end_provider()
        else:
            self.world.end_provider()
            self.world.start_provider()
