"""What a client asks a Nextcloud besides files: its state, what it can do, who is logged in, and share links."""
from __future__ import annotations

import json
import time
import typing
import urllib.parse
from xml.sax.saxutils import escape

from accounts import Accounts, token
from files import Area
from names import decoded
from quirks import Quirks
from refusals import Refusal
from wire import Headers, Request, Response

VERSION = (29, 0, 4)
Data = dict[str, typing.Any] | list[typing.Any]
USER, GROUP, LINK, ALL_RIGHTS = 0, 1, 3, 31
READ, CREATE, DELETE = 1, 4, 8
# The fewest characters of the password of a link.
PASSWORD_LENGTH = 8


def as_json(value: typing.Any, status: int = 200, headers: Headers | None = None) -> Response:
    return Response(
        status, [("Content-Type", "application/json; charset=utf-8"), *(headers or [])], json.dumps(value).encode())


def as_xml(name: str, value: typing.Any) -> str:
    """An OCS value as an element; those of a list have one name."""
    if isinstance(value, dict):
        inner = "".join(as_xml(key, one) for key, one in value.items())
    elif isinstance(value, list):
        inner = "".join(as_xml("element", one) for one in value)
    else:
        inner = "" if value is None or value is False else "1" if value is True else escape(str(value))
    return f"<{name}>{inner}</{name}>" if inner else f"<{name}/>"


