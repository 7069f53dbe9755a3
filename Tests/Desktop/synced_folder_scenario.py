"""The whole of it: a folder that the installed services sync, shown by a file manager while it changes."""
import os
import signal
import subprocess

from gi.repository import Gio, GLib

import wire
from desktop import Failure, pump

NEEDS_THE_USER = 2  # the exit status of a command that is done, but something needs the user


class SyncedFolderScenario:
    def __init__(self, file_manager):
        self.file_manager = file_manager
        self.desktop = file_manager.desktop
        self.folder = str(self.desktop.home / "Documents")
        self.remote = str(self.desktop.work / "remote")
        self.said = []

    # Acting

    def roundel(self, *arguments):
        done = subprocess.run(["roundel", *arguments], env=self.desktop.environment, capture_output=True, text=True,
                              timeout=60)
        self.said.append(f"roundel {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}".strip())
        if done.returncode not in (0, NEEDS_THE_USER):
            raise Failure(self.said[-1])

    def write(self, path, text="text\n"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def make_files(self):
        for name in ("Budget.ods", "Letter.odt", "Photos/Lake.jpg", "Photos/Hill.jpg", "Thesis/Chapter 1.odt",
                     "Notes.txt", "Talk.odp"):
            self.write(os.path.join(self.folder, name), f"{name}\n" * 100)
        os.mkdir(self.remote)

    # Steps

    def folder_is_added(self):
        self.roundel("add", self.folder, self.remote, "--wait")
        self.file_manager.begin_afresh()
        self.file_manager.open(self.folder)
        self.file_manager.expect_shown("synced", ["synced"], ["pending", "syncing", "paused", "error", "conflict"])
        self.file_manager.expect_observed("observing the folder", self.folder)

    def change_while_paused(self):
        self.roundel("pause", self.folder)
        self.write(self.folder + "/Notes.txt", "more\n")
        self.file_manager.expect_shown("paused", ["synced", "paused"])
        self.roundel("resume", self.folder)
        self.file_manager.expect_shown("resumed", ["synced"], ["paused", "pending", "syncing"])

    def make_conflict(self, name):
        self.roundel("pause", self.folder)
        self.write(f"{self.folder}/{name}", "mine\n")
        self.write(f"{self.remote}/{name}", "theirs\n")
        self.roundel("resume", self.folder)
        self.roundel("sync", self.folder, "--wait")

    def conflict(self):
        self.make_conflict("Letter.odt")
        self.file_manager.expect_shown("conflict", ["synced", "conflict"])

    def resolution(self):
        self.roundel("resolve", self.folder + "/Letter.odt", "mine")
        self.file_manager.expect_shown("resolved", ["synced"], ["conflict"])

    def exclusion(self):
        self.roundel("exclude", self.folder, "*.tmp")
        self.write(self.folder + "/Scratch.tmp")
        self.file_manager.expect_shown("excluded", ["synced", "excluded"])

    def service_dies(self):
        """Killed, it is activated again, and the plugin observes again by itself."""
        os.kill(self.ask_bus("GetConnectionUnixProcessID", "(s)", (wire.BUS_NAME,)), signal.SIGKILL)
        self.file_manager.expect_nothing_shown("killed")
        self.file_manager.begin_afresh()
        self.ask_bus("StartServiceByName", "(su)", (wire.BUS_NAME, 0))
        self.file_manager.expect_shown("after a crash", ["synced", "excluded"])
        self.file_manager.expect_begun("observing the folder again", self.folder)

    def ask_bus(self, method, signature, arguments):
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        connection = Gio.DBusConnection.new_for_address_sync(self.desktop.address, flags, None, None)
        reply = connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
                                     GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE, 20000, None)
        connection.close_sync(None)
        return reply.unpack()[0]

    def picture(self):
        """One with the icons that are installed, to be looked at."""
        self.desktop.remove_test_icons()
        self.make_conflict("Budget.ods")
        self.roundel("pause", self.folder)
        self.write(self.folder + "/Talk.odp", "not yet\n")
        self.file_manager.forget_process()
        self.file_manager.open(self.folder)
        self.file_manager.expect_observed("observing for the picture", self.folder)
        pump(3)
        self.file_manager.shoot("installed icons")

    def run(self):
        self.make_files()
        self.folder_is_added()
        self.change_while_paused()
        self.conflict()
        self.resolution()
        self.exclusion()
        self.service_dies()
        self.file_manager.close()
        self.file_manager.leave()
        self.file_manager.nothing_complained()
        self.picture()

    def explain(self):
        return self.said[-6:] + [f"bus: {line}" for line in self.desktop.last_lines("bus")]
