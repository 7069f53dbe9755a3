"""A person with folders that are synced: with a server, and with a disk in the network; and what becomes of them."""
import base64
import io
import json
import os
import pathlib
import secrets
import socket
import subprocess
import urllib.parse
import urllib.request
from typing import Any

import art
from installed import InstalledServices
from picture_desktop import NAS, PictureDesktop
from waiting import PROGRAM_SECONDS, Failure, wait_for

NAME = "anna"
HOST = "cloud.example.org"  # which `run` has lead to this computer
TLS_PORT = 443
PLAIN_PORT = 8080
FILES = f"/remote.php/dav/files/{NAME}"
NEXTCLOUD = pathlib.Path(__file__).parent / "Nextcloud/server.py"
SECRET_SERVICE = "org.freedesktop.secrets"
KEYRING = "exec gnome-keyring-daemon --foreground --components=secrets --unlock"

DOCUMENTS = ("Budget 2026.ods", "Invoices/2026-09 Electricity.pdf", "Invoices/2026-10 Electricity.pdf",
             "Invoices/2026-11 Rent.pdf", "Recipes/Apple cake.odt", "Recipes/Minestrone.odt", "Thesis/Chapter 1.odt",
             "Thesis/Chapter 2.odt", "Thesis/References.bib", "Letter to Ben.odt", "Reading list.md", "Taxes 2025.pdf")
POSTCARD = "Postcard.jpg"
TALK = "Talk.odp"               # is being written
DRAFT = "Scratch.tmp"           # is left out
CONFLICT = "Letter to Ben.odt"
TRIP = "Iceland 2026"
FILM = f"{TRIP}/Glacier walk.mp4"
FILM_SIZE = 96 << 20            # bytes
LIMITS = ("4M", "20k")          # bytes a second: until the film is so far, and for as long as it is looked at
PERCENT = range(40, 90)         # of the film, at which it is held


