"""Finds the function, and the expression in it, where a fault is planted: in any file, however they are laid out."""

import dataclasses
import functools
import itertools
import pathlib
import re
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUFFIXES = {".swift", ".c", ".cpp", ".h"}


class Mistake(Exception):
    """What is wrong with a table or a run, in words."""


@dataclasses.dataclass(frozen=True)
class Span:
    """A part of a file's text, from its start up to its end."""

    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a fault is planted."""

    file: str
    function: Span
    expression: Span


@dataclasses.dataclass(frozen=True)
class Named:
    """A function, property or type, by the names of everything that it is in and its own."""

    path: tuple[str, ...]
    span: Span
    is_type: bool = False


# --- Code without its comments and literals -----------------------------------------------------------------------------

C_PART = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""",
    re.DOTALL | re.MULTILINE,
)
SWIFT_PART = re.compile(r'//|/\*|#*"""|#*"')
COMMENT_MARK = re.compile(r"/\*|\*/")


def without_literals(text: str, is_swift: bool) -> str:
    """The text with spaces for its comments, and a word for each literal: a brace in it is one of the code's. Offsets stay."""
    if not is_swift:
        return C_PART.sub(lambda part: without_code(part[0], is_comment=bool(part["comment"])), text)
    parts: list[str] = []
    at = 0
    while found := SWIFT_PART.search(text, at):
        end = end_of_part(text, found)
        parts += [text[at : found.start()], without_code(text[found.start() : end], is_comment=found[0][0] == "/")]
        at = end
    return "".join(parts) + text[at:]


def without_code(text: str, *, is_comment: bool) -> str:
    return re.sub(r"[^\n]", " " if is_comment else "_", text)


def end_of_part(text: str, opening: re.Match[str]) -> int:
    """Where a comment or a string of Swift ends."""
    if opening[0] == "//":
        return (text + "\n").index("\n", opening.end())
    if opening[0] == "/*":
        return end_of_comment(text, opening.end())
    marks = opening[0].count("#") * "#"
    closing, escape = opening[0].removeprefix(marks) + marks, "\\" + marks
    at = opening.end()
    while not text.startswith(closing, at):
        if text.startswith(escape + "(", at):
            at = end_of_interpolation(text, at + len(escape) + 1)
        else:
            at += len(escape) + 1 if text.startswith(escape, at) else 1
    return at + len(closing)


def end_of_comment(text: str, at: int) -> int:
    depth = 1
    while depth > 0 and (mark := COMMENT_MARK.search(text, at)):
        depth += 1 if mark[0] == "/*" else -1
        at = mark.end()
    return at


def end_of_interpolation(text: str, at: int) -> int:
    depth = 1
    while depth > 0:
        if part := SWIFT_PART.match(text, at):
            at = end_of_part(text, part)
        else:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
    return at


# --- The functions of a file ----------------------------------------------------------------------------------------------

TYPE = re.compile(
    r"(?<![.\w])(?:struct|class|actor|enum|extension|protocol|namespace)\s+(?!func\b|var\b|let\b)(\w+(?:(?:\.|::)\w+)*)"
)
FUNCTION = re.compile(r"(?<![.\w])(?:func\s+(\w+|[^\s\w(]+)|(init|subscript)[?!]?|(deinit))(?=\s*[(<{])")
PROPERTY = re.compile(r"(?<![.\w])(?:var|let)\s+(\w+)")
C_FUNCTION = re.compile(r"(?<![.>\w])(?!(?:if|for|while|switch|return|catch|foreach|sizeof)\b)([~\w]+(?:::[~\w]+)*)\s*(?=\()")
# A declaration without a body ends before the next one, or with one of these; in C, what has any of them is a call.
NEXT = re.compile(r"\b(?:func|init|deinit|subscript|var|let|case|static|typealias|associatedtype|package|public|private)\b")
END_OF_DECLARATION = {True: "});]", False: "});]=|+*/?!"}
# A value goes on over the end of a line that ends or that is followed so.
UNFINISHED = "=?:&|+-*/,<>"
CONTINUED = re.compile(r"\s*(?:[.?:&|+\-*/=<>{]|as\b|is\b)")


