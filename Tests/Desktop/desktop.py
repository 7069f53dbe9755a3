"""A private desktop: directories, an X server, a bus, a window manager, and one file manager in it."""
import os
import pathlib
import re
import shutil
import subprocess
import time

from gi.repository import GLib

import wire

# How long anything may take; ten times as long for a file manager in valgrind.
deadline_seconds = 20
SCREEN = "1100x760x24"
TOOLKITS = ("gtk-3.0", "gtk-4.0")

# One colour for each icon, found nowhere in the icon theme, so that an emblem is counted by its exact pixels.
COLOURS = dict(zip(
    wire.STATES + list(wire.FLAG_ICONS.values()),
    ["2CA02D", "BCBD23", "1F77B5", "9467BE", "D62729", "FF7F0F", "8C564C", "17BED0", "E377C3", "AEC7E9", "98DF8B",
     "C49C95"]))


class Failure(Exception):
    pass


def pump(seconds=0.02):
    """Runs the main loop of this process, in which the stand-in lives."""
    end = time.monotonic() + seconds
    context = GLib.MainContext.default()
    while True:
        while context.iteration(False):
            pass
        if time.monotonic() >= end:
            return
        time.sleep(0.005)


def wait_for(what, condition):
    """Pumps until the condition holds; its value. The condition is checked at least once."""
    end = time.monotonic() + deadline_seconds
    while True:
        pump()
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"not within {deadline_seconds} s: {what}")


class Desktop:
    def __init__(self, work, services=None):
        self.work = pathlib.Path(work)
        self.home = self.work / "home"
        self.services = services  # the prefix of an installation, or None
        self.processes = []
        self.logs = {}
        self.monitor_log = self.work / "calls.log"
        self.environment = self._make_environment()

    def _make_environment(self):
        path, data = os.environ["PATH"], "/usr/local/share:/usr/share"
        if self.services:
            path, data = f"{self.services}/bin:{path}", f"{self.services}/share:{data}"
        runtime = self.work / "runtime"
        runtime.mkdir(mode=0o700)
        for name in ("config", "data", "cache", "state"):
            (self.home / f".{name}").mkdir(parents=True)
        return {
            "PATH": path, "XDG_DATA_DIRS": data, "LC_ALL": "C.UTF-8", "HOME": str(self.home), "XDG_RUNTIME_DIR": str(runtime),
            **{f"XDG_{name.upper()}_HOME": str(self.home / f".{name}")
               for name in ("config", "data", "cache", "state")},
            "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
        }

    def install_test_icons(self):
        """An icon theme of its own, which goes before every hicolor directory, the installed one included."""
        theme = self.home / ".data/icons/RoundelTest"
        icons = theme / "scalable/emblems"
        icons.mkdir(parents=True)
        (theme / "index.theme").write_text(
            "[Icon Theme]\nName=RoundelTest\nComment=Solid colours\nInherits=Adwaita,hicolor\n"
            "Directories=scalable/emblems\n\n"
            "[scalable/emblems]\nContext=Emblems\nSize=16\nMinSize=8\nMaxSize=512\nType=Scalable\n")
        for name, colour in COLOURS.items():
            (icons / f"emblem-roundel-{name}.svg").write_text(
                f'<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">'
                f'<rect width="16" height="16" fill="#{colour}"/></svg>')
        for version in TOOLKITS:
            settings = self.home / ".config" / version
            settings.mkdir()
            (settings / "settings.ini").write_text("[Settings]\ngtk-icon-theme-name=RoundelTest\n")

    def remove_test_icons(self):
        for version in TOOLKITS:
            shutil.rmtree(self.home / ".config" / version)

    # Processes

    def spawn(self, name, command, **extra):
        log = open(self.work / f"{name}.log", "ab")
        self.logs[name] = log.name
        process = subprocess.Popen(command, env={**self.environment, **extra}, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def start(self):
        self._start_x()
        self._start_bus()
        self.spawn("openbox", ["openbox", "--sm-disable"])
        with open(self.monitor_log, "wb") as log:
            monitor = subprocess.Popen(["dbus-monitor", "--session", f"interface='{wire.HOST}'"],
                                       env=self.environment, stdout=log, stderr=subprocess.DEVNULL)
        self.processes.append(monitor)
        wait_for("dbus-monitor", lambda: self.monitor_log.stat().st_size > 0)

    def _start_x(self):
        reading, writing = os.pipe()
        with open(self.work / "xvfb.log", "ab") as log:
            self.processes.append(subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"],
                env=self.environment, pass_fds=[writing], stdout=log, stderr=log))
        os.close(writing)
        with os.fdopen(reading) as displays:
            self.environment["DISPLAY"] = ":" + displays.readline().strip()

    def _start_bus(self):
        address = f"unix:path={self.work}/bus"
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        self.address = address
        self.spawn("bus", ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}"])
        wait_for("the bus", lambda: os.path.exists(self.work / "bus"))

    def end(self):
        """Ends every process of this desktop, last started first, by its own process group."""
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def last_lines(self, name):
        return self.log(name).splitlines()[-15:] if name in self.logs else []

    def log(self, name):
        return pathlib.Path(self.logs[name]).read_text(errors="replace")

    # What is on the screen

    def shoot(self, path):
        subprocess.run(["import", "-window", "root", str(path)], env=self.environment, check=True)

    def count_pixels(self):
        """Pixels of each emblem on the screen now, of those that are there."""
        picture = self.work / "now.png"
        self.shoot(picture)
        histogram = subprocess.run(["convert", str(picture), "-alpha", "off", "-depth", "8", "-format", "%c",
                                    "histogram:info:"], capture_output=True, text=True, check=True).stdout
        pixels = {match[2]: int(match[1]) for match in re.finditer(r"^\s*(\d+):.*?#([0-9A-F]{6})", histogram, re.M)}
        return {name: pixels[colour] for name, colour in COLOURS.items() if colour in pixels}

    def keys(self, *keys):
        subprocess.run(["xdotool", "key", "--clearmodifiers", *keys], env=self.environment, check=True)

    def windows(self, window_class):
        return subprocess.run(["xdotool", "search", "--onlyvisible", "--class", window_class], env=self.environment,
                              capture_output=True, text=True).stdout.split()

    def close_active_window(self):
        self.keys("alt+F4")

    # What was said on the bus

    def observations(self):
        """Begin and End calls in their order, as (member, directory uri)."""
        calls, member = [], None
        for line in self.monitor_log.read_text(errors="replace").splitlines():
            call = re.search(r"^method call .*member=(BeginObserving|EndObserving)$", line)
            text = re.search(r'^   string "(.*)"$', line)
            if call:
                member = call[1].removesuffix("Observing")
            elif member and text:
                calls.append((member, text[1]))
                member = None
        return calls
