"""What `bench` measures a file manager with, by turns: no plugin, one that answers nothing, the least that shows emblems,
ours, and ours compiled for the clock. Each arm is a directory with the files that one build of the plugins put there;
the file manager finds links in their places, which lead through another one to the arm that is chosen."""
import pathlib
import shutil
import subprocess

import stage
from scenarios import Entry

NAMES = ("none", "silent", "least", "plugin", "clocked")
OURS = ("plugin", "clocked")  # The others have no more than the first of the entry's files, which answers about items.
SHOW_EMBLEMS = ("least", *OURS)

SOURCES = stage.HERE.parent.parent / "Sources" / "FileManagers"
MEASURING = stage.HERE / "Measuring"
CURRENT = "current"
CLOCK = "clock.so"


# Building

def build_with_cmake(sources: pathlib.Path, directory: pathlib.Path, targets: list[str], *options: str) -> None:
    for command in (["cmake", "-S", str(sources), "-B", str(directory), *options],
                    ["cmake", "--build", str(directory), "--parallel", "--target", *targets]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def compile_library(source: str, library: pathlib.Path, packages: list[str], *options: str) -> None:
    found = subprocess.run(["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True, check=True)
    library.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cc", "-std=c17", "-O2", "-fPIC", "-shared", *options, str(MEASURING / source), "-o", str(library),
                    *found.stdout.split()], check=True)


# Laying out

def lay(entry: Entry, builds: dict[str, pathlib.Path], work: pathlib.Path) -> None:
    """Copies what the builds, by arm, have of the entry's files; puts the links in their places below the stage."""
    arms = work / "arms"
    for arm, build in builds.items():
        (arms / arm).mkdir(parents=True)
        for extra in entry.extras:
            if (build / extra.built).exists():
                shutil.copy(build / extra.built, arms / arm)
            elif arm in OURS or extra is entry.extras[0]:
                raise SystemExit(f"bench: there is no {extra.built} in {build}; --plugins names the directory in which "
                                 "the plugins were built")
    compile_library("plugin-clock.c", arms / CLOCK, ["glib-2.0"])
    for extra in entry.extras:
        place = stage.place(extra, work / "stage")
        place.mkdir(parents=True, exist_ok=True)
        name = pathlib.Path(extra.built).name
        (place / name).symlink_to(arms / CURRENT / name)


# Choosing

def choose(arm: str, work: pathlib.Path) -> None:
    link = work / "arms" / CURRENT
    link.unlink(missing_ok=True)
    if arm != "none":
        link.symlink_to(arm)
