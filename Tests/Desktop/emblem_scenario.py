"""Every badge, change and event that a plugin can meet."""
import os
from typing import ClassVar

import wire
from desktop import Desktop
from file_manager import FileManager
from provider import ProvidedService
from stand_in import StandIn
from waiting import Failure, pump, wait_for

# Names that every encoding has to survive, each with a state that no other item of the folder has.
ODD_NAMES = {
    "conflict": b"a (1)!&'*;=,$@:+.txt",
    "excluded": b"\xff\xfe latin.txt",
    "pending": b"two\nlines.txt",
    "online-only": "größe %41#?.txt".encode(),
}


class EmblemScenario:
    odd_names: ClassVar[dict[str, bytes]] = ODD_NAMES

    def __init__(self, desktop: Desktop, service: StandIn | ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.sync = str(self.desktop.home / "Sync")
        self.late = str(self.desktop.home / "Elsewhere" / "Late")
        self.outside = str(self.desktop.home / "Elsewhere" / "Outside")

    def make_files(self) -> None:
        for directory in (self.sync, self.sync + "/sub", self.late, self.outside):
            os.makedirs(directory)
        for path in ("a.txt", "b.txt", "c.txt", "sub/d.txt"):
            self.write(os.path.join(self.sync, path))
        for path in (self.late + "/l.txt", self.outside + "/o.txt"):
            self.write(path)
        for state, name in self.odd_names.items():
            odd = os.path.join(os.fsencode(self.sync), name)
            self.write(odd)
            self.service.set_badge(os.fsdecode(odd), state)
        self.service.set_badge(self.sync, "synced")
        self.service.set_badge(self.sync + "/a.txt", "synced", wire.PINNED)
        self.service.set_badge(self.sync + "/b.txt", "syncing", 0, 40)
        self.service.set_badge(self.sync + "/sub/d.txt", "error")
        self.service.set_badge(self.late + "/l.txt", "error")
        self.service.folders = [self.sync]

    def write(self, path: str | bytes) -> None:
        with open(path, "w") as file:
            file.write("text\n")

    def first_window(self) -> None:
        self.file_manager.begin_afresh()
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("appear", ["synced", "syncing", "pinned", *self.odd_names])
        self.file_manager.expect_observed("observing the folder", self.sync)

    def asked_well(self) -> None:
        if self.service.requests is None:
            return
        methods = {method for method, _, _ in self.service.requests}
        wanted = {"RequestDirectory" if self.file_manager.asks_for_directories else "RequestBadges"}
        if methods != wanted:
            raise Failure(f"asked by {methods}, not by {wanted}")
        if len(self.service.requests) > 4:
            raise Failure(f"one folder took {len(self.service.requests)} requests: {self.service.requests}")

    def live_change(self) -> None:
        self.service.set_badge(self.sync + "/b.txt", "error")
        self.file_manager.expect_shown("change", ["synced", "error"], ["syncing"])
        self.service.set_badge(self.sync + "/a.txt", "synced", wire.SHARED | wire.LOCKED)
        self.file_manager.expect_shown("flags", ["synced", "shared", "locked"], ["pinned"])
        self.service.set_badge(self.sync + "/a.txt", "")
        self.file_manager.expect_shown("remove", ["error"], ["synced", "shared", "locked"])
        self.service.set_badge(self.sync + "/a.txt", "synced")
        self.file_manager.expect_shown("return", ["synced", "error"])

    def new_file(self) -> None:
        self.service.set_badge(self.sync + "/new.txt", "syncing")
        self.write(self.sync + "/new.txt")
        self.file_manager.expect_shown("new file", ["syncing"])
        os.unlink(self.sync + "/new.txt")
        self.service.set_badge(self.sync + "/new.txt", "")
        self.file_manager.expect_shown("deleted file", ["synced"], ["syncing"])

    def service_restarts(self) -> None:
        self.service.stop()
        self.file_manager.expect_nothing_shown("service gone")
        self.file_manager.begin_afresh()
        self.service.start()
        self.file_manager.expect_shown("service back", ["synced", "error", *self.odd_names])
        self.file_manager.expect_observed("observing again", self.sync)

    def service_resets(self) -> None:
        self.service.badges[self.sync]["b.txt"] = ("paused", 0, 255)
        self.service.reset()
        self.file_manager.expect_shown("reset", ["synced", "paused"], ["error"])
        self.file_manager.expect_begun("observing after a reset", self.sync)

    def go_up(self) -> None:
        self.desktop.screen.keys("alt+Up")

    def navigate(self) -> None:
        self.go_up()
        self.file_manager.expect_shown("parent", ["synced"], ["paused"])
        self.file_manager.expect_observed("observing the parent", os.path.dirname(self.sync))
        self.service.set_badge(self.sync + "/b.txt", "syncing")
        self.desktop.screen.keys("alt+Left")
        self.file_manager.expect_shown("back", ["synced", "syncing", *self.odd_names], ["paused"])
        self.file_manager.expect_observed("observing the folder again", self.sync)
        self.service.set_badge(self.sync + "/b.txt", "paused")
        self.file_manager.expect_shown("change after back", ["synced", "paused"], ["syncing"])

    def service_is_slow(self) -> None:
        """The file manager goes on without an answer, and takes it when it comes."""
        self.service.play_dead()
        self.file_manager.open(self.sync + "/sub")
        wait_for("a call", self.service.was_called)
        pump(1)
        self.file_manager.expect_shown("no answer yet", [], ["error"])
        self.service.wake()
        self.file_manager.expect_shown("late answer", ["error"])
        self.file_manager.close_active()
        self.file_manager.expect_observed("observing what is left", self.sync)

    def file_manager_is_slow(self) -> None:
        """A question that has just been given up and its answer reach the file manager in the same turn."""
        if not isinstance(self.service, StandIn) or not self.file_manager.asks_for_directories:
            return
        os.mkdir(self.sync + "/slow")
        self.write(self.sync + "/slow/s.txt")
        self.service.set_badge(self.sync + "/slow/s.txt", "error")
        self.service.answer_together_with_a_time_out(self.file_manager.process)
        self.file_manager.open(self.sync + "/slow")
        self.file_manager.expect_shown("answer after giving up", ["error"])
        self.file_manager.close_active()
        self.file_manager.expect_observed("the slow window ended", self.sync)

    def second_window(self) -> None:
        self.file_manager.open(self.sync)
        pump(1)
        self.file_manager.expect_observed("two windows observe once", self.sync)
        self.file_manager.open(self.sync + "/sub")
        self.file_manager.expect_shown("sub", ["error"])
        self.file_manager.expect_observed("observing both", self.sync, self.sync + "/sub")
        self.file_manager.close_active()
        self.file_manager.expect_observed("the closed window ended", self.sync)
        self.file_manager.close_active()
        pump(1)
        self.file_manager.expect_observed("the first window still observes", self.sync)

    def folder_registered_late(self) -> None:
        self.file_manager.open(self.outside)
        self.file_manager.open(self.late)
        self.file_manager.refuse(self.outside, self.late)
        pump(1)
        self.file_manager.expect_observed("nothing outside is observed", self.sync)
        self.expect_asked_once(self.outside, self.late)
        self.service.set_folders([self.sync, self.late])
        self.file_manager.expect_shown("registered late", ["error"])
        self.file_manager.expect_observed("still observing the folder", self.sync)
        begun = self.desktop.observations().count(("Begin", wire.uri(self.late)))
        if begun != 2:
            raise Failure(f"{begun} questions about the new folder, not one before it was registered and one after")

    def expect_asked_once(self, *paths: str) -> None:
        """A link may lead from elsewhere into a folder, which costs one question for a directory."""
        def begun_of(path: str) -> int:
            return self.desktop.observations()[self.file_manager.fresh:].count(("Begin", wire.uri(path)))
        for path in paths:
            wait_for(f"a question about {path}", lambda: begun_of(path))
        pump(1)
        self.desktop.settle_monitor()
        begun = self.desktop.observations()[self.file_manager.fresh:]
        for path in paths:
            if begun.count(("Begin", wire.uri(path))) != 1:
                raise Failure(f"not one question about {path}: {begun}")

    def kept_the_contract(self) -> None:
        if self.service.violations:
            raise Failure(f"against the interface: {self.service.violations}")

    def run(self) -> None:
        self.make_files()
        self.service.start()
        self.first_window()
        self.asked_well()
        self.live_change()
        self.new_file()
        self.service_restarts()
        self.service_resets()
        self.navigate()
        self.service_is_slow()
        self.file_manager_is_slow()
        self.second_window()
        self.folder_registered_late()
        self.file_manager.close()
        self.file_manager.leave()
        self.file_manager.nothing_complained()
        self.kept_the_contract()
