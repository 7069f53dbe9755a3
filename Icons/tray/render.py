#!/usr/bin/python3
"""Makes the pictures of the tray's icons from their drawings: one file for each icon, holding for each size a byte with
the size and then the pixels row by row, ARGB in network order. Called by `make icons`; needs rsvg-convert and convert."""
import pathlib
import subprocess
import sys

SIZES = [16, 22, 24, 32, 48]
HERE = pathlib.Path(__file__).resolve().parent
DRAWINGS = HERE.parent / "hicolor" / "scalable" / "status"


def picture(drawing: pathlib.Path, size: int) -> bytes:
    """The drawing's pixels at this size, four bytes each."""
    png = subprocess.run(["rsvg-convert", "-w", str(size), "-h", str(size), str(drawing)], check=True,
                         capture_output=True).stdout
    rgba = subprocess.run(["convert", "png:-", "-depth", "8", "rgba:-"], input=png, check=True,
                          capture_output=True).stdout
    argb = bytearray(len(rgba))
    for channel in range(4):
        argb[(channel + 1) % 4::4] = rgba[channel::4]
    return bytes(argb)


def pictures(drawing: pathlib.Path) -> bytes:
    """The contents of the file of one drawing."""
    return b"".join(bytes([size]) + picture(drawing, size) for size in SIZES)


def main() -> None:
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for drawing in sorted(DRAWINGS.glob("roundel-tray-*.svg")):
        (folder / f"{drawing.stem}.argb").write_bytes(pictures(drawing))


if __name__ == "__main__":
    main()
