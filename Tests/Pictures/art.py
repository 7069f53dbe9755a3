"""What is drawn for the pictures: the wallpaper, a person's photos with their thumbnails, and documents with real contents."""
import hashlib
import math
import pathlib
import random
import struct
import subprocess
import zipfile
import zlib

# Of each photo: the sky above and at the horizon, the mountains behind and before, and the ground.
SCENES = {
    "Glacier lagoon": ("5f9bd6", "d6ecf7", "a9cbe4", "6f9dc4", "3d7ea6"),
    "Black beach": ("8d8fa8", "e7d5cf", "6d6b80", "45445a", "2c2d3e"),
    "Northern lights": ("0f1f45", "2aa876", "1b3157", "13223f", "0b1730"),
    "Highlands": ("7fb7e3", "f3efdc", "8fae6e", "5d8a55", "3e6b41"),
    "Midnight sun": ("f2845c", "ffe0a3", "b5637c", "7c4168", "4a2c52"),
    "Waterfall": ("86c1d9", "eaf6f5", "7d9c92", "4d7468", "2f5548"),
}
WALLPAPER = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 1600 1000"
 preserveAspectRatio="xMidYMid slice">
 <defs>
  <linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
   <stop offset="0" stop-color="#bcd7f5"/><stop offset=".55" stop-color="#8fb4e8"/><stop offset="1" stop-color="#7c8fd9"/>
  </linearGradient>
 </defs>
 <rect width="1600" height="1000" fill="url(#sky)"/>
 <g fill="#fff">
  <circle cx="1310" cy="170" r="560" opacity=".07"/><circle cx="1310" cy="170" r="400" opacity=".08"/>
  <circle cx="1310" cy="170" r="240" opacity=".10"/>
 </g>
 <path d="M0 760C260 640 480 700 760 790S1320 900 1600 730V1000H0Z" fill="#5f7fd0" opacity=".35"/>
 <path d="M0 860C300 770 560 850 840 900S1380 940 1600 850V1000H0Z" fill="#4a5fb8" opacity=".40"/>
</svg>
"""
PHOTO = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 1200 800">
 <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#{0}"/>
  <stop offset=".75" stop-color="#{1}"/></linearGradient></defs>
 <rect width="1200" height="800" fill="url(#sky)"/>
 <circle cx="{sun}" cy="250" r="70" fill="#fff" opacity=".55"/>
 <path d="{back}" fill="#{2}"/><path d="{front}" fill="#{3}"/>
 <rect y="640" width="1200" height="160" fill="#{4}"/>
 <path d="M0 690H1200M0 730H1200M0 765H1200" stroke="#fff" stroke-width="5" opacity=".12"/>
</svg>
"""
# The directories of thumbnails, and the longest side of those in them.
THUMBNAILS = {"normal": 128, "large": 256, "x-large": 512, "xx-large": 1024}
OPEN_DOCUMENTS = {".odt": "text", ".ods": "spreadsheet", ".odp": "presentation"}
DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3">
 <office:body><office:{kind}><text:p>{text}</text:p></office:{kind}></office:body>
</office:document-content>
"""
PDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n" \
      "trailer<</Root 1 0 R>>\n%%EOF\n"


def render(svg: str, png: pathlib.Path) -> None:
    subprocess.run(["rsvg-convert", "--output", str(png)], input=svg.encode(), check=True)


def wallpaper(width: int, height: int, png: pathlib.Path) -> None:
    render(WALLPAPER.format(width=width, height=height), png)


def ridge(chance: random.Random, height: int, steepness: int) -> str:
    """The outline of mountains, from the left edge to the right one."""
    peaks = [(x, height + round(math.sin(x / 170) * steepness / 2) + chance.randint(-steepness, steepness))
             for x in range(-80, 1400, 130)]
    return "M-80 800" + "".join(f"L{x} {y}" for x, y in peaks) + "L1400 800Z"


def photo(name: str, width: int) -> str:
    """The drawing of a photo; the same each time."""
    chance = random.Random(name)
    return PHOTO.format(*SCENES[name], width=width, height=width * 2 // 3, sun=chance.randint(200, 1000),
                        back=ridge(chance, 420, 90), front=ridge(chance, 560, 60))


def write_photo(name: str, jpeg: pathlib.Path, work: pathlib.Path) -> None:
    png = work / "photo.png"
    render(photo(name, 1600), png)
    subprocess.run(["convert", str(png), "-quality", "82", str(jpeg)], check=True)


def thumbnail(name: str, file: pathlib.Path, cache: pathlib.Path) -> None:
    """What a file manager would make of that photo, so that none has to be waited for, nor run in a box of its own."""
    uri = file.as_uri()
    for size, side in THUMBNAILS.items():
        directory = cache / "thumbnails" / size
        directory.mkdir(parents=True, exist_ok=True)
        png = directory / f"{hashlib.md5(uri.encode(), usedforsecurity=False).hexdigest()}.png"
        render(photo(name, side), png)
        labels = {"Thumb::URI": uri, "Thumb::MTime": str(int(file.stat().st_mtime))}
        header, rest = png.read_bytes()[:33], png.read_bytes()[33:]  # the signature and IHDR come first
        png.write_bytes(header + b"".join(text_chunk(key, value) for key, value in labels.items()) + rest)


def text_chunk(key: str, value: str) -> bytes:
    body = b"tEXt" + key.encode() + b"\0" + value.encode()
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))


def write_document(path: pathlib.Path, text: str) -> None:
    """A file of the kind that its name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = OPEN_DOCUMENTS.get(path.suffix)
    if kind:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
            archive.writestr("content.xml", DOCUMENT.format(kind=kind, text=text))
    elif path.suffix == ".pdf":
        path.write_text(PDF)
    else:
        path.write_text(text + "\n")
