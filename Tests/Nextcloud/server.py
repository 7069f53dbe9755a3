#!/usr/bin/python3
"""A server that behaves towards clients as Nextcloud does, for tests. README.md says how, and what tests may ask of it."""
from __future__ import annotations

import argparse
import errno
import json
import os
import pathlib
import signal
import socket
import sys
import threading
import typing

from cloud import Cloud
from counting import Requests
from store import Store
from wire import serve

# Waiting to be accepted.
BACKLOG = 128
# The status with which this ends where somebody else has its port; sysexits.h: it may be had another time.
PORT_IS_TAKEN = os.EX_TEMPFAIL


def quirk(text: str) -> tuple[str, typing.Any]:
    """`NAME`, or `NAME=VALUE` with a value in JSON, or else text."""
    name, equals, value = text.partition("=")
    if not equals:
        return name, True
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=pathlib.Path, required=True, help="the directory with the person's files")
    parser.add_argument("--address", default="127.0.0.1:0", help="to listen at; a port of 0 is chosen and printed")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password-file", type=pathlib.Path, required=True)
    parser.add_argument("--quirk", type=quirk, action="append", default=[], metavar="NAME[=VALUE]")
    parser.add_argument("--log", type=pathlib.Path, help="a file that requests are appended to")
    return parser.parse_args()


def accept(listener: socket.socket, cloud: Cloud) -> None:
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, cloud.answer), daemon=True).start()


def main() -> int:
    given = arguments()
    store = Store(given.files.resolve())
    cloud = Cloud(store, given.user, given.password_file.read_text().rstrip("\n"), Requests(given.log))
    cloud.quirks.change(dict(given.quirk))
    # Before there are other threads, which inherit it: the signal is for the one that waits below.
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    host, _, port = given.address.rpartition(":")
    try:
        listener = socket.create_server((host, int(port)), backlog=BACKLOG)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        print(f"somebody else listens at {given.address}", file=sys.stderr)
        return PORT_IS_TAKEN
    print(f"listening at {host}:{listener.getsockname()[1]}", flush=True)
    threading.Thread(target=accept, args=(listener, cloud), daemon=True).start()
    signal.sigwait(signals)
    listener.close()
    # No change is half made while the lock is held, and none begins any more.
    store.lock.acquire()
    store.save()
    return 0


if __name__ == "__main__":
    sys.exit(main())
