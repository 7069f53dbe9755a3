"""A menu on the screen, of any toolkit. Its entries are found by walking through it with the Down key and looking where
the highlight goes: no accessibility bus, no knowledge of fonts and themes. Separators are not counted, nor are
insensitive entries where the toolkit passes over them."""
import contextlib
from collections.abc import Callable

import screen
import waiting
from screen import RIGHT, STILL, Box, Picture, Screen
from waiting import Failure, pump, wait_for

MOST_ENTRIES = 40
MOST_IN_VAIN = 4      # presses of the Down key without any highlight, after which there is no menu
LEAST_HEIGHT = 8      # of an entry, in pixels
LEAST_WIDTH = 80      # of what a highlight colours without a gap, which no text does


def is_large(box: Box | None) -> bool:
    """Whether what changed may be a menu: what is under the pointer changes as well, and long before."""
    return box is not None and box.right - box.left >= LEAST_WIDTH and box.bottom - box.top >= LEAST_HEIGHT


class Menu:
    """Open until an entry is chosen or `close` is called. `box` is what changed on the screen when it opened. A slow program
    selects what was clicked long before the menu is there, so that a sign should be given that only comes with the menu."""

    def __init__(self, shown: Screen, x: int, y: int, button: int = RIGHT,
                 sign: Callable[[], bool] | None = None) -> None:
        self.screen = shown
        before = shown.wait_until_still()
        shown.click(x, y, button)
        if sign:
            wait_for("a sign of the menu", sign)
        self._opened(before)

    def _opened(self, before: Picture) -> None:
        wait_for("a menu", lambda: is_large(self.screen.grab().difference(before)))
        self.bare = self.screen.wait_until_still(STILL * waiting.patience)  # before any entry is highlighted
        self.box: Box = wait_for("a menu", lambda: self.bare.difference(before))
        self.found: list[Box] = []

    def entries(self) -> list[Box]:
        """The box of each entry, top first, as wide as the menu."""
        if not self.found:
            self._look_bare()
            found: list[Box] = []
            for pressed in range(MOST_ENTRIES):
                box = self._step("Down")
                if box in found or (not found and pressed >= MOST_IN_VAIN):
                    break
                if box is not None:
                    found.append(box)
            if not found:
                raise Failure("the menu has no entry that the Down key reaches")
            self.found = sorted(found, key=lambda box: box.top)
        return self.found

    def _look_bare(self) -> None:
        """A menu may open with its first entry highlighted. Each row of pixels is highlighted in one of three steps at
        most, so that what two of them have in common is the bare menu; one of a single entry looks bare at first alone."""
        pictures = [self.bare]
        for _ in range(2):
            self._step("Down")
            pictures.append(self.screen.grab())
        if pictures[1].part(self.box) != pictures[2].part(self.box):
            self.bare = screen.majority(*pictures)

    def highlight(self, index: int) -> None:
        """Moves to the entry, the first being 0."""
        if index >= len(self.entries()):
            raise Failure(f"the menu has {len(self.entries())} entries, not {index + 1}")
        for _ in range(2 * len(self.found)):
            if self.highlighted() == self.found[index]:
                return
            self._step("Down")
        raise Failure(f"the Down key does not reach entry {index}")

    def choose(self, index: int) -> None:
        """Activates the entry. The menu closes."""
        self.highlight(index)
        self.screen.keys("Return")
        pump(0.2)

    def open_submenu(self, index: int) -> None:
        """Opens the submenu of an entry; from then on this is that menu."""
        self.highlight(index)
        before = self.screen.wait_until_still()
        self.screen.keys("Right")
        self._opened(before)

    def close(self) -> None:
        self.screen.keys("Escape")
        self.screen.wait_until_still()

    def highlighted(self) -> Box | None:
        """The box of the entry that is highlighted, or None."""
        picture = self.screen.grab()
        rows = [y for y in range(self.box.top, self.box.bottom)
                if picture.longest_change(self.bare, y, self.box.left, self.box.right) >= LEAST_WIDTH]
        runs: list[list[int]] = []
        for y in rows:
            if runs and y == runs[-1][-1] + 1:
                runs[-1].append(y)
            else:
                runs.append([y])
        runs = [run for run in runs if len(run) >= LEAST_HEIGHT]
        return Box(self.box.left, runs[0][0], self.box.right, runs[0][-1] + 1) if runs else None

    def _step(self, key: str) -> Box | None:
        """Presses the key, and waits until the highlight has settled; where it is. A menu of one entry does not change."""
        before = self.screen.grab()
        self.screen.keys(key)
        with contextlib.suppress(Failure):
            wait_for("another highlight", lambda: self.screen.grab().pixels != before.pixels, waiting.deadline_seconds / 10)
        self.screen.wait_until_still(0.1)
        return self.highlighted()
