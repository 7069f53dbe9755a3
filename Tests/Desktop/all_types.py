"""Files of every type that file managers look into, with and without a suffix, with what such files begin with."""
import gzip
import io
import os
import pathlib
import subprocess
import tarfile
import tempfile
import zipfile

PNG_SIZE = "64x48"
TEXT = "Nothing is here until somebody reads it.\n" * 40
PDF = (b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
       b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
DESKTOP_ENTRY = "[Desktop Entry]\nType=Application\nName=Started by hand\nExec=true\nIcon=text-x-generic\n"
LINK_ENTRY = "[Desktop Entry]\nType=Link\nName=Page\nURL=https://example.org/\nIcon=text-html\n"
SVG = ('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">'
       '<circle cx="32" cy="32" r="30" fill="#3366CC"/></svg>')


def archive(**members: str) -> bytes:
    """A ZIP, of which office files consist."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, text in members.items():
            file.writestr(name.replace("__", "/"), text)
    return target.getvalue()


def tape() -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as file:
        entry = tarfile.TarInfo("inner.txt")
        entry.size = len(TEXT)
        file.addfile(entry, io.BytesIO(TEXT.encode()))
    return target.getvalue()


def picture(kind: str) -> bytes:
    """A picture with many colours, as a file of that kind."""
    # TMPDIR may be somebody else's alone.
    environment = os.environ | {"MAGICK_TEMPORARY_PATH": tempfile.gettempdir()}
    return subprocess.run(["convert", "-size", PNG_SIZE, "plasma:red-blue", "-depth", "8", f"{kind}:-"], check=True,
                          env=environment, capture_output=True).stdout


def files() -> dict[str, bytes]:
    """Name to contents; there are fifty."""
    png, jpeg = picture("png"), picture("jpg")
    movie = b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41" + bytes(range(256)) * 64
    matroska = b"\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x23B\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x88matroska" + movie
    music, binary = b"ID3\3\0\0\0\0\0\0" + b"\xff\xfb\x90\0" * 800, b"\x7fELF\2\1\1" + bytes(2_000)
    odt = archive(mimetype="application/vnd.oasis.opendocument.text", content__xml="<x/>", Thumbnails__thumbnail__png="x")
    word = archive(**{"[Content_Types].xml": "<Types/>", "word__document.xml": "<w/>"})
    text = TEXT.encode()
    script = b"#!/bin/sh\nexec true\n" + b"# more\n" * 90
    return {
        # Pictures
        "photo.jpg": jpeg, "photo-upper.JPG": jpeg, "picture.png": png, "drawing.svg": SVG.encode(),
        "moving.gif": picture("gif"), "old.bmp": picture("bmp"), "scan.tiff": picture("tiff"), "icon.xpm": picture("xpm"),
        "camera.cr2": picture("tiff"), "sign.ico": picture("ico"),
        # Documents
        "paper.pdf": PDF, "letter.odt": odt, "sheet.ods": odt, "talk.odp": odt, "word.docx": word, "table.xlsx": word,
        "slides.pptx": word, "book.epub": odt, "old.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2_000),
        "print.ps": b"%!PS-Adobe-3.0\n" + text, "comic.cbz": archive(a__png="x"),
        # Sound and films
        "film.mp4": movie, "film.mkv": matroska, "clip.webm": matroska, "song.mp3": music, "song.ogg": b"OggS" + bytes(900),
        "sound.flac": b"fLaC" + bytes(900),
        # Text and code
        "notes.txt": text, "read-me.md": text, "data.csv": b"a;b\n" * 200, "page.html": b"<!DOCTYPE html><p>x</p>" * 20,
        "tree.xml": b"<?xml version='1.0'?><a/>", "set.json": b"{}" * 100, "code.c": b"int main(void){return 0;}\n" * 20,
        "code.py": b"print(1)\n" * 50, "run.sh": script,
        # What describes something that is started
        "start.desktop": DESKTOP_ENTRY.encode(), "link.desktop": LINK_ENTRY.encode(), "setup.exe": b"MZ" + bytes(3_000),
        "tool.AppImage": binary, "letters.ttf": b"\0\1\0\0\0\x10\1\0" + bytes(2_000),
        # Archives
        "parcel.zip": archive(a__txt="x"), "parcel.tar.gz": tape(), "log.gz": gzip.compress(text),
        # Without a suffix, or with one that nobody knows
        "README": text, "photo": jpeg, "paper": PDF, "script": script, "program": binary, "thing.unknown": png,
    }


def write(directory: pathlib.Path) -> list[str]:
    """Writes them all; their names."""
    directory.mkdir(parents=True, exist_ok=True)
    made = files()
    for name, contents in made.items():
        (directory / name).write_bytes(contents)
        (directory / name).chmod(0o755 if contents.startswith((b"#!", b"\x7fELF")) else 0o644)
    return list(made)
