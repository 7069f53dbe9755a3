"""Properties of files, and the listings that give them."""
from __future__ import annotations

import dataclasses
import mimetypes
import typing
import xml.etree.ElementTree as Xml
from email.utils import formatdate
from xml.sax.saxutils import escape, quoteattr

from names import Path, encoded
from refusals import Refusal
from tree import Node

OC, NC, OCS = "http://owncloud.org/ns", "http://nextcloud.org/ns", "http://open-collaboration-services.org/ns"
PREFIXES = {"DAV:": "d", OC: "oc", NC: "nc", OCS: "ocs"}
BEGIN = (
    '<?xml version="1.0"?>\n<d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" '
    f'xmlns:oc="{OC}" xmlns:nc="{NC}" xmlns:ocs="{OCS}">')
END = "</d:multistatus>\n"
# What a listing gives to a client that asks for nothing in particular.
USUAL = [
    f"{{DAV:}}{name}" for name in (
        "getlastmodified", "getcontentlength", "resourcetype", "quota-used-bytes", "quota-available-bytes", "getetag",
        "getcontenttype")]
LOCKS = "".join(
    f"<d:lockentry><d:lockscope><d:{scope}/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockentry>"
    for scope in ("exclusive", "shared"))


@dataclasses.dataclass
class Place:
    """What properties depend on besides the file."""

    user: str
    instance: str
    fingerprint: str
    # Bytes that may still be stored; None without a quota.
    available: int | None
    # Whether something may not be written.
    is_read_only: typing.Callable[[Node], bool]
    # What is said of the share that an item is in, and of its lock.
    share: typing.Callable[[Node], dict[str, str]]
    lock: typing.Callable[[Node], dict[str, typing.Any]]
    # The kinds of shares of the item with an id.
    shares: dict[int, list[int]]
    # Whether tags are weak.
    has_weak_tags: bool
    # What is told of a file's contents.
    checksum: typing.Callable[[Node], str]


def file_id(node: Node, instance: str) -> str:
    return f"{node.id:08d}{instance}"


def permissions(node: Node, place: Place) -> str:
    """The letters are those of the documentation: shareable, readable, deletable, renameable, movable, then what can be written
    in it."""
    if place.is_read_only(node):
        return "RG"
    if letters := place.share(node).get("letters"):
        return "".join(letter for letter in letters if letter not in ("W" if node.is_directory else "CK"))
    return "RGDNVCK" if node.is_directory else "RGDNVW"


def _resource_type(node: Node, _: Place) -> str:
    return "<d:collection/>" if node.is_directory else ""


def _length(node: Node, _: Place) -> str | None:
    return None if node.is_directory else str(node.size)


def _content_type(node: Node, _: Place) -> str | None:
    return None if node.is_directory else content_type(node.name)


def content_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def _available(node: Node, place: Place) -> str | None:
    # -3 is the documented number for a storage without a limit.
    return (str(-3 if place.available is None else place.available)) if node.is_directory else None


def _used(node: Node, _: Place) -> str | None:
    return str(node.size) if node.is_directory else None


def _checksums(node: Node, place: Place) -> str | None:
    checksum = "" if node.is_directory else place.checksum(node)
    return f"<oc:checksum>{escape(checksum)}</oc:checksum>" if checksum else None


def _tag(node: Node, place: Place) -> str:
    return f"{'W/' if place.has_weak_tags else ''}&quot;{node.tag}&quot;"


def _share_types(node: Node, place: Place) -> str:
    return "".join(f"<oc:share-type>{kind}</oc:share-type>" for kind in place.shares.get(node.id, []))


def _owner(node: Node, place: Place) -> str:
    return escape(place.share(node).get("owner", place.user))


def _lock(key: str) -> typing.Callable[[Node, Place], str | None]:
    """The properties of the app files_lock, as its page describes them: only what is locked has them here."""
    def told(node: Node, place: Place) -> str | None:
        lock = place.lock(node)
        return escape(str(lock.get(key, ""))) if lock else None
    return told


def _contained(directories: bool) -> typing.Callable[[Node, Place], str | None]:
    def count(node: Node, _: Place) -> str | None:
        return str(sum(child.is_directory == directories for child in node.entries.values())) if node.is_directory else None
    return count


