"""The icons hold what requirement F2 asks: edge to edge, legible from 8 to 320 px, told apart by shape."""
import itertools
import pathlib
import subprocess
import unittest
from collections.abc import Sequence

import drawings

SCALABLE = pathlib.Path(__file__).resolve().parents[2] / "Icons" / "hicolor" / "scalable"
STATES = ["synced", "pending", "syncing", "paused", "error", "conflict", "excluded", "online-only"]
FLAGS = ["pinned", "shared", "locked", "read-only"]
# Badges that one engine alone has.
OWN = ["git-modified", "git-staged", "git-untracked"]
EMBLEMS = [f"emblem-roundel-{name}" for name in STATES + FLAGS + OWN]
APPLICATION = "org.roundel.Roundel"
SIZES = [8, 16, 64, 320]
LEAST_DIFFERENCE = 0.20
# Nautilus 47 and later draw emblems so, on these backgrounds of Adwaita.
DIMMED = 0.55
BACKGROUNDS = {"light": 255, "dark": 30}
LEAST_CONTRAST = 2.0

Mask = list[list[bool]]  # row by row


def path_of(name: str) -> pathlib.Path:
    return SCALABLE / ("apps" if name == APPLICATION else "emblems") / f"{name}.svg"


def pixels(path: pathlib.Path, size: int, channels: str = "rgba") -> bytes:
    """The picture as file managers draw it: by librsvg, decoded to rows of raw channel values."""
    png = subprocess.run(["rsvg-convert", "-w", str(size), "-h", str(size), str(path)], check=True, capture_output=True)
    raw = subprocess.run(
        ["convert", "png:-", "-depth", "8", f"{channels}:-"], input=png.stdout, check=True, capture_output=True).stdout
    if len(raw) != size * size * len(channels):
        raise AssertionError(f"{path.name} at {size} px is not a square of that size")
    return raw


def silhouette(path: pathlib.Path, size: int) -> Mask:
    """True where a pixel is more than half opaque, row by row."""
    alpha = pixels(path, size)[3::4]
    return [[value > 127 for value in alpha[row * size:(row + 1) * size]] for row in range(size)]


def edges_missed(mask: Mask) -> list[str]:
    touched = {
        "top": any(mask[0]),
        "bottom": any(mask[-1]),
        "left": any(row[0] for row in mask),
        "right": any(row[-1] for row in mask),
    }
    return [edge for edge, touches in touched.items() if not touches]


def difference(one: Mask, other: Mask) -> float:
    """The share of pixels in which two silhouettes differ."""
    flat = list(zip(itertools.chain(*one), itertools.chain(*other)))
    return sum(a != b for a, b in flat) / len(flat)


def luminance(colour: Sequence[float]) -> float:
    """Relative, from 0 to 1, as WCAG 2 defines it."""
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
              for value in (channel / 255 for channel in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrasts(path: pathlib.Path, size: int, opacity: float, grey: int) -> list[float]:
    """The contrast (WCAG 2) of each pixel that is more than half drawn to a grey background, the greatest first."""
    raw = pixels(path, size)
    behind = luminance([grey] * 3)
    found = []
    for index in range(0, len(raw), 4):
        if raw[index + 3] > 127:
            alpha = raw[index + 3] / 255 * opacity
            drawn = luminance([alpha * value + (1 - alpha) * grey for value in raw[index:index + 3]])
            found.append((max(drawn, behind) + 0.05) / (min(drawn, behind) + 0.05))
    return sorted(found, reverse=True)


class IconTests(unittest.TestCase):
    def test_every_state_and_flag_has_its_emblem_and_no_other_stands_there(self) -> None:
        """F8"""
        found = sorted(path.stem for path in (SCALABLE / "emblems").iterdir())
        self.assertEqual(found, sorted(EMBLEMS))

    def test_each_icon_fills_its_frame_at_every_size(self) -> None:
        """F2"""
        for name in [*EMBLEMS, APPLICATION]:
            for size in SIZES:
                with self.subTest(icon=name, size=size):
                    self.assertEqual(edges_missed(silhouette(path_of(name), size)), [])

    def test_any_two_emblems_differ_in_shape_at_16_pixels(self) -> None:
        """F2"""
        masks = {name: silhouette(path_of(name), 16) for name in EMBLEMS}
        for one, other in itertools.combinations(EMBLEMS, 2):
            with self.subTest(one=one, other=other):
                self.assertGreaterEqual(difference(masks[one], masks[other]), LEAST_DIFFERENCE)

    def test_no_emblem_is_a_blot_or_a_speck_at_8_pixels(self) -> None:
        """F2: legible: something is drawn, and something is left free or drawn in a second colour."""
        for name in EMBLEMS:
            with self.subTest(icon=name):
                raw = pixels(path_of(name), 8)
                opaque = [raw[i:i + 3] for i in range(0, len(raw), 4) if raw[i + 3] > 127]
                self.assertGreaterEqual(len(opaque), 16)
                brightness = [sum(colour) / 3 for colour in opaque]
                self.assertTrue(len(opaque) <= 48 or max(brightness) - min(brightness) >= 64)

    def test_each_emblem_has_a_fill_of_its_own(self) -> None:
        """Flat colours that no other emblem uses, so that a screenshot tells which emblems are in it."""
        owners: dict[bytes, str] = {}
        for name in EMBLEMS:
            raw = pixels(path_of(name), 64)
            solid = [raw[i:i + 3] for i in range(0, len(raw), 4) if raw[i + 3] == 255]
            common = max((c for c in set(solid) if c != b"\xff\xff\xff"), key=solid.count)
            with self.subTest(icon=name):
                self.assertNotIn(common, owners, f"the same fill as {owners.get(common)}")
            owners[common] = name

    def test_each_emblem_stands_out_where_a_file_manager_dims_it(self) -> None:
        """F2: at least a quarter of what is drawn, on a light and on a dark background."""
        for name, (theme, grey) in itertools.product(EMBLEMS, BACKGROUNDS.items()):
            with self.subTest(icon=name, theme=theme):
                found = contrasts(path_of(name), 16, DIMMED, grey)
                self.assertGreaterEqual(found[len(found) // 4], LEAST_CONTRAST)

    def test_icons_are_self_contained_drawings_with_a_title(self) -> None:
        for name in [*EMBLEMS, APPLICATION]:
            with self.subTest(icon=name):
                drawings.expect_self_contained(self, path_of(name))


if __name__ == "__main__":
    unittest.main()
