#!/usr/bin/python3
"""Writes Sources/Client/Report/OwnWords.swift: the words of the sentences that the services say and log. `roundel report` lets
no other word of a log through.

  po/vocabulary.py             writes it
  po/vocabulary.py --check     only sees that it has what the sources have
"""
import pathlib
import re
import sys
import textwrap
from collections.abc import Iterator

import extraction
import swift_source
from swift_source import Token

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/Client/Report/OwnWords.swift"
# Everything that a service consists of; what the command line and the window say is not in its log.
MODULES = ("BadgeEngine", "BadgeService", "DBus", "Desktop", "FileWatch", "Git", "Launching", "Marks", "MountProtocol",
           "OnDemand", "Remotes", "RoundelBus", "Secrets", "Support", "SyncCore", "SyncEngine", "SyncService", "Syncthing")
WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
WIDTH = 116  # of the lines in the Swift file
HEAD = '''\
/// The words of Roundel's own sentences and log lines, in English. Written by po/vocabulary.py.
enum OwnWords {
    static let text = """
'''
TAIL = '''\
        """
}
'''


def sentences() -> Iterator[str]:
    for module in MODULES:
        for file in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            source = file.read_text()
            for message in extraction.of_swift(source, str(file)):
                yield message.text
                yield message.plural or ""
            yield from logged(swift_source.tokens(source))


def logged(found: list[Token]) -> Iterator[str]:
    """The literals in calls of `log`, without what is computed in them."""
    for index, token in enumerate(found):
        if token.kind != "word" or token.text != "log" or index + 1 >= len(found) or found[index + 1].text != "(":
            continue
        if index and found[index - 1].text in (".", "func"):
            continue
        depth = 0
        for argument in found[index + 1:]:
            depth += {"(": 1, ")": -1}.get(argument.text, 0) if argument.kind == "sign" else 0
            if depth == 0:
                break
            if argument.kind == "string":
                yield literal(argument)


def literal(token: Token) -> str:
    """What stands in a literal, with a blank for each part that is computed."""
    text, result, place = token.text, "", 0
    while (start := text.find("\\(", place)) >= 0:
        result += text[place:start] + " "
        depth, place = 1, start + 2
        while depth and place < len(text):
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            place += 1
    return result + text[place:]


def words() -> list[str]:
    found: set[str] = set()
    for sentence in sentences():
        plain = re.sub(r"\{\d+\}", " ", sentence.replace("\\n", " "))
        # Paths, addresses and options are no words.
        for part in plain.split():
            core = part.strip("([{<“”„\"‘’'`,.:;!?)]}>…")
            if WORD.fullmatch(core):
                found.add(core)
    return sorted(found)


def contents() -> str:
    lines = textwrap.wrap(" ".join(words()), WIDTH - 8, break_on_hyphens=False, break_long_words=False)
    return HEAD + "".join(f"        {line}\n" for line in lines) + TAIL


def main() -> int:
    text = contents()
    if sys.argv[1:] == ["--check"]:
        if OUTPUT.is_file() and OUTPUT.read_text() == text:
            return 0
        print(f"{OUTPUT.relative_to(ROOT)} has not what the sources have: `make pot` writes it anew", file=sys.stderr)
        return 1
    OUTPUT.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
