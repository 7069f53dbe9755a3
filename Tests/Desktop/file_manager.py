"""One file manager on a private desktop: opening and closing its windows, and what it has to show and to say."""
import contextlib
from collections.abc import Sequence
from typing import Any

import wire
from desktop import Desktop
from screen import Picture
from waiting import Failure, pump, wait_for

# The class of its windows, how it opens a folder in a new window, and whether it asks for whole directories.
FILE_MANAGERS = {
    "nemo": ("Nemo", ["nemo"], False),
    "nautilus": ("org.gnome.Nautilus", ["nautilus", "--new-window"], True),
    "caja": ("Caja", ["caja", "--no-desktop", "--browser"], True),
    "dolphin": ("dolphin", ["dolphin", "--new-window"], False),
    "thunar": ("Thunar", ["thunar"], False),
    "pcmanfm-qt": ("pcmanfm-qt", ["pcmanfm-qt", "--new-window"], False),
}


# After which a window that has not got the focus is taken for one that does not get it.
FOCUS_SECONDS = 10


class FileManager:
    def __init__(self, name: str, desktop: Desktop, checker: Any = None) -> None:
        self.name = name
        self.window_class, self.command, self.asks_for_directories = FILE_MANAGERS[name]
        self.desktop = desktop
        self.checker = checker  # of checker.py; watches over every process
        self.refused: set[str] = set()  # the URIs of directories that are asked about in vain
        self.process: Any = None
        self.fresh = 0

    # Its windows

    def open(self, path: str) -> None:
        """Opens another window. The first process shows them all, except for Dolphin's, each of which has its own."""
        command, environment = (self.checker.command(), self.checker.environment()) if self.checker else ([], {})
        screen = self.desktop.screen
        before = screen.windows(self.window_class)
        process = self.desktop.spawn(self.name, [*command, *self.command, path], **environment)
        if self.process is None:
            self.process = process
        wait_for("another window", lambda: len(screen.windows(self.window_class)) > len(before))
        # The window manager lists a window before it gives it the focus, if it does: what is typed is for that window.
        with contextlib.suppress(Failure):
            wait_for("the focus", lambda: screen.active_window() in screen.windows(self.window_class)
                     and screen.active_window() not in before, FOCUS_SECONDS)
        pump(0.5)

    def close_active(self) -> None:
        screen = self.desktop.screen
        window = wait_for("an active window", lambda: screen.active_window() in screen.windows(self.window_class)
                          and screen.active_window())

        def closed() -> bool:
            # The window manager misses a key that comes while it still hands the focus over.
            if screen.active_window() == window:
                screen.keys("alt+F4")
                pump(1)
            return window not in screen.windows(self.window_class)
        wait_for("a closed window", closed)

    def close(self) -> None:
        """Closes every window. A process that leaves the bus has ended all that it observed."""
        screen = self.desktop.screen

        def closed() -> bool:
            for window in screen.windows(self.window_class)[:1]:
                # It may go at any time: the last key may have been for it.
                if screen.is_activated(window):
                    screen.keys("alt+F4")
                pump(0.5)
            return not screen.windows(self.window_class)
        wait_for("closed windows", closed)
        wait_for("the end of observing", lambda: not self.observed_now() or self.process.poll() is not None)

    def leave(self) -> None:
        """The process ends by itself soon after its last window."""
        wait_for("the end of the process", lambda: self.process.poll() is not None)
        if self.process.returncode != 0:
            raise Failure(f"{self.name} ended with {self.process.returncode}")

    def forget_process(self) -> None:
        """Another process is going to be the first."""
        self.process = None
        self.begin_afresh()

    # What it shows

    def expect_shown(self, what: str, present: list[str], absent: Sequence[str] = ()) -> None:
        """Waits until every badge that must be there is on the screen and none that must not; keeps that picture."""
        seen: dict[str, int] = {}

        def matches() -> Picture | None:
            picture = self.desktop.screen.grab()
            seen.clear()
            seen.update(self.desktop.count_pixels(picture))
            matching = all(seen.get(name) for name in present) and not any(seen.get(name) for name in absent)
            return picture if matching else None
        try:
            picture = wait_for(what, matches)
        except Failure as failure:
            raise Failure(f"{failure}; expected {list(present)} and not {list(absent)}, saw {seen}") from None
        self.desktop.shoot(what, picture=picture)
        print(f"  {what}: {seen}", flush=True)

    def expect_nothing_shown(self, what: str) -> None:
        self.expect_shown(what, [], wire.STATES + list(wire.FLAG_ICONS.values()))

    def observed_now(self) -> dict[str, int]:
        """Directories with more beginnings than ends since the service last began afresh."""
        counts: dict[str, int] = {}
        for member, uri in self.desktop.observations()[self.fresh:]:
            counts[uri] = counts.get(uri, 0) + (1 if member == "Begin" else -1)
        return {uri: count for uri, count in counts.items() if count and uri not in self.refused}

    def refuse(self, *paths: str) -> None:
        """These directories lead into no folder, so that what is begun there is refused and never ends."""
        self.refused = {wire.uri(path) for path in paths}

    def begin_afresh(self) -> None:
        self.desktop.settle_monitor()
        self.fresh = len(self.desktop.observations())

    def expect_observed(self, what: str, *paths: str) -> None:
        wanted = {wire.uri(path): 1 for path in paths}
        try:
            wait_for(what, lambda: self.observed_now() == wanted)
        except Failure as failure:
            raise Failure(f"{failure}; wanted {wanted}, observed {self.observed_now()}") from None

    def expect_begun(self, what: str, path: str) -> None:
        """The last thing said is that the directory is observed. Refused beginnings before it do not count."""
        wait_for(what, lambda: self.desktop.observations()[-1:] == [("Begin", wire.uri(path))])
        self.fresh = len(self.desktop.observations()) - 1

    # What it says

    def nothing_complained(self) -> None:
        """Neither the file manager about the plugin, nor what watches over its memory."""
        for line in self.desktop.log(self.name).splitlines():
            if f"roundel-{self.name}" in line or "plugin response" in line:
                raise Failure(f"{self.name} says: {line}")
        complaints = self.checker.complaints() if self.checker else []
        if complaints:
            raise Failure(f"{type(self.checker).__name__} says: " + "\n".join(complaints))