class Person:
    def __init__(self, desktop: PictureDesktop, service: InstalledServices) -> None:
        self.desktop = desktop
        self.service = service
        self.roundel = service.roundel
        self.home = desktop.home
        self.documents = self.home / "Documents"
        self.served = desktop.work / "served"
        self.password = secrets.token_hex(8)
        self.open_files: list[io.BufferedWriter] = []

    # Files

    def make_documents(self) -> None:
        for name in DOCUMENTS:
            art.write_document(self.documents / name, pathlib.Path(name).stem)
        (self.documents / TRIP).mkdir(parents=True)
        for name in art.SCENES:
            self.make_photo(self.documents / TRIP / f"{name}.jpg", name)
        self.make_photo(self.documents / POSTCARD, "Midnight sun")

    def make_photo(self, file: pathlib.Path, name: str) -> None:
        art.write_photo(name, file, self.desktop.work)
        art.thumbnail(name, file, self.home / ".cache")

    # The server

    def start_cloud(self) -> None:
        """A Nextcloud at an address as it has one, with a certificate that this session trusts."""
        self.served.mkdir(exist_ok=True)
        work = self.desktop.work
        trusted = work / "trusted"
        (work / "server-password").write_text(self.password)
        self.desktop.spawn("server", ["/usr/bin/python3", "-B", str(NEXTCLOUD), "--files", str(self.served), "--address",
                                      f"127.0.0.1:{PLAIN_PORT}", "--user", NAME, "--password-file",
                                      str(work / "server-password")])
        door = pathlib.Path(__file__).parent / "cloud_door.py"
        self.desktop.spawn("door", ["/usr/bin/python3", "-B", str(door), str(TLS_PORT), str(PLAIN_PORT),
                                    str(trusted / "ca-certificates.crt"), str(trusted / "key.pem")])
        for port in (PLAIN_PORT, TLS_PORT):
            wait_for("the server to answer", lambda: self.answers(port))

    @staticmethod
    def answers(port: int) -> bool:
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", port)) == 0

    def start_keyring(self) -> None:
        file = self.desktop.work / "keyring-password"
        file.write_text("the password of the keyring")
        self.desktop.spawn("keyring", ["sh", "-c", f'{KEYRING} < "$0"', str(file)])
        wait_for("the secret service", lambda: self.service.is_running(SECRET_SERVICE))

    def address(self, directory: str) -> str:
        return f"webdav+https://{NAME}@{HOST}{FILES}/{directory}"

    def log_in(self) -> None:
        done = subprocess.run(["roundel", "login", self.address("")], env=self.desktop.environment, text=True,
                              input=f"{self.password}\n", capture_output=True, timeout=PROGRAM_SECONDS, check=False)
        if done.returncode != 0:
            raise Failure(f"roundel login ended with {done.returncode}: {done.stderr}")

    def put(self, path: str, contents: bytes) -> None:
        """What another computer of this person does to the server."""
        login = base64.b64encode(f"{NAME}:{self.password}".encode()).decode()
        request = urllib.request.Request(f"http://127.0.0.1:{PLAIN_PORT}{FILES}/{urllib.parse.quote(path)}", contents,
                                         {"Authorization": f"Basic {login}"}, method="PUT")
        with urllib.request.urlopen(request, timeout=PROGRAM_SECONDS):
            pass

    # Folders and their states

    def has_documents_in_the_cloud(self) -> None:
        self.make_documents()
        self.has_cloud()
        self.log_in()
        self.roundel("add", str(self.documents), self.address("Documents"), "--create", "--wait")
        self.expect(self.documents, "synced")

    def has_cloud(self) -> None:
        self.start_cloud()
        self.start_keyring()

    def has_folder(self, name: str, *files: str) -> pathlib.Path:
        """Another folder, which is synced with the disk in the network."""
        folder = self.home / name
        for file in files:
            art.write_document(folder / file, pathlib.Path(file).stem)
        (NAS / name).mkdir()
        self.roundel("add", str(folder), str(NAS / name), "--wait")
        self.expect(folder, "synced")
        return folder

    def has_everything_under_way(self) -> None:
        """Of its documents one is in each state."""
        self.has_conflict()
        self.leaves_out_a_draft()
        self.writes_a_talk()
        self.uploads_a_film()

    def has_conflict(self) -> None:
        file = self.documents / CONFLICT
        self.roundel("pause", str(self.documents))
        self.put(f"Documents/{CONFLICT}", b"Dear Ben, thank you for the book.")
        art.write_document(file, "Dear Ben, how was the journey?")
        self.roundel("resume", str(self.documents))
        self.roundel("sync", str(self.documents), "--wait")
        self.expect(file, "conflict")

    def leaves_out_a_draft(self) -> None:
        (self.documents / DRAFT).write_text("for today\n")
        self.roundel("exclude", str(self.documents), "*.tmp")
        self.expect(self.documents / DRAFT, "excluded")

    def writes_a_talk(self) -> None:
        """A file that a program has open waits until that has closed it."""
        talk = self.documents / TALK
        art.write_document(talk, "What glaciers tell")
        self.open_files.append(talk.open("ab"))  # until this process ends
        self.open_files[-1].write(b"\0")
        self.open_files[-1].flush()
        self.expect(talk, "pending")

    def uploads_a_film(self) -> None:
        """So slowly that there is time to look at it."""
        folder, film = str(self.documents), self.documents / FILM
        self.roundel("limit", folder, "--up", LIMITS[0])
        whole = self.home / ".film"
        whole.write_bytes(b"\0\0\0\x18ftypmp42" + os.urandom(FILM_SIZE))
        whole.rename(film)  # nobody is still writing it
        wait_for("the film to be half there", lambda: self.progress(film) in PERCENT)
        self.roundel("limit", folder, "--up", LIMITS[1])
        self.expect(film, "syncing")

    # What is so

    def badge(self, path: pathlib.Path) -> dict[str, Any]:
        return dict(json.loads(self.roundel("badge", "--json", str(path)))[0])

    def progress(self, path: pathlib.Path) -> int:
        """In percent."""
        progress = self.badge(path).get("progress")
        return round(progress * 100) if isinstance(progress, float) and progress <= 1 else int(progress or 0)

    def expect(self, path: pathlib.Path, state: str) -> None:
        wait_for(f"{path.name} to be {state}", lambda: self.badge(path)["badge"] == state)

    def menu(self, path: pathlib.Path) -> list[str]:
        """The entries of its menu, as a file manager gets them."""
        said = json.loads(self.roundel("menu", "items", "--json", str(path)))
        return [str(entry["label"]) for entry in said if entry.get("label")]