class Code:
    """The code of a file without its comments and literals, with the ends of its brackets."""

    def __init__(self, text: str, *, is_swift: bool) -> None:
        self.text = without_literals(text, is_swift)
        self.is_swift = is_swift
        self.ends: dict[int, int] = {}
        open_brackets: list[int] = []
        for bracket in re.finditer(r"[(\[{]|([)\]}])", self.text):
            if bracket[1] is None:
                open_brackets.append(bracket.start())
            elif open_brackets:
                self.ends[open_brackets.pop()] = bracket.end()

    def body(self, at: int) -> Span | None:
        """The braces of the declaration that goes on here, behind its name."""
        while at < len(self.text):
            character = self.text[at]
            if character == "{":
                return Span(at, self.ends.get(at, len(self.text)))
            if character in END_OF_DECLARATION[self.is_swift] or (self.text[at - 1].isspace() and NEXT.match(self.text, at)):
                return None
            at = self.ends.get(at, at + 1)
        return None

    def end_of_property(self, at: int) -> int:
        """Where the declaration of a property that goes on here ends: behind its braces or its value."""
        last = ""
        while at < len(self.text):
            character = self.text[at]
            if character in ")]}" or (character == "\n" and last not in UNFINISHED and not CONTINUED.match(self.text, at)):
                return at
            last = last if character.isspace() else character
            at = self.ends.get(at, at + 1)
        return at

    def declarations(self) -> Iterator[tuple[str, Span, bool]]:
        """The types, functions and properties: name, span, and whether it is a type."""
        for declared in TYPE.finditer(self.text):
            if span := self.body(declared.end()):
                yield declared[1], span, True
        for declared in (FUNCTION if self.is_swift else C_FUNCTION).finditer(self.text):
            if span := self.body(declared.end()):
                yield next(filter(None, declared.groups())), span, False
        if self.is_swift:
            for declared in PROPERTY.finditer(self.text):
                yield declared[1], Span(declared.end(), self.end_of_property(declared.end())), False


def named(text: str, *, is_swift: bool) -> list[Named]:
    """Everything that a fault can be planted in. A variable of a function is a part of it and no place of its own."""
    code = Code(text, is_swift=is_swift)
    found: list[Named] = []
    around: list[Named] = []
    for name, span, is_type in sorted(code.declarations(), key=lambda one: (one[1].start, -one[1].end)):
        around = [outer for outer in around if span.end <= outer.span.end]
        is_property = not is_type and code.text[span.start] != "{"
        if is_property and around and not around[-1].is_type:
            continue
        one = Named((*(around[-1].path if around else ()), *re.split(r"\.|::", name)), span, is_type)
        found.append(one)
        around.append(one)
    return found


# --- The place of a fault -------------------------------------------------------------------------------------------------


@functools.cache
def sources() -> dict[str, str]:
    """The text of every file of Sources, by its path in the project."""
    files = sorted(path for path in (ROOT / "Sources").rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return {str(path.relative_to(ROOT)): path.read_text() for path in files}


@functools.cache
def functions(file: str) -> list[Named]:
    return [one for one in named(sources()[file], is_swift=file.endswith(".swift")) if not one.is_type]


@functools.cache
def pattern(code: str) -> re.Pattern[str]:
    """Finds a piece of code however it is broken into lines, and only whole words of it."""
    words = re.findall(r'"(?:\\.|[^"\\])*"|\w+|[^\w\s]', code)
    text = re.escape(words[0])
    for word, following in itertools.pairwise(words):
        text += (r"\s+" if word[-1].isalnum() and following[0].isalnum() else r"\s*") + re.escape(following)
    return re.compile((r"\b" if words[0][0].isalnum() else "") + text + (r"\b" if words[-1][-1].isalnum() else ""))


def place(function: str, code: str) -> Place:
    """The one place of an expression in the functions of this name."""
    path = tuple(function.split("."))
    found: dict[tuple[str, int], Place] = {}
    is_there = False
    for file, text in sources().items():
        if path[-1] not in text:
            continue
        for one in functions(file):
            if one.path[-len(path) :] == path:
                is_there = True
                for match in pattern(code).finditer(text, one.span.start, one.span.end):
                    found[file, match.start()] = Place(file, one.span, Span(match.start(), match.end()))
    if not is_there:
        raise Mistake(f"there is no function {function}")
    if len(found) != 1:
        raise Mistake(f"{code!r} stands {len(found)} times in {function}")
    return next(iter(found.values()))
