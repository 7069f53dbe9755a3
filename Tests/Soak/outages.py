"""Remotes drop: a server is switched off, another hangs, a share is not mounted."""
import os
import pathlib
import signal
from collections.abc import Callable

from disturbance import Disturbance
from sides import ServerSide


class Outages(Disturbance):
    weight = 4

    def step(self) -> None:
        actions: list[Callable[[], None]] = [self._switch, self._hang, self._unmount]
        self.random.choice(actions)()

    def calm(self) -> None:
        if self.away.exists():
            self._unmount()
        for side in (self.world.apache, self.world.nextcloud):
            if side.server.process is None:
                side.server.start()
            os.kill(self._process(side), signal.SIGCONT)
            side.is_away = False

    @staticmethod
    def _process(side: ServerSide) -> int:
        assert side.server.process
        return side.server.process.pid

    def _switch(self) -> None:
        side = self.random.choice([self.world.apache, self.world.nextcloud])
        if side.server.process is None:
            side.server.start()
            side.is_away = False
        elif not side.is_away:
            side.is_away = True
            side.server.end()

    def _hang(self) -> None:
        """Nextcloud's is one process: it takes connections, and nothing comes."""
        side = self.world.nextcloud
        if side.server.process is None:
            return
        os.kill(self._process(side), signal.SIGCONT if side.is_away else signal.SIGSTOP)
        side.is_away = not side.is_away

    def _unmount(self) -> None:
        """The directory goes from its place, and comes back as it was."""
        place = self.world.directory_remote.path
        if self.away.exists():
            self.away.rename(place)
        else:
            place.rename(self.away)

    @property
    def away(self) -> pathlib.Path:
        return self.world.directory_remote.path.with_name("remote that is away")
