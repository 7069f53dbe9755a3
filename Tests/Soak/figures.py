"""What a program has, as the kernel tells it: memory, descriptors, watches, threads, and how often it woke up."""
import os
import pathlib
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping

from judgement import Reading

# Of idleness, in which wake-ups are counted, again and again: soon after a change a server is asked more often than later.
LOOK_SECONDS = 10
LOOKS = 3


def _below_proc(process: int, name: str) -> str:
    return pathlib.Path(f"/proc/{process}/{name}").read_text()


def memory(process: int, kind: str = "Pss") -> float:
    """Its share of the memory that it uses (Pss), or of what no file is behind (Pss_Anon), in MB."""
    found = re.search(rf"^{kind}: +(\d+) kB", _below_proc(process, "smaps_rollup"), re.MULTILINE)
    assert found, f"the kernel tells no {kind}"
    return int(found[1]) / 1024


def descriptors(process: int) -> Counter[str]:
    """What is open, without the numbers that make each of a kind another."""
    found: Counter[str] = Counter()
    for name in os.listdir(f"/proc/{process}/fd"):
        try:
            found[re.sub(r":\[\d+\]", "", os.readlink(f"/proc/{process}/fd/{name}"))] += 1
        except FileNotFoundError:
            continue
    return found


def watches(process: int) -> Counter[int]:
    """The inodes that all its instances of inotify watch."""
    found: Counter[int] = Counter()
    for name in os.listdir(f"/proc/{process}/fdinfo"):
        try:
            text = _below_proc(process, f"fdinfo/{name}")
        except FileNotFoundError:
            continue
        found.update(int(inode, 16) for inode in re.findall(r"^inotify wd:\S+ ino:(\S+)", text, re.MULTILINE))
    return found


def threads(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/task"))


def wake_ups(process: int) -> Counter[str]:
    """How often its present threads have gone to sleep so far, by their names."""
    total: Counter[str] = Counter()
    for thread in os.listdir(f"/proc/{process}/task"):
        try:
            text = _below_proc(process, f"task/{thread}/status")
        except (FileNotFoundError, ProcessLookupError):
            continue
        name, count = re.findall(r"^(?:Name|voluntary_ctxt_switches):\s*(.*)", text, re.MULTILINE)
        total[f"thread {name}"] += int(count)
    return total


def shape(process: int) -> tuple[int, int, int]:
    """What stays the same in a program at rest."""
    return descriptors(process).total(), watches(process).total(), threads(process)


def readings(programs: dict[str, list[int]], paths: Mapping[int, str]) -> dict[str, Reading]:
    """The figures of the processes of each program, together, with the wake-ups of the quietest of some looks. The paths are
    those of inodes that may be watched."""
    processes = [process for group in programs.values() for process in group]
    looks = [_look(processes) for _ in range(LOOKS)]
    quietest = {process: min((look[process] for look in looks), key=Counter.total) for process in processes}
    return {program: _reading(group, quietest, paths) for program, group in programs.items()}


def _look(processes: list[int]) -> dict[int, Counter[str]]:
    """The wake-ups of each process within LOOK_SECONDS."""
    before = {process: wake_ups(process) for process in processes}
    time.sleep(LOOK_SECONDS)
    return {process: wake_ups(process) - before[process] for process in processes}


def _reading(processes: list[int], woken: Mapping[int, Counter[str]], paths: Mapping[int, str]) -> Reading:
    opened, watched, slept = Counter[str](), Counter[str](), Counter[str]()
    for process in processes:
        slept += woken[process]
        opened += descriptors(process)
        watched += Counter({paths.get(inode, f"inode {inode}"): count for inode, count in watches(process).items()})
    return Reading(frozenset(processes), {
        "processes": len(processes), "memory": sum(map(memory, processes)),
        "anonymous": sum(memory(process, "Pss_Anon") for process in processes), "descriptors": opened.total(),
        "watches": watched.total(), "threads": sum(map(threads, processes)), "wake-ups": slept.total(),
    }, {"descriptors": opened, "watches": watched, "wake-ups": slept})


def bytes_of(paths: Iterable[pathlib.Path]) -> int:
    """What the files hold; what goes meanwhile is left out."""
    total = 0
    for path in paths:
        try:
            total += path.stat().st_size
        except FileNotFoundError:
            continue
    return total
