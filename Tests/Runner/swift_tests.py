"""The Swift tests: one program with all of them, of which many processes run at once, each with a part.

Tests that wait for a service, a file or a server hold a thread meanwhile, and Swift has one thread for each processor. So
the suites of such modules get a process each; those that only compute share one for each module. What computes for minutes
has a process of its own: a thousand short tests would stand behind it.
"""
import json
import pathlib
import re
import subprocess
from collections.abc import Iterator

from job import PROCESSOR, Ended, Job
from lane import ROOT, Mistake, Setting, first_line
from outcome import Outcome, Verdict

BUILT = ROOT / ".build" / "debug"
PROGRAM = BUILT / "RoundelPackageTests.xctest"
# The modules whose tests only compute.
COMPUTING = {"BadgeEngineTests", "BadgeServiceTests", "CheckingTests", "RoundelBusTests", "SupportTests", "SyncCoreTests",
             "SyncthingTests", "WindowTests"}
# Those whose tests wait.
WAITING = {"ClientTests", "CommandLineTests", "DBusTests", "DesktopTests", "FileWatchTests", "GitTests", "IntegrationTests",
           "LaunchingTests", "MarksTests", "OnDemandTests", "SecretsTests", "SetupTests", "SyncEngineTests",
           "SyncServiceTests"}
# Those whose tests speak to servers.
SPEAKING = {"RcloneTests", "WebDAVTests"}
# What computes for long, by the beginning of its name.
LONG = ("SyncCoreTests.SimulationTests/histories", "BadgeEngineTests.ModelTests")
# How many seconds about a process takes, where it is far more than one for each test: the longest are to begin first.
SECONDS = {
    "WebDAVTests.ServerFolderTests": 250, "RcloneTests.CloudFolderTests": 120, "IntegrationTests.OpenFileTests": 115,
    "WebDAVTests.LyingServerTests": 120, "WebDAVTests.QuirkTests": 95, "WebDAVTests.LargeTransferTests": 90,
    "WebDAVTests.RandomServerTests": 60, "WebDAVTests.NextcloudTests": 50, "RcloneTests.CloudRemoteTests": 50,
    "SyncCoreTests.SimulationTests/histories(block:)": 150, "FileWatchTests.FolderTests": 100,
    "IntegrationTests.SilentMountTests": 100, "IntegrationTests.BadInputTests": 90, "FileWatchTests.RandomTreeTests": 80,
    "IntegrationTests.SafeguardTests": 75, "IntegrationTests.WorkerTests": 70, "IntegrationTests.TrashTests": 65,
    "BadgeEngineTests": 60, "IntegrationTests.KillTests": 55, "IntegrationTests.ObservingTests": 50,
    "IntegrationTests.HangTests": 50, "IntegrationTests.StatusTruthTests": 50, "SyncServiceTests.RefusalTests": 45,
    "FileWatchTests.PureTests": 45, "IntegrationTests.WorkerMenuTests": 35, "IntegrationTests.SleepTests": 35,
    "SyncEngineTests.VerificationTests": 30, "SyncEngineTests.MountedFolderTests": 15, "IntegrationTests.FuzzTests": 30,
    "OnDemandTests.RaceTests": 30, "OnDemandTests.FileAccessTests": 15, "IntegrationTests.SyncthingTests": 80,
}
# What another lane plays, on file systems of its own.
ELSEWHERE = {"OnDemandTests.PowerCutTests", "OnDemandTests.RoomTests"}
# What comes after a test's name in its id: where it stands.
PLACE = re.compile(r"/[^/]+\.swift:\d+:\d+$")


