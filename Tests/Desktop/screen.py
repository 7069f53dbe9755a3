"""What is on the screen of a private desktop, read from the X server's own memory, and the keys and clicks it gets."""
import dataclasses
import pathlib
import re
import struct
import subprocess
from collections.abc import Iterator
from typing import Any

from waiting import Failure, pump, wait_for

SIZE = "1100x760x24"
LEFT, RIGHT = 1, 3  # mouse buttons
STILL = 0.3         # seconds without a change after which a window has finished drawing


@dataclasses.dataclass(frozen=True)
class Box:
    """A rectangle of pixels; right and bottom are the first that are no longer in it."""
    left: int
    top: int
    right: int
    bottom: int

    @property
    def centre(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def holds(self, x: int, y: int) -> bool:
        return self.left <= x < self.right and self.top <= y < self.bottom

    def joined(self, other: "Box") -> "Box":
        return Box(min(self.left, other.left), min(self.top, other.top), max(self.right, other.right),
                   max(self.bottom, other.bottom))

    def is_near(self, other: "Box", gap: int) -> bool:
        return (self.left - gap < other.right and other.left - gap < self.right
                and self.top - gap < other.bottom and other.top - gap < self.bottom)


class Picture:
    """The pixels of one moment."""

    def __init__(self, xwd: bytes) -> None:
        self.xwd = xwd
        header = struct.unpack(">25I", xwd[:100])
        self.width, self.height, self.stride = header[4], header[5], header[12]
        self.start = header[0] + header[19] * 12
        self.pixels = xwd[self.start:self.start + self.stride * self.height]

    def runs(self, colour: str, box: Box | None = None) -> Iterator[Box]:
        """Where pixels of exactly this colour (RRGGBB) lie side by side, as boxes one pixel high, row by row."""
        box = box or Box(0, 0, self.width, self.height)
        run = re.compile(b"(?:" + re.escape(bytes.fromhex(colour)[::-1]) + b".)+", re.DOTALL)
        wanted = bytes.fromhex(colour)[::-1]
        if wanted not in self.pixels:
            return
        for y in range(box.top, box.bottom):
            row = self.row(y)[box.left * 4:box.right * 4]
            for match in run.finditer(row) if wanted in row else ():
                if match.start() % 4 == 0:
                    yield Box(box.left + match.start() // 4, y, box.left + match.end() // 4, y + 1)

    def has(self, colour: str, box: Box | None = None) -> bool:
        return next(self.runs(colour, box), None) is not None

    def count(self, colour: str, box: Box | None = None) -> int:
        return sum(run.right - run.left for run in self.runs(colour, box))

    def at(self, x: int, y: int) -> str:
        offset = y * self.stride + x * 4
        return self.pixels[offset:offset + 3][::-1].hex().upper()

    def boxes(self, colour: str, gap: int = 3) -> list[Box]:
        """One box around each group of pixels of this colour that lie no further apart than the gap, top left first."""
        found: list[Box] = []
        for run in self.runs(colour):
            box = run
            near = [other for other in found if box.is_near(other, gap)]
            for other in near:
                found.remove(other)
                box = box.joined(other)
            found.append(box)
        return sorted(found, key=lambda box: (box.top, box.left))

    def difference(self, other: "Picture") -> Box | None:
        """The box around everything that is not as in the other picture, or None."""
        box: Box | None = None
        for y in range(self.height):
            columns = self._changes_in_row(other, y, 0, self.width)
            if columns:
                row = Box(columns[0], y, columns[-1] + 1, y + 1)
                box = row.joined(box) if box else row
        return box

    def longest_change(self, other: "Picture", y: int, left: int, right: int) -> int:
        """How many pixels side by side, in a part of a row, are not as in the other picture."""
        longest, length, last = 0, 0, None
        for x in self._changes_in_row(other, y, left, right):
            length = length + 1 if last == x - 1 else 1
            longest, last = max(longest, length), x
        return longest

    def _changes_in_row(self, other: "Picture", y: int, left: int, right: int) -> list[int]:
        mine, theirs = self.row(y), other.row(y)
        if mine == theirs:
            return []
        return [x for x in range(left, right) if mine[x * 4:x * 4 + 3] != theirs[x * 4:x * 4 + 3]]

    def save(self, path: pathlib.Path, box: Box | None = None) -> None:
        """Writes a PNG of it, or of a part of it."""
        crop = [] if box is None else ["-crop", f"{box.right - box.left}x{box.bottom - box.top}+{box.left}+{box.top}",
                                       "+repage"]
        subprocess.run(["convert", "xwd:-", *crop, str(path)], input=self.xwd, check=True)

    def part(self, box: Box) -> list[bytes]:
        """The pixels of a box, to be compared."""
        return [self.row(y)[box.left * 4:box.right * 4] for y in range(box.top, box.bottom)]

    def row(self, y: int) -> bytes:
        """The pixels of a row, as they lie in memory."""
        return self.pixels[y * self.stride:(y + 1) * self.stride]


def majority(first: Picture, second: Picture, third: Picture) -> Picture:
    """A picture of which each row is as in two of the three, or as in the first where all three differ."""
    rows = [second.row(y) if second.row(y) == third.row(y) else first.row(y) for y in range(first.height)]
    return Picture(first.xwd[:first.start] + b"".join(rows))


class Screen:
    def __init__(self, environment: dict[str, str], memory: pathlib.Path) -> None:
        self.environment = environment
        self.memory = memory  # the directory in which the X server keeps its screen
        self.rest = 0.0       # seconds that the pointer stays at a place before it clicks there

    # Looking

    def grab(self) -> Picture:
        return Picture((self.memory / "Xvfb_screen0").read_bytes())

    def wait_for_colour(self, colour: str, box: Box | None = None) -> Picture:
        """Waits for a pixel of this colour; a picture that has it."""
        def there() -> Picture | None:
            picture = self.grab()
            return picture if picture.has(colour, box) else None
        return wait_for(f"a pixel of colour {colour}", there)

    def expect_clipboard(self, text: str) -> None:
        """Waits until the person would paste this."""
        wait_for(f"“{text}” on the clipboard", lambda: self.clipboard() == text)

    def clipboard(self) -> str:
        return self._run("xclip", "-out", "-selection", "clipboard", check=False)

    def wait_for_pixel(self, x: int, y: int, colour: str) -> None:
        wait_for(f"colour {colour} at {x},{y}", lambda: self.grab().at(x, y) == colour)

    def wait_until_still(self, seconds: float = STILL) -> Picture:
        """Waits until nothing has changed for so long; the picture then."""
        last = [self.grab()]

        def still() -> Picture | None:
            pump(seconds)
            picture, last[0] = last[0], self.grab()
            return last[0] if last[0].pixels == picture.pixels else None
        return wait_for("a screen that stands still", still)

    # Acting

    def keys(self, *keys: str) -> None:
        self._xdotool("key", "--clearmodifiers", *keys)

    def type(self, text: str) -> None:
        self._xdotool("type", "--clearmodifiers", "--delay", "20", text)

    def move(self, x: int, y: int) -> None:
        self._xdotool("mousemove", str(x), str(y))

    def click(self, x: int, y: int, button: int = LEFT, times: int = 1) -> None:
        """Clicks at a place, such as a box's centre."""
        rest = ["sleep", str(self.rest)] if self.rest else []
        self._xdotool("mousemove", str(x), str(y), *rest, "click", "--repeat", str(times), "--delay", "60", str(button))

    def right_click(self, x: int, y: int) -> None:
        self.click(x, y, RIGHT)

    def click_colour(self, colour: str, button: int = LEFT, number: int = 0, offset: tuple[int, int] = (0, 0)) -> None:
        """Clicks at an item that shows this colour: at the number-th group of its pixels, moved by the offset."""
        self.wait_for_colour(colour)
        boxes = self.wait_until_still().boxes(colour)
        if number >= len(boxes):
            raise Failure(f"there are {len(boxes)} items of colour {colour}, not {number + 1}")
        x, y = boxes[number].centre
        self.click(x + offset[0], y + offset[1], button)

    # Windows

    def windows(self, window_class: str) -> list[str]:
        """The ids of the windows whose class matches a regular expression, as the window manager lists them. A walk over the
        tree of all windows, which is xdotool's way, misses some while others come and go."""
        listed = re.findall("0x[0-9a-f]+", self._run("xprop", "-root", "_NET_CLIENT_LIST", check=False))
        pattern = re.compile(window_class, re.IGNORECASE)
        return [str(int(window, 16)) for window in listed if any(map(pattern.search, self._classes(window)))]

    def _classes(self, window: str) -> list[str]:
        """Both names of a window's class; none where it has closed meanwhile."""
        return re.findall('"(.*?)"', self._run("xprop", "-id", window, "WM_CLASS", check=False))

    def windows_named(self, title: str) -> list[str]:
        return self._xdotool("search", "--onlyvisible", "--name", title, check=False).split()

    def active_window(self) -> str:
        return self._xdotool("getactivewindow", check=False).strip()

    def activate(self, window: str) -> None:
        self._xdotool("windowactivate", window)
        wait_for(f"window {window} to be active", lambda: self.active_window() == window)

    def is_activated(self, window: str) -> bool:
        """Gives a window the focus; false if it has closed meanwhile."""
        self._xdotool("windowactivate", window, check=False)
        wait_for(f"window {window} to be active or closed",
                 lambda: self.active_window() == window or not self._classes(window))
        return self.active_window() == window

    def window_box(self, window: str) -> Box:
        fields = dict(line.split("=") for line in self._xdotool("getwindowgeometry", "--shell", window).splitlines())
        left, top = int(fields["X"]), int(fields["Y"])
        return Box(left, top, left + int(fields["WIDTH"]), top + int(fields["HEIGHT"]))

    def shown_boxes(self, window_class: str) -> list[Box]:
        """Of all windows of that class that are shown, menus as well."""
        windows = self._xdotool("search", "--onlyvisible", "--class", window_class, check=False).split()
        return [self.window_box(window) for window in windows]

    def place(self, window: str, left: int, top: int, width: int, height: int) -> None:
        self._xdotool("windowsize", window, str(width), str(height), "windowmove", window, str(left), str(top))

    def _xdotool(self, *arguments: Any, check: bool = True) -> str:
        return self._run("xdotool", *arguments, check=check)

    def _run(self, *command: str, check: bool = True) -> str:
        """What it printed. A provider in this process answers meanwhile: the service waits 50 ms for it, no longer."""
        process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)  # of windows that have closed meanwhile
        while process.poll() is None:
            pump(0.002)
        if check and process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        return process.stdout.read() if process.stdout else ""