class OCS:
    """The requests below /ocs/v1.php and /ocs/v2.php."""

    def __init__(self, area: Area, accounts: Accounts, quirks: Quirks) -> None:
        self.area, self.accounts, self.quirks = area, accounts, quirks

    def status(self) -> Response:
        """What status.php says, without a login, and during maintenance too."""
        text = ".".join(str(number) for number in VERSION)
        return as_json({
            "installed": True, "maintenance": self.quirks.has("maintenance"), "needsDbUpgrade": False, "version": f"{text}.1",
            "versionstring": text, "edition": "", "productname": "Nextcloud", "extendedSupport": False})

    def answer(self, request: Request, server: str) -> Response:
        version, _, place = request.path.removeprefix("/ocs/").partition("/")
        place = place.rstrip("/")
        try:
            if version not in ("v1.php", "v2.php"):
                raise Refusal(404, "There is no such version.")
            if request.header("ocs-apirequest").lower() != "true":
                # Otherwise a page in a browser could ask in the person's name.
                raise Refusal(412, "The header OCS-APIRequest is missing.")
            data = self._data(request, place, server)
        except Refusal as refusal:
            return self._reply(request, version, refusal.status, refusal.message, [], refusal.headers)
        return self._reply(request, version, 200, "OK", data)

    @staticmethod
    def _reply(
        request: Request, version: str, status: int, message: str, data: Data, headers: Headers | None = None,
    ) -> Response:
        # Version 1 says 100 for success, and says it in the text alone, but for what logging in lacks.
        code = (100 if status == 200 else 997 if status == 401 else status) if version == "v1.php" else status
        answered = status if version != "v1.php" or status == 401 else 200
        meta = {"status": "ok" if status == 200 else "failure", "statuscode": code, "message": message}
        wants_json = request.query.get("format") == "json" or "application/json" in request.header("accept")
        if wants_json:
            return as_json({"ocs": {"meta": meta, "data": data}}, answered, headers)
        text = f'<?xml version="1.0"?>\n{as_xml("ocs", {"meta": meta, "data": data})}\n'
        return Response(answered, [("Content-Type", "application/xml; charset=utf-8"), *(headers or [])], text.encode())

    def _data(self, request: Request, place: str, server: str) -> Data:
        shares = "apps/files_sharing/api/v1/shares"
        if place == "cloud/capabilities" and request.method == "GET":
            # Those that anybody may know are given without a login.
            is_known = bool(request.header("authorization")) and bool(self.accounts.check(request))
            return self._capabilities(server, is_known)
        password = self.accounts.check(request)
        if place == "cloud/user" and request.method == "GET":
            return self._user()
        if place == "core/apppassword" and request.method == "DELETE":
            if not self.accounts.revoke(password):
                raise Refusal(403, "This is no app password.")
            return []
        if place == "core/getapppassword" and request.method == "GET":
            if password in self.accounts.app_passwords:
                raise Refusal(403, "This is an app password already.")
            return {"apppassword": self.accounts.grant()}
        if place == "apps/files_sharing/api/v1/sharees" and request.method == "GET":
            return self._sharees(request.query)
        if place.startswith("apps/files_lock/lock/") and self.quirks.has("file-locks"):
            return self._lock(request, place.rpartition("/")[2])
        if place == shares or place.startswith(f"{shares}/"):
            return self._shares(request, place.removeprefix(shares).strip("/"), server)
        raise Refusal(404, "There is nothing at this address.")

    # What it is

    def _capabilities(self, server: str, is_logged_in: bool) -> Data:
        text = self.quirks.value("version") or ".".join(str(number) for number in VERSION)
        capabilities: dict[str, typing.Any] = {
            "core": {"pollinterval": 60, "webdav-root": "remote.php/webdav"}, "theming": {"name": "A fake Nextcloud"}}
        if is_logged_in:
            dav = {"chunking": "1.0"} | ({} if self.quirks.has("no-bulk") else {"bulkupload": "1.0"})
            capabilities |= {
                "dav": dav,
                "files": {
                    "bigfilechunking": True, "blacklisted_files": [".htaccess"], "undelete": False,
                    "versioning": self.quirks.has("versions"),
                    "chunked_upload": {"max_size": 100 << 20, "max_parallel_count": 5}}
                | ({"locking": "1.0"} if self.quirks.has("file-locks") else {}),
                # A guess: Nextcloud's documentation has no such entry, ownCloud's does. Checksums are kept by both.
                "checksums": {"preferredUploadType": "SHA1", "supportedTypes": ["SHA1", "MD5", "SHA256"]},
                "files_sharing": {
                    "api_enabled": True,
                    "public": self._links_offered(),
                    "resharing": True, "group_sharing": True, "group": {"enabled": True, "expire_date": {"enabled": True}},
                    "user": {"send_mail": False, "expire_date": {"enabled": True}}, "default_permissions": ALL_RIGHTS,
                    "sharee": {"query_lookup_default": False, "always_show_unique": True}},
                "password_policy": {"minLength": PASSWORD_LENGTH}}
            if self.quirks.has("notify-push"):
                socket = server.replace("http", "ws", 1)
                capabilities["notify_push"] = {
                    "type": ["files", "activities", "notifications"],
                    "endpoints": {"websocket": f"{socket}/push/ws", "pre_auth": f"{server}/apps/notify_push/pre_auth"}}
        return {
            "version": {
                "major": VERSION[0], "minor": VERSION[1], "micro": VERSION[2], "string": text, "edition": "",
                "extendedSupport": False},
            "capabilities": capabilities}

    def _links_offered(self) -> dict[str, typing.Any]:
        if self.quirks.has("no-share-links"):
            return {"enabled": False}
        is_enforced = self.quirks.has("share-passwords")
        days = self.quirks.value("share-days")
        end: Data = {"enabled": False} if days is None else {"enabled": True, "days": int(days), "enforced": True}
        return {
            "enabled": True, "password": {"enforced": is_enforced, "askForOptionalPassword": False}, "multiple_links": True,
            "expire_date": end, "expire_date_internal": {"enabled": False}, "expire_date_remote": {"enabled": False},
            "send_mail": False, "upload": True, "upload_files_drop": True}

    def _user(self) -> Data:
        used, available = self.area.store.tree.root.size, self.area.available()
        quota = {"used": used, "free": -3 if available is None else available, "quota": -3}
        if available is not None:
            quota |= {"total": used + available, "quota": used + available}
        user = self.accounts.user
        return {
            "enabled": True, "id": user, "quota": quota, "email": None, "displayname": user, "display-name": user, "groups": [],
            "language": "en", "locale": "en"}

    # Share links

    def _shares(self, request: Request, number: str, server: str) -> Data:
        with self.area.store.lock:
            shares: list[dict[str, typing.Any]] = self.area.store.kept.setdefault("shares", [])
            # A share goes with what it shares.
            ids = {node.id: node for node in self.area.store.tree.root.all()}
            shares[:] = [share for share in shares if share["item"] in ids]
            if not number:
                if request.method == "GET":
                    wanted = request.query.get("path")
                    item = None if wanted is None else self.area.existing(decoded(urllib.parse.quote(wanted))).id
                    return [self._described(share, server) for share in shares if item in (None, share["item"])]
                if request.method == "POST":
                    shares.append(share := self._new_share(self.arguments(request)))
                    self.area.store.changed.set()
                    return self._described(share, server)
            for share in shares:
                if str(share["id"]) != number:
                    continue
                if request.method == "GET":
                    return [self._described(share, server)]
                if request.method == "PUT":
                    self._change(share, self.arguments(request))
                    self.area.store.changed.set()
                    return self._described(share, server)
                if request.method == "DELETE":
                    shares.remove(share)
                    self.area.store.changed.set()
                    return []
        raise Refusal(404, "There is no such share.")

    def _change(self, share: dict[str, typing.Any], arguments: dict[str, typing.Any]) -> None:
        """One value at a time, as the documentation has it; one that is empty takes an end or a password away."""
        changes = {name: value for name, value in arguments.items() if name in ("permissions", "password", "expireDate")}
        if len(changes) != 1:
            raise Refusal(400, "Wrong or no update parameter given")
        ((name, value),) = changes.items()
        if name == "permissions":
            node = next(node for node in self.area.store.tree.root.all() if node.id == share["item"])
            wanted = int(value) & ALL_RIGHTS
            if not node.is_directory and wanted & CREATE:
                raise Refusal(403, "Public upload is only possible for publicly shared folders")
            share["permissions"] = ALL_RIGHTS if self.quirks.has("wide-shares") else wanted
        elif share["kind"] == LINK:
            checked = {"password": "x" * PASSWORD_LENGTH, "expireDate": share["expires"], name: value}
            self._check_link({key: one for key, one in checked.items() if one or key == "password"}, share["permissions"])
        if name == "password":
            share["has-password"] = bool(value)
        elif name == "expireDate":
            share["expires"] = value or None

    @staticmethod
    def arguments(request: Request) -> dict[str, typing.Any]:
        body = request.text()
        if "json" in request.header("content-type"):
            found: dict[str, typing.Any] = json.loads(body)
            return request.query | found
        return request.query | dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))

    def _people(self) -> dict[str, dict[str, typing.Any]]:
        """Those that the person can share with, by their accounts."""
        return self.quirks.value("people") or {}

    def _sharees(self, query: dict[str, str]) -> Data:
        """A search for people and groups (OCS Sharee API)."""
        text = query.get("search", "").lower()
        found: dict[str, typing.Any] = {"users": [], "groups": []}
        exact: dict[str, typing.Any] = {"users": [], "groups": []}
        for account, told in self._people().items():
            name, is_group = str(told.get("name", account)), bool(told.get("group"))
            if text not in name.lower() and text not in account.lower():
                continue
            kind = "groups" if is_group else "users"
            entry = {"label": name, "value": {"shareType": GROUP if is_group else USER, "shareWith": account}}
            if not is_group:
                entry["shareWithDisplayNameUnique"] = str(told.get("mail", account))
            (exact if text in (name.lower(), account.lower()) else found)[kind].append(entry)
        return {"exact": exact, **found, "lookup": [], "lookupEnabled": False}

    def _lock(self, request: Request, number: str) -> Data:
        """A lock that the person sets or takes off (files_lock)."""
        with self.area.store.lock:
            nodes = [node for node in self.area.store.tree.root.all() if str(node.id) == number]
            if not nodes:
                raise Refusal(404, "There is no such file.")
            path = "/".join(nodes[0].path())
            locks = dict(self.quirks.value("locks") or {})
            by = locks.get(path, {}).get("by")
            if by not in (None, self.accounts.user):
                raise Refusal(500, "")
            match request.method:
                case "PUT":
                    locks[path] = {"by": self.accounts.user, "name": self.accounts.user, "kind": 0}
                case "DELETE":
                    if by is None:
                        raise Refusal(500, "")
                    del locks[path]
                case _:
                    raise Refusal(405, "That is no method for locks.")
            self.quirks.change({"locks": locks or None})
        return []

    def _new_share(self, arguments: dict[str, typing.Any]) -> dict[str, typing.Any]:
        kind = int(arguments.get("shareType", -1))
        if kind not in (USER, GROUP, LINK):
            raise Refusal(400, "Unknown share type")
        path = "" if self.quirks.has("other-share") else str(arguments.get("path", ""))
        wanted = int(arguments.get("permissions", READ if kind == LINK else ALL_RIGHTS)) & ALL_RIGHTS
        if kind == LINK:
            self._check_link(arguments, wanted)
        elif self._people().get(str(arguments.get("shareWith")), {"group": None}).get("group", False) is not (kind == GROUP):
            raise Refusal(404, "Please specify a valid account to share with")
        node = self.area.existing(decoded(urllib.parse.quote(path)))
        kept = self.area.store.kept
        other = [
            share for share in kept.get("shares", [])
            if kind != LINK and (share["item"], share["kind"], share.get("with")) == (node.id, kind, arguments["shareWith"])]
        if other:
            raise Refusal(403, "Sharing failed, because this item is already shared with the account")
        if not node.is_directory:
            if kind == LINK and wanted & CREATE:
                raise Refusal(403, "Public upload is only possible for publicly shared folders")
            # Nothing can be put into a file, and whoever has it alone cannot delete it.
            wanted &= ~(CREATE | DELETE)
        if self.quirks.has("wide-shares"):
            wanted = ALL_RIGHTS
        kept["next-share"] = kept.get("next-share", 0) + 1
        return {
            "id": kept["next-share"], "kind": kind, "item": node.id, "token": token(15) if kind == LINK else None,
            "at": int(time.time()), "permissions": wanted, "expires": arguments.get("expireDate"),
            "with": arguments.get("shareWith"), "has-password": kind == LINK and bool(arguments.get("password"))}

    def _check_link(self, arguments: dict[str, typing.Any], wanted: int) -> None:
        if self.quirks.has("no-share-links"):
            raise Refusal(404, "Public link sharing is disabled by the administrator")
        password = arguments.get("password")
        if self.quirks.has("share-passwords") and not password:
            raise Refusal(403, "Passwords are enforced for link and mail shares")
        if password and len(password) < PASSWORD_LENGTH:
            raise Refusal(400, f"Password needs to be at least {PASSWORD_LENGTH} characters long.")
        if (days := self.quirks.value("share-days")) is None:
            return
        last = time.strftime("%Y-%m-%d", time.localtime(time.time() + int(days) * 86400))
        if str(arguments.setdefault("expireDate", last)) > last:
            raise Refusal(404, f"Cannot set expiration date more than {days} days in the future")

    def open_link(self, request: Request) -> Response:
        """What a browser gets at a share link; below it, `download` gives a file."""
        made, _, rest = request.path.removeprefix("/s/").partition("/")
        with self.area.store.lock:
            shares = [share for share in self.area.store.kept.get("shares", []) if share["token"] == made]
            nodes = [node for node in self.area.store.tree.root.all() if shares and node.id == shares[0]["item"]]
        if not nodes or rest not in ("", "download") or request.method not in ("GET", "HEAD"):
            raise Refusal(404, "There is no such link.")
        if rest:
            return self.area.get(request, nodes[0].path())
        return Response(200, [("Content-Type", "text/html; charset=utf-8")], b"<title>Somebody shares this</title>")

    def find_page(self, number: str) -> Response:
        """Where the page of an item is: in the list of its directory, or its own list."""
        with self.area.store.lock:
            nodes = [node for node in self.area.store.tree.root.all() if str(node.id) == number]
            if not nodes:
                raise Refusal(404, "There is no such file.")
            path = nodes[0].path() if nodes[0].is_directory else nodes[0].path()[:-1]
        query = urllib.parse.urlencode({"dir": "/" + "/".join(path)})
        return Response(303, [("Location", f"/apps/files/files/{number}?{query}")], b"")

    def open_page(self, number: str) -> Response:
        """The page of an item for whoever has it."""
        with self.area.store.lock:
            names = [node.name for node in self.area.store.tree.root.all() if str(node.id) == number]
        if not names:
            raise Refusal(404, "There is no such file.")
        text = f"<title>{escape(names[0])}</title>"
        return Response(200, [("Content-Type", "text/html; charset=utf-8")], text.encode())

    def _described(self, share: dict[str, typing.Any], server: str) -> dict[str, typing.Any]:
        node = next(node for node in self.area.store.tree.root.all() if node.id == share["item"])
        user, path = self.accounts.user, "/" + "/".join(node.path())
        # Numbers of shares are text, those of files are not, in what the interface answers.
        return {
            "id": str(share["id"]), "share_type": share["kind"], "uid_owner": user, "displayname_owner": user,
            "permissions": share["permissions"], "stime": share["at"], "token": share["token"],
            "expiration": share["expires"] and f"{share['expires']} 00:00:00",
            "path": path, "item_type": "folder" if node.is_directory else "file", "item_source": node.id,
            "file_source": node.id, "file_target": path, "label": "", "note": "", **self._recipient(share, server)}

    def _recipient(self, share: dict[str, typing.Any], server: str) -> dict[str, typing.Any]:
        if share["kind"] == LINK:
            hidden = "***" if share["has-password"] else None
            return {"share_with": hidden, "password": hidden, "url": f"{server}/s/{share['token']}"}
        account = share["with"]
        return {"share_with": account, "share_with_displayname": self._people().get(account, {}).get("name", account)}
