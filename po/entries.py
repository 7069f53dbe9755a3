"""The texts in desktop entries, manifests of providers, AppStream's file and the descriptions of Dolphin's plugins.

Who reads these files is no program of ours, so each has its translations in it: `Name[de]=`, `"Name[de]":` or `xml:lang="de"`.
po/update.py writes them there, from the .po files.
"""
import dataclasses
import html
import pathlib
import re
import textwrap
from collections.abc import Callable

from messages import Message

PLACES = ("dbus/applications/*.desktop", "dbus/autostart/*.desktop", "dbus/providers/*.provider", "dbus/metainfo/*.xml",
          "Sources/FileManagers/dolphin/*.json")
# Names are the same in every language.
NAMES = {"Roundel", "Git", "Syncthing"}
WIDTH = 118


@dataclasses.dataclass(frozen=True)
class Syntax:
    """How a kind of file says a text, and that text in another language."""

    text: re.Pattern[str]
    """The whole of what says a text; its group `text` is what is said."""
    translated: re.Pattern[str]
    """Removes what says a translation."""
    read: Callable[[str], str]
    written: Callable[[re.Match[str], str, str], str]
    """What follows the text to say it in a language."""


def _in_key_file(found: re.Match[str], language: str, text: str) -> str:
    return f"\n{found['key']}[{language}]={text}"


def _in_json(found: re.Match[str], language: str, text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f",\n{found['blanks']}\"{found['key']}[{language}]\": \"{quoted}\""


def _in_xml(found: re.Match[str], language: str, text: str) -> str:
    tag, blanks = found["tag"], found["blanks"]
    head, tail, escaped = f'{blanks}<{tag} xml:lang="{language}">', f"</{tag}>", html.escape(text, quote=False)
    if len(head + escaped + tail) <= WIDTH:
        return f"\n{head}{escaped}{tail}"
    inner = blanks + "  "
    return f"\n{head}\n{textwrap.fill(escaped, WIDTH, initial_indent=inner, subsequent_indent=inner)}\n{blanks}{tail}"


KEY_FILE = Syntax(re.compile(r"^(?P<key>Name|Comment|Description)=(?P<text>.+)$", re.MULTILINE),
                  re.compile(r"^(?:Name|Comment|Description)\[.*\n", re.MULTILINE), str.strip, _in_key_file)
JSON = Syntax(re.compile(r'^(?P<blanks> *)"(?P<key>Name|Description)": "(?P<text>.*)"', re.MULTILINE),
              re.compile(r',\n *"(?:Name|Description)\[[^"]*": ".*"'),
              lambda text: re.sub(r"\\(.)", r"\1", text), _in_json)
XML = Syntax(re.compile(r"^(?P<blanks> *)<(?P<tag>name|summary|p|li)>(?P<text>.*?)</(?P=tag)>", re.MULTILINE | re.DOTALL),
             re.compile(r"^ *<(?P<tag>\w+) xml:lang=.*?</(?P=tag)>\n", re.MULTILINE | re.DOTALL),
             lambda text: html.unescape(" ".join(text.split())), _in_xml)
SYNTAXES = {".desktop": KEY_FILE, ".provider": KEY_FILE, ".json": JSON, ".xml": XML}


def files(root: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path for place in PLACES for path in root.glob(place))


def messages_of(root: pathlib.Path) -> list[Message]:
    """What is to be translated in these files."""
    return [Message(text, files=[str(path.relative_to(root))])
            for path in files(root)
            for text in texts(path.read_text(), path.suffix)]


def texts(source: str, suffix: str) -> list[str]:
    """What is to be translated in the text of a file."""
    syntax = SYNTAXES[suffix]
    said = [syntax.read(found["text"]) for found in syntax.text.finditer(source)]
    return [text for text in said if text not in NAMES]


def translated(source: str, suffix: str, catalogues: dict[str, dict[str, str]]) -> str:
    """The text of a file with the translations of these languages, and no others."""
    syntax = SYNTAXES[suffix]

    def with_languages(found: re.Match[str]) -> str:
        text = syntax.read(found["text"])
        said = [(language, catalogue[text]) for language, catalogue in catalogues.items() if catalogue.get(text)]
        return found[0] + "".join(syntax.written(found, language, words) for language, words in said if text not in NAMES)

    return syntax.text.sub(with_languages, syntax.translated.sub("", source))
