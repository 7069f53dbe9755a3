"""Real notification daemons show what needs the person, and a click on a button does it (D12)."""
import os
import subprocess
from typing import Any

from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from screen import Box, Picture
from waiting import PROGRAM_SECONDS, wait_for

DAEMONS = {
    "xfce4-notifyd": ["/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd"],
    "dunst": ["dunst", "-conf", "{home}/.config/dunstrc"],
}
BUTTON = 60, 30   # from the lower right corner
AWAY = 300, 600   # where the pointer covers nothing
# A click on a notification of dunst's does the action that it has, or lets the person choose in another program.
DUNST_SETTINGS = """[global]
mouse_left_click = do_action
dmenu = {home}/choose
origin = top-right
width = 360
# None goes by itself before it was looked at, however long that takes.
[urgency_low]
timeout = 0
[urgency_normal]
timeout = 0
[urgency_critical]
timeout = 0
"""
# Stands in for the person before that program's list: takes the line that keeps both.
CHOOSE = """#!/bin/sh
grep -m1 "Keep Both"
"""


class NotificationProgramScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.roundel = service.roundel
        self.screen = desktop.screen
        self.folder = str(desktop.home / "Documents")
        self.remote = str(desktop.work / "remote")

    def make_folder(self) -> None:
        for path in (self.folder, self.remote):
            os.makedirs(path)
        with open(self.folder + "/Letter.odt", "w") as file:
            file.write("first\n")
        self.roundel("add", self.folder, self.remote, "--wait")

    def make_conflict(self, version: Any) -> None:
        self.roundel("pause", self.folder)
        for place, text in ((self.folder, "mine"), (self.remote, "theirs")):
            with open(f"{place}/Letter.odt", "w") as file:
                file.write(f"{text} {version}\n")
        self.roundel("resume", self.folder)
        self.roundel("sync", self.folder, "--wait")

    def start_daemon(self, name: str) -> subprocess.Popen[bytes]:
        home = self.desktop.home
        self.desktop.write_setting("dunstrc", DUNST_SETTINGS.format(home=home))
        (home / "choose").write_text(CHOOSE)
        (home / "choose").chmod(0o755)
        return self.desktop.spawn(name, [word.format(home=home) for word in DAEMONS[name]])

    def appearance(self, before: Picture, what: str) -> Box:
        """The box of what came up since then."""
        box: Box = wait_for(what, lambda: self.screen.wait_until_still(1).difference(before))
        return box

    def play(self, name: str) -> None:
        daemon = self.start_daemon(name)
        self.screen.move(*AWAY)
        before = self.screen.wait_until_still()
        self.make_conflict(name)
        box = self.appearance(before, f"a notification of {name}")
        self.desktop.shoot(name)
        self.press(name, box)
        wait_for("no conflict", lambda: "Letter" not in self.roundel("conflicts", self.folder))
        self.screen.move(*AWAY)
        wait_for("the end of the notification", lambda: not self.screen.grab().difference(before))
        daemon.terminate()
        daemon.wait(PROGRAM_SECONDS)

    def press(self, name: str, box: Box) -> None:
        """Of xfce4-notifyd the last button, which stands at the lower right; of dunst the whole notification."""
        if name == "dunst":
            self.screen.click(*box.centre)
        else:
            self.screen.click(box.right - BUTTON[0], box.bottom - BUTTON[1])

    def run(self) -> None:
        self.make_folder()
        for name in DAEMONS:
            self.play(name)
