"""A private desktop: directories, an X server, a bus, a window manager, and the programs that run in it."""
import os
import pathlib
import re
import subprocess
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import screen
import wire
from screen import Box, Picture
from waiting import PROGRAM_SECONDS, wait_for

# The object of a signal that is for the log of what was said alone: nobody else listens to this sender.
MARKER_PATH = "/org/roundel/DesktopTest/Marker"

TOOLKITS = ("gtk-3.0", "gtk-4.0")
UNDIMMED = ".dim-label, .dimmed { opacity: 1; }\n"

# One colour for each icon, found nowhere in the icon themes, so that an emblem is counted by its exact pixels.
COLOURS = dict(zip(
    wire.STATES + list(wire.FLAG_ICONS.values()),
    ["2CA02D", "BCBD23", "1F77B5", "9467BE", "D62729", "FF7F0F", "8C564C", "17BED0", "E377C3", "AEC7E9", "98DF8B",
     "C49C95"], strict=True))


class Desktop:
    def __init__(self, name: str, work: pathlib.Path, services: pathlib.Path | None = None,
                 environment: Mapping[str, str] = MappingProxyType({})) -> None:
        self.name = name  # of the scenario, which its screenshots carry
        self.work = pathlib.Path(work)
        self.home = self.work / "home"
        self.services = services  # the prefix of an installation, or None
        self.processes: list[subprocess.Popen[bytes]] = []
        self.logs: dict[str, str] = {}
        self.shots = 0
        self.colours = dict(COLOURS)  # of every badge that is looked for
        self.monitor_log = self.work / "calls.log"
        self.marker: Any = None  # a connection that nobody else uses
        self.environment = {**self._make_environment(), **dict(environment)}
        self.screen = screen.Screen(self.environment, self.work / "screen")

    def _make_environment(self) -> dict[str, str]:
        path, data = os.environ["PATH"], "/usr/local/share:/usr/share"
        if self.services:
            path, data = f"{self.services}/bin:{path}", f"{self.services}/share:{data}"
        for name in ("runtime", "tmp", "screen"):
            (self.work / name).mkdir(mode=0o700)
        for name in ("config", "data", "cache", "state"):
            (self.home / f".{name}").mkdir(parents=True)
        return {
            "PATH": path, "XDG_DATA_DIRS": data, "LC_ALL": "C.UTF-8", "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.work / "runtime"), "TMPDIR": str(self.work / "tmp"),
            **{f"XDG_{name.upper()}_HOME": str(self.home / f".{name}")
               for name in ("config", "data", "cache", "state")},
            "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
            "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "0",
        }

    # Icons: an icon theme of its own goes before every hicolor directory, the installed one included.

    def install_test_icons(self) -> None:
        theme = self.home / ".data/icons/RoundelTest"
        icons = theme / "scalable/emblems"
        icons.mkdir(parents=True)
        (theme / "index.theme").write_text(
            "[Icon Theme]\nName=RoundelTest\nComment=Solid colours\nInherits=Adwaita,breeze,hicolor\n"
            "Directories=scalable/emblems\n\n"
            "[scalable/emblems]\nContext=Emblems\nSize=16\nMinSize=8\nMaxSize=512\nType=Scalable\n")
        for name, colour in COLOURS.items():
            self.add_test_badge(name, colour)
        for version in TOOLKITS:
            self.write_setting(f"{version}/settings.ini", "[Settings]\ngtk-icon-theme-name=RoundelTest\n")
            # Nautilus 47 and later draw emblems at 55 %, with a class that libadwaita has had two names for.
            self.write_setting(f"{version}/gtk.css", UNDIMMED)
        # A click selects, as elsewhere; KDE's own setting is that it opens.
        self.write_setting("kdeglobals", "[Icons]\nTheme=RoundelTest\n\n[KDE]\nSingleClick=false\n")

    def add_test_icon(self, name: str, colour: str) -> None:
        """A square of one colour under that icon name."""
        (self.home / f".data/icons/RoundelTest/scalable/emblems/{name}.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">'
            f'<rect width="16" height="16" fill="#{colour}"/></svg>')

    def add_test_badge(self, name: str, colour: str) -> None:
        """The same for a badge, which is looked for from now on."""
        self.add_test_icon(f"emblem-roundel-{name}", colour)
        self.colours[name] = colour

    def remove_test_icons(self) -> None:
        for version in TOOLKITS:
            (self.home / ".config" / version / "settings.ini").unlink()
        self.write_setting("kdeglobals", "[Icons]\nTheme=breeze\n\n[KDE]\nSingleClick=false\n")
        # KDE keeps the pictures that it has drawn, whatever the theme is now.
        (self.home / ".cache/icon-cache.kcache").unlink(missing_ok=True)

    def write_setting(self, path: str, text: str) -> None:
        """A file below the person's configuration directory."""
        file = self.home / ".config" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    # Processes

    def spawn(self, name: str, command: list[str], **extra: Any) -> subprocess.Popen[bytes]:
        """Starts a program on this desktop. What it says goes to the log of that name."""
        with open(self.work / f"{name}.log", "ab") as log:
            self.logs[name] = log.name
            process = subprocess.Popen(command, env={**self.environment, **extra}, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def start(self) -> None:
        self._start_x()
        self._start_bus()
        self._start_window_manager()
        self.monitor(self.monitor_log, f"interface='{wire.HOST}'")

    def _start_window_manager(self) -> None:
        """And waits until it is up: a window that comes while it is starting may be nobody's, and is then never shown."""
        started = self.work / "window-manager-started"
        self.spawn("openbox", ["openbox", "--sm-disable", "--startup", f"touch {started}"])
        wait_for("the window manager", started.exists)

    def monitor(self, log: pathlib.Path, *rules: str) -> None:
        """Writes every message that matches a rule to the file, as dbus-monitor prints it."""
        with open(log, "wb") as file:
            self.processes.append(subprocess.Popen(["dbus-monitor", "--session", *rules], env=self.environment,
                                                   stdout=file, stderr=subprocess.DEVNULL))
        wait_for("dbus-monitor", lambda: log.stat().st_size > 0)

    def _start_x(self) -> None:
        reading, writing = os.pipe()
        with open(self.work / "xvfb.log", "ab") as log:
            self.processes.append(subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", screen.SIZE, "-nolisten", "tcp", "-noreset",
                 "-fbdir", str(self.work / "screen")],
                env=self.environment, pass_fds=[writing], stdout=log, stderr=log))
        os.close(writing)
        with os.fdopen(reading) as displays:
            self.environment["DISPLAY"] = ":" + displays.readline().strip()

    def _keep_away(self, *names: str) -> None:
        """A notification daemon that is installed would be started by the bus and cover what is looked at, and a portal changes
        what libadwaita looks like; a scenario spawns its own. The bus knows them as in any session, so that menus have what
        needs a portal, whether one is installed or not."""
        services = self.home / ".data/dbus-1/services"
        services.mkdir(parents=True)
        for name in names:
            (services / f"{name}.service").write_text(f"[D-BUS Service]\nName={name}\nExec=/bin/false\n")

    def _start_bus(self) -> None:
        self._keep_away("org.freedesktop.Notifications", "org.freedesktop.portal.Desktop")
        self.address = f"unix:path={self.work}/bus"
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.address
        self.spawn("bus", ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.address}"])
        wait_for("the bus", lambda: os.path.exists(self.work / "bus"))

    def end(self) -> None:
        """Ends every process that was started here, last started first."""
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(PROGRAM_SECONDS if self._is_ours(process) else 5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    @staticmethod
    def _is_ours(process: "subprocess.Popen[bytes]") -> bool:
        """Whether it has to end when it is asked to: killed, it would leave something behind."""
        return os.path.basename(str(process.args[0])).startswith("roundel")  # type: ignore[index]

    def last_lines(self, name: str) -> list[str]:
        return self.log(name).splitlines()[-15:] if name in self.logs else []

    def log(self, name: str) -> str:
        return pathlib.Path(self.logs[name]).read_text(errors="replace")

    # What is on the screen

    def shoot(self, what: str, box: Box | None = None, picture: Picture | None = None) -> None:
        """Keeps a picture, of the screen now if none is given, or a part of it, under the scenario's name, numbered."""
        self.shots += 1
        file = f"{self.name}-{self.shots:02}-{what.replace(' ', '-')}.png"
        (picture or self.screen.grab()).save(self.work / "shots" / file, box)

    def count_pixels(self, picture: Picture | None = None) -> dict[str, int]:
        """Pixels of each emblem in a picture, of the screen now if none is given, of those that are there."""
        picture = picture or self.screen.grab()
        counts = {name: picture.count(colour) for name, colour in self.colours.items()}
        return {name: count for name, count in counts.items() if count}

    # What was said on the bus

    def settle_monitor(self) -> None:
        """Returns when all is written down that was said on the bus up to now."""
        if self.marker is None:
            self.marker = wire.connect(self.address)
        before = self._marks()
        self.marker.emit_signal(None, MARKER_PATH, wire.HOST, "Marker", None)
        wait_for("dbus-monitor to write down what was said", lambda: self._marks() > before)

    def _marks(self) -> int:
        return self.monitor_log.read_text(errors="replace").count(f"path={MARKER_PATH};")

    def observations(self) -> list[tuple[str, str]]:
        """Begin and End calls in their order, as (member, directory uri)."""
        return [(member, uri) for _, member, uri in self.observations_by_caller()]

    def observations_by_caller(self) -> list[tuple[str, str, str]]:
        """The same as (unique name of the caller, member, directory uri)."""
        calls, call = [], None
        for line in self.monitor_log.read_text(errors="replace").splitlines():
            head = re.search(r"^method call .*sender=(\S+) .*member=(BeginObserving|EndObserving)$", line)
            text = re.search(r'^   string "(.*)"$', line)
            if head:
                call = head
            elif call and text:
                calls.append((call[1], call[2].removesuffix("Observing"), text[1]))
                call = None
        return calls
