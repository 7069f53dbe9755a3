"""What the sync worker is to a mounted folder, as a program of its own: it makes placeholders of everything in a directory
and brings the bytes that are wanted from there. What is wanted, and by whom, it writes down.

    contents_worker.py SOCKET FOLDER ORIGINALS LOG
"""
import errno
import json
import os
import pathlib
import shutil
import socket
import stat
import struct
import sys
from collections.abc import Iterator

# The kinds of packets: Sources/…/WorkerRequest.swift and MountReport.swift.
HELLO, FILL, FAIL, MAKE = 1, 2, 3, 6
HELLO_REPORT, FETCH_REPORT, DONE_REPORT, MADE_REPORT = 1, 2, 5, 6
PROTOCOL = 1
VERSION = b"1"
AREA = ".roundel-worker"
BATCH = 200


def part(data: bytes) -> bytes:
    """Bytes with their count before them."""
    return struct.pack("<I", len(data)) + data


class Reader:
    def __init__(self, packet: bytes) -> None:
        self.rest = packet

    def number(self, form: str) -> int:
        size = struct.calcsize(form)
        value: int = struct.unpack(form, self.rest[:size])[0]
        self.rest = self.rest[size:]
        return value

    def part(self) -> bytes:
        count = self.number("<I")
        value, self.rest = self.rest[:count], self.rest[count:]
        return value


def words(process: int) -> str:
    """The command line of a process, to be read by people."""
    try:
        command = pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return ""
    return command.replace(b"\0", b" ").decode(errors="replace").strip()


class Worker:
    def __init__(self, address: str, folder: str, originals: str, log: str) -> None:
        self.folder, self.originals = pathlib.Path(folder), pathlib.Path(originals)
        self.log = pathlib.Path(log)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(address)
        self.requests = 0
        self.staged = 0

    def write_down(self, **what: object) -> None:
        with open(self.log, "a") as file:
            file.write(json.dumps(what) + "\n")

    def send(self, kind: int, *parts: bytes) -> None:
        self.socket.send(struct.pack("<I", kind) + b"".join(parts))

    def request(self) -> bytes:
        self.requests += 1
        return struct.pack("<I", self.requests)

    # Placeholders

    def files(self) -> Iterator[pathlib.Path]:
        for directory, _, names in os.walk(self.originals):
            for name in sorted(names):
                yield pathlib.Path(directory, name)

    def make(self) -> None:
        """Directories are made by ordinary means, files as placeholders."""
        (self.folder / AREA).mkdir(exist_ok=True)
        items: list[bytes] = []
        for file in self.files():
            path, status = file.relative_to(self.originals), file.stat()
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            items.append(part(os.fsencode(path)) + struct.pack("<Iq", stat.S_IMODE(status.st_mode) & 0o777,
                                                               status.st_mtime_ns)
                         + struct.pack("<Q", status.st_size) + part(VERSION))
        for start in range(0, len(items), BATCH):
            batch = items[start:start + BATCH]
            self.send(MAKE, self.request(), struct.pack("<I", len(batch)), *batch)
            self.made(len(batch))

    def made(self, count: int) -> None:
        report = Reader(self.socket.recv(1 << 16))
        if report.number("<I") != MADE_REPORT:
            raise SystemExit("no answer to what was made")
        report.number("<I")
        if report.number("<I") != count or any(report.number("<I") or report.number("<Q") * 0 for _ in range(count)):
            raise SystemExit("placeholders could not be made")

    # Contents

    def fetch(self, report: Reader) -> None:
        number, path = report.number("<Q"), os.fsdecode(report.part())
        report.number("<Q"), report.number("<Q"), report.part()
        process, program = report.number("<i"), os.fsdecode(report.part())
        self.write_down(path=path, program=os.path.basename(program), process=process, words=words(process))
        self.staged += 1
        staged = f"{AREA}/{self.staged}"
        try:
            shutil.copyfile(self.originals / path, self.folder / staged)
        except OSError as error:
            self.send(FAIL, self.request(), struct.pack("<QI", number, error.errno or errno.EIO))
            return
        self.send(FILL, self.request(), struct.pack("<Q", number), part(os.fsencode(staged)), part(VERSION))

    def run(self) -> None:
        self.send(HELLO, struct.pack("<I", PROTOCOL))
        if Reader(self.socket.recv(1 << 16)).number("<I") != HELLO_REPORT:
            raise SystemExit("no greeting")
        self.make()
        self.write_down(made=True)
        while packet := self.socket.recv(1 << 16):
            report = Reader(packet)
            kind = report.number("<I")
            if kind == FETCH_REPORT:
                self.fetch(report)
            elif kind == DONE_REPORT:
                request, problem = report.number("<I"), report.number("<I")
                if problem:
                    self.write_down(request=request, failed=os.strerror(problem))


Worker(*sys.argv[1:5]).run()
