#!/usr/bin/python3
"""Writes po/roundel.pot, the texts to be translated, and brings the translations of the languages in po/LINGUAS to its state.
Entries of the desktop, such as dbus/applications/*.desktop, have their translations in them, and get these.

  po/update.py             writes them
  po/update.py --check     only sees that roundel.pot has what the sources have, that translations have no wrong places, and
                           that entries have the translations
"""
import pathlib
import subprocess
import sys

import entries
import extraction
import messages
from swift_source import Mistake

PO = pathlib.Path(__file__).resolve().parent
TEMPLATE = PO / "roundel.pot"


def languages() -> list[str]:
    lines = (line.partition("#")[0] for line in (PO / "LINGUAS").read_text().splitlines())
    return [name for line in lines for name in line.split()]


def mistakes(template: str) -> list[str]:
    found = [] if TEMPLATE.is_file() and TEMPLATE.read_text() == template else [
        "po/roundel.pot has not what the sources have: `make pot` writes it anew"]
    for language in languages():
        for message in messages.read((PO / f"{language}.po").read_text()):
            found += [f"po/{language}.po: {mistake}" for mistake in message.mistakes()]
    known = catalogues()
    return found + [f"{path.relative_to(PO.parent)} has not the translations: `make pot` writes it anew"
                    for path in entries.files(PO.parent)
                    if path.read_text() != entries.translated(path.read_text(), path.suffix, known)]


def catalogues() -> dict[str, dict[str, str]]:
    """The translations of texts without a number, by language and English text."""
    return {language: messages.singular((PO / f"{language}.po").read_text()) for language in languages()}


def main() -> int:
    try:
        found = extraction.of_tree(PO.parent)
    except (Mistake, ValueError) as mistake:
        print(mistake, file=sys.stderr)
        return 1
    template = messages.written(found.sorted(), messages.HEADER)
    if sys.argv[1:] == ["--check"]:
        wrong = mistakes(template)
        print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
        return 1 if wrong else 0
    TEMPLATE.write_text(template)
    for language in languages():
        # What is guessed from another text is a translation of that one.
        subprocess.run(["msgmerge", "--quiet", "--update", "--backup=none", "--no-fuzzy-matching",
                        PO / f"{language}.po", TEMPLATE], check=True)
    known = catalogues()
    for path in entries.files(PO.parent):
        path.write_text(entries.translated(path.read_text(), path.suffix, known))
    return 0


if __name__ == "__main__":
    sys.exit(main())
