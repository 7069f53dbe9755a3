"""A folder that is synced with a server behind a login: what a file manager shows while the server comes and goes."""
import os
import pathlib
import random
import secrets
import socket
import subprocess

from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from waiting import PROGRAM_SECONDS, Failure, wait_for

UNSETTLED = ["pending", "syncing", "paused", "error", "conflict"]
SECRET_SERVICE = "org.freedesktop.secrets"
KEYRING = "exec gnome-keyring-daemon --foreground --components=secrets --unlock"
FILM_SIZE = 512 << 20  # bytes; several times what is written before the transfer is held
FILES = ("Budget.ods", "Letter.odt", "Notes.txt")


def claimed_port() -> tuple[int, socket.socket]:
    """A port that nobody listens at, and what keeps it for this scenario as long as it is open: those that are played at the
    same time have no server yet when they look. On a machine a name without a file can be bound once. Other programs get
    their ports from above 32768, so that it stays free while the server is away."""
    for port in random.sample(range(20_000, 32_000), 1000):
        claim = socket.socket(socket.AF_UNIX)
        with socket.socket() as attempt:
            try:
                claim.bind(f"\0roundel-test-port-{port}")
                attempt.bind(("127.0.0.1", port))
            except OSError:
                claim.close()
                continue
            return port, claim
    raise Failure("no port is free")


class ServerFolderScenario:
    collection = "cloud"  # on the server

    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.above = desktop.home / "Places"  # shows the folder's own emblem
        self.folder = self.above / "Cloud"
        self.served = desktop.work / "served"
        self.port, self.claim = claimed_port()
        self.address = f"127.0.0.1:{self.port}"
        self.password = secrets.token_hex(12)
        self.server: subprocess.Popen[bytes] | None = None

    # The server and the login

    def start_server(self) -> None:
        """On the same port each time."""
        self.server = self.desktop.spawn("server", [
            "rclone", "serve", "webdav", str(self.served), "--addr", self.address, "--user", "me", "--pass", self.password,
            "--config", str(self.desktop.work / "no-remotes")])
        wait_for("the server to answer", self.server_answers)

    def server_answers(self) -> bool:
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", self.port)) == 0

    def end_server(self) -> None:
        if self.server:
            self.server.terminate()
            self.server.wait()

    def start_keyring(self) -> None:
        """A real one, unlocked: it reads the password of the keyring from its standard input."""
        file = self.desktop.work / "keyring-password"
        file.write_text("the password of the keyring")
        self.desktop.spawn("keyring", ["sh", "-c", f'{KEYRING} < "$0"', str(file)])
        wait_for("the secret service", lambda: self.service.is_running(SECRET_SERVICE))

    def log_in(self) -> None:
        done = subprocess.run(
            ["roundel", "login", f"webdav+http://me@{self.address}/{self.collection}"], env=self.desktop.environment,
            input=f"{self.password}\n", capture_output=True, text=True, timeout=PROGRAM_SECONDS, check=False)
        if done.returncode != 0:
            raise Failure(f"roundel login ended with {done.returncode}: {done.stderr}")

    # Steps

    def folder_is_added(self) -> None:
        self.folder.mkdir(parents=True)
        (self.served / "cloud").mkdir(parents=True)
        for name in FILES:
            (self.folder / name).write_text(f"{name}\n" * 100)
        (self.served / "cloud" / "From there.txt").write_text("from there\n")
        self.start_server()
        self.start_keyring()
        self.log_in()
        self.service.roundel("add", str(self.folder), f"webdav+http://{self.address}/{self.collection}", "--wait")
        if not (self.folder / "From there.txt").exists():
            raise Failure("what was on the server is not in the folder")
        self.file_manager.open(str(self.folder))
        self.file_manager.expect_shown("synced", ["synced"], UNSETTLED)

    def edit(self) -> None:
        """A file that is still being written waits; then it is on its way; then it is there."""
        with open(self.folder / "Film.mkv", "wb") as film:
            self.file_manager.expect_shown("being written", ["synced", "pending"], ["syncing", "error"])
            block = os.urandom(1 << 20)
            film.writelines(block for _ in range(FILM_SIZE >> 20))
            before = self.service.written()
        with self.service.held_transfer(before):
            self.file_manager.expect_shown("on its way", ["synced", "syncing"], ["error"])
        self.file_manager.expect_shown("arrived", ["synced"], UNSETTLED)
        if (self.served / "cloud" / "Film.mkv").stat().st_size != FILM_SIZE:
            raise Failure("the film is shown as synced, but not all of it is on the server")

    def server_goes(self) -> None:
        """What changes meanwhile waits. That is no error: people travel."""
        self.end_server()
        (self.folder / "Travel.txt").write_text("written on a train\n")
        self.file_manager.expect_shown("server gone", ["synced", "pending"], ["syncing", "error", "conflict"])
        self.service.roundel("sync", str(self.folder), "--wait")
        self.file_manager.expect_shown("server still gone", ["synced", "pending"], ["syncing", "error", "conflict"])
        self.open_instead(self.above)
        self.file_manager.expect_shown("folder without its server", ["pending"], ["syncing", "error", "conflict"])

    def server_comes_back(self) -> None:
        self.start_server()
        self.service.roundel("sync", str(self.folder), "--wait")
        self.file_manager.expect_shown("folder with its server", ["synced"], UNSETTLED)
        self.open_instead(self.folder)
        self.file_manager.expect_shown("server back", ["synced"], UNSETTLED)
        arrived = self.served / "cloud" / "Travel.txt"
        if not arrived.exists() or arrived.read_text() != "written on a train\n":
            raise Failure("the new file is shown as synced, but it is not on the server")

    def open_instead(self, directory: pathlib.Path) -> None:
        """Shows another directory, in the only window."""
        self.file_manager.close()
        self.file_manager.forget_process()
        self.file_manager.open(str(directory))

    def run(self) -> None:
        self.folder_is_added()
        self.edit()
        self.server_goes()
        self.server_comes_back()
        self.file_manager.close()
        self.file_manager.nothing_complained()
