"""What happens to the programs while they are soaked."""
import random
from abc import ABC, abstractmethod

from world import World


class Disturbance(ABC):
    """One kind of it. What it does in a step must return soon, and may last until a later step or until it is calmed."""

    # How often it comes, beside the others.
    weight = 10

    def __init__(self, world: World, seed: str) -> None:
        self.world = world
        self.random = random.Random(f"{seed} {type(self).__name__}")

    @abstractmethod
    def step(self) -> None:
        """Does a little more of it."""

    def calm(self) -> None:  # noqa: B027  most have nothing that lasts
        """Ends what lasts."""