# Of each property, what is in its element; None where the item does not have it.
KNOWN: dict[str, typing.Callable[[Node, Place], str | None]] = {
    "{DAV:}getetag": _tag,
    "{DAV:}getlastmodified": lambda node, _: formatdate(node.modified, usegmt=True),
    "{DAV:}getcontentlength": _length,
    "{DAV:}getcontenttype": _content_type,
    "{DAV:}resourcetype": _resource_type,
    "{DAV:}displayname": lambda node, place: escape(node.name or place.user),
    "{DAV:}quota-available-bytes": _available,
    "{DAV:}quota-used-bytes": _used,
    "{DAV:}lockdiscovery": lambda *_: "",
    "{DAV:}supportedlock": lambda *_: LOCKS,
    f"{{{OC}}}id": lambda node, place: file_id(node, place.instance),
    f"{{{OC}}}fileid": lambda node, _: str(node.id),
    f"{{{OC}}}permissions": permissions,
    f"{{{OC}}}size": lambda node, _: str(node.size),
    f"{{{OC}}}checksums": _checksums,
    # The documentation has it in Nextcloud's namespace; the thread in which it was made, and clients, in this one (pull
    # request 24054 of owncloud/core; of every item that is asked: 1145 of nextcloud/server).
    f"{{{OC}}}data-fingerprint": lambda _, place: escape(place.fingerprint),
    f"{{{OC}}}owner-id": lambda _, place: escape(place.user),
    f"{{{OC}}}owner-display-name": _owner,
    f"{{{NC}}}lock": lambda node, place: "1" if place.lock(node) else None,
    f"{{{NC}}}lock-owner": _lock("by"),
    f"{{{NC}}}lock-owner-displayname": _lock("name"),
    f"{{{NC}}}lock-owner-type": _lock("kind"),
    f"{{{OC}}}favorite": lambda node, _: str(int(node.favorite)),
    f"{{{OC}}}share-types": _share_types,
    f"{{{OC}}}comments-unread": lambda *_: "0",
    f"{{{NC}}}has-preview": lambda *_: "false",
    f"{{{NC}}}mount-type": lambda *_: "",
    f"{{{NC}}}is-encrypted": lambda *_: "0",
    f"{{{NC}}}creation_time": lambda *_: "0",
    f"{{{NC}}}upload_time": lambda node, _: str(node.uploaded),
    f"{{{NC}}}contained-folder-count": _contained(True),
    f"{{{NC}}}contained-file-count": _contained(False),
}


def asked(body: bytes) -> list[str]:
    """The names of the properties that a client asks for."""
    if not body.strip():
        return USUAL
    try:
        root = Xml.fromstring(body)
    except Xml.ParseError as error:
        raise Refusal(400, "The question is not well-formed.") from error
    if root.tag != "{DAV:}propfind":
        raise Refusal(400, "The question is of another kind.")
    properties = root.find("{DAV:}prop")
    return USUAL if properties is None else list(dict.fromkeys(child.tag for child in properties))


def element(name: str, inner: str | None = None) -> str:
    """The element of a property; an empty one without contents."""
    space, _, local = name[1:].rpartition("}") if name.startswith("{") else ("", "", name)
    prefix = PREFIXES.get(space)
    opened = f"{prefix}:{local}" if prefix else f"x:{local}" if space else local
    declared = "" if prefix else f" xmlns:x={quoteattr(space)}" if space else ' xmlns=""'
    return f"<{opened}{declared}/>" if not inner else f"<{opened}{declared}>{inner}</{opened}>"


def response(address: str, node: Node, names: list[str], place: Place) -> str:
    """What a listing says of one item: what it has, then what it does not have."""
    found, missing = [], []
    for name in names:
        known = KNOWN.get(name)
        inner = known(node, place) if known else None
        if inner is None:
            missing.append(element(name))
        else:
            found.append(element(name, inner))
    return f"<d:response><d:href>{address}</d:href>{propstat(found, '200 OK')}{propstat(missing, '404 Not Found')}</d:response>"


def propstat(elements: list[str], status: str) -> str:
    if not elements:
        return ""
    return f"<d:propstat><d:prop>{''.join(elements)}</d:prop><d:status>HTTP/1.1 {status}</d:status></d:propstat>"


def address(base: str, path: Path, is_directory: bool) -> str:
    """An item's address as it stands in a listing, without the server's name."""
    below = f"/{encoded(path)}" if path else ""
    return escape(f"{base}{below}{'/' if is_directory else ''}")
