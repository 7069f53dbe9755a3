"""Several file managers show one folder: each is tracked apart from the others (F5), the provider hears of the first and of
the last (F3, F4), and a change reaches them all (F7)."""
import os
import signal
from typing import Any

import wire
from desktop import COLOURS, Desktop
from file_manager import FileManager
from provider import ProvidedService
from waiting import Failure, pump, wait_for


class HostsScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.first = file_manager
        self.others = [FileManager("nemo", desktop), FileManager("caja", desktop)]
        self.sync = str(desktop.home / "Sync")

    def expect_told(self, what: str, *members: Any) -> None:
        wanted = [(member, wire.uri(self.sync)) for member in members]
        pump(0.5)
        try:
            wait_for(what, lambda: self.service.told == wanted)
        except Failure as failure:
            raise Failure(f"{failure}; the provider was told {self.service.told}, not {wanted}") from None

    def open_all(self) -> None:
        for emblem, file_manager in enumerate((self.first, *self.others), 1):
            file_manager.open(self.sync)
            self.tile()
            wait_for(f"{emblem} windows with the badge", lambda: self.emblems("synced") == emblem)
            self.expect_told(f"{emblem} hosts", "Begin")
        callers = {caller for caller, _, _ in self.desktop.observations_by_caller()}
        if len(callers) != 3:
            raise Failure(f"three file managers called as {callers}")
        self.desktop.shoot("three file managers")

    def tile(self) -> None:
        """Puts the windows beside each other, so that each is seen."""
        for place, file_manager in enumerate((self.first, *self.others)):
            for window in self.desktop.screen.windows(f"^{file_manager.window_class}$"):
                self.desktop.screen.place(window, place % 2 * 550, place // 2 * 380, 540, 350)

    def emblems(self, badge: str) -> int:
        return len(self.desktop.screen.grab().boxes(COLOURS[badge]))

    def change_reaches_all(self) -> None:
        self.service.set_badge(self.sync + "/a.txt", "conflict")
        wait_for("three windows with the changed badge",
                 lambda: self.emblems("conflict") == 3 and self.emblems("synced") == 0)
        self.desktop.shoot("changed in all")

    def one_after_the_other_goes(self) -> None:
        """The last one ends by being killed, which counts as having ended."""
        self.first.close()
        wait_for("two windows with the badge", lambda: self.emblems("conflict") == 2)
        self.expect_told("one is closed", "Begin")
        os.kill(self.others[0].process.pid, signal.SIGKILL)
        wait_for("one window with the badge", lambda: self.emblems("conflict") == 1)
        self.desktop.shoot("one left")
        self.expect_told("one is killed", "Begin")
        os.kill(self.others[1].process.pid, signal.SIGKILL)
        self.expect_told("the last is killed", "Begin", "End")

    def run(self) -> None:
        os.makedirs(self.sync)
        with open(self.sync + "/a.txt", "w") as file:
            file.write("text\n")
        self.service.set_badge(self.sync + "/a.txt", "synced")
        self.service.folders = [self.sync]
        self.service.start()
        self.open_all()
        self.change_reaches_all()
        self.one_after_the_other_goes()
