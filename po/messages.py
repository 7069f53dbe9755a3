"""Messages and the files of gettext that hold them."""
import dataclasses
import re
from collections.abc import Iterable

PLACE = re.compile(r"\{([1-9][0-9]*)\}")
HEADER = {
    "Project-Id-Version": "roundel",
    "PO-Revision-Date": "YEAR-MO-DA HO:MI+ZONE",
    "Last-Translator": "FULL NAME <EMAIL@ADDRESS>",
    "Language-Team": "LANGUAGE <LL@li.org>",
    "Language": "",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=INTEGER; plural=EXPRESSION;",
}


def places(text: str) -> set[int]:
    """The numbers of the arguments that a text has a place for."""
    return {int(number) for number in PLACE.findall(text)}


@dataclasses.dataclass
class Message:
    """A text in English, its translations, and what a translator should know of it."""

    text: str
    plural: str | None = None
    translations: list[str] = dataclasses.field(default_factory=list)
    comments: list[str] = dataclasses.field(default_factory=list)
    files: list[str] = dataclasses.field(default_factory=list)
    is_fuzzy: bool = False
    """Whether the translation is that of a text that was changed since; it is not used."""

    def mistakes(self) -> list[str]:
        """What a program could not do with the translations."""
        known = places(self.text) | places(self.plural or "") | ({1} if self.plural is not None else set())
        return [f"“{translation}” has a place that “{self.text}” has not"
                for translation in self.translations if places(translation) - known]

    def gaps(self, forms: int) -> list[str]:
        """What a translation that claims to be complete lacks, in a language with so many forms for numbers."""
        if len(self.translations) != (1 if self.plural is None else forms) or self.is_fuzzy:
            return [f"“{self.text}” is not translated" if not self.is_fuzzy else f"“{self.text}” was changed since"]
        # Which numbers a form is for, only the language knows: it may say the number of {1} as a word in any of them.
        known = places(self.text if self.plural is None else self.plural)
        spoken = {1} if self.plural is not None else set()
        return [f"“{translation}” lacks a place of “{self.text}”"
                for translation in self.translations if known - spoken - places(translation)]


class Messages:
    """Messages by their text. One that is found in several places is one message."""

    def __init__(self) -> None:
        self.by_text: dict[str, Message] = {}

    def add(self, message: Message) -> None:
        known = self.by_text.setdefault(message.text, message)
        if known is message:
            return
        if known.plural is None:
            known.plural = message.plural
        elif message.plural not in (None, known.plural):
            raise ValueError(f"“{message.text}” has two plurals, in {known.files[0]} and {message.files[0]}")
        known.comments += [comment for comment in message.comments if comment not in known.comments]
        known.files += [file for file in message.files if file not in known.files]

    def sorted(self) -> list[Message]:
        """In the order of the files, and of the text in each."""
        return sorted(self.by_text.values(), key=lambda message: message.files)


def written(messages: Iterable[Message], header: dict[str, str]) -> str:
    """The text of a .po or .pot file."""
    head = Message("", translations=["".join(f"{name}: {value}\n" for name, value in header.items())])
    return "\n".join(_entry(message) for message in [head, *messages])


def _entry(message: Message) -> str:
    lines = [f"#. {comment}" for comment in message.comments] + [f"#: {file}" for file in sorted(message.files)]
    lines += _field("msgid", message.text)
    translations = message.translations or [""] * (1 if message.plural is None else 2)
    if message.plural is None:
        lines += _field("msgstr", translations[0])
    else:
        lines += _field("msgid_plural", message.plural)
        for index, translation in enumerate(translations):
            lines += _field(f"msgstr[{index}]", translation)
    return "\n".join(lines) + "\n"


def _field(name: str, text: str) -> list[str]:
    pieces = re.findall(r"[^\n]*\n|[^\n]+", text) or [""]
    quoted = ['"' + piece.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"' for piece in pieces]
    return [f"{name} {quoted[0]}"] if len(quoted) == 1 else [f'{name} ""', *quoted]


def read(text: str) -> list[Message]:
    """The messages of a .po file, without those that are no longer used; the first may be the header."""
    return [message for entry in re.split(r"\n\s*\n", text) if (message := _message(entry))]


def singular(text: str) -> dict[str, str]:
    """The translations in a .po file by their text, without those that need a number and those that are to be looked at."""
    return {message.text: message.translations[0] for message in read(text)
            if message.text and message.plural is None and message.translations and not message.is_fuzzy}


def _message(entry: str) -> Message | None:
    fields: dict[str, str] = {}
    message = Message("")
    name = ""
    for line in entry.splitlines():
        if line.startswith("#. "):
            message.comments.append(line[3:])
        elif line.startswith("#, "):
            message.is_fuzzy = "fuzzy" in line[3:].split(", ")
        elif line.startswith("#: "):
            message.files += [place.partition(":")[0] for place in line[3:].split()]
        elif found := re.match(r'(?:(msg\w+(?:\[\d+\])?) )?"(.*)"$', line):
            name = found[1] or name
            fields[name] = fields.get(name, "") + _unquoted(found[2])
    if "msgid" not in fields:
        return None
    message.text, message.plural = fields["msgid"], fields.get("msgid_plural")
    message.translations = [text for name, text in fields.items() if name.startswith("msgstr") and text]
    return message


def _unquoted(text: str) -> str:
    escapes = {"n": "\n", "t": "\t", "r": "\r"}
    return re.sub(r"\\(.)", lambda found: escapes.get(found[1], found[1]), text)
