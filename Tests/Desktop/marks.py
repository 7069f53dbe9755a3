"""Finds text of ours among a program's own: a label that begins with full blocks (U+2588) is drawn as a rectangle of one
colour, whatever the font and the theme."""
import itertools
import time
from collections.abc import Callable, Iterator

from screen import Box, Picture, Screen
from waiting import pump, wait_for

MARK = "\u2588" * 4
WIDTHS = range(22, 60)   # of a mark, in pixels
HEIGHTS = range(8, 24)
TEXT = range(0x20, 0xA0)  # of each channel, in a light theme, of disabled entries as well; frames may be black
BLACK_TEXT = range(0xA0)
SLOW = 1.0               # seconds after which a menu that has come only now may yet be moved


def marks(picture: Picture, box: Box, text: range = TEXT) -> list[Box]:
    """The rectangles in a part of the screen that have the size of a mark and the colour of text, top first."""
    open_runs: dict[tuple[int, int, int], int] = {}
    found: list[Box] = []
    for y in range(box.top, box.bottom + 1):
        runs = set(_runs(picture, y, box, text)) if y < box.bottom else set()
        for run in [run for run in open_runs if run not in runs]:
            top = open_runs.pop(run)
            if y - top in HEIGHTS:
                found.append(Box(run[0], top, run[1], y))
        for run in runs:
            open_runs.setdefault(run, y)
    return sorted(found, key=lambda mark: (mark.top, mark.left))


def _runs(picture: Picture, y: int, box: Box, text: range) -> Iterator[tuple[int, int, int]]:
    row = memoryview(picture.pixels)[y * picture.stride + box.left * 4:y * picture.stride + box.right * 4].cast("I")
    x = box.left
    for colour, pixels in itertools.groupby(row):
        width = sum(1 for _ in pixels)
        if width in WIDTHS and all(channel in text for channel in colour.to_bytes(4, "little")[:3]):
            yield x, x + width, colour
        x += width


def wait_for_marks(screen: Screen, before: Picture, count: int, text: range = TEXT) -> list[Box]:
    """Waits until so many marks have come since the picture, and gives them. Looks only at a screen that stands still: a
    service in this process could not answer in time while it looks. Where they were long in coming, on a machine that is
    busy with something else, they have to stay as they are for as long once more, or for some seconds."""
    begun = time.monotonic()
    seen: list[Box] = []

    def there() -> list[Box] | None:
        picture = screen.wait_until_still()
        box = picture.difference(before)
        if box is None:
            return None
        old = marks(before, box, text)
        found = [mark for mark in marks(picture, box, text)
                 if not any(other.holds(*mark.centre) for other in old)]
        took = time.monotonic() - begun
        is_settled = took < SLOW or found == seen
        if len(found) == count and not is_settled:
            pump(min(took, 5 * SLOW))
        seen[:] = found
        return found if len(found) == count and is_settled else None
    return wait_for(f"{count} marked texts", there)


def open_marked_menu(screen: Screen, open_it: Callable[[], object], count: int, text: range = TEXT) -> list[Box]:
    """The places of so many marked entries in a menu that is opened by the action. A provider that is late, on a machine
    that is busy with something else, completes the menu while it is open."""
    before = screen.wait_until_still()
    open_it()
    return wait_for_marks(screen, before, count, text)
