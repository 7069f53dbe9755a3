"""What one file manager has to show and to say, step by step. Started by `run` inside the prepared namespace."""
import argparse
import os
import re
import sys

import gi

gi.require_version("Gio", "2.0")

import desktop as desktop_module
import wire
from desktop import Desktop, Failure, pump, wait_for
from stand_in import StandIn

# The class of its windows, how it opens a folder in a new window, and whether it asks for whole directories.
FILE_MANAGERS = {
    "nemo": ("Nemo", ["nemo"], False),
    "nautilus": ("org.gnome.Nautilus", ["nautilus", "--new-window"], True),
    "caja": ("Caja", ["caja", "--no-desktop", "--browser"], True),
}

# Names that every encoding has to survive, each with a state that no other item of the folder has.
ODD_NAMES = {
    "conflict": b"a (1)!&'*;=,$@:+.txt",
    "excluded": b"\xff\xfe latin.txt",
    "pending": b"two\nlines.txt",
    "online-only": "größe %41#?.txt".encode(),
}


class Scenario:
    def __init__(self, name, desktop, service, valgrind):
        self.name = name
        self.window_class, self.command, self.whole = FILE_MANAGERS[name]
        self.desktop = desktop
        self.service = service
        self.sync = str(desktop.home / "Sync")
        self.late = str(desktop.home / "Elsewhere" / "Late")
        self.outside = str(desktop.home / "Elsewhere" / "Outside")
        self.valgrind = valgrind
        self.valgrind_log = desktop.work / "valgrind.log"
        self.step = 0

    # Material

    def make_files(self):
        for directory in (self.sync, self.sync + "/sub", self.late, self.outside):
            os.makedirs(directory)
        for path in ("a.txt", "b.txt", "c.txt", "sub/d.txt"):
            self.write(os.path.join(self.sync, path))
        for path in (self.late + "/l.txt", self.outside + "/o.txt"):
            self.write(path)
        for state, name in ODD_NAMES.items():
            path = os.path.join(os.fsencode(self.sync), name)
            self.write(path)
            self.service.set_badge(os.fsdecode(path), state)
        self.service.set_badge(self.sync, "synced")
        self.service.set_badge(self.sync + "/a.txt", "synced", wire.PINNED)
        self.service.set_badge(self.sync + "/b.txt", "syncing", 0, 40)
        self.service.set_badge(self.sync + "/sub/d.txt", "error")
        self.service.set_badge(self.late + "/l.txt", "error")
        self.service.folders = [self.sync]

    def write(self, path):
        with open(path, "w") as file:
            file.write("text\n")

    # Looking

    def expect_shown(self, what, present, absent=()):
        seen = {}

        def matches():
            seen.clear()
            seen.update(self.desktop.count_pixels())
            return all(seen.get(name) for name in present) and not any(seen.get(name) for name in absent)
        try:
            wait_for(what, matches)
        except Failure as failure:
            raise Failure(f"{failure}; expected {list(present)} and not {list(absent)}, saw {seen}") from None
        self.shoot(what)
        print(f"  {what}: {seen}", flush=True)

    def expect_nothing_shown(self, what):
        self.expect_shown(what, [], wire.STATES + list(wire.FLAG_ICONS.values()))

    def shoot(self, what):
        self.step += 1
        self.desktop.shoot(self.desktop.work / "shots" / f"{self.name}-{self.step:02}-{what.replace(' ', '-')}.png")

    def observed_now(self):
        """Directories with more beginnings than ends since the service last began afresh."""
        counts = {}
        for member, uri in self.desktop.observations()[self.fresh:]:
            counts[uri] = counts.get(uri, 0) + (1 if member == "Begin" else -1)
        return {uri: count for uri, count in counts.items() if count}

    def begin_afresh(self):
        self.fresh = len(self.desktop.observations())

    def expect_observed(self, what, *paths):
        wanted = {wire.uri(path): 1 for path in paths}
        try:
            wait_for(what, lambda: self.observed_now() == wanted)
        except Failure as failure:
            raise Failure(f"{failure}; wanted {wanted}, observed {self.observed_now()}") from None

    # Steps

    def open(self, path):
        checker, environment = self.checker()
        process = self.desktop.spawn(self.name, [*checker, *self.command, path], **environment)
        pump(0.5)
        return process

    def checker(self):
        """What the first process, which goes on to show every window, is run in."""
        if not self.valgrind or self.valgrind_log.exists():
            return [], {}
        return (["valgrind", "--tool=memcheck", "--leak-check=full", "--show-leak-kinds=definite", "--num-callers=40",
                 f"--log-file={self.valgrind_log}"], {"G_SLICE": "always-malloc", "G_DEBUG": "gc-friendly"})

    def checker_complaints(self):
        """The reports of valgrind in which the plugin occurs."""
        if not self.valgrind:
            return []
        reports = re.split(r"^==\d+== \n", self.valgrind_log.read_text(), flags=re.M)
        return [report for report in reports if "libroundel" in report]

    def first_window(self):
        self.begin_afresh()
        self.first = self.open(self.sync)
        self.expect_shown("appear", ["synced", "syncing", "pinned", *ODD_NAMES])
        self.expect_observed("observing the folder", self.sync)

    def asked_well(self):
        methods = {method for method, _, _ in self.service.requests}
        wanted = {"RequestDirectory" if self.whole else "RequestBadges"}
        if methods != wanted:
            raise Failure(f"asked by {methods}, not by {wanted}")
        if len(self.service.requests) > 4:
            raise Failure(f"one folder took {len(self.service.requests)} requests: {self.service.requests}")

    def live_change(self):
        self.service.set_badge(self.sync + "/b.txt", "error")
        self.expect_shown("change", ["synced", "error"], ["syncing"])
        self.service.set_badge(self.sync + "/a.txt", "synced", wire.SHARED | wire.LOCKED)
        self.expect_shown("flags", ["synced", "shared", "locked"], ["pinned"])
        self.service.set_badge(self.sync + "/a.txt", "")
        self.expect_shown("remove", ["error"], ["synced", "shared", "locked"])
        self.service.set_badge(self.sync + "/a.txt", "synced")
        self.expect_shown("return", ["synced", "error"])

    def new_file(self):
        self.service.set_badge(self.sync + "/new.txt", "syncing")
        self.write(self.sync + "/new.txt")
        self.expect_shown("new file", ["syncing"])
        os.unlink(self.sync + "/new.txt")
        self.service.set_badge(self.sync + "/new.txt", "")
        self.expect_shown("deleted file", ["synced"], ["syncing"])

    def service_restarts(self):
        self.service.stop()
        self.expect_nothing_shown("service gone")
        self.begin_afresh()
        self.service.start()
        self.expect_shown("service back", ["synced", "error", *ODD_NAMES])
        self.expect_observed("observing again", self.sync)

    def service_resets(self):
        self.begin_afresh()
        self.service.badges[self.sync]["b.txt"] = ("paused", 0, 255)
        self.service.reset()
        self.expect_shown("reset", ["synced", "paused"], ["error"])
        self.expect_observed("observing after a reset", self.sync)

    def navigate(self):
        self.desktop.keys("alt+Up")
        self.expect_shown("parent", ["synced"], ["paused"])
        self.expect_observed("observing the parent", os.path.dirname(self.sync))
        self.service.set_badge(self.sync + "/b.txt", "syncing")
        self.desktop.keys("alt+Left")
        self.expect_shown("back", ["synced", "syncing", *ODD_NAMES], ["paused"])
        self.expect_observed("observing the folder again", self.sync)
        self.service.set_badge(self.sync + "/b.txt", "paused")
        self.expect_shown("change after back", ["synced", "paused"], ["syncing"])

    def second_window(self):
        self.open(self.sync)
        wait_for("a second window", lambda: len(self.desktop.windows(self.window_class)) >= 2)
        pump(1)
        self.expect_observed("two windows observe once", self.sync)
        self.open(self.sync + "/sub")
        self.expect_shown("sub", ["error"])
        self.expect_observed("observing both", self.sync, self.sync + "/sub")
        self.desktop.close_active_window()
        self.expect_observed("the closed window ended", self.sync)
        self.desktop.close_active_window()
        pump(1)
        self.expect_observed("the first window still observes", self.sync)

    def folder_registered_late(self):
        self.open(self.outside)
        self.open(self.late)
        pump(1)
        self.expect_observed("nothing outside is observed", self.sync)
        self.service.set_folders([self.sync, self.late])
        self.expect_shown("registered late", ["error"])
        self.expect_observed("observing the new folder", self.sync, self.late)

    def close(self):
        def closed():
            if self.desktop.windows(self.window_class):
                self.desktop.close_active_window()
                pump(0.5)
            return not self.desktop.windows(self.window_class)
        wait_for("closed windows", closed)
        self.expect_observed("everything ended")

    def leave(self):
        """The process ends by itself soon after its last window."""
        wait_for("the end of the process", lambda: self.first.poll() is not None)
        if self.first.returncode != 0:
            raise Failure(f"{self.name} ended with {self.first.returncode}")

    def nothing_complained(self):
        if self.service.violations:
            raise Failure(f"against the interface: {self.service.violations}")
        for line in self.desktop.log(self.name).splitlines():
            if f"roundel-{self.name}" in line or "plugin response" in line:
                raise Failure(f"{self.name} says: {line}")
        complaints = self.checker_complaints()
        if complaints:
            raise Failure("valgrind says: " + "\n".join(complaints))

    def run(self):
        self.first_window()
        self.asked_well()
        self.live_change()
        self.new_file()
        self.service_restarts()
        self.service_resets()
        self.navigate()
        self.second_window()
        self.folder_registered_late()
        self.close()
        self.leave()
        self.nothing_complained()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=FILE_MANAGERS)
    parser.add_argument("work")
    parser.add_argument("--services")
    parser.add_argument("--valgrind", action="store_true")
    arguments = parser.parse_args()
    desktop = Desktop(arguments.work)
    if arguments.valgrind:
        desktop_module.deadline_seconds *= 10
    scenario = None
    try:
        desktop.install_test_icons()
        desktop.start()
        service = StandIn(desktop.address)
        scenario = Scenario(arguments.name, desktop, service, arguments.valgrind)
        scenario.make_files()
        service.start()
        scenario.run()
        print(f"PASS {arguments.name}", flush=True)
        return 0
    except Failure as failure:
        print(f"FAIL {arguments.name}: {failure}", flush=True)
        if scenario is not None:
            scenario.shoot("failure")
            print("  observations:", desktop.observations()[-12:])
            print("  requests:", service.requests[-8:], "violations:", service.violations)
        if arguments.name in desktop.logs:
            print("".join(f"  | {line}\n" for line in desktop.log(arguments.name).splitlines()[-15:]))
        return 1
    finally:
        desktop.end()


sys.exit(main())
