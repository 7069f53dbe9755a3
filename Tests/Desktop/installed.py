"""The services of an installation, each started by the bus when it is called, as in a session."""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import wire
from desktop import Desktop
from gi.repository import Gio, GLib
from waiting import CALL_MILLISECONDS, PROGRAM_SECONDS, Failure, wait_for

WORKER_NAME = "org.roundel.SyncWorker1"
NEEDS_THE_USER = 2  # the exit status of a command that is done, but something needs the user
MIDDLE_OF_TRANSFER = 64 << 20  # bytes written by the worker, of a file that is several times as large


class InstalledServices:
    """What hosts do against the contract, the service refuses by itself: nothing is recorded here."""

    violations: tuple[str, ...] = ()
    requests: list[tuple[str, str, int]] | None = None

    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        self.said: list[str] = []  # every command of the command line and what came of it
        # A process that has the name of a service, so that nobody starts it.
        self.name_holder: subprocess.Popen[bytes] | None = None

    def roundel(self, *arguments: str, seconds: float = PROGRAM_SECONDS) -> str:
        """Runs the command line; what it printed."""
        done = subprocess.run(["roundel", *arguments], env=self.desktop.environment, capture_output=True, text=True,
                              timeout=seconds, check=False)
        self.said.append(f"roundel {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}".strip())
        if done.returncode not in (0, NEEDS_THE_USER):
            raise Failure(self.said[-1])
        return done.stdout

    def make_conflict(self, folder: str, remote: str, name: str) -> None:
        """Both sides of a synced folder get a version of a file that the other does not know."""
        self.roundel("pause", folder)
        for directory, text in ((folder, "mine\n"), (remote, "theirs\n")):
            pathlib.Path(directory, name).write_text(text)
        self.roundel("resume", folder)
        self.roundel("sync", folder, "--wait")

    def ask_bus(self, method: str, signature: str, arguments: Any) -> Any:
        connection = wire.connect(self.desktop.address)
        try:
            reply = connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                         method, GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE,
                                         CALL_MILLISECONDS, None)
        finally:
            connection.close_sync(None)
        return reply.unpack()[0]

    def is_running(self, name: str = wire.BUS_NAME) -> bool:
        return self.ask_bus("NameHasOwner", "(s)", (name,))

    def process_id(self, name: str = wire.BUS_NAME) -> int:
        return self.ask_bus("GetConnectionUnixProcessID", "(s)", (name,))

    def start(self, name: str = wire.BUS_NAME) -> None:
        self.give_name_back()
        self.ask_bus("StartServiceByName", "(su)", (name, 0))

    def give_name_back(self) -> None:
        """The bus starts the service again for whoever calls it next."""
        if self.name_holder:
            self.name_holder.kill()
            self.name_holder.wait()
            self.name_holder = None

    def kill(self, name: str = wire.BUS_NAME) -> None:
        """Without warning. The bus starts it again for whoever calls it next."""
        os.kill(self.process_id(name), signal.SIGKILL)

    def kill_until_started(self, name: str = wire.BUS_NAME) -> None:
        """Kills a service without warning. Its name is taken until `start` or `give_name_back`: otherwise a host like the
        sidebar of Nautilus, which calls it at once, has the bus start it again before anybody can see that it was gone."""
        service = self.process_id(name)
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "name_holder.py")
        holder = self.name_holder = self.desktop.spawn("name-holder", ["/usr/bin/python3", "-B", program, name])
        wait_for("the holder of the name to stand still", lambda: self.state_of(holder.pid) == "T")
        os.kill(service, signal.SIGKILL)

    @staticmethod
    def state_of(process: int) -> str:
        """One letter, as proc(5) names them."""
        with open(f"/proc/{process}/stat") as fields:
            return fields.read().rpartition(")")[2].split()[0]

    def written(self, worker: int | None = None) -> int:
        """How many bytes the worker has written up to now."""
        with open(f"/proc/{worker or self.process_id(WORKER_NAME)}/io") as counters:
            return int(re.findall(r"^wchar: (\d+)$", counters.read(), re.MULTILINE)[0])

    @contextlib.contextmanager
    def held_transfer(self, before: int) -> Iterator[None]:
        """Has the worker stand still in the middle of a transfer, before which it had written so many bytes: however quick the
        disk is, what shows the transfer can be looked at."""
        worker = self.process_id(WORKER_NAME)
        wait_for("the middle of a transfer", lambda: self.written(worker) - before > MIDDLE_OF_TRANSFER)
        os.kill(worker, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(worker, signal.SIGCONT)

    def explain(self) -> list[str]:
        return self.said[-6:] + [f"bus: {line}" for line in self.desktop.last_lines("bus")]
