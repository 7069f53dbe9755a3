"""What is observed follows what is shown, exactly (F3, F4, F5): each step of a person is compared with every Begin and End
that the file manager sent for it, and with every one that the service told the provider."""
import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

import wire
from desktop import Desktop
from file_manager import FileManager
from provider import ProvidedService
from waiting import Failure, pump, wait_for

QUIET = 0.4  # seconds in which nothing more may be said


class ObservingScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.keys = desktop.screen.keys
        self.sync = str(desktop.home / "Sync")
        self.sub = self.sync + "/sub"
        self.said = 0   # calls of the file manager that earlier steps account for
        self.told = 0   # and calls to the provider
        # Nautilus shows the folders of all its tabs as open, the others only that of the tab in front.
        self.counts_every_tab = file_manager.name == "nautilus"

    def make_files(self) -> None:
        os.makedirs(self.sub)
        for path, badge in ((self.sync + "/a.txt", "synced"), (self.sub + "/b.txt", "error")):
            with open(path, "w") as file:
                file.write("text\n")
            self.service.set_badge(path, badge)
        self.service.set_badge(self.sub, "conflict")
        self.service.set_badge(self.sync, "excluded")
        self.service.folders = [self.sync]

    # Comparing

    def expect(self, what: str, begin: Any = (), end: Any = ()) -> None:
        """The file manager said exactly this since the last step, in whatever order, and the provider was told the same."""
        wanted = sorted([("Begin", wire.uri(path)) for path in begin] + [("End", wire.uri(path)) for path in end])
        self._expect(what, "said", lambda: self.desktop.observations()[self.said:], wanted)
        self._expect(what, "told the provider", lambda: self.service.told[self.told:], wanted)
        self.said, self.told = self.said + len(wanted), self.told + len(wanted)
        print(f"  {what}: {[(member, uri.rpartition('/')[2]) for member, uri in wanted]}", flush=True)

    def expect_told(self, what: str, begin: Any = (), end: Any = ()) -> None:
        """Only the provider was told: the service does so for a file manager that is no more."""
        wanted = sorted([("Begin", wire.uri(path)) for path in begin] + [("End", wire.uri(path)) for path in end])
        self._expect(what, "told the provider", lambda: self.service.told[self.told:], wanted)
        self.desktop.settle_monitor()
        self.told, self.said = self.told + len(wanted), len(self.desktop.observations())
        print(f"  {what}: told {[(member, uri.rpartition('/')[2]) for member, uri in wanted]}", flush=True)

    def _expect(self, what: str, whom: Any, calls: Any, wanted: Any) -> None:
        try:
            wait_for(what, lambda: len(calls()) >= len(wanted))
        except Failure:
            raise Failure(f"{what}: {whom} {calls()}, not {wanted}") from None
        pump(QUIET)
        self.desktop.settle_monitor()
        if sorted(calls()) != wanted:
            raise Failure(f"{what}: {whom} {calls()}, not {wanted}")

    # Steps

    def navigation(self) -> None:
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("opened", ["synced", "conflict"])
        self.expect("opened", begin=[self.sync])
        self.keys("alt+Up")
        self.file_manager.expect_shown("up", ["excluded"], ["synced"])
        self.expect("up", begin=[os.path.dirname(self.sync)], end=[self.sync])
        self.keys("alt+Left")
        self.file_manager.expect_shown("back", ["synced"], ["excluded"])
        self.expect("back", begin=[self.sync], end=[os.path.dirname(self.sync)])
        self.keys("F5")
        self.file_manager.expect_shown("reloaded", ["synced"])
        self.expect("reloaded")

    def tabs(self) -> None:
        """A second tab of the same folder, taken elsewhere, left for the first one, and closed."""
        self.keys("ctrl+t")
        self._expect_turn("second tab", [self.sync], [self.sync])
        self.keys("alt+Up")
        self.file_manager.expect_shown("second tab elsewhere", ["excluded"], ["synced"])
        home = os.path.dirname(self.sync)
        self.expect("second tab elsewhere", begin=[home], end=[] if self.counts_every_tab else [self.sync])
        self.keys("ctrl+Page_Up")
        self.file_manager.expect_shown("first tab", ["synced"], ["excluded"])
        self._expect_turn("first tab", [self.sync], [home])
        self.keys("ctrl+Page_Down")
        self.file_manager.expect_shown("second tab again", ["excluded"], ["synced"])
        self._expect_turn("second tab again", [home], [self.sync])
        self.keys("ctrl+w")
        self.file_manager.expect_shown("closed tab", ["synced"], ["excluded"])
        self.expect("closed tab", begin=[] if self.counts_every_tab else [self.sync], end=[home])

    def _expect_turn(self, what: str, begin: Any, end: Any) -> None:
        """Turning to another tab is news only where the tab in front alone counts, be it of the same folder."""
        if self.counts_every_tab:
            self.expect(what)
        else:
            self.expect(what, begin=begin, end=end)

    def windows(self) -> None:
        self.file_manager.open(self.sync)
        self.expect("second window of the folder")
        self.file_manager.open(self.sub)
        self.file_manager.expect_shown("third window", ["error"])
        self.expect("third window", begin=[self.sub])
        self.file_manager.close_active()
        self.expect("closed third window", end=[self.sub])
        self.file_manager.close_active()
        self.expect("closed second window")

    def killed(self) -> None:
        self.file_manager.open(self.sub)
        self.expect("another window", begin=[self.sub])
        os.kill(self.file_manager.process.pid, signal.SIGKILL)
        self.file_manager.process.wait()
        self.expect_told("killed", end=[self.sync, self.sub])

    def quit(self) -> None:
        self.file_manager.forget_process()
        self.file_manager.open(self.sync)
        self.expect("opened after being killed", begin=[self.sync])
        self.desktop.spawn(f"{self.file_manager.name}-quit", [self.file_manager.name, "-q"])
        self.file_manager.leave()
        self.expect_told("quit", end=[self.sync])

    def last_window(self) -> None:
        self.file_manager.forget_process()
        self.file_manager.open(self.sync)
        self.expect("opened after quitting", begin=[self.sync])
        self.close_last_window()

    def close_last_window(self) -> None:
        self.file_manager.close_active()
        self.expect_told("closed the last window", end=[self.sync])
        self.file_manager.leave()
        self.file_manager.nothing_complained()

    def steps(self) -> Sequence[Callable[[], None]]:
        return (self.navigation, self.tabs, self.windows, self.killed, self.quit, self.last_window)

    def run(self) -> None:
        self.make_files()
        self.service.start()
        for step in self.steps():
            step()
