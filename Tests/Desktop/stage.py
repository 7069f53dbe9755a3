"""What a scenario is played on: a namespace of its own, with our files laid over the system's."""
import os
import pathlib
import re
import shutil
import subprocess

import scenarios
from scenarios import Entry, Extra

HERE = pathlib.Path(__file__).resolve().parent
NOBODY = 65534


def namespace() -> list[str]:
    """The command that runs another in a namespace of its own, whose processes all end with it, and it with us."""
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    # As a slave it lets go of what is unmounted outside.
    return ["setpriv", "--pdeathsig", "KILL", "unshare", *user, "--mount", "--propagation", "slave", "--pid", "--fork",
            "--kill-child", "--mount-proc"]


def overlays(entry: Entry, stage: pathlib.Path) -> str:
    """A shell command that lays the stage over every system directory that holds a place of the entry's files."""
    points = {scenarios.mount_point(extra.home()) for extra in entry.extras if extra.home().is_absolute()}
    mounts = [f"mount -t overlay overlay -o lowerdir={stage}{point}:{point} {point}" for point in sorted(points)]
    return " && ".join(mounts) or "true"


def closed_above(path: pathlib.Path) -> pathlib.Path | None:
    """The outermost directory above a path that is closed to others, or None."""
    return next((above for above in reversed(path.parents) if not above.stat().st_mode & 0o001), None)


def libraries(services: pathlib.Path) -> list[pathlib.Path]:
    """The directories of the libraries that the services are linked to: a debug build takes Swift's from its toolchain."""
    said = subprocess.run(["ldd", *sorted((services / "bin").glob("roundel*"))], capture_output=True, text=True, check=False)
    return sorted({pathlib.Path(path).parent for path in re.findall(r" => (/\S+)", said.stdout)})


def entrance(services: pathlib.Path | None, work: pathlib.Path) -> str:
    """A shell command that lets whoever plays reach the services and their libraries where a directory above them is root's
    alone: in this namespace an empty directory takes its place, which holds nothing but them."""
    if services is None or os.geteuid() != 0:
        return "true"
    closed = {path: above for path in (services, *libraries(services)) if (above := closed_above(path))}
    asides = {path: work / f"aside-{number}" for number, path in enumerate(closed)}
    for aside in asides.values():
        aside.mkdir()
    commands = [*(f"mount --bind {path} {aside}" for path, aside in asides.items()),
                *(f"mount -t tmpfs -o mode=755 tmpfs {above}" for above in sorted(set(closed.values()))),
                *(f"mkdir -p {path} && mount --bind {aside} {path}" for path, aside in asides.items())]
    return " && ".join(commands) or "true"


def place(extra: Extra, stage: pathlib.Path) -> pathlib.Path:
    """The directory below the stage in which that file is looked for."""
    directory = extra.home()
    return stage / (directory.relative_to("/") if directory.is_absolute() else pathlib.Path("own") / directory)


def put(entry: Entry, plugins: pathlib.Path, stage: pathlib.Path) -> None:
    """Copies the entry's files to their places below the stage."""
    for extra in entry.extras:
        directory = place(extra, stage)
        directory.mkdir(parents=True, exist_ok=True)
        shutil.copy(plugins / extra.built, directory)


def prepare(work: pathlib.Path) -> str:
    """Fills the work directory with what the player needs, and gives the command that drops root."""
    shutil.copytree(HERE, work / "scripts", ignore=shutil.ignore_patterns(".*", "__pycache__"))
    shutil.copytree(HERE.parent.parent / "dbus" / "interfaces", work / "scripts" / "interfaces")
    shutil.copytree(HERE.parent / "Nextcloud", work / "scripts" / "Nextcloud", ignore=shutil.ignore_patterns("__pycache__"))
    (work / "shots").mkdir()
    if os.geteuid() != 0:
        return ""
    for path in [work, *work.rglob("*")]:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    # Who changes the user loses the signal that namespace() asked for.
    return f"setpriv --pdeathsig KILL --reuid={NOBODY} --regid={NOBODY} --clear-groups --"


def command(entry: Entry, work: pathlib.Path, drop: str, name: str, services: pathlib.Path | None) -> list[str]:
    """What plays the scenario of that name in the work directory, with the services in that prefix, if any."""
    mounts = f'{overlays(entry, work / "stage")} && {entrance(services, work)}'
    return [*namespace(), "sh", "-c", f'{mounts} && exec {drop} "$@"', "sh",
            "/usr/bin/python3", "-B", str(work / "scripts" / "scenario.py"), name, str(work),
            *(["--services", str(services)] if services else [])]
