"""A session in a terminal, recorded as it goes: a folder is added and listed, and followed while a film is uploaded."""
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Callable

import art
import pyte
import terminal_svg
from installed import InstalledServices
from person import FILM, LIMITS, TRIP, Person
from picture_desktop import PictureDesktop
from terminal_svg import COLUMNS, ROWS, Frame
from waiting import PROGRAM_SECONDS, Failure, wait_for

PROMPT = "\x1b[1;32manna@laptop\x1b[0m:\x1b[1;34m~\x1b[0m$ "
LETTER, PAUSE = 0.06, 1.6       # seconds: between two letters that are typed, and after what a command printed
LEAST_STEP = 0.08               # between two pictures of a screen
FILM_BYTES = 24 << 20


class TerminalPicture:
    def __init__(self, desktop: PictureDesktop, service: InstalledServices, file_manager: None) -> None:
        del file_manager
        self.desktop = desktop
        self.person = Person(desktop, service)
        self.roundel = service.roundel
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.frames: list[tuple[float, Frame]] = []
        self.clock = 0.0        # seconds of the animation

    def run(self) -> None:
        self.person.make_documents()
        (self.person.served / "Documents").mkdir(parents=True)
        self.person.has_cloud()
        self.person.log_in()
        self.feed(PROMPT.encode())
        self.command("roundel", "add", "~/Documents", "https://cloud.example.org/apps/files/?dir=/Documents", "--wait")
        self.roundel("limit", str(self.person.documents), "--up", LIMITS[0])
        self.has_film()
        self.command("roundel", "ls", f"~/Documents/{TRIP}")
        self.command("roundel", "status", "--watch", until=self.is_synced)
        self.write()

    def has_film(self) -> None:
        film, whole = self.person.documents / FILM, self.person.home / ".film"
        whole.write_bytes(os.urandom(FILM_BYTES))
        whole.rename(film)
        self.person.expect(film, "syncing")
        wait_for("the film to be on its way", lambda: self.person.progress(film) > 5)

    def is_synced(self) -> bool:
        return self.person.badge(self.person.documents)["badge"] == "synced"

    def feed(self, said: bytes) -> None:
        self.stream.feed(said)
        self.frames.append((self.clock, tuple(terminal_svg.line(self.screen.buffer[row]) for row in range(ROWS))))

    def command(self, *words: str, until: Callable[[], bool] | None = None) -> None:
        """Types a command, and plays what it prints. One that would stay is ended as a person does it, when that holds."""
        typed = " ".join(word.replace(" ", "\\ ") for word in words)
        self.clock += PAUSE / 2
        for letter in typed:
            self.clock += LETTER
            self.feed(letter.encode())
        self.clock += PAUSE / 4
        self.feed(b"\r\n")
        self.play([word.replace("~", str(self.person.home), 1) if word.startswith("~") else word for word in words], until)
        self.clock += PAUSE
        self.feed(PROMPT.encode())

    def play(self, words: list[str], until: Callable[[], bool] | None) -> None:
        ours, theirs = pty.openpty()
        environment = {**self.desktop.environment, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(ROWS)}
        subprocess.run(["stty", "cols", str(COLUMNS), "rows", str(ROWS)], stdin=theirs, check=True)
        process = subprocess.Popen(words, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.person.home,
                                   start_new_session=True)
        os.close(theirs)
        began, start, ending = time.monotonic(), self.clock, 0.0
        while said := self.read(ours):
            now = start + time.monotonic() - began
            self.clock = max(now, self.clock + (LEAST_STEP if now > self.clock else 0))
            self.feed(said if said != b"\0" else b"")
            if until and not ending and until():
                ending = self.clock + PAUSE
            if ending and self.clock > ending:
                process.send_signal(signal.SIGINT)
            if time.monotonic() - began > PROGRAM_SECONDS:
                raise Failure(f"{words} goes on and on")
        os.close(ours)
        process.wait()

    @staticmethod
    def read(terminal: int) -> bytes:
        """What was printed within a tenth of a second; a zero for nothing, and nothing at the end."""
        if not select.select([terminal], [], [], 0.1)[0]:
            return b"\0"
        try:
            return os.read(terminal, 1 << 16)
        except OSError:  # of a terminal that nobody has open any more
            return b""

    def write(self) -> None:
        frames = [frame for number, frame in enumerate(self.frames)
                  if number + 1 == len(self.frames) or self.frames[number + 1][0] > frame[0]]
        shots = self.desktop.work / "shots"
        (shots / "terminal.svg").write_text(terminal_svg.svg(frames, "anna@laptop: ~"))
        end = frames[-1][0]
        for number in range(1, 6):
            art.render(terminal_svg.at(frames, end * number / 5), shots / f"frame-{number}.png")
        print(f"  terminal.svg: {(shots / 'terminal.svg').stat().st_size:,} bytes, {end:.0f} s", flush=True)
