"""The fake Nextcloud as tests have it: a process of their own, and requests to it."""
from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import typing
import urllib.parse
import xml.etree.ElementTree as Xml

PROGRAM = pathlib.Path(__file__).with_name("server.py")
# The status with which the program ends where somebody else has its port.
PORT_IS_TAKEN = os.EX_TEMPFAIL
# For a machine whose cores are all busy with something else.
PATIENCE_SECONDS = 120
# Other programs get their ports from above, so that the port of a server that has ended stays free for its return.
PORTS = range(12_000, 20_000)
USER, PASSWORD = "me", "pä:s word"
FILES, UPLOADS = f"/remote.php/dav/files/{USER}", f"/remote.php/dav/uploads/{USER}"
SPACES = {"d": "DAV:", "oc": "http://owncloud.org/ns", "nc": "http://nextcloud.org/ns"}
QUESTION = (
    '<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">'
    "<d:prop>{}</d:prop></d:propfind>")
Body = bytes | typing.Iterable[bytes] | None


def basic(password: str = PASSWORD) -> str:
    return "Basic " + base64.b64encode(f"{USER}:{password}".encode()).decode()


class Answer:
    """A status, headers and what came with them."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = answer.status, answer.headers, answer.read()

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> typing.Any:
        return json.loads(self.body)

    @property
    def tag(self) -> str:
        return self.headers["ETag"] or ""


class Nextcloud:
    """One server. Its directory stays over a restart."""

    def __init__(self, *arguments: str) -> None:
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="roundel-nextcloud-"))
        self.files = self.top / "files"
        self.password_file = self.top / "password"
        self.password_file.write_text(PASSWORD)
        self.arguments = arguments
        self.port = next(port for port in random.sample(PORTS, len(PORTS)) if self.listens_at(port))

    def start(self) -> None:
        """On the same port each time; it listens when this returns."""
        assert self.listens_at(self.port), "the fake Nextcloud has ended at once"

    def listens_at(self, port: int) -> bool:
        """Starts it; whether it has got that port. Otherwise it has ended."""
        command = [
            "/usr/bin/python3", str(PROGRAM), "--files", str(self.files), "--address", f"127.0.0.1:{port}",
            "--user", USER, "--password-file", str(self.password_file), *self.arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        if self.process.stdout.readline():
            return True
        self.process.stdout.close()
        status = self.process.wait(PATIENCE_SECONDS)
        assert status == PORT_IS_TAKEN, f"the fake Nextcloud has ended with {status}"
        return False

    def end(self) -> int:
        """Ends it with SIGTERM; its status."""
        self.process.terminate()
        status = self.process.wait(PATIENCE_SECONDS)
        if self.process.stdout:
            self.process.stdout.close()
        return status

    def close(self) -> None:
        if self.process.poll() is None:
            self.end()
        shutil.rmtree(self.top)

    # Requests

    def address(self, path: str, base: str = FILES) -> str:
        return f"http://127.0.0.1:{self.port}{base}/{urllib.parse.quote(path)}"

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)

    def ask(
        self, method: str, address: str, body: Body = None, headers: dict[str, str] | None = None, login: str | None = None,
    ) -> Answer:
        """One request on a connection of its own."""
        with contextlib.closing(self.connection()) as connection:
            connection.request(method, address, body, {"Authorization": login or basic()} | (headers or {}))
            return Answer(connection.getresponse())

    def file(self, method: str, path: str, body: Body = None, **headers: str) -> Answer:
        """A request about a file. Underscores in the names of headers stand for hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask(method, f"{FILES}/{urllib.parse.quote(path)}", body, named)

    def upload(self, method: str, path: str, body: Body = None, **headers: str) -> Answer:
        """A request about a chunked upload."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask(method, f"{UPLOADS}/{urllib.parse.quote(path)}", body, named)

    def move(self, path: str, target: str, **headers: str) -> Answer:
        return self.file("MOVE", path, None, Destination=self.address(target), **headers)

    def ocs(self, method: str, place: str, body: Body = None, **headers: str) -> Answer:
        named = {"OCS-APIRequest": "true", "Accept": "application/json"} | headers
        return self.ask(method, f"/ocs/v2.php/{place}", body, named)

    def control(self, method: str, place: str, value: typing.Any = None) -> typing.Any:
        answer = self.ask(method, f"/test/{place}", None if value is None else json.dumps(value).encode())
        assert answer.status == 200, answer.text
        return answer.json

    def quirks(self, **values: typing.Any) -> None:
        """Turns quirks on or off. Underscores in their names stand for hyphens."""
        self.control("POST", "quirks", {name.replace("_", "-"): value for name, value in values.items()})

    # Listings

    def listing(self, path: str = "", depth: str = "1", *names: str, base: str = FILES) -> dict[str, dict[str, str]]:
        """Of each item, by its address below the collection of the person, the text of its properties."""
        asked = "".join(f"<{name}/>" for name in names or ("d:getetag", "oc:id", "oc:size", "d:getlastmodified"))
        answer = self.ask("PROPFIND", f"{base}/{urllib.parse.quote(path)}", QUESTION.format(asked).encode(), {"Depth": depth})
        assert answer.status == 207, f"{answer.status} {answer.text}"
        found = {}
        for response in Xml.fromstring(answer.body).findall("d:response", SPACES):
            address = urllib.parse.unquote(response.findtext("d:href", "", SPACES))
            properties = {}
            for part in response.findall("d:propstat", SPACES):
                if "200" in part.findtext("d:status", "", SPACES):
                    for element in part.find("d:prop", SPACES) or []:
                        properties[element.tag.rpartition("}")[2]] = "".join(element.itertext())
            found[address.removeprefix(base).strip("/")] = properties
        return found

    def property(self, path: str, name: str) -> str | None:
        return self.listing(path, "0", name)[path].get(name.rpartition(":")[2])

    def tag(self, path: str) -> str:
        found = self.property(path, "d:getetag")
        assert found
        return found
