"""The frame of a manual page: roff whose sentences are plain text, with commands in backquotes.

Lines that begin with a dot are requests, and what stands between .nf and .fi is shown as it is. All other lines are sentences:
those that follow each other are one text, which is translated as a whole. So are the headings.
"""
import dataclasses
import pathlib
import re

from messages import Message

HEADING = re.compile(r"\.SH (?P<text>.+)$")
# The last field of the first line of a page says what kind of page it is.
TITLE = re.compile(r'(?P<head>\.TH .*)"(?P<text>[^"]+)"$')


@dataclasses.dataclass(frozen=True)
class Piece:
    """A part of a page: roff that stays, or a text with what stands before and after it."""

    text: str
    is_text: bool = False
    before: str = ""
    after: str = ""


def pieces(source: str) -> list[Piece]:
    result: list[Piece] = []
    sentences: list[str] = []
    is_literal = False

    def flush() -> None:
        if sentences:
            result.append(Piece(" ".join(sentences), is_text=True))
            sentences.clear()

    for line in source.splitlines():
        if not is_literal and not line.startswith((".", "@")):
            sentences.append(line)
            continue
        flush()
        if heading := HEADING.match(line):
            result.append(Piece(heading["text"], True, ".SH "))
        elif title := TITLE.match(line):
            result.append(Piece(title["text"], True, title["head"] + '"', '"'))
        else:
            result.append(Piece(line))
        is_literal = line == ".nf" or (is_literal and line != ".fi")
    flush()
    return result


def messages_of(root: pathlib.Path) -> list[Message]:
    """What is to be translated in the frames of manual pages."""
    return [Message(piece.text, files=[str(path.relative_to(root))])
            for path in sorted((root / "Documentation/man").glob("*.in"))
            for piece in pieces(path.read_text()) if piece.is_text]
