"""Wayland compositors, each in one window of the private X server: what they draw is on that screen, and their keys and
clicks come from there. They need no graphics card, no logind, and of the system bus no more than that there is one."""
import os
import subprocess
from typing import Any

import wire
from desktop import Desktop
from gi.repository import Gio, GLib
from screen import SIZE
from waiting import CALL_MILLISECONDS, pump, wait_for

SOCKET = "roundel-wayland"
POINTING = 14           # the first version of Weston that was seen to take clicks at their places
FRAME = (2, 22)         # what the window manager needs around a window
REST = 0.3              # seconds after which what is under the pointer knows of it
EMPTY = (40, 400)       # a place where nothing is
PLASMA = {"XDG_CURRENT_DESKTOP": "KDE", "KDE_FULL_SESSION": "true", "KDE_SESSION_VERSION": "6",
          "XDG_MENU_PREFIX": "plasma-"}  # without it KWin knows of no program that it may trust
WIDTH, HEIGHT = (int(length) for length in SIZE.split("x")[:2])


class Compositor:
    program: str
    gives_tokens = True
    takes_clicks = True
    settings = ""       # further groups of GLib's settings

    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.width, self.height = WIDTH - FRAME[0], HEIGHT - FRAME[1]

    def start(self) -> None:
        self._write_settings()
        self._start_program()
        socket = os.path.join(self.desktop.environment["XDG_RUNTIME_DIR"], SOCKET)
        wait_for("the compositor", lambda: os.path.exists(socket))
        self._get_ready()

    def client(self) -> dict[str, str]:
        """What leads a program to it."""
        return {"WAYLAND_DISPLAY": SOCKET, "GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland",
                "XDG_SESSION_TYPE": "wayland", "GSETTINGS_BACKEND": "keyfile", "DISPLAY": ""}

    def _write_settings(self) -> None:
        # On Wayland GTK has the icon theme from the desktop's settings, and from no file of its own.
        interface = "[org/gnome/desktop/interface]\nicon-theme='RoundelTest'\nenable-animations=false\n"
        self.desktop.write_setting("glib-2.0/settings/keyfile", interface + self.settings)

    def _start_program(self) -> None:
        raise NotImplementedError

    def _get_ready(self) -> None:
        """Waits until it takes windows."""

    def _start_system_bus(self) -> None:
        """Nobody is on it: what would be asked for is not there, as without systemd."""
        path = self.desktop.work / "system-bus"
        self.desktop.environment["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={path}"
        self.desktop.spawn("system-bus", ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={path}"])
        wait_for("the system bus", path.exists)


class Weston(Compositor):
    """Its kiosk shell gives the file manager the whole screen; there is no other window."""
    program = "weston"
    gives_tokens = False

    def __init__(self, desktop: Desktop) -> None:
        super().__init__(desktop)
        said = subprocess.run(["weston", "--version"], capture_output=True, text=True, check=True).stdout
        self.version = int(said.split()[1].partition(".")[0])
        self.takes_clicks = self.version >= POINTING

    def _start_program(self) -> None:
        self.desktop.spawn("weston", [
            "weston", "--backend=x11-backend.so", "--use-pixman", "--shell=kiosk-shell.so", "--no-config",
            "--idle-time=0", "--fullscreen", f"--width={WIDTH}", f"--height={HEIGHT}", f"--socket={SOCKET}"])


TRAY = "ubuntu-appindicators@ubuntu.com"


class GnomeShell(Compositor):
    """With the extension that shows trays. The ground is black: a shadow on it makes no rectangles that look like marks. Its
    own notifications (that there is no GDM, for one) stay away."""
    program = "gnome-shell"
    settings = """
[org/gnome/desktop/background]
picture-options='none'
primary-color='#000000'

[org/gnome/desktop/notifications]
show-banners=false

[org/gnome/shell]
enabled-extensions=[]
welcome-dialog-last-shown-version='999'
"""

    def _start_program(self) -> None:
        self._start_system_bus()
        self.screen.rest = REST
        self.desktop.spawn("gnome-shell", [
            "gnome-shell", "--nested", "--wayland", "--no-x11", f"--wayland-display={SOCKET}"],
            MUTTER_DEBUG_DUMMY_MODE_SPECS=f"{self.width}x{self.height}", XDG_CURRENT_DESKTOP="GNOME",
            GSETTINGS_BACKEND="keyfile", GDK_BACKEND="")

    def _get_ready(self) -> None:
        wait_for("the shell", lambda: "GNOME Shell started" in self.desktop.log("gnome-shell"))
        self._leave_overview()
        # Up to the first click it takes the pointer to be where it was at the start.
        self.screen.click(*EMPTY)
        self.screen.wait_until_still(1)

    def _leave_overview(self) -> None:
        self._call("org.freedesktop.DBus.Properties", "Set",
                   GLib.Variant("(ssv)", ("org.gnome.Shell", "OverviewActive", GLib.Variant("b", False))))
        pump(1)

    def show_tray(self, shown: bool) -> None:
        """Turns the extension that shows trays on or off."""
        self._call("org.gnome.Shell.Extensions", "EnableExtension" if shown else "DisableExtension",
                   GLib.Variant("(s)", (TRAY,)))

    def _call(self, interface: str, method: str, arguments: Any) -> None:
        """Without blocking this loop, in which what the shell asks for is answered."""
        connection = wire.connect(self.desktop.address)
        answers = []
        connection.call("org.gnome.Shell", "/org/gnome/Shell", interface, method, arguments, None, Gio.DBusCallFlags.NONE,
                        CALL_MILLISECONDS, None, lambda connection, result: answers.append(connection.call_finish(result)))
        wait_for(method, lambda: answers)
        connection.close_sync(None)


class Kwin(Compositor):
    program = "kwin_wayland"

    def _start_program(self) -> None:
        self._start_system_bus()
        self.desktop.spawn("kwin_wayland", [
            "kwin_wayland", "--x11-display", self.desktop.environment["DISPLAY"], "--width", str(self.width),
            "--height", str(self.height), "--socket", SOCKET, "--no-lockscreen", "--no-global-shortcuts"],
            QT_QPA_PLATFORM="", **PLASMA)
