"""File managers and commands come, show directories, and go, politely or not."""
import dataclasses
import pathlib
from typing import Any

from disturbance import Disturbance
from gi.repository import Gio, GLib
from session import connect
from world import HOST

MOST = 8
CALL_MILLISECONDS = 30_000


@dataclasses.dataclass
class Host:
    connection: Any
    shown: list[str]


class Hosts(Disturbance):
    weight = 60

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.hosts: list[Host] = []

    def step(self) -> None:
        choice = self.random.random()
        if not self.hosts or (choice < 0.2 and len(self.hosts) < MOST):
            self._come()
        elif choice < 0.35:
            self._go(self.random.randrange(len(self.hosts)))
        elif choice < 0.40:
            self._watch()
        else:
            self._look(self.random.choice(self.hosts))

    def calm(self) -> None:
        while self.hosts:
            self._go(0)

    def _directories(self) -> list[pathlib.Path]:
        world = self.world
        tops = [*(folder.path for folder in world.folders), world.repository, world.marked, world.example]
        return [world.session.home, *tops, *(top / f"directory {number}" for top in tops for number in range(3))]

    def _come(self) -> None:
        try:
            connection = connect(self.world.session.address)
        except GLib.Error:
            return
        connection.set_exit_on_close(False)
        connection.signal_subscribe(
            None, HOST[2], None, HOST[1], None, Gio.DBusSignalFlags.NONE, lambda *signal: None)
        self.hosts.append(Host(connection, []))

    def _go(self, index: int) -> None:
        host = self.hosts.pop(index)
        if self.random.random() < 0.5:
            for uri in host.shown:
                self._call(host, "EndObserving", "(sa{sv})", uri, {})
        host.connection.close(None, lambda connection, result: connection.close_finish(result))

    def _watch(self) -> None:
        """A command that follows, until it is ended."""
        path = self.random.choice(self._directories())
        commands: list[list[str | pathlib.Path]] = [
            ["badge", path, "--watch"], ["status", "--watch"], ["ls", path], ["activity"], ["problems"]]
        self.world.begin("timeout", "--signal=KILL", "5", "roundel", *self.random.choice(commands))

    def _look(self, host: Host) -> None:
        path = self.random.choice(self._directories())
        uri, names = path.as_uri(), [f"file%20{number}.txt" for number in range(10)]
        kind = self.random.randrange(6)
        if kind == 0 or not host.shown:
            host.shown.append(uri)
            self._call(host, "BeginObserving", "(sa{sv})", uri, {})
        elif kind == 1:
            self._call(host, "EndObserving", "(sa{sv})", host.shown.pop(self.random.randrange(len(host.shown))), {})
        elif kind == 2:
            self._call(host, "RequestDirectory", "(ssua{sv})", self.random.choice(host.shown), "", 0, {})
        elif kind == 3:
            self._call(host, "RequestBadges", "(sasa{sv})", self.random.choice(host.shown), names, {})
        elif kind == 4:
            self._call(host, "GetMenu", "(usasa{sv})", self.random.randrange(4), uri, [f"{uri}/{names[0]}"], {})
        else:
            self._call(host, "GetAttributes", "(sasa{sv})", f"{uri}/{names[1]}", [], {})

    def _call(self, host: Host, member: str, signature: str, *arguments: Any) -> None:
        """Its answer is read, whatever it is: nobody may be there to answer."""
        def answered(connection: Any, result: Any) -> None:
            try:
                connection.call_finish(result)
            except GLib.Error:
                return
        host.connection.call(*HOST, member, GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE,
                             CALL_MILLISECONDS, None, answered)
