"""The worker's entries in a menu of a file manager, found by the marks with which their texts begin (`marked_words`)."""
from collections.abc import Callable, Sequence

import marked_words
from desktop import Desktop
from file_manager import FileManager
from marks import BLACK_TEXT, TEXT
from screen import Box, Picture
from waiting import Failure, wait_for

ENTRY_COLOUR = "FBCEB1"  # of our entry in Thunar's menu
ATTEMPTS = 6        # at a menu: the worker may be later than the service waits for it
LEAST_HEIGHT = 100  # of a menu, in pixels
MENU_SECONDS = 4.0  # in which a menu has its entries, or does not get them


class WorkerMenu:
    def __init__(self, desktop: Desktop, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.file_manager = file_manager
        self.text = BLACK_TEXT if file_manager.name == "dolphin" else TEXT  # the colours of what is written

    def prepare(self) -> None:
        """Called before the file manager starts."""
        self.desktop.add_test_icon("org.roundel.Roundel", ENTRY_COLOUR)
        self.desktop.write_setting(
            "gtk-3.0/settings.ini", "[Settings]\ngtk-icon-theme-name=RoundelTest\ngtk-menu-images=1\n")

    def open(self, what: str, place: tuple[int, int], wanted: Sequence[int], select: Callable[[], None]) -> dict[int, Box]:
        """Right-clicks at a place, once something is selected; where each entry stands, by the number of its marks, once
        the menu has these and no others."""
        for _ in range(ATTEMPTS):
            select()
            before = self.screen.wait_until_still()
            self.screen.right_click(*place)
            if self.file_manager.name == "thunar":
                self._open_entry()
            if self.file_manager.name == "nautilus":
                self._show_end(before)
            if (found := self._entries(what, before, wanted)) is not None:
                self._is_whole(what)
                return found
            self.screen.keys("Escape", "Escape", "Escape")
            self.screen.wait_until_still()
        raise Failure(f"{what}: {ATTEMPTS} menus were without {wanted}")

    def open_submenu(self, what: str, parent: Box, wanted: Sequence[int]) -> dict[int, Box]:
        """Clicks an entry that has further ones; where each of these stands."""
        before = self.screen.wait_until_still()
        self.screen.click(*parent.centre)
        found = self._entries(what, before, wanted)
        if found is None:
            raise Failure(f"{what}: {wanted} should be in the menu of the entry")
        return found

    def click(self, place: Box) -> None:
        self.screen.click(*place.centre)
        self.screen.move(2, 2)

    def check(self, place: Box) -> int:
        """What the check mark of an entry looks like."""
        if self.file_manager.name != "dolphin":
            return marked_words.ink_left_of(self.screen.grab(), place, self.text)
        # Qt 6 leaves room for an icon between the two: the check mark is somewhere between the menu's edge and the text.
        edges = [box.left for box in self.screen.shown_boxes(self.file_manager.window_class) if box.holds(*place.centre)]
        return marked_words.ink_left_of(self.screen.grab(), place, self.text, place.left - max(edges) - 2)

    def _open_entry(self) -> None:
        """Thunar has one entry of ours, behind which the others are."""
        self.screen.wait_for_colour(ENTRY_COLOUR)
        self.screen.click(*self.screen.wait_until_still().boxes(ENTRY_COLOUR)[0].centre)

    def _show_end(self, before: Picture) -> None:
        """A menu for which the screen is too low shows its beginning; ours are its last entries."""
        def is_there() -> bool:
            box = self.screen.grab().difference(before)
            return box is not None and box.bottom - box.top > LEAST_HEIGHT
        wait_for("a menu", is_there)
        self.screen.wait_until_still()
        self.screen.keys("Up")

    def _entries(self, what: str, before: Picture, wanted: Sequence[int]) -> dict[int, Box] | None:
        seen: list[tuple[int, Box]] = []
        try:
            wait_for("the entries", lambda: self._has_come(before, seen, wanted), MENU_SECONDS)
        except Failure:
            print(f"  {what}: the menu has {[marks for marks, _ in seen]}; once more", flush=True)
            self.desktop.shoot(f"{what}, wrong")
            return None
        self.desktop.shoot(what)
        return dict(seen)

    def _has_come(self, before: Picture, seen: list[tuple[int, Box]], wanted: Sequence[int]) -> bool:
        """Whether the menu stands still with these entries."""
        self.screen.wait_until_still(0.2)
        seen[:] = marked_words.marked_rows(before, self.screen.grab(), self.text)
        return [marks for marks, _ in seen] == list(wanted)

    def _is_whole(self, what: str) -> None:
        """Our entries come after the menu in Dolphin, which makes it larger; no part of it may be beyond the screen."""
        if self.file_manager.name != "dolphin":
            return
        whole = self.screen.grab()
        for box in self.screen.shown_boxes(self.file_manager.window_class):
            if box.right > whole.width or box.bottom > whole.height:
                raise Failure(f"{what}: {box} is not all on the screen")
