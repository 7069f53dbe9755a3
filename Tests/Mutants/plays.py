"""Builds and tests in a copy of the project that is laid over it, so that what was built here needs no second build there."""

import os
import re
import subprocess
import time

import switches
from places import ROOT, Mistake
from tables import Fault

WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"
LOGS = WORK / "logs"
PLUGINS = "build/plugins"
# The servers that packaging/servers.sh fetched.
SERVERS = "build/servers"
SWIFT = os.environ.get("SWIFT", "swift")
# The program with all Swift tests: to start it costs less than `swift test` does.
TESTS = ".build/debug/RoundelPackageTests.xctest"
# Whether a test fails must not be luck: random ones play the same each time.
os.environ.setdefault("ROUNDEL_SEED", "1")
# A program that crashes fails its test all the same; a back-trace would only take seconds.
os.environ.setdefault("SWIFT_BACKTRACE", "enable=no")

KILLED, HANGS, SURVIVED, SKIPPED = "killed", "killed (it hangs)", "SURVIVED", "test skipped"
UNHEALTHY, BROKEN = "its test fails without it", "does not compile"
NO_TEST = re.compile(r"No matching test|Test run with 0 tests")
# Swift Testing's line of a test, after a symbol, and that of a scenario.
WAS_SKIPPED = re.compile(r"^[^\w\n]*Test .* skipped|^SKIP", re.MULTILINE)


def namespace(active: str) -> list[str]:
    """The command that runs another with the copy laid over the project and one fault switched on. All its processes end
    with it, and it ends with us."""
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    enter = ["setpriv", "--pdeathsig", "KILL", "unshare", *user, "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    name = WORK / "active" / (active or "none")
    name.parent.mkdir(parents=True, exist_ok=True)
    name.write_text(active)
    mounts = f"mount --bind '{name}' '{TREE / switches.ACTIVE}' && mount --rbind '{TREE}' '{ROOT}'"
    return [*enter, "sh", "-c", f"{mounts} && cd '{ROOT}' && exec \"$@\"", "sh"]


def run(command: list[str], log: str, active: str = "", seconds: float | None = None) -> tuple[int | None, str]:
    """Runs a command in the copy: its status, None if it took too long, and what it printed. What it prints goes into a
    file, since a program under test may leave a process behind that would hold a pipe open."""
    LOGS.mkdir(parents=True, exist_ok=True)
    with (LOGS / f"{log}.log").open("w+b") as output:
        process = subprocess.Popen([*namespace(active), *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        status: int | None
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = None
        output.seek(0)
        return status, output.read().decode(errors="replace")


def copy_tree(planted: dict[str, str]) -> None:
    """Brings the copy up to date. The first time with all that was built, and with its times, by which it counts as new;
    later only what differs, which then is newer than anything built from it."""
    WORK.mkdir(parents=True, exist_ok=True)
    left_out = ["--exclude=/build/*", "--exclude=/.build", "--exclude=/.git"]
    is_new = not TREE.exists()
    TREE.mkdir(exist_ok=True)
    for folder in (".build", PLUGINS, SERVERS):
        if (ROOT / folder).exists() and not (TREE / folder).exists():
            (TREE / folder).parent.mkdir(exist_ok=True)
            subprocess.run(["cp", "-a", str(ROOT / folder), str(TREE / folder)], check=True)
    if is_new:
        subprocess.run(["rsync", "-a", *left_out, f"{ROOT}/", f"{TREE}/"], check=True)
    left_out += [f"--exclude=/{path}" for path in planted]
    subprocess.run(["rsync", "-rlp", "--checksum", "--delete", *left_out, f"{ROOT}/", f"{TREE}/"], check=True)
    switches.write(planted, TREE)


def build(faults: list[Fault]) -> tuple[bool, str]:
    """Builds what the tests of these faults need."""
    steps: list[list[str]] = []
    if any(fault.test for fault in faults):
        steps.append([SWIFT, "build", "--build-tests"])
    if any(not fault.test for fault in faults):
        steps.append(["cmake", "-S", "Sources/FileManagers", "-B", PLUGINS])
        jobs = ["cmake", "--build", PLUGINS, "--parallel", str(os.cpu_count() or 1)]
        if any(fault.scenario for fault in faults):
            steps.append(jobs)
        if units := sorted({fault.unit.split()[0] for fault in faults if fault.unit}):
            steps.append([*jobs, "--target", *units])
    text = ""
    for step in steps:
        status, text = run(step, "build")
        if status != 0:
            return False, text
    return True, text


def plant(everything: list[Fault], chosen: list[Fault]) -> list[Fault]:
    """Plants every fault, and builds what the tests of the chosen ones need. A fault that does not compile is left out: gives
    those. What is not chosen is planted, too, so that another choice needs no other build."""
    broken: list[Fault] = []
    while True:
        left = [fault for fault in everything if fault not in broken]
        files = switches.planted_files(left)
        copy_tree(files)
        is_built, text = build(chosen)
        if is_built:
            return broken
        wrong = switches.culprits(text, left, files)
        print("\n".join(line for line in text.splitlines() if "error:" in line)[:4000], flush=True)
        if not wrong:
            raise Mistake(f"it does not build:\n{text[-4000:]}")
        print(f"do not compile: {' '.join(fault.id for fault in wrong)}", flush=True)
        broken += wrong


def command(faults: list[Fault]) -> list[str]:
    """Runs what kills these faults: several Swift tests, one unit test, or one scenario."""
    first = faults[0]
    if first.unit:
        unit, *arguments = first.unit.split()
        return [f"{PLUGINS}/{unit}", *arguments]
    if first.scenario:
        return ["Tests/Desktop/run", "--plugins", PLUGINS, first.scenario]
    filters = [word for fault in faults for word in ("--filter", fault.filter)]
    return [TESTS, "--testing-library", "swift-testing", *filters]


def play(fault: Fault, seconds: float) -> tuple[str, float]:
    """What became of a fault that is switched on for its test, and how long that took."""
    began = time.monotonic()
    status, text = run(command([fault]), fault.id, fault.id, seconds)
    took = time.monotonic() - began
    if fault.test and NO_TEST.search(text):
        raise Mistake(f"{fault.id}: no test matches {fault.killer}")
    if status is None:
        return HANGS, took
    if status == 0:
        return (SKIPPED if WAS_SKIPPED.search(text) else SURVIVED), took
    return KILLED, took


def passes(faults: list[Fault], seconds: float) -> bool:
    """Runs what kills these faults with none of them switched on, and prints what fails."""
    name = faults[0].id if len(faults) == 1 else faults[0].target
    status, text = run(command(faults), f"healthy-{name}", seconds=seconds)
    if status == 0:
        return True
    failed = [line for line in text.splitlines() if "failed after" in line or "recorded an issue" in line]
    reason = "it takes too long" if status is None else "\n".join(failed[:3]) or text[-2000:]
    print(f"without a fault, {name}: {reason}", flush=True)
    return False