def listed() -> list[str]:
    """The names of all tests, Target.Suite/function()."""
    done = subprocess.run([PROGRAM, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True,
                          check=False)
    names = [PLACE.sub("", line) for line in done.stdout.splitlines() if "/" in line]
    if done.returncode != 0 or not names:
        raise Mistake(f"the built tests cannot be listed: {first_line(done.stderr)}")
    unknown = {target(name) for name in names} - COMPUTING - WAITING - SPEAKING
    if unknown:
        raise Mistake(f"Tests/Runner/swift_tests.py does not say of what kind these modules are: {' '.join(sorted(unknown))}")
    return [name for name in names if suite(name) not in ELSEWHERE]


def target(name: str) -> str:
    return name.partition(".")[0]


def suite(name: str) -> str:
    return name.partition("/")[0]


def pattern(name: str) -> str:
    """The regular expression that only this test's id fulfils."""
    return f"^{re.escape(name)}/"


class SwiftTests:
    """Those tests of the program whose modules are of one kind, or that compute for long."""

    def __init__(self, name: str, setting: Setting, environment: dict[str, str] | None = None) -> None:
        self.name = name
        self.needs = ("debug", "servers") if name == "servers" else ("debug",)
        self._setting = setting
        self._environment = environment or {}

    def tests(self) -> list[str]:
        return [name for name in listed() if kind(name) == self.name]

    def jobs(self, chosen: list[str]) -> list[Job]:
        parts: dict[str, list[str]] = {}
        for name in chosen:
            parts.setdefault(self._part(name), []).append(name)
        return [self._job(part, names) for part, names in parts.items()]

    def alone(self, test: str) -> Job:
        return self._job(f"again-{test}", [test])

    def command(self, test: str) -> str:
        return f"make test FILTER='{self.name}/{test}'"

    def _part(self, name: str) -> str:
        """Tests with the same part share a process."""
        match self.name:
            case "unit":
                return target(name)
            case "histories":
                return name
            case _:
                return suite(name)

    def _job(self, part: str, names: list[str]) -> Job:
        stem = re.sub(r"[^\w.-]", "-", part)[:150]
        events = self._setting.directory / f"{self.name}-{stem}.events"
        events.unlink(missing_ok=True)
        words = [word for name in names for word in ("--filter", pattern(name))]
        expected = SECONDS.get(part, len(names)) if not part.startswith("again-") else 1

        def outcomes(ended: Ended) -> list[Outcome]:
            return read(events, self.name, names, ended)

        return Job(self.name, stem, [str(PROGRAM), "--testing-library", "swift-testing", *words,
                                     "--event-stream-output-path", str(events), "--event-stream-version", "0"],
                   load=PROCESSOR if self.name in ("unit", "histories") else 1, expected=expected,
                   bound=self._setting.seconds, environment=self._environment, outcomes=outcomes)


def kind(name: str) -> str:
    """The lane of a test."""
    if name.startswith(LONG):
        return "histories"
    if target(name) in COMPUTING:
        return "unit"
    return "servers" if target(name) in SPEAKING else "integration"


# --- What the program tells -----------------------------------------------------------------------------------------------


class Told:
    """What the events say of one test."""

    def __init__(self) -> None:
        self.began: float | None = None
        self.ended: float | None = None
        self.issue: str | None = None
        self.skipped: str | None = None


def events_of(path: pathlib.Path) -> Iterator[tuple[str, dict[str, object]]]:
    """Each event with the name of its test; the last line may be cut where the process was killed."""
    if not path.exists():
        return
    for line in path.read_text(errors="replace").splitlines():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        if record.get("kind") == "event":
            event = record["payload"]
            yield PLACE.sub("", event.get("testID", "")), event


def words_of(event: dict[str, object]) -> str:
    messages = event.get("messages")
    texts = [str(message.get("text", "")) for message in messages] if isinstance(messages, list) else []
    return " ".join(" ".join(texts).split())


def moment_of(event: dict[str, object]) -> float:
    instant = event.get("instant")
    return float(instant.get("absolute", 0)) if isinstance(instant, dict) else 0


def read(path: pathlib.Path, lane: str, planned: list[str], ended: Ended) -> list[Outcome]:
    """The outcome of each planned test, from the events that its process wrote."""
    told: dict[str, Told] = {}
    for name, event in events_of(path):
        test = told.setdefault(name, Told())
        match event.get("kind"):
            case "testStarted":
                test.began = moment_of(event)
            case "testEnded":
                test.ended = moment_of(event)
            case "testSkipped":
                test.skipped = words_of(event) or "it was skipped"
            case "issueRecorded":
                issue = event.get("issue")
                if not (isinstance(issue, dict) and issue.get("isKnown")):
                    test.issue = test.issue or words_of(event) or "it failed"
            case _:
                pass
    found = [outcome(name, lane, told, ended) for name in planned]
    if ended.status != 0 and all(one.verdict is not Verdict.FAILED for one in found):
        found[-1] = Outcome(lane, found[-1].name, Verdict.FAILED, found[-1].seconds, ended.why())
    return found


def outcome(name: str, lane: str, told: dict[str, Told], ended: Ended) -> Outcome:
    test = told.get(name, Told())
    whole = told.get(suite(name), Told())
    skipped = test.skipped or whole.skipped
    if skipped:
        return Outcome(lane, name, Verdict.SKIPPED, 0, skipped)
    seconds = (test.ended or moment_of({})) - (test.began or 0) if test.ended and test.began is not None else ended.seconds
    if test.issue or whole.issue:
        return Outcome(lane, name, Verdict.FAILED, seconds, first_line(test.issue or whole.issue or ""))
    if test.ended is None:
        stage = "it did not run" if test.began is None else "it ran still"
        return Outcome(lane, name, Verdict.FAILED, seconds, f"{stage} when its process was over: {ended.why()}")
    return Outcome(lane, name, Verdict.PASSED, seconds)
