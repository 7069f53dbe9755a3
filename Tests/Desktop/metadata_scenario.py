"""Emblems in Thunar and PCManFM-Qt, which read them from metadata: every badge and every end of the helper."""
import os

import wire
from desktop import Desktop
from file_manager import FileManager
from metadata_helper import MetadataHelper, emblems, give_emblem
from provider import ProvidedService
from waiting import Failure, pump, wait_for

OWN = "emblem-own"
OWN_COLOUR = "3B7A57"

# Names that every encoding has to survive, each with a state that no other item of the folder has.
ODD_NAMES = {"excluded": b"\xff\xfe latin.txt", "online-only": "größe %41#?.txt".encode()}


def set_icon_theme(desktop: Desktop, theme: str) -> None:
    """What PCManFM-Qt takes its icons from; others read the desktop's settings."""
    desktop.write_setting("pcmanfm-qt/default/settings.conf", f"[System]\nFallbackIconThemeName={theme}\n")
    desktop.write_setting("lxqt/lxqt.conf", f"[General]\nicon_theme={theme}\n")


class MetadataScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.helper = MetadataHelper(desktop)
        self.sync = str(desktop.home / "Sync")
        self.outside = str(desktop.home / "Outside.txt")

    def path(self, name: str) -> str:
        return os.path.join(self.sync, name)

    def write(self, path: str | bytes) -> None:
        with open(path, "w") as file:
            file.write("text\n")

    def make_files(self) -> None:
        desktop = self.desktop
        set_icon_theme(desktop, "RoundelTest")
        desktop.add_test_icon(OWN, OWN_COLOUR)
        os.makedirs(self.path("sub"))
        os.makedirs(self.path("quiet"))
        for name in ("a.txt", "b.txt", "mine.txt", "sub/d.txt", "quiet/e.txt"):
            self.write(self.path(name))
        self.write(self.outside)
        os.symlink(self.outside, self.path("link"))
        give_emblem(desktop, self.path("mine.txt"), OWN)
        for state, odd_name in ODD_NAMES.items():
            odd = os.path.join(os.fsencode(self.sync), odd_name)
            self.write(odd)
            self.service.set_badge(os.fsdecode(odd), state)
        for name, state in (("a.txt", "synced"), ("b.txt", "conflict"), ("mine.txt", "synced"), ("sub", "error"),
                            ("sub/d.txt", "error"), ("quiet", "synced"), ("quiet/e.txt", "synced"), ("link", "error")):
            self.service.set_badge(self.path(name), state)
        self.service.set_badge(self.sync, "error")
        self.service.folders = [self.sync]

    # What is shown

    def first_look(self) -> None:
        self.helper.start()
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("appear", ["conflict", "error", *ODD_NAMES], ["synced"])
        self.expect_explored(os.path.dirname(self.sync), self.sync, self.path("sub"))

    def expect_explored(self, *paths: str) -> None:
        """Only what leads to an item that is not synced is observed."""
        self.file_manager.expect_observed("exploring", *paths)

    def live_change(self) -> None:
        self.service.set_badge(self.path("b.txt"), "paused")
        self.file_manager.expect_shown("change", ["paused", "error"], ["conflict"])
        self.service.set_badge(self.path("b.txt"), "synced")
        self.file_manager.expect_shown("synced shows nothing", ["error"], ["paused", "synced"])
        if emblems(self.desktop, self.path("b.txt")):
            raise Failure("an emblem stays where none is to be")

    def new_file(self) -> None:
        self.write(self.path("new.txt"))
        self.service.set_badge(self.path("new.txt"), "conflict")
        self.file_manager.expect_shown("new file", ["conflict"])
        os.unlink(self.path("new.txt"))
        self.service.set_badge(self.path("new.txt"), "")
        self.select_nothing()
        self.file_manager.expect_shown("deleted file", list(ODD_NAMES), ["conflict"])
        self.write(self.path("new.txt"))
        self.service.set_badge(self.path("new.txt"), "synced")
        wait_for("another file of that name", lambda: wire.uri(self.path("new.txt")) not in self.helper.recorded())
        self.file_manager.expect_shown("created again", list(ODD_NAMES), ["conflict"])

    def select_nothing(self) -> None:
        """Thunar selects what comes after a deleted item, and a selected one has other colours."""
        screen = self.desktop.screen
        box = screen.window_box(screen.windows(self.file_manager.window_class)[0])
        screen.click(box.right - 60, box.bottom - 90)

    def in_transit(self) -> None:
        """A directory shows that something in it moves; a file is left alone while it is transferred."""
        before = os.stat(self.path("b.txt")).st_ctime_ns
        self.service.set_badge(self.path("sub"), "syncing")
        self.service.set_badge(self.path("b.txt"), "syncing")
        self.file_manager.expect_shown("directory in transit", ["syncing"])
        self.helper.expect_idle("in transit", self.path("b.txt"))
        if os.stat(self.path("b.txt")).st_ctime_ns != before or emblems(self.desktop, self.path("b.txt")):
            raise Failure("a file in transit was changed")
        self.service.set_badge(self.path("b.txt"), "synced")

    def exploring_ends(self) -> None:
        """A directory that became synced is left, and what is in it shows nothing; the errors come back with it."""
        before = emblems(self.desktop, self.path("sub/d.txt"))
        self.service.set_badge(self.path("sub"), "synced")
        self.expect_explored(os.path.dirname(self.sync), self.sync)
        wait_for("an item that is no longer explored", lambda: not emblems(self.desktop, self.path("sub/d.txt")))
        self.file_manager.expect_shown("left", [], ["error", "syncing"])
        self.service.set_badge(self.path("sub"), "error")
        wait_for("the items of a directory", lambda: emblems(self.desktop, self.path("sub/d.txt")) == before)
        self.file_manager.expect_shown("entered again", ["error"])

    def own_emblems(self) -> None:
        """What the person gave an item stays, before ours, and ours goes without it."""
        self.service.set_badge(self.path("mine.txt"), "conflict")
        both = [OWN, "emblem-roundel-conflict"]
        wait_for("both emblems", lambda: emblems(self.desktop, self.path("mine.txt")) == both)
        if self.file_manager.name == "thunar":
            self.file_manager.expect_shown("own emblem", ["conflict"])
        self.desktop.screen.wait_for_colour(OWN_COLOUR)
        self.service.set_badge(self.path("mine.txt"), "synced")
        wait_for("the own emblem alone", lambda: emblems(self.desktop, self.path("mine.txt")) == [OWN])

    def nothing_followed(self) -> None:
        """Neither a symlink nor what it points at is marked."""
        for path in (self.path("link"), self.outside):
            if wire.uri(path) in self.helper.recorded() or emblems(self.desktop, path):
                raise Failure(f"{path} was marked")

    def folder_itself(self) -> None:
        self.service.set_badge(self.sync, "synced")
        self.file_manager.open(os.path.dirname(self.sync))
        self.file_manager.expect_shown("the folder in its parent", ["synced"])
        self.service.set_badge(self.sync, "syncing")
        self.file_manager.expect_shown("the folder in transit", ["syncing"], ["synced"])
        self.service.set_badge(self.sync, "synced")
        self.file_manager.expect_shown("the folder again", ["synced"], ["syncing"])
        self.file_manager.close_active()

    # How it ends

    def service_restarts(self) -> None:
        self.service.stop()
        self.file_manager.expect_nothing_shown("service gone")
        self.service.start()
        self.file_manager.expect_shown("service back", ["error", *ODD_NAMES])

    def helper_ends(self) -> None:
        self.helper.end()
        self.file_manager.expect_nothing_shown("helper ended")
        if self.helper.recorded():
            raise Failure(f"still recorded: {self.helper.recorded()}")
        self.helper.start()
        self.file_manager.expect_shown("helper started again", ["error", *ODD_NAMES])

    def helper_crashes(self) -> None:
        """The next start takes away what the crash left, also where nothing leads any more."""
        self.helper.crash()
        self.service.set_badge(self.path("sub"), "synced")
        self.service.set_badge(self.path("sub/d.txt"), "synced")
        self.file_manager.expect_shown("left by a crash", ["error", *ODD_NAMES])
        self.helper.start()
        self.file_manager.expect_shown("cleaned at the next start", list(ODD_NAMES), ["error"])
        wait_for("the end of an emblem in a directory that is synced by now",
                 lambda: not emblems(self.desktop, self.path("sub/d.txt")))

    def cleaned_by_hand(self) -> None:
        status, said = self.helper.run("--clean")
        if status == 0 or "running already" not in said:
            raise Failure(f"--clean beside a running helper: {status} {said}")
        # It takes all away when it starts and gives what is wanted a moment later, which the file manager need not show.
        wait_for("the emblems to be recorded again", lambda: len(self.helper.recorded()) == 3)
        self.helper.crash()
        status, said = self.helper.run("--clean")
        if status != 0 or "3 emblems were removed" not in said:
            raise Failure(f"--clean: {status} {said}")
        self.file_manager.expect_nothing_shown("cleaned by hand")
        if emblems(self.desktop, self.path("mine.txt")) != [OWN]:
            raise Failure("the person's own emblem went as well")

    def run(self) -> None:
        self.make_files()
        self.service.start()
        self.first_look()
        self.live_change()
        self.new_file()
        self.in_transit()
        self.exploring_ends()
        self.own_emblems()
        self.nothing_followed()
        self.folder_itself()
        self.service_restarts()
        self.helper_ends()
        self.helper_crashes()
        self.cleaned_by_hand()
        self.helper.nothing_complained()
        self.file_manager.close()
        pump()

    def explain(self) -> list[str]:
        said = self.desktop.last_lines("roundel-metadata")
        return [f"recorded: {self.helper.recorded()}", *said] if self.helper.ledger.exists() else said
