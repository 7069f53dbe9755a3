"""People change both sides of the synced folders: single files, conflicts, moves, bursts, and times that cannot be."""
import os
from collections.abc import Callable

from disturbance import Disturbance
from sides import TROUBLE, DirectorySide, Side
from synced import DIRECTORIES, FILES, FolderOnDemand, SyncedFolder

BURST = 40
YEAR = 365 * 86_400


class Churn(Disturbance):
    weight = 120

    def step(self) -> None:
        folder = self.random.choice(self.world.folders)
        actions: list[Callable[[SyncedFolder], None]] = [self._change, self._conflict, self._move, self._delete]
        weights = [10, 2, 4, 3]
        if not isinstance(folder, FolderOnDemand):
            actions += [self._burst, self._impossible_time]
            weights += [1, 1]
        try:
            self.random.choices(actions, weights)[0](folder)
        except TROUBLE:
            # Another side was synced into it meanwhile, or the server is away.
            return

    def _name(self) -> str:
        return f"directory {self.random.randrange(DIRECTORIES)}/file {self.random.randrange(FILES + 4)}.txt"

    def _side(self, folder: SyncedFolder) -> Side:
        """Of a folder on demand the server's alone: whoever opens a file here may wait for long."""
        return folder.remote if isinstance(folder, FolderOnDemand) else self.random.choice(folder.sides)

    def _text(self) -> str:
        return f"{self.random.random()}\n" * self.random.choice((0, 1, 20, 20, 5_000))

    def _change(self, folder: SyncedFolder) -> None:
        self._side(folder).write(self._name(), self._text())

    def _conflict(self, folder: SyncedFolder) -> None:
        name = self._name()
        for side in folder.sides if not isinstance(folder, FolderOnDemand) else [folder.remote]:
            side.write(name, self._text())

    def _move(self, folder: SyncedFolder) -> None:
        side = self._side(folder)
        if self.random.random() < 0.2:
            side.move(f"directory {self.random.randrange(DIRECTORIES)}", f"moved {self.random.randrange(3)}")
        else:
            side.move(self._name(), self._name())

    def _delete(self, folder: SyncedFolder) -> None:
        self._side(folder).delete(self._name() if self.random.random() < 0.9 else f"moved {self.random.randrange(3)}")

    def _burst(self, folder: SyncedFolder) -> None:
        """A tree is unpacked, or removed."""
        side = self._side(folder)
        if self.random.random() < 0.5:
            side.delete("burst")
        else:
            for number in range(BURST if isinstance(side, DirectorySide) else BURST // 8):
                side.write(f"burst/{number % 10}/{number}.txt", f"{number}\n")

    def _impossible_time(self, folder: SyncedFolder) -> None:
        """A file of the future, or of before the calendar of Unix."""
        moment = self.random.choice((20 * YEAR, -YEAR, 60 * YEAR))
        os.utime(folder.local.path / self._name(), (moment * 2, moment * 2))
