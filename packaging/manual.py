#!/usr/bin/python3
"""Writes the manual pages, in English and in the languages of po/LINGUAS, from their frames in Documentation/man. That of
`roundel` has what the program says of its commands, that of libroundel what its header says.

  packaging/manual.py DIRECTORY PROGRAM     all pages: NAME.1, and LANGUAGE/NAME.1
  packaging/manual.py DIRECTORY             without that of `roundel`
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "po"))

import frame
import library_page
import roff
import update

FRAMES = ROOT / "Documentation/man"
# Described once for all commands, in the page's own sections.
COMMON = {"json", "version", "help"}


def escaped(text: str) -> str:
    """Text as roff shows it, each character as it stands; what is in backquotes is bold."""
    # A line may be broken after a comma between members of JSON.
    return re.sub(r"`([^`]*)`", r"\\fB\1\\fR", roff.escaped(text)).replace(',"', ',\\:"').replace('"|"', '"|\\:"')


def lines(text: str) -> list[str]:
    """A paragraph as roff takes it: no line that begins like a request."""
    return [roff.begun(line) for line in escaped(text).split("\n")]


def value(argument: dict[str, Any]) -> str:
    """The word that stands for a value, or the words that it may be."""
    return "|".join(f"\\fB{word}\\fR" for word in argument.get("allValues", [])) \
        or f"\\fI{escaped(argument['valueName'].upper())}\\fR"


def flag(name: dict[str, str]) -> str:
    return f"\\fB{escaped('--' if name['kind'] == 'long' else '-')}{escaped(name['name'])}\\fR"


def in_synopsis(argument: dict[str, Any]) -> str:
    word = value(argument)
    if argument["kind"] != "positional":
        word = flag(argument["preferredName"]) + ("" if argument["kind"] == "flag" else f" {word}")
    if argument["isRepeating"]:
        word += " ..."
    if argument.get("parsingStrategy") == "postTerminator":
        word = f"\\fB{escaped('--')}\\fR {word}"
    return f"[{word}]" if argument["isOptional"] else word


def commands(command: dict[str, Any]) -> list[dict[str, Any]]:
    """The commands that do something, each once: those of a group in its place."""
    below = [child for child in command.get("subcommands", []) if child["commandName"] != "help"]
    return [found for child in below for found in commands(child)] or [command]


def section(command: dict[str, Any]) -> list[str]:
    words = [*command.get("superCommands", []), command["commandName"]]
    arguments = [argument for argument in command.get("arguments", []) if argument["valueName"] not in {"version", "help"}]
    synopsis = " ".join([f"\\fB{escaped(' '.join(words))}\\fR", *map(in_synopsis, arguments)])
    page = [f".SS {escaped(' '.join(words[1:]))}", synopsis, ".PP", *lines(command["abstract"])]
    discussion: str = command.get("discussion", "")
    for paragraph in filter(None, discussion.split("\n\n")):
        page += [".PP", *lines(paragraph)]
    for argument in arguments:
        if argument["valueName"] in COMMON or "abstract" not in argument:
            continue
        names = ", ".join(map(flag, argument.get("names", [])))
        head = f"{names} {value(argument)}" if argument["kind"] == "option" else names or value(argument)
        page += [".TP", head, *lines(argument["abstract"])]
    return page


def described(program: str, language: str) -> dict[str, Any]:
    """What the program says of its commands in a language, with the translations of this tree."""
    with tempfile.TemporaryDirectory(prefix="roundel-manual-") as shared:
        variables = {"LC_ALL": "C.UTF-8"}
        if language:
            subprocess.run([ROOT / "packaging/translations.sh", f"{shared}/locale"], check=True)
            # Any locale but C: the program needs none that is installed.
            variables = {"LC_ALL": "en_US.UTF-8", "LANGUAGE": language, "XDG_DATA_HOME": shared}
        done = subprocess.run([program, "--experimental-dump-help"], env=os.environ | variables, capture_output=True, text=True,
                              check=True)
    command: dict[str, Any] = json.loads(done.stdout)["command"]
    return command


def parts(program: str, language: str, known: dict[str, str]) -> dict[str, list[str]]:
    """What stands in the places of frames."""
    result = library_page.parts(known)
    if program:
        result["@COMMANDS@"] = [line for command in commands(described(program, language)) for line in section(command)]
    return result


def page(source: str, known: dict[str, str], inserted: dict[str, list[str]]) -> str:
    """The page for a frame, with translations and what stands in its places."""
    result = []
    for piece in frame.pieces(source):
        if piece.is_text:
            text = known.get(piece.text, piece.text)
            result += [piece.before + text + piece.after] if piece.before else lines(text)
        else:
            result += inserted.get(piece.text, [piece.text])
    return "\n".join(result) + "\n"


def main() -> None:
    directory, program = pathlib.Path(sys.argv[1]), "".join(sys.argv[2:])
    sources = {path.stem: path.read_text() for path in sorted(FRAMES.glob("*.in"))}
    catalogues = update.catalogues()
    for language in ("", *catalogues):
        known = catalogues.get(language, {})
        inserted = parts(program, language, known)
        (directory / language).mkdir(parents=True, exist_ok=True)
        for name, source in sources.items():
            if program or "@COMMANDS@" not in source:
                (directory / language / name).write_text(page(source, known, inserted))


if __name__ == "__main__":
    main()
