"""A language in which chosen words of the services begin with marks, so that they are found on the screen: `marks.py` finds
these, whatever the font and the theme. How many marks a text begins with says which one it is."""
import re
import struct
from collections.abc import Mapping

import wire
from desktop import Desktop
from gi.repository import GLib
from marks import HEIGHTS, MARK, TEXT, WIDTHS
from screen import Box, Picture

LANGUAGE = "xx"
HEADER = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
CHECK_WIDTH = 26  # pixels before a text in which its check mark is
SAME_ROW = 3  # pixels between the tops of marks that belong to one text


def catalogue(texts: dict[str, str]) -> bytes:
    """A catalogue of gettext's: a head, where each text and its translation stand, and all of them."""
    pairs = sorted((original.encode(), translated.encode()) for original, translated in texts.items())
    start = 28 + 16 * len(pairs)
    tables, strings = [b"", b""], b""
    for column in range(2):
        for pair in pairs:
            tables[column] += struct.pack("<II", len(pair[column]), start + len(strings))
            strings += pair[column] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return head + tables[0] + tables[1] + strings


def speak(desktop: Desktop, words: Mapping[str, int]) -> None:
    """Has the services that the bus starts from now on begin these sentences of theirs with so many marks each."""
    file = desktop.home / f".data/locale/{LANGUAGE}/LC_MESSAGES/roundel.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(catalogue({"": HEADER, **{text: f"{MARK} " * count + text for text, count in words.items()}}))
    connection = wire.connect(desktop.address)
    connection.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "UpdateActivationEnvironment",
        GLib.Variant("(a{ss})", ({"LC_ALL": f"{LANGUAGE}.UTF-8"},)), None, 0, -1, None)
    connection.close_sync(None)


def blocks(picture: Picture, box: Box, text: range = TEXT) -> list[Box]:
    """The marks in a part of the screen, top first. Qt leaves a pixel between two glyphs, where they stand between pixels."""
    dark = bytes(value in text for value in range(256))
    run = re.compile(b"\1+(?:\0\1+)*")
    open_runs: dict[tuple[int, int], int] = {}
    found: list[Box] = []
    for y in range(box.top, box.bottom + 1):
        row = picture.row(y)[box.left * 4:box.right * 4].translate(dark) if y < box.bottom else b""
        blue, green, red = (int.from_bytes(row[channel::4]) for channel in range(3))
        spans = {match.span() for match in run.finditer((blue & green & red).to_bytes(len(row) // 4))
                 if match.end() - match.start() in WIDTHS}
        for left, right in [span for span in open_runs if span not in spans]:
            top = open_runs.pop((left, right))
            if y - top in HEIGHTS:
                found.append(Box(box.left + left, top, box.left + right, y))
        for span in spans:
            open_runs.setdefault(span, y)
    return sorted(found, key=lambda mark: (mark.top, mark.left))


def ink_left_of(picture: Picture, mark: Box, text: range = TEXT, width: int = CHECK_WIDTH) -> int:
    """How many pixels of a check mark, of its box, or of both stand before a marked text."""
    return sum(1 for y in range(mark.top - 2, mark.bottom + 2) for x in range(mark.left - width, mark.left - 2)
               if all(channel in text for channel in bytes.fromhex(picture.at(x, y))))


def marked_rows(before: Picture, picture: Picture, text: range = TEXT) -> list[tuple[int, Box]]:
    """The marked texts that have come since the first picture and stand below each other, top first: how many marks each
    has, and the first of them."""
    box = picture.difference(before)
    if box is None:
        return []
    old = blocks(before, box, text)
    rows: list[list[Box]] = []
    for mark in blocks(picture, box, text):
        if mark in old:
            continue
        if rows and mark.top - rows[-1][0].top <= SAME_ROW:
            rows[-1].append(mark)
        else:
            rows.append([mark])
    found = [(len(row), min(row, key=lambda mark: mark.left)) for row in rows]
    return [(count, first) for count, first in found if first.left == found[-1][1].left]
