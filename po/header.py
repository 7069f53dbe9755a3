"""What the header of libroundel says of its types and functions, in comments as gtk-doc has them.

Each paragraph is a text, and so is what is said of an argument. Names of functions have () behind them, those of constants %
and those of types # before them.
"""
import dataclasses
import pathlib
import re

from messages import Message

HEADER = pathlib.Path("Sources/FileManagers/library/roundel.h")
# A comment for documentation, and what is declared after it.
DOCUMENTED = re.compile(r"/\*\*\n(.*?)\*/\n(.*?)(?=^$)", re.DOTALL | re.MULTILINE)
# What a translation has to leave as it is.
NAMES = re.compile(r"[%#]\w+|\broundel_\w+\(\)", re.ASCII)


@dataclasses.dataclass(frozen=True)
class Entry:
    """One documented type or function."""

    name: str
    declaration: str
    arguments: list[tuple[str, str]]
    paragraphs: list[str]

    @property
    def texts(self) -> list[str]:
        """What is to be translated."""
        return [words for _, words in self.arguments] + self.paragraphs


def entries(header: str) -> list[Entry]:
    """The entries in the order of the header; the first one describes the library."""
    found = []
    for comment, declaration in DOCUMENTED.findall(header):
        text = re.sub(r"^ \* ?", "", comment, flags=re.MULTILINE)
        head, _, body = text.partition("\n")
        described, _, rest = body.partition("\n\n") if body.startswith("@") else ("", "", body)
        arguments = [(name, _unwrapped(words)) for name, words in
                     re.findall(r"^@(\w+): (.*?)(?=^@|\Z)", described, re.DOTALL | re.MULTILINE)]
        paragraphs = [_unwrapped(block) for block in rest.strip().split("\n\n") if block.strip()]
        found.append(Entry(head.strip().removesuffix(":"), declaration.replace("ROUNDEL_EXPORT ", "").strip(),
                           arguments, paragraphs))
    return found


def messages_of(root: pathlib.Path) -> list[Message]:
    """What is to be translated in the header."""
    return [Message(text, files=[str(HEADER)]) for entry in entries((root / HEADER).read_text()) for text in entry.texts]


def _unwrapped(block: str) -> str:
    return re.sub(r"\s*\n\s*", " ", block.strip())
