"""The services of an installation, each started by the bus when it is called, as in a session."""
import os
import signal
import subprocess

from gi.repository import Gio, GLib

import wire
from waiting import Failure, wait_for

WORKER_NAME = "org.roundel.SyncWorker1"
NEEDS_THE_USER = 2  # the exit status of a command that is done, but something needs the user


class InstalledServices:
    """What hosts do against the contract, the service refuses by itself: nothing is recorded here."""

    violations = ()
    requests = None

    def __init__(self, desktop):
        self.desktop = desktop
        self.said = []  # every command of the command line and what came of it

    def roundel(self, *arguments, seconds=60):
        """Runs the command line; what it printed."""
        done = subprocess.run(["roundel", *arguments], env=self.desktop.environment, capture_output=True, text=True,
                              timeout=seconds)
        self.said.append(f"roundel {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}".strip())
        if done.returncode not in (0, NEEDS_THE_USER):
            raise Failure(self.said[-1])
        return done.stdout

    def ask_bus(self, method, signature, arguments):
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        connection = Gio.DBusConnection.new_for_address_sync(self.desktop.address, flags, None, None)
        try:
            reply = connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                         method, GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE,
                                         20000, None)
        finally:
            connection.close_sync(None)
        return reply.unpack()[0]

    def is_running(self, name=wire.BUS_NAME):
        return self.ask_bus("NameHasOwner", "(s)", (name,))

    def process_id(self, name=wire.BUS_NAME):
        return self.ask_bus("GetConnectionUnixProcessID", "(s)", (name,))

    def start(self, name=wire.BUS_NAME):
        self.ask_bus("StartServiceByName", "(su)", (name, 0))

    def kill(self, name=wire.BUS_NAME):
        """Without warning. The bus starts it again for whoever calls it next."""
        os.kill(self.process_id(name), signal.SIGKILL)

    def explain(self):
        return self.said[-6:] + [f"bus: {line}" for line in self.desktop.last_lines("bus")]
