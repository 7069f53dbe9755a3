"""Programs open, write and remove files of the folder on demand, which are fetched, freed and pinned."""
import pathlib

from disturbance import Disturbance
from synced import DIRECTORIES, FILES

SECONDS = "15"
MOST = 6


class Demands(Disturbance):
    weight = 25

    def step(self) -> None:
        if len(self.world.commands) >= MOST:
            return
        directory = self.world.on_demand.path / f"directory {self.random.randrange(DIRECTORIES)}"
        path = directory / f"file {self.random.randrange(FILES)}.txt"
        commands: list[list[str | pathlib.Path]] = [
            ["cat", path], ["cat", path], ["head", "--bytes=1", path], ["ls", "-lR", self.world.on_demand.path],
            ["roundel", "fetch", path], ["roundel", "free", path], ["roundel", "free", self.world.on_demand.path],
            ["roundel", "pin", self.random.choice([path, directory])],
            ["roundel", "unpin", self.random.choice([path, directory])],
            ["cp", "--", __file__, directory / f"new {self.random.randrange(4)}.txt"],
            ["cp", "--", __file__, path], ["truncate", "--size=0", path], ["rm", "--force", "--", path],
            ["mv", "--", path, directory / f"moved {self.random.randrange(4)}.txt"],
        ]
        self.world.begin("timeout", "--signal=KILL", SECONDS, *self.random.choice(commands))
