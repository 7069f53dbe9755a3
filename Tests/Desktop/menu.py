"""A menu on the screen, of any toolkit. Its entries are found by walking through it with the Down key and looking where
the highlight goes: no accessibility bus, no knowledge of fonts and themes. Separators and insensitive entries that the
toolkit passes over are not counted."""
from screen import RIGHT, Box
from waiting import Failure, pump, wait_for

MOST_ENTRIES = 60


class Menu:
    """Open until an entry is chosen or `close` is called. `box` is what it covers."""

    def __init__(self, screen, x, y, button=RIGHT):
        self.screen = screen
        before = screen.wait_until_still()
        screen.click(x, y, button)
        wait_for("a menu", lambda: screen.grab().difference(before))
        self.box = screen.wait_until_still().difference(before)
        self.chosen = None  # the index of the entry that is highlighted

    def entries(self):
        """The box of each entry, top first. Ends with none highlighted that was not before."""
        found = []
        while len(found) < MOST_ENTRIES:
            box = self._step("Down")
            if box is None or (found and box.top <= found[-1].top):
                break
            found.append(self._without(box, found))
        if not found:
            raise Failure("the menu has no entry that the Down key reaches")
        self.chosen = 0 if box is not None else len(found) - 1
        return found

    def choose(self, index):
        """Activates the entry, the first being 0."""
        self.highlight(index)
        self.screen.keys("Return")
        pump(0.2)

    def open_submenu(self, index):
        """Opens the submenu of an entry with the Right key, and gives the box of what came."""
        self.highlight(index)
        before = self.screen.wait_until_still()
        self.screen.keys("Right")
        wait_for("a submenu", lambda: self.screen.grab().difference(before))
        return self.screen.wait_until_still().difference(before)

    def highlight(self, index):
        while self.chosen is None or self.chosen < index:
            if self._step("Down") is None:
                raise Failure(f"the menu has no entry {index}")
            self.chosen = 0 if self.chosen is None else self.chosen + 1
        while self.chosen > index:
            self._step("Up")
            self.chosen -= 1

    def close(self):
        self.screen.keys("Escape")
        self.screen.wait_until_still()

    def _step(self, key):
        """Presses the key; what changed on the screen, or None."""
        before = self.screen.wait_until_still(0.1)
        self.screen.keys(key)
        return self.screen.wait_until_still(0.15).difference(before)

    @staticmethod
    def _without(box, found):
        """The part of what changed that is the new highlight: the old one, above it, changed too."""
        if not found:
            return box
        return Box(box.left, max(box.top, found[-1].bottom), box.right, box.bottom)
