"""A private session for an installation: a bus, a home and a state of its own, gone when it is closed."""
import contextlib
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import Any

from gi.repository import Gio, GLib

# For a machine whose cores are all busy with something else.
DEADLINE_SECONDS = 120
CALL_MILLISECONDS = 1000 * DEADLINE_SECONDS
# What is looked at though no signal has come: the answer to a call, of which no signal tells.
LOOK_MILLISECONDS = 100


def wait_for_ends(what: str, processes: Iterable[int]) -> None:
    """Returns when the processes have ended, as their descriptors tell; raises when the deadline passes."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    for process in processes:
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            continue
        with open(descriptor, "rb", buffering=0) as end:
            if not select.select([end], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"waited in vain for {what}")


def end(process: int, number: signal.Signals) -> None:
    """Sends a signal to a process, which may have ended by itself since it was seen."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


def files_below(folder: pathlib.Path) -> list[pathlib.Path]:
    """The files below a folder in which others work meanwhile: what goes while it is looked at is left out."""
    found = [pathlib.Path(place, name) for place, _, names in os.walk(folder) for name in names]
    return sorted(path for path in found if path.is_file())


def contents_of(path: pathlib.Path) -> bytes | None:
    """What is in a file; None if it has gone since it was seen."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None


def size_of(path: pathlib.Path) -> int:
    """The bytes of a file; none if it has gone since it was seen."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def texts_below(folder: pathlib.Path) -> dict[str, str]:
    """What a person has in a folder: the texts of the files by their paths, without what is the engine's."""
    files = {str(path.relative_to(folder)): contents_of(path) for path in files_below(folder)
             if ".roundel" not in path.relative_to(folder).parts}
    return {name: contents.decode() for name, contents in files.items() if contents is not None}


def connect(address: str) -> Any:
    """A connection of its own to the bus at that address."""
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


# A bus that starts the services of one directory alone. `dbus-daemon --session` always looks in /usr/share as well,
# whatever XDG_DATA_DIRS says, and would start a secret service of the system from there.
SECLUDED_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class Session:
    """Programs run in it find the installation as DIR/bin in PATH and DIR/share in XDG_DATA_DIRS, and nothing else.

    The bus of one that is secluded starts the services of the installation alone, and none of the system's.
    """

    def __init__(self, prefix: str | pathlib.Path, is_secluded: bool = False, variables: dict[str, str] | None = None) -> None:
        self.prefix = pathlib.Path(prefix)
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="roundel-installed-"))
        self.home = self.root / "home"
        runtime = self.root / "run"
        # What a test has found in the place of a program of the system's.
        self.programs = self.root / "programs"
        self.home.mkdir()
        self.programs.mkdir()
        runtime.mkdir(mode=0o700)
        self.address = f"unix:path={runtime}/bus"
        self.environment = {
            "PATH": f"{self.programs}:{self.prefix}/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(runtime),
            "XDG_DATA_DIRS": f"{self.prefix}/share:/usr/share",
            "DBUS_SESSION_BUS_ADDRESS": self.address,
            "LANG": "C.UTF-8",
            **(variables or {}),
        }
        self.log = (self.root / "services.log").open("w+b")
        self.bus, self.connection = self.start_bus(is_secluded)

    def start_bus(self, is_secluded: bool) -> tuple["subprocess.Popen[bytes]", Any]:
        """The bus at the session's address, and a connection to it."""
        bus = subprocess.Popen(
            ["dbus-daemon", *self.bus_options(is_secluded), "--nofork", "--nopidfile", "--print-address=1"],
            env=self.environment, stdout=subprocess.PIPE, stderr=self.log)
        # It prints its address when it listens.
        assert bus.stdout
        bus.stdout.readline()
        connection = connect(self.address)
        connection.set_exit_on_close(False)
        # Most of what wait_for looks at has changed only after a signal, any of which ends its pause.
        connection.signal_subscribe(
            None, None, None, None, None, Gio.DBusSignalFlags.NONE, lambda *signal: None)
        return bus, connection

    def bus_options(self, is_secluded: bool) -> list[str]:
        """What the bus is told of where it listens and which services it starts."""
        if not is_secluded:
            return ["--session", f"--address={self.address}"]
        settings = self.root / "bus.conf"
        settings.write_text(SECLUDED_BUS.format(address=self.address, services=self.prefix / "share/dbus-1/services"))
        return [f"--config-file={settings}"]

    def wait_for(self, what: str, condition: Callable[[], Any]) -> Any:
        """The condition's first true value, looked at after every signal, and now and then; raises when the deadline
        passes."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        timer = GLib.timeout_add(LOOK_MILLISECONDS, lambda: GLib.SOURCE_CONTINUE)
        try:
            while not (value := condition()):
                if time.monotonic() > deadline:
                    raise AssertionError(f"waited in vain for {what}")
                GLib.MainContext.default().iteration(True)
            return value
        finally:
            GLib.source_remove(timer)

    def close(self) -> None:
        """Ends the services, which must go when asked, then the bus, and removes every trace of the session."""
        services = self.services()
        try:
            for process in services:
                end(process, signal.SIGTERM)
            wait_for_ends("the services to end on SIGTERM", services)
        finally:
            self.connection.close_sync(None)
            self.bus.terminate()
            self.bus.wait()
            if self.bus.stdout:
                self.bus.stdout.close()
            self.log.close()
            try:
                self.wait_for_the_last()
            finally:
                shutil.rmtree(self.root)

    def wait_for_the_last(self) -> None:
        """Waits for the programs that the bus was still starting when the services were asked to end. Without their bus
        they end by themselves; one that does not is killed, and fails the test."""
        try:
            while left := [process for process, _ in self.processes()]:
                wait_for_ends("the last programs to end without their bus", left)
        finally:
            for process in self.services():
                end(process, signal.SIGKILL)

    def services(self) -> list[int]:
        """The ids of the processes that run a program of this installation in this session."""
        return [process for process, program in self.processes() if program.startswith(f"{self.prefix}/")]

    def processes(self) -> list[tuple[int, str]]:
        """The processes of this session but the bus, each as its id and its program's path."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                program = os.readlink(folder / "exe")
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if self.address.encode() in environment and int(folder.name) != self.bus.pid:
                found.append((int(folder.name), program))
        return found

    def logged(self) -> str:
        """What the bus and the services wrote to standard error."""
        return (self.root / "services.log").read_text(errors="replace")

    def run(self, *command: str) -> str:
        """What a program prints; its failure fails the test with what it said."""
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=2 * DEADLINE_SECONDS, check=False)
        if done.returncode != 0:
            raise AssertionError(
                f"{' '.join(command)} ended with {done.returncode}: {done.stdout}{done.stderr}\n"
                f"The services logged:\n{self.logged()}")
        return done.stdout

    def call(self, bus_name: str, path: str, interface: str, member: str, signature: str = "()", *arguments: Any) -> Any:
        """One method call; the reply as a tuple of plain Python values."""
        reply = self.connection.call_sync(
            bus_name, path, interface, member, GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE,
            CALL_MILLISECONDS, None)
        return reply.unpack()
