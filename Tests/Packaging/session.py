"""A private session for an installation: a bus, a home and a state of its own, gone when it is closed."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from gi.repository import Gio, GLib

DEADLINE_SECONDS = 20
CALL_MILLISECONDS = 20_000


def wait_for(what, condition):
    """The condition's first true value; raises when the deadline passes."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.02)


class Session:
    """Programs run in it find the installation as DIR/bin in PATH and DIR/share in XDG_DATA_DIRS, and nothing else."""

    def __init__(self, prefix):
        self.prefix = pathlib.Path(prefix)
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="roundel-installed-"))
        self.home = self.root / "home"
        runtime = self.root / "run"
        self.home.mkdir()
        runtime.mkdir(mode=0o700)
        self.address = f"unix:path={runtime}/bus"
        self.environment = {
            "PATH": f"{self.prefix}/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(runtime),
            "XDG_DATA_DIRS": f"{self.prefix}/share:/usr/share",
            "DBUS_SESSION_BUS_ADDRESS": self.address,
            "LANG": "C.UTF-8",
        }
        self.log = open(self.root / "services.log", "w+b")
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.address}"],
            env=self.environment, stderr=self.log)
        self.connection = None
        wait_for("the private bus", self.connect)
        self.connection.set_exit_on_close(False)

    def connect(self):
        """Connects to the bus; false while it does not listen yet, which it may not although its socket is there."""
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        try:
            self.connection = Gio.DBusConnection.new_for_address_sync(self.address, flags, None, None)
        except GLib.Error:
            return False
        return True

    def close(self):
        """Ends the services, which must go when asked, and removes every trace of the session."""
        try:
            asked = set()
            wait_for("the services to end on SIGTERM", lambda: self.all_gone(asked))
        finally:
            for process in self.services():
                os.kill(process, signal.SIGKILL)
            self.connection.close_sync(None)
            self.bus.terminate()
            self.bus.wait()
            self.log.close()
            # What the bus was still starting finds it gone and ends by itself.
            wait_for("the last program to end without its bus", lambda: not self.processes())
            shutil.rmtree(self.root)

    def all_gone(self, asked):
        """Asks each service once to end; true when nothing runs on the bus.

        A service that has just started may have had another one activated, which is a program of the installation
        only after the bus' own process for it is replaced: so one look at the services is not enough.
        """
        for process in self.services():
            if process not in asked:
                asked.add(process)
                os.kill(process, signal.SIGTERM)
        return not self.processes()

    def services(self):
        """The ids of the processes that run a program of this installation in this session."""
        return [process for process, program in self.processes() if program.startswith(f"{self.prefix}/")]

    def processes(self):
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

    def logged(self):
        """What the bus and the services wrote to standard error."""
        return (self.root / "services.log").read_text(errors="replace")

    def run(self, *command):
        """What a program prints; its failure fails the test with what it said."""
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=2 * DEADLINE_SECONDS)
        if done.returncode != 0:
            raise AssertionError(
                f"{' '.join(command)} ended with {done.returncode}: {done.stdout}{done.stderr}\n"
                f"The services logged:\n{self.logged()}")
        return done.stdout

    def call(self, bus_name, path, interface, member, signature="()", *arguments):
        """One method call; the reply as a tuple of plain Python values."""
        reply = self.connection.call_sync(
            bus_name, path, interface, member, GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE,
            CALL_MILLISECONDS, None)
        return reply.unpack()
