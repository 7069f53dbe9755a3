"""Swift source as far as an extractor of texts has to understand it: words, signs, comments and literals."""
import dataclasses
import re
from collections.abc import Iterator

WORD = re.compile(r"[^\W\d]\w*")
BLANK = re.compile(r"\s+")
# Three quotation marks begin a text of several lines, and no other.
OPENING = re.compile(r'(#*)("""(?=[ \t]*\n)|")')
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\"}


class Mistake(Exception):
    """What the source has that cannot be extracted, with its place."""


@dataclasses.dataclass
class Token:
    kind: str  # word, sign, comment or string
    text: str  # as it stands in the source
    start: int
    # Of a string: what it stands for, or None if a part of it is computed; and the tokens of these parts.
    value: str | None = None
    inner: list["Token"] = dataclasses.field(default_factory=list)

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens(source: str) -> list[Token]:
    """All tokens; a number is a word or a sign, which does not matter here."""
    found, end = _read(source, 0, None)
    assert end == len(source)
    return found


def _read(source: str, start: int, closing: str | None) -> tuple[list[Token], int]:
    """The tokens up to the bracket that closes those before it, and the place behind that; or up to the end."""
    found: list[Token] = []
    depth = 0
    place = start
    while place < len(source):
        if blank := BLANK.match(source, place):
            place = blank.end()
        elif source.startswith("//", place):
            end = source.find("\n", place)
            end = len(source) if end < 0 else end
            found.append(Token("comment", source[place:end], place))
            place = end
        elif source.startswith("/*", place):
            end = _comment_end(source, place)
            found.append(Token("comment", source[place:end], place))
            place = end
        elif opening := OPENING.match(source, place):
            found.append(_string(source, place, opening))
            place = found[-1].end
        elif word := WORD.match(source, place):
            found.append(Token("word", word[0], place))
            place = word.end()
        else:
            sign = source[place]
            place += 1
            if closing and sign == closing and depth == 0:
                return found, place
            depth += {"(": 1, ")": -1}.get(sign, 0) if closing else 0
            found.append(Token("sign", sign, place - 1))
    if closing:
        raise Mistake(f"no {closing} closes what begins at {start}")
    return found, place


def _comment_end(source: str, start: int) -> int:
    """The place behind a comment, in which there may be others."""
    depth = 0
    for mark in re.finditer(r"/\*|\*/", source[start:]):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return start + mark.end()
    return len(source)


def _string(source: str, start: int, opening: re.Match[str]) -> Token:
    hashes, quotes = opening.groups()
    place = opening.end()
    raw: list[str | None] = []  # pieces as they stand in the source; None for one that is computed
    inner: list[Token] = []
    last = place
    closing = quotes + hashes
    escape = "\\" + hashes
    while not source.startswith(closing, place):
        if place >= len(source):
            raise Mistake(f"a string that begins at {start} does not end")
        if source.startswith(escape + "(", place):
            raw += [source[last:place], None]
            found, place = _read(source, place + len(escape) + 1, ")")
            inner += found
            last = place
        elif source.startswith(escape, place):
            place += len(escape) + 1
        else:
            place += 1
    raw.append(source[last:place])
    text = source[start:place + len(closing)]
    value = None if None in raw else _value("".join(filter(None, raw)), quotes, escape)
    return Token("string", text, start, value, inner)


def _value(raw: str, quotes: str, escape: str) -> str:
    """What a literal without computed parts stands for."""
    if quotes == '"""':
        lines = raw.split("\n")[1:]
        indentation = lines.pop()
        raw = "\n".join(line.removeprefix(indentation) for line in lines)
        raw = re.sub(re.escape(escape) + r"[ \t]*\n", "", raw)
    pattern = re.compile(re.escape(escape) + r"(?:u\{([0-9a-fA-F]+)\}|(.))", re.DOTALL)
    return pattern.sub(lambda found: chr(int(found[1], 16)) if found[1] else ESCAPES.get(found[2], found[2]), raw)


@dataclasses.dataclass
class Argument:
    label: str
    tokens: list[Token]

    @property
    def literal(self) -> str | None:
        """The text, if the argument is one literal and no part of it is computed."""
        return self.tokens[0].value if len(self.tokens) == 1 and self.tokens[0].kind == "string" else None


@dataclasses.dataclass
class Call:
    name: str
    start: int
    comments: list[Token]  # those right before the line
    arguments: list[Argument]


def calls(source: str, found: list[Token], name: str) -> Iterator[Call]:
    """The calls of a function that no type has, also in the arguments of others and within strings."""
    comments: list[Token] = []
    previous: Token | None = None
    for index, token in enumerate(found):
        yield from calls(source, token.inner, name)
        if token.kind == "comment":
            comments.append(token)
            continue
        opens = index + 1 < len(found) and found[index + 1].text == "(" and found[index + 1].start == token.end
        is_call = token.kind == "word" and token.text == name and opens
        if is_call and (previous is None or previous.text not in (".", "func")):
            line = source.rfind("\n", 0, token.start) + 1
            yield Call(name, token.start, _before(source, comments, line), _arguments(found, index + 2))
        previous = token


def _before(source: str, comments: list[Token], line: int) -> list[Token]:
    """The comments on the lines right above the one that begins there."""
    result: list[Token] = []
    for comment in reversed(comments):
        if comment.start >= line:
            continue
        if source[comment.end:line].strip() or source[comment.end:line].count("\n") != 1:
            break
        result.insert(0, comment)
        line = source.rfind("\n", 0, comment.start) + 1
        if source[line:comment.start].strip():
            result.pop(0)
            break
    return result


def _arguments(found: list[Token], start: int) -> list[Argument]:
    result: list[Argument] = []
    current: list[Token] = []
    depth = 0

    def end() -> None:
        words = [token for token in current if token.kind != "comment"]
        if len(words) > 1 and words[0].kind == "word" and words[1].text == ":":
            result.append(Argument(words[0].text, words[2:]))
        elif words:
            result.append(Argument("", words))
        current.clear()

    for token in found[start:]:
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            if depth == 0:
                end()
                return result
            depth -= 1
        elif token.text == "," and depth == 0:
            end()
            continue
        current.append(token)
    raise Mistake("a call does not end")
