"""What the manual page of libroundel has from the header of the library and from its example."""
import pathlib
import re

import header
import roff
from header import Entry

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples/host.c"


def parts(known: dict[str, str]) -> dict[str, list[str]]:
    """The parts by their place in the frame of the page, with these translations."""
    library, *rest = header.entries((ROOT / header.HEADER).read_text())
    described: list[str] = []
    for paragraph in library.paragraphs:
        described += [*([".PP"] if described else []), shown(known.get(paragraph, paragraph))]
    return {"@LIBRARY@": described, "@FUNCTIONS@": [line for entry in rest for line in section(entry, known)],
            "@EXAMPLE@": [".PP", *roff.literal(EXAMPLE.read_text().rstrip())]}


def section(entry: Entry, known: dict[str, str]) -> list[str]:
    page = [f".SS {shown(entry.name)}", *roff.literal(entry.declaration)]
    for name, words in entry.arguments:
        page += [".TP", f"\\fI{name}\\fR" if name.islower() else f"\\fB{name}\\fR", shown(known.get(words, words))]
    for paragraph in entry.paragraphs:
        page += [".PP", shown(known.get(paragraph, paragraph))]
    return page


def shown(text: str) -> str:
    """Functions, types and constants are set apart."""
    return roff.begun(header.NAMES.sub(_bold, roff.escaped(text)))


def _bold(found: re.Match[str]) -> str:
    name = found[0].strip("%#()")
    return f"\\fB{name}\\fR" + found[0][len(name):] * found[0].endswith("()")
