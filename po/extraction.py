"""What is to be translated in this tree: `tr` in Swift, `_` and `n_` in C and C++, entries of the desktop, the manual,
the header of libroundel, descriptions of widgets."""
import pathlib
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable

import entries
import frame
import header
import messages
import swift_source
from messages import Message, Messages
from swift_source import Call, Mistake, Token

COMMENT = "Translators:"


def of_swift(source: str, file: str) -> list[Message]:
    """The sentences in a Swift file; raises Mistake for a call from which none can be told."""
    try:
        found = swift_source.tokens(source)
    except Mistake as mistake:
        raise Mistake(f"{file}: {mistake}") from None
    result = []
    for call in swift_source.calls(source, found, "tr"):
        try:
            message = _message(call)
        except Mistake as mistake:
            line = source.count("\n", 0, call.start) + 1
            raise Mistake(f"{file}:{line}: {mistake}") from None
        message.files = [file]
        message.comments = _comments(call.comments)
        result.append(message)
    return result


def _message(call: Call) -> Message:
    labels = [argument.label for argument in call.arguments]
    if labels[:3] == ["", "one", "other"]:
        one, other = call.arguments[1].literal, call.arguments[2].literal
        message = Message(_literal(one), _literal(other))
        rest = labels[3:]
        given = 1 + len(rest)
    else:
        message = Message(_literal(call.arguments[0].literal if call.arguments else None))
        rest = labels[1:]
        given = len(rest)
        if rest == ["arguments"]:
            return message
    if any(rest):
        raise Mistake(f"tr has no argument {next(filter(None, rest))}:")
    used = messages.places(message.text) | messages.places(message.plural or "")
    # The number of items may be a word of the sentence for 1.
    expected = set(range(1, given + 1)) - ({1} if message.plural is not None else set())
    if used - set(range(1, given + 1)) or expected - used:
        raise Mistake(f"“{message.text}” has places for {sorted(used)}, and there are {given} arguments")
    return message


def _literal(text: str | None) -> str:
    if text is None:
        raise Mistake("what tr translates has to be one literal, without anything computed in it")
    if text.strip() == "":
        raise Mistake("there is nothing to translate")
    return text


def _comments(found: list[Token]) -> list[str]:
    """The lines for translators, from the one that begins with their name."""
    lines = [token.text.lstrip("/").strip() for token in found]
    starts = [index for index, line in enumerate(lines) if line.startswith(COMMENT)]
    return lines[starts[-1]:] if starts else []


def of_c(root: pathlib.Path, files: Iterable[pathlib.Path]) -> list[Message]:
    """The texts in files of C and C++."""
    names = [str(file.relative_to(root)) for file in files]
    if not names:
        return []
    # Without its header, whose time is of no use, it would write ASCII alone.
    command = ["xgettext", "--from-code=UTF-8", "--no-wrap", "--add-location=file", "-k", "-k_", "-kn_:1,2", f"-c{COMMENT}",
               "-o", "-", *names]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    found = [message for message in messages.read(done.stdout) if message.text]
    for message in found:
        message.translations = []
    return found


def of_blueprints(root: pathlib.Path, files: Iterable[pathlib.Path]) -> list[Message]:
    """The texts in descriptions of widgets, in GtkBuilder's form, that are marked to be translated."""
    result = []
    for file in files:
        name = str(file.relative_to(root))
        for element in ElementTree.parse(file).iter():
            if element.get("translatable") != "yes":
                continue
            message = Message(_literal(element.text))
            message.files = [name]
            message.comments = [f"{COMMENT} {comment}"] if (comment := element.get("comments")) else []
            result.append(message)
    return result


def of_tree(root: pathlib.Path) -> Messages:
    """The messages of everything below Sources, of the entries of the desktop and of the manual pages."""
    result = Messages()
    sources = root / "Sources"
    for file in sorted(sources.rglob("*.swift")):
        for message in of_swift(file.read_text(), str(file.relative_to(root))):
            result.add(message)
    files = sorted(file for file in sources.rglob("*") if file.suffix in (".c", ".cpp", ".h"))
    blueprints = sorted(sources.rglob("*.ui"))
    for message in [*of_c(root, files), *of_blueprints(root, blueprints), *entries.messages_of(root), *frame.messages_of(root),
                    *header.messages_of(root)]:
        result.add(message)
    return result
