"""WebDAV servers that people run, each a process of a test's own, and the person's keyring.

Tests look at a server as another program does, by requests to it: rclone remembers for minutes what it saw on its disk.
"""
import base64
import hashlib
import http.client
import json
import os
import pathlib
import pwd
import random
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

from session import Session

# For a machine whose cores are all busy with something else.
PATIENCE_SECONDS = 90
# Other programs get their ports from above, so that the port of a server that has ended stays free for its return.
PORTS = range(20_000, 32_000)
LIBRARY = "/usr/lib/apache2/modules"
COLLECTION = "cloud"
NEXTCLOUD = pathlib.Path(__file__).parents[1] / "Nextcloud/server.py"


def until(what: str, condition: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> Any:
    """The condition's first true value; raises when the deadline passes."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.05)
    return value


class Login:
    """A user and a password that nothing else on this machine contains, with what passwords are made of besides."""

    def __init__(self) -> None:
        self.user = "me"
        self.token = secrets.token_hex(12)
        self.password = f"pä:s {self.token}"

    def basic(self) -> str:
        """Both, as they are sent."""
        return base64.b64encode(f"{self.user}:{self.password}".encode()).decode()

    def traces(self) -> list[bytes]:
        """What can be found where the password is, also where it is quoted, or is ready to be sent."""
        return [self.token.encode(), self.basic().encode()]

    def account(self) -> str:
        """The line of a password file: the SHA-1 of the password."""
        digest = hashlib.sha1(self.password.encode(), usedforsecurity=False).digest()
        return f"{self.user}:{{SHA}}{base64.b64encode(digest).decode()}\n"


def claimed_port() -> tuple[int, socket.socket]:
    """A port that nobody listens at, and what keeps it for whoever asks for one in this way, as long as it is open: a server
    takes it only later, and again after it was away. On a machine a name without a file can be bound once."""
    for port in random.sample(PORTS, len(PORTS)):
        claim = socket.socket(socket.AF_UNIX)
        with socket.socket() as attempt:
            try:
                claim.bind(f"\0roundel-test-port-{port}")
                attempt.bind(("127.0.0.1", port))
            except OSError:
                claim.close()
                continue
            return port, claim
    raise AssertionError("no port is free")


class Server:
    """Serves one directory with an empty collection in it, to those who log in; without a login, to everybody."""

    def __init__(self, kind: str, login: Login | None) -> None:
        self.kind, self.login = kind, login
        self.port, self.claim = claimed_port()
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="roundel-server-"))
        self.root.chmod(0o755)
        for name in ("files", f"files/{COLLECTION}", "work"):
            (self.root / name).mkdir()
        if os.geteuid() == 0:
            # Servers that drop the superuser's rights come in as somebody else.
            account = pwd.getpwnam("www-data")
            for path in (self.root, *self.root.rglob("*")):
                os.chown(path, account.pw_uid, account.pw_gid)
        if login:
            (self.root / "accounts").write_text(login.account())
        self.log = (self.root / "server.log").open("ab")
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    # Its process

    def start(self) -> None:
        """On the same port each time; returns when it answers."""
        command = getattr(self, f"_{self.kind}")()
        self.process = subprocess.Popen(
            command, env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.root)},
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        until(f"{self.kind} to answer", self._answers)

    def _answers(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            raise AssertionError(f"{self.kind} has ended: {(self.root / 'server.log').read_text(errors='replace')}")
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self) -> None:
        """It is gone as a computer is that was switched off: nobody listens there."""
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None

    def close(self) -> None:
        self.end()
        self.claim.close()
        self.log.close()
        shutil.rmtree(self.root)

    # How each is started

    @staticmethod
    def program(kind: str) -> str | None:
        """Where its program is; None where it is not installed."""
        fetched = os.environ.get("ROUNDEL_SERVERS", "")
        place = {
            "apache": "/usr/sbin/apache2", "nginx": f"{fetched}/nginx/usr/sbin/nginx",
            "wsgidav": f"{fetched}/wsgidav/bin/wsgidav", "rclone": "/usr/bin/rclone",
            # Ours, which behaves as one.
            "nextcloud": "/usr/bin/python3",
        }[kind]
        return place if os.access(place, os.X_OK) else None

    def _with_settings(self, name: str, text: str) -> str:
        (self.root / name).write_text(text)
        return str(self.root / name)

    def _program(self) -> str:
        found = self.program(self.kind)
        assert found, f"{self.kind} is not installed"
        return found

    def _apache(self) -> list[str]:
        modules = "\n".join(f"LoadModule {name}_module {LIBRARY}/mod_{name}.so" for name in (
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "dav", "dav_fs", "dav_lock"))
        access = "Require all granted" if not self.login else (
            f"AuthType Basic\nAuthName test\nAuthUserFile {self.root}/accounts\nRequire valid-user")
        settings = self._with_settings("httpd.conf", f"""
            {modules}
            ServerName localhost
            Listen 127.0.0.1:{self.port}
            PidFile {self.root}/pid
            ErrorLog {self.root}/log
            CustomLog {self.root}/requests "%m %U"
            DocumentRoot {self.root}/files
            DavLockDB {self.root}/locks
            {"User www-data" if os.geteuid() == 0 else ""}
            {"Group www-data" if os.geteuid() == 0 else ""}
            <Directory {self.root}/files>
              Dav On
              {access}
            </Directory>
            """)
        return [self._program(), "-d", str(self.root), "-f", settings, "-DFOREGROUND"]

    def _nginx(self) -> list[str]:
        work = "\n".join(f"{name}_temp_path {self.root}/work;" for name in (
            "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        access = f"auth_basic test; auth_basic_user_file {self.root}/accounts;" if self.login else ""
        module = f"{os.environ.get('ROUNDEL_SERVERS', '')}/nginx/usr/lib/nginx/modules/ngx_http_dav_ext_module.so"
        settings = self._with_settings("nginx.conf", f"""
            load_module {module};
            daemon off;
            {"user www-data;" if os.geteuid() == 0 else ""}
            pid {self.root}/pid;
            events {{}}
            http {{
              dav_ext_lock_zone zone=locks:10m;
              access_log off;
              {work}
              server {{
                listen 127.0.0.1:{self.port};
                root {self.root}/files;
                client_max_body_size 0;
                location / {{
                  {access}
                  dav_methods PUT DELETE MKCOL COPY MOVE;
                  dav_ext_methods PROPFIND OPTIONS LOCK UNLOCK;
                  dav_ext_lock zone=locks;
                }}
              }}
            }}
            """)
        return [self._program(), "-p", str(self.root), "-c", settings, "-e", "stderr"]

    def _wsgidav(self) -> list[str]:
        users: Any = {self.login.user: {"password": self.login.password}} if self.login else True
        # What is JSON is YAML as well.
        settings = self._with_settings("wsgidav.json", json.dumps({
            "host": "127.0.0.1", "port": self.port, "provider_mapping": {"/": f"{self.root}/files"},
            "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
            "simple_dc": {"user_mapping": {"*": users}}, "property_manager": True, "lock_storage": True, "verbose": 1}))
        return [self._program(), "--config", settings]

    def _rclone(self) -> list[str]:
        access = ["--user", self.login.user, "--pass", self.login.password] if self.login else []
        return [self._program(), "serve", "webdav", f"{self.root}/files", "--addr", f"127.0.0.1:{self.port}", *access,
                "--config", f"{self.root}/none"]

    def _nextcloud(self) -> list[str]:
        assert self.login, "it has files for people who log in alone"
        password = self._with_settings("password", self.login.password)
        return [self._program(), str(NEXTCLOUD), "--files", f"{self.root}/files", "--address", f"127.0.0.1:{self.port}",
                "--user", self.login.user, "--password-file", password]

    # Nextcloud alone

    def _control(self, method: str, place: str, body: str = "") -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, f"/test/{place}", body)
            answer = connection.getresponse()
            text = answer.read().decode()
            assert answer.status == 200, text
            return text
        finally:
            connection.close()

    def let_nobody_share(self, passwords_alone: bool = False) -> None:
        """It makes no share links any more, or only those with a password."""
        self._control("POST", "quirks", json.dumps({"share-passwords" if passwords_alone else "no-share-links": True}))

    def behave(self, **quirks: Any) -> None:
        """It does otherwise from now on. Underscores in the names of quirks stand for hyphens."""
        self._control("POST", "quirks", json.dumps({name.replace("_", "-"): value for name, value in quirks.items()}))

    def all_requests(self) -> list[str]:
        """The method and the path of each request so far. Of Apache too, which writes them down."""
        if self.kind == "apache":
            return (self.root / "requests").read_text().splitlines()
        return [f"{method} {path}" for method, path, _ in json.loads(self._control("GET", "requests"))["requests"]]

    def posts(self) -> int:
        """The requests so far that are to make something other than a file."""
        return sum(method == "POST" for method, _, _ in json.loads(self._control("GET", "requests"))["requests"])

    def requests(self, place: str) -> int:
        """The requests so far whose address begins in this way."""
        told = json.loads(self._control("GET", "requests"))["requests"]
        return sum(path.startswith(place) for _, path, _ in told)

    def upgrade(self, version: str) -> None:
        """It is of this version from now on, without a quirk of the one before."""
        self._control("DELETE", "quirks")
        self._control("POST", "quirks", json.dumps({"version": version}))

    def page(self, address: str) -> str:
        """What whoever is logged in gets at a page of it."""
        assert self.login and address.startswith(f"http://127.0.0.1:{self.port}/"), address
        request = urllib.request.Request(address, headers={"Authorization": f"Basic {self.login.basic()}"})
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.read().decode()

    def grant(self) -> None:
        """The person agrees to the login in the browser that was begun last."""
        self._control("POST", "grant", "{}")

    def offer_push(self) -> None:
        """It tells of changes from now on, to whoever asks where."""
        self._control("POST", "quirks", json.dumps({"notify-push": True}))

    def stall(self, name: str, after: int | None) -> None:
        """Sends no more than so many bytes of a file and keeps its reader waiting; with None all of it again."""
        place = f"/remote.php/dav/files/{self.login.user if self.login else ''}/{COLLECTION}/{name}"
        quirk = None if after is None else {"path": place, "method": "GET", "bytes": after}
        self._control("POST", "quirks", json.dumps({"stalled-contents": quirk}))

    def forget_requests(self) -> None:
        """What is counted is counted from now on."""
        self._control("DELETE", "requests")

    def sent(self) -> int:
        """Bytes of files that were sent."""
        return int(json.loads(self._control("GET", "requests"))["sent"])

    def is_listened_to(self) -> bool:
        """Whether somebody has opened the place where it tells of changes."""
        requests = json.loads(self._control("GET", "requests"))["requests"]
        return any(path == "/push/ws" for _, path, _ in requests)

    def app_passwords(self) -> list[str]:
        """What it gave to programs."""
        def kept() -> list[str]:
            state = pathlib.Path(f"{self.root}/files.nextcloud/state.json")
            return list(json.loads(state.read_text())["kept"].get("app-passwords", [])) if state.exists() else []

        return until("what it keeps to be written", kept)

    # What is on it

    def base(self) -> str:
        """Where its files begin."""
        return f"/remote.php/dav/files/{self.login.user}" if self.kind == "nextcloud" and self.login else ""

    def address(self, path: str = COLLECTION, user: str = "") -> str:
        """Of a collection, as a person gives it to roundel."""
        return f"webdav+http://{user and user + '@'}127.0.0.1:{self.port}{self.base()}/{path}"

    def ask(self, method: str, name: str = "", body: str | None = None, **headers: str) -> tuple[int, str]:
        """One request about something in the collection; the status and what came."""
        if self.login:
            headers["Authorization"] = f"Basic {self.login.basic()}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            place = f"{self.base()}/{COLLECTION}/{urllib.parse.quote(name)}"
            connection.request(method, place, body and body.encode(), headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        finally:
            connection.close()

    def _do(self, method: str, name: str, body: str | None = None, **headers: str) -> None:
        status, text = self.ask(method, name, body, **headers)
        assert 200 <= status < 300, f"{self.kind}: {method} {name}: {status} {text}"

    def write(self, name: str, text: str, **headers: str) -> None:
        """Underscores in the names of headers stand for hyphens."""
        self._do("PUT", name, text, **{header.replace("_", "-"): value for header, value in headers.items()})

    def make_collection(self, name: str) -> None:
        self._do("MKCOL", f"{name}/")

    def move(self, name: str, new: str) -> None:
        place = f"http://127.0.0.1:{self.port}{self.base()}/{COLLECTION}/{urllib.parse.quote(new)}"
        self._do("MOVE", name, None, Destination=place, Overwrite="F")

    def delete(self, name: str) -> None:
        """The collection itself where the name is empty."""
        self._do("DELETE", name, None, **({} if name else {"Depth": "infinity"}))

    def read(self, name: str) -> str | None:
        """What is in a file; None where there is none. While one is replaced, Apache forbids to read it."""
        status, text = self.ask("GET", name)
        assert status in (200, 403, 404), f"{self.kind}: GET {name}: {status}"
        return text if status == 200 else None

    def files(self) -> list[str]:
        """The paths of everything in the collection, as it is on the server's disk."""
        top = self.root / "files" / COLLECTION
        return sorted(str(path.relative_to(top)) for path in top.rglob("*"))


class Keyring:
    """A real secret service in a session, with a login keyring that is unlocked."""

    PROGRAM = "/usr/bin/gnome-keyring-daemon"

    def __init__(self, session: Session) -> None:
        self.process = subprocess.Popen(
            [self.PROGRAM, "--foreground", "--components=secrets", "--unlock"], env=session.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=session.log)
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(b"the password of the keyring")
        self.process.stdin.close()
        # It says where its control socket is when everything is up.
        self.process.stdout.readline()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
