"""The computer sleeps: all services stand still for a while, and find that the clock has gone on without them.

Nobody can have the computer that runs a test sleep, nor set its clock. SIGSTOP stands for the one, and a calendar of the
session's own (clock.c) for the other; the monotonic clock goes on meanwhile, unlike in a real sleep.
"""
import signal
import time

from disturbance import Disturbance
from session import end
from world import PROGRAMS, World

HOUR = 3_600
JUMPS = (-400 * 24 * HOUR, -26 * HOUR, -90, 0, 90, HOUR, 26 * HOUR, 40 * 24 * HOUR, 10_000 * 24 * HOUR)


class Suspends(Disturbance):
    weight = 4

    def __init__(self, world: World, seed: str) -> None:
        super().__init__(world, seed)
        self.stopped: list[int] = []

    def step(self) -> None:
        if self.stopped:
            self.calm()
            return
        # The mount as well: but nothing of the soak itself may wait for it, so that it goes on at once.
        self.stopped = [process for program in PROGRAMS if program != "roundel-mount"
                        for process in self.world.processes(program)]
        for process in self.stopped:
            end(process, signal.SIGSTOP)
        time.sleep(self.random.random())
        if self.random.random() < 0.5:
            self.calm()

    def calm(self) -> None:
        for process in self.stopped:
            end(process, signal.SIGCONT)
        self.stopped = []


class ClockJumps(Disturbance):
    weight = 4

    def step(self) -> None:
        self.world.set_clock(self.random.choice(JUMPS))

    def calm(self) -> None:
        self.world.set_clock(0)
