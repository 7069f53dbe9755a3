"""What this server does otherwise than a well-behaved Nextcloud, each a switch that tests turn at run time."""
from __future__ import annotations

import threading
import typing
from urllib.parse import unquote

from refusals import Refusal
from wire import Request

# Of each switch, what it does. A value is true, or what the text says; `{"method", "path", "skip", "count"}` in an object says
# which requests are meant (the method, or several in a list; the beginning of the path; not the next so many; for the next so
# many only).
KNOWN = {
    "throttle": 'refuses requests; {"status": 429 or 503, "after": seconds, "date": true for a date in Retry-After}',
    "maintenance": "is being maintained: 503 for everything but status.php",
    "locked": "423 for what would change something",
    "quota": "bytes that may be stored; 507 beyond",
    "lost-answer": "carries requests out, and cuts the connection instead of answering",
    "lost-request": "cuts the connection instead of carrying requests out",
    "doubled": "carries requests out twice; the second answer is sent",
    "failing": 'refuses requests; {"status": 500 unless told}',
    "fingerprint": "text of the data fingerprint: another one means that a backup was restored",
    "read-only": "paths of directories that cannot be written, or true for all",
    "shares": 'what somebody else shares with the person, by its path: {"letters": "SRMGDNVWCK" or fewer, "owner": name}',
    "locks": 'files that an account has locked, by their paths: {"by": account, "name": name, "kind": 0 for a person}',
    "slow": 'waits before it answers; seconds, or {"seconds": …}',
    "revoked": "401 for every login",
    "no-tag-in-answers": "writes and moves are answered without tags",
    "coarse-tags": "the tags of files are made of modification times in seconds and sizes",
    "folds-case": "names that differ in case alone are the same",
    "hides-dot-files": "listings leave out names that begin with a dot",
    "truncated-listing": 'listings end in the middle: "cut" (unless told) ends the connection there, "malformed" the text, '
                         '"short" leaves out items without a trace',
    "truncated-contents": 'the connection ends in the middle of contents, or after so many "bytes"',
    "stalled-contents": "so many bytes of contents are sent, and nothing more while the client waits",
    "no-ranges": "files are sent as a whole, whatever part is asked for",
    "windows-names": "refuses names that Windows cannot have",
    "notify-push": "offers notify_push",
    "no-bulk": "has no bulk upload",
    "object-storage": "enforces what the documentation asks of chunks: their names, their size, and a Destination each",
    "checks-checksums": "refuses contents that do not have the checksum that was told, as ownCloud does",
    "version": "text of its version, as after an upgrade",
    "no-share-links": "its administrator does not let people share by links",
    "share-days": "number of days for which share links work at most, and unless told",
    "people": 'those that the person can share with, by their accounts: {"name": name, "group": true for a group}',
    "wide-shares": "lets others do everything with what is shared, whatever is asked for",
    "file-locks": "has the app files_lock",
    "versions": "keeps versions of files that are written again, from then on",
    "past-versions": "lists versions without the current one, as releases before 26 do",
    "version-authors": "who wrote versions, by their times in seconds; the person, unless told",
    "share-passwords": "makes share links with a password alone",
    "weak-tags": 'tags are weak and no condition with one ever holds; "headers": a proxy weakens those in headers alone, and '
                 'conditions hold',
    "late": 'a proxy answers with 504 (or "status") when the body has arrived; the request is carried out after so many '
            '"seconds"',
    "body-limit": "a proxy refuses bodies of more bytes with 413",
    "no-moves": "a proxy answers MOVE with 502 (or \"status\"), but for a Destination that is a path, if \"paths\" is set",
    "own-checksums": 'tells checksums that it computed itself, of these kinds: a list of "SHA256", "SHA1", "MD5", "ADLER32"',
    "bare-answers": "checksums are told in listings alone, not with contents",
    "wrong-bit": "contents of files are sent with one bit wrong",
    "other-share": "shares the whole account, whatever is asked for",
    "stale-checksums": "text that is told as the checksums of every file",
    "lying": 'answers with another "status", other "headers" (null for none), another "body", or one in which "replace" names '
             'what is said for what; the request is carried out',
    "moved-tags": "a directory gets another tag when it is moved",
    "file-drop": "lists no directory and gives no contents, but for those of a hidden directory of the client's own",
    "no-infinity": 'refuses listings of whole trees with 412, as ownCloud does; "shallow": lists one level instead',
}


class Quirk:
    """One switch that is on."""

    def __init__(self, value: typing.Any) -> None:
        self.value = value
        self.settings: dict[str, typing.Any] = value if isinstance(value, dict) else {}
        method = self.settings.get("method")
        self.methods = [method] if isinstance(method, str) else method
        self.path = self.settings.get("path")
        self.skipped = self.settings.get("skip", 0)
        self.left = self.settings.get("count")

    def fits(self, request: Request) -> bool:
        if self.methods is not None and request.method not in self.methods:
            return False
        if self.path is not None and not unquote(request.path).startswith(unquote(self.path)):
            return False
        return self.left is None or self.left > 0


class Quirks:
    """The switches that are on."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.on: dict[str, Quirk] = {}

    def change(self, values: dict[str, typing.Any]) -> None:
        """Turns switches on, or off with false or null."""
        for name in values:
            if name not in KNOWN:
                raise Refusal(400, f"There is no quirk {name}.")
        with self.lock:
            for name, value in values.items():
                if value is None or value is False:
                    self.on.pop(name, None)
                else:
                    self.on[name] = Quirk(value)

    def clear(self) -> None:
        with self.lock:
            self.on.clear()

    def values(self) -> dict[str, typing.Any]:
        """Everything that is on; of what is for a number of requests, how many are left."""
        with self.lock:
            return {
                name: quirk.value if quirk.left is None else {**quirk.settings, "count": quirk.left}
                for name, quirk in self.on.items()}

    def has(self, name: str) -> bool:
        return name in self.on

    def value(self, name: str) -> typing.Any:
        """What a switch is set to; None if it is off."""
        quirk = self.on.get(name)
        return quirk.value if quirk else None

    def take(self, name: str, request: Request) -> Quirk | None:
        """The switch, if it is on and meant for this request, which counts as one of its number."""
        with self.lock:
            quirk = self.on.get(name)
            if quirk is None or not quirk.fits(request):
                return None
            if quirk.skipped > 0:
                quirk.skipped -= 1
                return None
            if quirk.left is not None:
                quirk.left -= 1
            return quirk
