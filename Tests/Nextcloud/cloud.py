"""The whole server: what is at which address, and what the quirks do to requests and answers."""
from __future__ import annotations

import io
import json
import tempfile
import threading
import time
import traceback
import typing
from email.utils import formatdate

import backup
from accounts import Accounts, Logins
from bulk import Bulk
from counting import Counted, Requests
from files import BASE, Area
from names import Path, decoded
from ocs import OCS, as_json
from push import Push
from quirks import Quirk, Quirks
from refusals import Refusal
from store import Store
from uploads import Uploads
from versions import Versions
from wire import PART, Cut, FilePart, Malformed, Request, Response
from writing import Writer

CHANGES = {"PUT", "MKCOL", "DELETE", "MOVE", "COPY", "PROPPATCH", "POST"}
Method = typing.Callable[[Request, Path], Response]


class Cloud:
    """Answers requests."""

    def __init__(self, store: Store, user: str, password: str, requests: Requests) -> None:
        self.store, self.requests = store, requests
        self.quirks = Quirks()
        self.accounts = Accounts(store, self.quirks, user, password)
        self.logins = Logins(self.accounts)
        self.area = Area(store, self.quirks, user)
        self.writer = Writer(self.area)
        self.uploads = Uploads(self.writer)
        self.bulk = Bulk(self.writer)
        self.versions = Versions(self.area)
        self.push = Push(store, self.accounts)
        self.ocs = OCS(self.area, self.accounts, self.quirks)
        area, writer = self.area, self.writer
        self.methods: dict[str, Method] = {
            "OPTIONS": area.options, "GET": area.get, "HEAD": area.get, "PROPFIND": area.propfind, "PROPPATCH": area.proppatch,
            "PUT": writer.put, "MKCOL": writer.mkcol, "DELETE": writer.delete, "MOVE": writer.move_or_copy,
            "COPY": writer.move_or_copy}

    def answer(self, request: Request) -> Response:
        if request.path.startswith("/test/"):
            return self._guarded(request, self._control)
        entry, began, status = self.requests.arrived(request), time.monotonic(), 0
        request.body = Counted(request.body, self.requests)
        try:
            response = self._guarded(request, self._with_quirks)
            status = response.status
            if isinstance(response.body, FilePart) and request.method == "GET":
                self.requests.moved(sent=min(response.body.length, response.cut_after or response.body.length))
            return response
        finally:
            self.requests.answered(entry, status, began)

    @staticmethod
    def _guarded(request: Request, handler: typing.Callable[[Request], Response]) -> Response:
        try:
            return handler(request)
        except Refusal as refusal:
            return refusal.response()
        except (Cut, Malformed):
            raise
        except OSError as error:
            # Somebody changed the disk, and did not ask for a scan.
            return Refusal(500, f"The disk says: {error.strerror}.").response()
        except Exception:
            traceback.print_exc()
            return Refusal(500, "The server has a fault.").response()

    # Quirks

    def _with_quirks(self, request: Request) -> Response:
        self._refuse(request)
        if self.quirks.take("lost-request", request):
            raise Cut
        self.store.has_coarse_tags = self.quirks.has("coarse-tags")
        if quirk := self.quirks.take("late", request):
            return self._late(request, quirk)
        handle = self._twice if self.quirks.take("doubled", request) else self._routed
        response = self._guarded(request, handle)
        if self.quirks.has("weak-tags"):
            response.headers = [
                (name, f"W/{value}" if name in ("ETag", "OC-ETag") else value) for name, value in response.headers]
        if isinstance(response.body, FilePart) and self.quirks.take("wrong-bit", request):
            with response.body.file as file:
                file.seek(response.body.start)
                contents = bytearray(file.read(response.body.length))
            contents[len(contents) // 2] ^= 1
            response.body = bytes(contents)
        if quirk := self.quirks.take("lying", request):
            self._lie(response, quirk)
        if self.quirks.take("lost-answer", request):
            response.close()
            raise Cut
        if isinstance(response.body, FilePart) and (quirk := self.quirks.take("truncated-contents", request)):
            response.cut_after = quirk.settings.get("bytes", max(1, response.body.length // 2))
        if isinstance(response.body, FilePart) and (quirk := self.quirks.take("stalled-contents", request)):
            response.cut_after, response.stalls = quirk.settings.get("bytes", quirk.value), True
        return response

    def _refuse(self, request: Request) -> None:
        """What quirks do before a request is looked at."""
        take = self.quirks.take
        if quirk := take("slow", request):
            time.sleep(float(quirk.settings.get("seconds", 1) if quirk.settings else quirk.value))
        if self.quirks.has("maintenance") and request.path != "/status.php":
            raise Refusal(503, "The server is being maintained.", headers=[
                ("X-Nextcloud-Maintenance-Mode", "1"), ("Retry-After", "120")])
        if quirk := take("throttle", request):
            after = quirk.settings.get("after", 1)
            text = formatdate(time.time() + after, usegmt=True) if quirk.settings.get("date") else str(after)
            raise Refusal(quirk.settings.get("status", 429), "Later.", headers=[] if after is None else [("Retry-After", text)])
        length = request.length
        if (limit := self.quirks.value("body-limit")) is not None and length is not None and length > limit:
            raise Refusal(413, "The body is too large.")
        if request.method == "MOVE" and (quirk := take("no-moves", request)) and not (
                quirk.settings.get("paths") and request.header("destination").startswith("/")):
            raise Refusal(quirk.settings.get("status", 502), "There is no gateway.")
        if self.quirks.value("weak-tags") is True:
            self._check_no_condition(request)
        if quirk := take("failing", request):
            raise Refusal(quirk.settings.get("status", 500), "It fails.")
        if request.method in CHANGES and request.path.startswith(BASE) and take("locked", request):
            raise Refusal(423, "Somebody has it locked.")

    @staticmethod
    def _lie(response: Response, quirk: Quirk) -> None:
        """Changes an answer, but for one that is the contents of a file."""
        settings = quirk.settings
        response.status = settings.get("status", response.status)
        headers = settings.get("headers", {})
        response.headers = [(name, value) for name, value in response.headers if name not in headers]
        response.headers += [(name, value) for name, value in headers.items() if value is not None]
        if isinstance(response.body, FilePart):
            return
        body = response.body if isinstance(response.body, bytes) else b"".join(response.body)
        body = settings["body"].encode() if "body" in settings else body
        for found, told in settings.get("replace", {}).items():
            body = body.replace(found.encode(), told.encode())
        response.body = body

    @staticmethod
    def _check_no_condition(request: Request) -> None:
        """Weak tags never hold where strong ones are compared (RFC 9110, section 13.1.1)."""
        if request.header("if-match") not in ("", "*") or "[" in request.header("if"):
            raise Refusal(412, "The tag is weak.")

    def _late(self, request: Request, quirk: Quirk) -> Response:
        """As if a proxy had given up waiting."""
        request.body = io.BytesIO(b"".join(iter(lambda: request.body.read(PART), b"")))

        def carry_out() -> None:
            self._guarded(request, self._routed).close()

        if seconds := quirk.settings.get("seconds", 0):
            timer = threading.Timer(seconds, carry_out)
            timer.daemon = True
            timer.start()
        else:
            carry_out()
        return Refusal(quirk.settings.get("status", 504), "The server takes its time.").response()

    def _twice(self, request: Request) -> Response:
        """As if a proxy had sent the request again, having lost the answer."""
        with tempfile.TemporaryFile() as kept:
            while part := request.body.read(PART):
                kept.write(part)
            for is_second in (False, True):
                kept.seek(0)
                request.body = typing.cast(io.BufferedReader, kept)
                response = self._guarded(request, self._routed)
                if not is_second:
                    response.close()
        return response

    # Addresses

    def _routed(self, request: Request) -> Response:
        path = request.path
        server = f"http://{request.header('host', 'localhost')}"
        if path == "/status.php":
            return self.ocs.status()
        if path.startswith("/ocs/"):
            return self.ocs.answer(request, server)
        path = path.removeprefix("/index.php")
        if path == "/push/ws" and self.quirks.has("notify-push"):
            return self.push.upgrade(request)
        if path == "/apps/notify_push/pre_auth" and request.method == "POST" and self.quirks.has("notify-push"):
            self.accounts.check(request)
            return Response(200, [("Content-Type", "text/plain")], self.push.grant().encode())
        if path.startswith("/login/v2"):
            return self._login(request, path, server)
        if path.startswith("/s/"):
            return self.ocs.open_link(request)
        if path.startswith("/f/"):
            self.accounts.check(request)
            return self.ocs.find_page(path.removeprefix("/f/"))
        if path.startswith("/apps/files/files/"):
            self.accounts.check(request)
            return self.ocs.open_page(path.removeprefix("/apps/files/files/"))
        if path == BASE or path.startswith(f"{BASE}/"):
            self.accounts.check(request)
            return self._dav(request)
        raise Refusal(404, "There is nothing at this address.")

    def _dav(self, request: Request) -> Response:
        kind, *rest = decoded(request.path.removeprefix(BASE)) or ("",)
        if kind in ("files", "uploads", "versions"):
            if rest[:1] != [self.area.user]:
                raise Refusal(404, "There is no such person.")
            if kind == "versions":
                return self.versions.answer(request, tuple(rest[1:]))
            if kind == "uploads":
                return self.uploads.answer(request, tuple(rest[1:]))
            return self.methods.get(request.method, self.area.is_not_implemented)(request, tuple(rest[1:]))
        if kind == "bulk" and request.method == "POST" and not self.quirks.has("no-bulk"):
            return self.bulk.post(request)
        if not kind and request.method == "OPTIONS":
            return self.area.options(request, ())
        raise Refusal(404, "There is nothing at this address.")

    def _login(self, request: Request, path: str, server: str) -> Response:
        if path == "/login/v2" and request.method == "POST":
            return as_json(self.logins.begin(server))
        if path == "/login/v2/poll" and request.method == "POST":
            found = self.logins.poll(server, OCS.arguments(request).get("token", ""))
            return as_json([] if found is None else found, 404 if found is None else 200)
        if path.startswith("/login/v2/flow/") and self.logins.is_flow(path.removeprefix("/login/v2/flow/")):
            return Response(200, [("Content-Type", "text/html; charset=utf-8")], b"<title>Do you agree?</title>")
        raise Refusal(404, "There is no such login.")

    # Tests

    def _control(self, request: Request) -> Response:
        """Requests of tests, which need no login and are not counted."""
        method, place = request.method, request.path.removeprefix("/test/")
        body = request.text()
        try:
            value: dict[str, typing.Any] = json.loads(body) if body else {}
        except ValueError as error:
            raise Refusal(400, "The body is not JSON.") from error
        match (method, place):
            case ("GET", "quirks"):
                return as_json(self.quirks.values())
            case ("POST", "quirks"):
                self.quirks.change(value)
                return as_json(self.quirks.values())
            case ("DELETE", "quirks"):
                self.quirks.clear()
                return as_json({})
            case ("GET", "requests"):
                return as_json(self.requests.figures())
            case ("DELETE", "requests"):
                self.requests.clear()
                return as_json({})
            case ("POST", "scan"):
                return as_json({"changed": self.store.scan(tuple(part for part in value.get("path", "").split("/") if part))})
            case ("POST", "backup"):
                backup.make(self.store)
                return as_json({})
            case ("POST", "restore"):
                backup.restore(self.store)
                return as_json({})
            case ("POST", "grant"):
                if not self.logins.grant(value.get("flow")):
                    raise Refusal(404, "Nobody waits for the person to agree.")
                return as_json({})
            case ("POST", "revoke"):
                self.accounts.revoke_all()
                return as_json({})
            case ("POST", "save"):
                self.store.save()
                return as_json({})
        raise Refusal(404, "There is no such control request.")
