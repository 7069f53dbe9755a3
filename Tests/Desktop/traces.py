"""What a scenario must not leave behind: warnings in our name, processes of ours without their bus, temporary files."""
import os
import pathlib
import re

from desktop import Desktop
from waiting import Failure, wait_for

OURS = re.compile(r"\broundel(d|-[a-z]+)?$")
COMPLAINT = re.compile(r"roundel[a-z-]*-(WARNING|CRITICAL|ERROR)|Fatal error:|runtime error:")


def processes() -> list[tuple[int, str]]:
    """Programs of ours that run in this namespace, as (id, command). A dead one that nobody waited for does not count."""
    found = []
    for directory in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (directory / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if OURS.search(os.fsdecode(words[0])):
            found.append((int(directory.name), os.fsdecode(b" ".join(words))))
    return found


def files(desktop: Desktop) -> list[str]:
    """But for the sockets of mounted folders, which are there until the session's directory goes."""
    sockets = desktop.work / "runtime/roundel"
    return [str(path) for place in ("tmp", "runtime") for path in (desktop.work / place).rglob("*roundel*") if path != sockets]


def complaints(desktop: Desktop) -> list[str]:
    return [f"{name}: {line}" for name in desktop.logs for line in desktop.log(name).splitlines()
            if COMPLAINT.search(line)]


def none_are_left(desktop: Desktop) -> None:
    """Called when the desktop has ended. Services that the bus started end by themselves when it goes."""
    try:
        wait_for("the end of our services", lambda: not processes())
    except Failure as failure:
        raise Failure(f"{failure}; there are still {processes()}") from None
    if files(desktop):
        raise Failure(f"temporary files are left: {files(desktop)}")
    if complaints(desktop):
        raise Failure("our parts complained:\n" + "\n".join(complaints(desktop)))
