"""The tray's icons: seen on any panel, told apart by shape, and the same in the pictures as in the drawings."""
import functools
import importlib.util
import itertools
import pathlib
import sys
import unittest
from collections.abc import Sequence

import drawings

ICONS = pathlib.Path(__file__).resolve().parents[2] / "Icons"
DRAWINGS = ICONS / "hicolor" / "scalable" / "status"
STATES = ["none", "synced", "syncing", "attention", "error", "paused"]
NAMES = [f"roundel-tray-{state}" for state in STATES]
# Panels of the common desktops, from black to white.
PANELS = [(0, 0, 0), (46, 46, 46), (222, 221, 218), (255, 255, 255)]
LEAST_CONTRAST = 3.0    # what the Web Content Accessibility Guidelines ask of graphics
LEAST_SEEN = 0.15       # of the frame
LEAST_DIFFERENCE = 0.15
# Renderers differ a little in how they smooth edges.
MOST_DEVIATION = 24

specification = importlib.util.spec_from_file_location("render", ICONS / "tray" / "render.py")
assert specification and specification.loader
render = importlib.util.module_from_spec(specification)
sys.dont_write_bytecode = True
specification.loader.exec_module(render)


@functools.cache
def pixels(name: str, size: int) -> list[tuple[int, ...]]:
    """(alpha, red, green, blue) of each pixel, row by row."""
    raw = render.picture(DRAWINGS / f"{name}.svg", size)
    return [tuple(raw[at:at + 4]) for at in range(0, len(raw), 4)]


def luminance(colour: Sequence[float]) -> float:
    channels = [value / 255 for value in colour]
    linear: list[float] = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def over(pixel: tuple[int, ...], panel: tuple[int, ...]) -> tuple[float, ...]:
    return tuple((pixel[1 + at] * pixel[0] + panel[at] * (255 - pixel[0])) / 255 for at in range(3))


def shape(name: str, size: int) -> list[bool]:
    """True where the icon has its colour: neither nothing nor the white of what is drawn on it."""
    return [pixel[0] > 127 and min(pixel[1:]) < 170 for pixel in pixels(name, size)]


class TrayIconTests(unittest.TestCase):
    def test_each_state_has_its_drawing_and_its_pictures_and_there_are_no_others(self) -> None:
        """F11"""
        self.assertEqual(sorted(path.stem for path in DRAWINGS.iterdir()), sorted(NAMES))
        self.assertEqual(sorted(path.stem for path in (ICONS / "tray").glob("*.argb")), sorted(NAMES))

    def test_each_icon_is_seen_on_light_and_on_dark_panels(self) -> None:
        """F11"""
        for name, size, panel in itertools.product(NAMES, [16, 22], PANELS):
            with self.subTest(icon=name, size=size, panel=panel):
                seen = sum(contrast(over(pixel, panel), panel) >= LEAST_CONTRAST for pixel in pixels(name, size))
                self.assertGreaterEqual(seen / size ** 2, LEAST_SEEN)

    def test_any_two_differ_in_shape_at_16_pixels(self) -> None:
        """F11"""
        shapes = {name: shape(name, 16) for name in NAMES}
        for one, other in itertools.combinations(NAMES, 2):
            with self.subTest(one=one, other=other):
                differing = sum(a != b for a, b in zip(shapes[one], shapes[other]))
                self.assertGreaterEqual(differing / 256, LEAST_DIFFERENCE)

    def test_the_error_is_no_cross_that_closes_something(self) -> None:
        """A cross goes from corner to corner and leaves the middle of each side empty."""
        size = 16
        drawn = shape("roundel-tray-error", size)
        corners = [drawn[row * size + column] for row in (1, size - 2) for column in (1, size - 2)]
        sides = [drawn[1 * size + 8], drawn[14 * size + 8], drawn[8 * size + 1], drawn[8 * size + 14]]
        self.assertFalse(any(corners))
        self.assertTrue(all(sides))

    def test_the_pictures_are_those_of_the_drawings(self) -> None:
        for name in NAMES:
            kept = (ICONS / "tray" / f"{name}.argb").read_bytes()
            drawn = render.pictures(DRAWINGS / f"{name}.svg")
            with self.subTest(icon=name):
                self.assertEqual(len(kept), len(drawn), "run make icons")
                worst = max(abs(a - b) for a, b in zip(kept, drawn))
                self.assertLessEqual(worst, MOST_DEVIATION, "run make icons")

    def test_the_drawings_are_self_contained_and_have_a_title(self) -> None:
        for name in NAMES:
            with self.subTest(icon=name):
                drawings.expect_self_contained(self, DRAWINGS / f"{name}.svg")


if __name__ == "__main__":
    unittest.main()
