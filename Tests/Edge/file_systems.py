"""File systems of many kinds, each mounted for one test in a mount namespace of this process."""
from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import shutil
import subprocess
import time
import typing

CLONE_NEWNS = 0x20000
# Of each kind: the type that the kernel has to know, and the program with its options that makes one.
MADE: dict[str, tuple[str, list[str]]] = {
    "ext4": ("ext4", ["mkfs.ext4", "-q", "-F"]),
    "ext4 with small inodes": ("ext4", ["mkfs.ext4", "-q", "-F", "-I", "128"]),
    "xfs": ("xfs", ["mkfs.xfs", "-q", "-f"]),
    "btrfs": ("btrfs", ["mkfs.btrfs", "-q", "-f"]),
    "vfat": ("vfat", ["mkfs.vfat", "-F", "32"]),
    "ext4 that folds names": ("ext4", ["mkfs.ext4", "-q", "-F", "-O", "casefold", "-E", "encoding=utf8"]),
}
FOLDING = "ext4 that folds names"
CAN_FOLD = pathlib.Path("/sys/fs/ext4/features/casefold")
KINDS = [*MADE, "tmpfs", "FUSE (bindfs)"]
# XFS makes none that is smaller.
SIZE = 320 << 20


def lacking(kind: str) -> str:
    """What the kernel lacks for a file system of this kind; empty if it has everything."""
    known = pathlib.Path("/proc/filesystems").read_text().split()
    if kind in MADE:
        name = MADE[kind][0]
        if name not in known:
            # It may be a module that nobody has needed yet.
            with contextlib.suppress(FileNotFoundError):
                subprocess.run(["modprobe", "-q", name], check=False)
            known = pathlib.Path("/proc/filesystems").read_text().split()
        if name not in known:
            return f"this kernel has no {name}"
        if kind == FOLDING and not CAN_FOLD.exists():
            return "this kernel has no ext4 that folds names"
        if not os.path.exists("/dev/loop-control"):
            return "there are no loop devices here"
        if not shutil.which(MADE[kind][1][0]):
            return f"{MADE[kind][1][0]} is not installed"
    elif kind.startswith("FUSE") and not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "there is no /dev/fuse here"
    return ""


def keeps_permissions(kind: str) -> bool:
    """Whether a file system of this kind keeps the permissions that files are given."""
    return kind != "vfat"


def enter_namespace() -> None:
    """What is mounted from now on only this process and its children see; what is unmounted outside is so here too."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run(["mount", "--make-rslave", "/"], check=True)


def make(kind: str, image: pathlib.Path) -> None:
    """An empty file system in a file."""
    with image.open("wb") as file:
        file.truncate(SIZE)
    subprocess.run([*MADE[kind][1], str(image)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def mounted_image(image: pathlib.Path, place: pathlib.Path, options: str = "loop") -> typing.Iterator[pathlib.Path]:
    """The file system in a file, mounted."""
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", options, str(image), str(place)], check=True)
    try:
        yield place
    finally:
        unmount(place)


def unmount(place: pathlib.Path) -> None:
    # What was ended a moment ago may still hold it, and nothing tells when it lets go.
    for _ in range(100):
        if subprocess.run(["umount", str(place)], capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.05)
    subprocess.run(["umount", "-l", str(place)], check=True)


@contextlib.contextmanager
def mounted(kind: str, work: pathlib.Path) -> typing.Iterator[pathlib.Path]:
    """A new file system of this kind, mounted below a directory."""
    place = work / "mounted"
    place.mkdir()
    if kind in MADE:
        make(kind, work / "image")
        with mounted_image(work / "image", place):
            if kind == FOLDING:
                # What is made in it folds as well.
                place /= "folding"
                place.mkdir()
                subprocess.run(["chattr", "+F", str(place)], check=True)
            yield place
        return
    if kind == "tmpfs":
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m", "none", str(place)], check=True)
    else:
        (work / "behind").mkdir()
        subprocess.run(["bindfs", str(work / "behind"), str(place)], check=True)
    try:
        yield place
    finally:
        unmount(place)
