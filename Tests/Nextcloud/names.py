"""Names of files: how they come out of an address, and which ones are refused."""
from __future__ import annotations

import re
import unicodedata
import urllib.parse

from refusals import INVALID_PATH, Refusal

Path = tuple[str, ...]

# Bytes of a name; Nextcloud keeps room below what file systems take.
LONGEST = 250
# Apache would obey it.
FORBIDDEN = {".htaccess"}
# What an upload is called that is under way.
FORBIDDEN_ENDINGS = (".part", ".filepart")
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
RESERVED_CHARACTERS = re.compile(r'[?<>:*|"]')


def decoded(path: str) -> Path:
    """The components of an address, decoded once, and composed as Nextcloud keeps them (issue 9207 of nextcloud/server)."""
    found = []
    for part in path.split("/"):
        if not part:
            continue
        try:
            name = urllib.parse.unquote_to_bytes(part).decode()
        except UnicodeDecodeError as error:
            raise Refusal(400, "The address is not UTF-8.") from error
        if name in (".", "..") or "/" in name or "\0" in name:
            raise Refusal(400, "The address leads out of the directory.")
        found.append(unicodedata.normalize("NFC", name))
    return tuple(found)


def check(name: str, for_windows: bool) -> None:
    """Refuses a name for something new. The statuses are those that issue threads show; the documentation has none."""
    if "\\" in name or any(ord(character) < 0x20 for character in name):
        raise Refusal(400, "The name has a forbidden character.", INVALID_PATH)
    if len(name.encode()) > LONGEST:
        raise Refusal(400, "The name is too long.", INVALID_PATH)
    if name.lower() in FORBIDDEN or name.lower().endswith(FORBIDDEN_ENDINGS):
        raise Refusal(403, "The name is forbidden.")
    if not for_windows:
        return
    if RESERVED.fullmatch(name) or RESERVED_CHARACTERS.search(name) or name.endswith((".", " ")):
        raise Refusal(400, "Windows cannot have this name.", INVALID_PATH)


def encoded(path: Path) -> str:
    """An address' path, as listings have it: hexadecimal digits in lower case."""
    text = "/".join(urllib.parse.quote(name, safe="()~") for name in path)
    return re.sub("%[0-9A-F]{2}", lambda found: found.group().lower(), text)
