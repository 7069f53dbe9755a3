#!/usr/bin/python3
"""Writes the manual page of libroundel, from the comments of its header and from the example.

  packaging/library-manual.py          to standard output
"""
import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADER = ROOT / "Sources/FileManagers/library/roundel.h"
EXAMPLE = ROOT / "examples/host.c"
# A comment for documentation, and what is declared after it.
DOCUMENTED = re.compile(r"/\*\*\n(.*?)\*/\n(.*?)(?=^$)", re.DOTALL | re.MULTILINE)


class Entry(NamedTuple):
    """One documented type or function."""

    name: str
    declaration: str
    arguments: list[tuple[str, str]]
    paragraphs: list[str]


def unwrapped(block: str) -> str:
    return re.sub(r"\s*\n\s*", " ", block.strip())


def entries(header: str) -> list[Entry]:
    """The entries in the order of the header; the first one describes the library."""
    found = []
    for comment, declaration in DOCUMENTED.findall(header):
        text = re.sub(r"^ \* ?", "", comment, flags=re.MULTILINE)
        head, _, body = text.partition("\n")
        described, _, rest = body.partition("\n\n") if body.startswith("@") else ("", "", body)
        arguments = [(name, unwrapped(words)) for name, words in
                     re.findall(r"^@(\w+): (.*?)(?=^@|\Z)", described, re.DOTALL | re.MULTILINE)]
        paragraphs = [unwrapped(block) for block in rest.strip().split("\n\n") if block.strip()]
        found.append(Entry(head.strip().removesuffix(":"), declaration.replace("ROUNDEL_EXPORT ", "").strip(),
                           arguments, paragraphs))
    return found


def shown(text: str) -> str:
    """Text as roff shows it; functions, types, constants and arguments as in gtk-doc's comments are set apart."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = re.sub(r"[%#](\w+)", r"\\fB\1\\fR", text)
    text = re.sub(r"\b(roundel_\w+)\(\)", r"\\fB\1\\fR()", text)
    return f"\\&{text}" if text.startswith((".", "\\(aq")) else text


def literal(text: str) -> list[str]:
    lines = [f"\\&{line}" if line.startswith((".", "'")) else line
             for line in text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").split("\n")]
    return [".PP", ".nf", *lines, ".fi"]


def section(entry: Entry) -> list[str]:
    page = [f".SS {shown(entry.name)}", *literal(entry.declaration)]
    for name, words in entry.arguments:
        page += [".TP", f"\\fI{name}\\fR" if name.islower() else f"\\fB{name}\\fR", shown(words)]
    for paragraph in entry.paragraphs:
        page += [".PP", shown(paragraph)]
    return page


def main() -> None:
    first, *rest = entries(HEADER.read_text())
    page = ['.\\" Made by packaging/library-manual.py from the header of libroundel: `make manual`.',
            '.TH LIBROUNDEL 3 "" "Roundel" "Library Functions Manual"', ".nh", ".ad l", ".SH NAME",
            "libroundel \\- shows sync badges and menus of any sync engine in whatever shows files", ".SH SYNOPSIS",
            *literal("#include <roundel.h>\n\ncc host.c $(pkg-config --cflags --libs libroundel)"), ".SH DESCRIPTION"]
    for index, paragraph in enumerate(first.paragraphs):
        page += [*([".PP"] if index > 0 else []), shown(paragraph)]
    page.append(".SH TYPES AND FUNCTIONS")
    for entry in rest:
        page += section(entry)
    page += [".SH EXAMPLE", "A program that shows a directory with the badges of its items.",
             *literal(EXAMPLE.read_text().rstrip()),
             ".SH SEE ALSO", ".BR roundel (1),", ".BR roundeld (1),", ".BR pkg\\-config (1)"]
    print("\n".join(page))


if __name__ == "__main__":
    main()
