"""Conditions that a request makes: tags and times, of what it is for and of what it names."""
from __future__ import annotations

import re
import typing
import urllib.parse
from email.utils import parsedate_to_datetime

from refusals import Refusal
from tree import Node
from wire import Request

# An address counts only with a space behind it: without one, Nextcloud takes the list to be about what the request is for (pull
# request 1159 of cbcoutinho/nextcloud-mcp-server tells of it).
LIST = re.compile(r"(?:<([^>]*)>\s)?\(([^)]*)\)")
PART = re.compile(r'(Not\s+)?(?:<([^>]*)>|\[((?:W/)?"[^"]*")\])', re.IGNORECASE)
# Finds what is at an address; None where nothing is.
Finder = typing.Callable[[str], Node | None]


def quoted(node: Node) -> str:
    return f'"{node.tag}"'


def _tag(node: Node | None) -> str | None:
    # Conditions know the tags of files alone: one of a directory, which listings do give, never fits (issue 659 of
    # sabre-io/dav).
    return quoted(node) if node and not node.is_directory else None


def _moment(text: str) -> int | None:
    try:
        return int(parsedate_to_datetime(text).timestamp())
    except (ValueError, TypeError):
        return None


def check(request: Request, node: Node | None, find: Finder) -> None:
    """Refuses the request if what it asks for does not hold."""
    header = request.header
    if wanted := header("if-match"):
        if node is None:
            raise Refusal(412, "If-Match: nothing is there.")
        if wanted != "*" and _tag(node) not in _tags(wanted):
            raise Refusal(412, "If-Match: something else is there.")
    reads = request.method in ("GET", "HEAD")
    since = None
    if unwanted := header("if-none-match"):
        if node is not None and (unwanted == "*" or _tag(node) in _tags(unwanted)):
            if reads:
                raise Refusal(304, "", headers=[("ETag", quoted(node))])
            raise Refusal(412, "If-None-Match: it is there.")
    elif reads:
        since = _moment(header("if-modified-since"))
    if node and since is not None and node.modified <= since:
        raise Refusal(304, "", headers=[("ETag", quoted(node))])
    if node and (since := _moment(header("if-unmodified-since"))) is not None and node.modified > since:
        raise Refusal(412, "If-Unmodified-Since: it was modified.")
    if lists := header("if"):
        _check_lists(lists, node, find)


def _tags(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _check_lists(text: str, node: Node | None, find: Finder) -> None:
    """The header `If`: of every address named, one list has to hold. It is how a client says which contents the target of a
    chunked upload must have: `If-Match` is about the source (issue 25682 of owncloud/core)."""
    targets: list[tuple[Node | None, list[str]]] = []
    for address, conditions in LIST.findall(text):
        if address or not targets:
            targets.append((find(urllib.parse.urlsplit(address).path) if address else node, []))
        targets[-1][1].append(conditions)
    for target, lists in targets:
        if not any(_holds(one, target) for one in lists):
            raise Refusal(412, "If: none of the conditions holds.")


def _holds(conditions: str, node: Node | None) -> bool:
    for negated, token, tag in PART.findall(conditions):
        # Nothing is ever locked, so no token is right.
        holds = not token and _tag(node) == tag
        if holds == bool(negated):
            return False
    return True
