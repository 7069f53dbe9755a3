#!/usr/bin/python3
"""Writes a translation into a language that nobody speaks: each letter has an accent, and each text is 40 % longer. Whoever
sees a letter without one has found a text that cannot be translated.

  po/pseudo.py OUT.po     from po/roundel.pot
"""
import pathlib
import sys

import messages
from messages import PLACE, Message

PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ACCENTED = "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž"
ACCENTS = str.maketrans(PLAIN, ACCENTED)
PADDING = "~"


def of(text: str) -> str:
    """The text in that language, with its places as they are; blanks at its ends stay there."""
    pieces = PLACE.split(text)
    # Every second piece is the number of a place.
    accented = "".join(f"{{{piece}}}" if index % 2 else piece.translate(ACCENTS) for index, piece in enumerate(pieces))
    body = accented.rstrip()
    letters = sum(character.isalpha() for character in body)
    return body + PADDING * -(-letters * 2 // 5) + accented[len(body):]


def translated(message: Message) -> Message:
    texts = [message.text] if message.plural is None else [message.text, message.plural]
    return Message(message.text, message.plural, [of(text) for text in texts], files=message.files)


def main() -> None:
    template = pathlib.Path(__file__).resolve().with_name("roundel.pot")
    found = [message for message in messages.read(template.read_text()) if message.text]
    header = messages.HEADER | {
        "PO-Revision-Date": "1970-01-01 00:00+0000", "Last-Translator": "nobody", "Language-Team": "nobody",
        "Language": "en@pseudo", "Plural-Forms": "nplurals=2; plural=(n != 1);"}
    pathlib.Path(sys.argv[1]).write_text(messages.written(map(translated, found), header))


if __name__ == "__main__":
    main()
