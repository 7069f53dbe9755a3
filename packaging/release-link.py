#!/usr/bin/python3
"""Prints how `swift build` links the programs that are installed, so that they hold no more than they use:

    packaging/release-link.py SWIFT DIRECTORY       DIRECTORY: where the object file that is linked is made, once

Foundation, which GRDB needs, brings ICU along, whose data of 34 MB are one object of Swift's static libraries. Of these data
one table is ever read here, that of host names in other scripts (UTS 46). An object with that table alone stands in for them.
With a toolchain whose data have another form, the programs hold all of them.
"""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys

KEPT = ("uts46.nrm",)
MAGIC = b"\xda\x27"
# From here the loader of the C library knows relative relocations in their short form.
SHORT_RELOCATIONS = (2, 36)
# Swift's own list of options exports every symbol, for which all that a program could use would be kept in it. Functions are
# folded only where nobody compares their addresses. The table of unwinding is for those who throw C++ exceptions.
FLAGS = ["-Xswiftc", "-use-ld=lld",
         *(word for flag in ("--no-export-dynamic", "--icf=safe", "--no-eh-frame-hdr", "-znow") for word in ("-Xlinker", flag))]


class UnknownForm(Exception):
    """The data are not what this program knows."""


def library_of(swift: str) -> pathlib.Path:
    """The static library of the toolchain that holds ICU."""
    said = subprocess.run([swift, "-print-target-info"], capture_output=True, text=True, check=True).stdout
    try:
        resources = pathlib.Path(json.loads(said)["paths"]["runtimeResourcePath"])
    except (ValueError, KeyError) as error:
        raise UnknownForm(f"{swift} does not tell where its libraries are") from error
    library = resources.with_name("swift_static") / "linux/lib_FoundationICU.a"
    if not library.is_file():
        raise UnknownForm(f"{library} is not there")
    return library


def object_of_data(library: pathlib.Path, work: pathlib.Path) -> pathlib.Path:
    """The object with ICU's data, taken from the toolchain's static library."""
    names = subprocess.run(["ar", "t", library], capture_output=True, text=True, check=True).stdout.split()
    found = [name for name in names if "packaged_data" in name]
    if len(found) != 1:
        raise UnknownForm("no object is that of the data")
    subprocess.run(["ar", "x", library, *found], cwd=work, check=True)
    return work / found[0]


def data_of(item: pathlib.Path) -> tuple[str, bytes]:
    """The name of the symbol for the data, and its bytes."""
    listed = subprocess.run(["nm", "--defined-only", item], capture_output=True, text=True, check=True).stdout
    symbols = re.findall(r"^0+ [RD] (icudt\w+_dat)$", listed, re.MULTILINE)
    if len(symbols) != 1:
        raise UnknownForm("no symbol is that of the data")
    section = item.with_suffix(".data")
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.rodata", item, section], check=True)
    return symbols[0], section.read_bytes()


def kept(data: bytes) -> bytes:
    """The same table of contents with the kept items alone: a header, the number of items, an offset of the name and one of
    the contents for each, the names, and the contents, each at a multiple of 16."""
    (header,) = struct.unpack_from("<H", data)
    if data[2:4] != MAGIC or data[12:16] != b"CmnD":
        raise UnknownForm("the data are no package of ICU's")
    (count,) = struct.unpack_from("<I", data, header)
    rows = [struct.unpack_from("<II", data, header + 4 + 8 * row) for row in range(count)]
    ends = [start for _, start in rows[1:]] + [len(data) - header]
    names = [data[header + name:data.index(b"\0", header + name)] for name, _ in rows]
    items = [(name, data[header + start:header + end]) for name, (_, start), end in zip(names, rows, ends, strict=True)
             if name.decode().split("/", 1)[-1] in KEPT]
    if len(items) != len(KEPT):
        raise UnknownForm("an item that is used is not in the data")
    place = 4 + 8 * len(items)
    table, texts = struct.pack("<I", len(items)), b""
    contents = b""
    start = -(-(place + sum(len(name) + 1 for name, _ in items)) // 16) * 16
    for name, item in items:
        table += struct.pack("<II", place + len(texts), start + len(contents))
        texts += name + b"\0"
        contents += item + b"\0" * (-len(item) % 16)
    return data[:header] + (table + texts).ljust(start, b"\0") + contents


def stand_in(swift: str, directory: pathlib.Path) -> pathlib.Path:
    """An object with the kept items, which the linker takes where ICU's data are asked for; its name is that of their symbol.
    Another definition beside that of the library would be one too many."""
    library = library_of(swift)
    for made in directory.glob("*.o"):
        if made.stat().st_mtime > max(library.stat().st_mtime, pathlib.Path(__file__).stat().st_mtime):
            return made
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    symbol, data = data_of(object_of_data(library, directory))
    (directory / "kept.dat").write_bytes(kept(data))
    source, wrapper = directory / "data.s", f"__wrap_{symbol}"
    source.write_text(f"""\
        .section .rodata.{wrapper},"a",@progbits
        .globl {wrapper}
        .type {wrapper}, @object
        .balign 16
{wrapper}:
        .incbin "{directory / 'kept.dat'}"
        .size {wrapper}, . - {wrapper}
        .section .note.GNU-stack,"",@progbits
""")
    made = directory / f"{symbol}.o"
    subprocess.run(["cc", "-c", source, "-o", made], check=True)
    for path in directory.iterdir():
        if path != made:
            path.unlink()
    return made


def libc() -> tuple[int, ...]:
    """The version of the C library here; (0,) if it is not GNU's."""
    said = subprocess.run(["getconf", "GNU_LIBC_VERSION"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"(\d+)\.(\d+)", said)
    return tuple(int(part) for part in version.groups()) if version else (0,)


def main(swift: str, directory: pathlib.Path) -> None:
    flags = list(FLAGS)
    if libc() >= SHORT_RELOCATIONS:
        flags += ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
    try:
        made = stand_in(swift, directory.resolve())
        flags += ["-Xlinker", f"--wrap={made.stem}", "-Xlinker", str(made)]
    except (UnknownForm, struct.error, subprocess.CalledProcessError) as problem:
        print(f"release-link.py: the programs hold all of ICU's data: {problem}", file=sys.stderr)
    print(" ".join(flags))


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
