"""What the test run makes of processes that fail, end early, hang or say nothing."""
import json
import pathlib
import tempfile
import time
import unittest
from collections.abc import Callable

import builds
import job
import report
import results
import swift_tests
from job import Ended, Job
from lane import Lane
from outcome import Outcome, Verdict
from play import MOST_AGAIN, Run
from report import MOST_UNSTEADY, Result
from schedule import Schedule


def told(kind: str, test: str, **more: object) -> dict[str, object]:
    """An event as Swift Testing writes it."""
    payload: dict[str, object] = {"kind": kind, "testID": f"{test}/Some.swift:7:6", "instant": {"absolute": 1.5}, **more}
    return {"kind": "event", "version": 0, "payload": payload}


class WithDirectory(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)

    def ended(self, status: int | None, text: str = "") -> Ended:
        (self.place / "log").write_text(text)
        return Ended(status, self.place / "log", 3.0)


class SwiftEventTests(WithDirectory):
    def read(self, events: list[dict[str, object]], status: int | None, cut: str = "") -> dict[str, Outcome]:
        path = self.place / "events"
        path.write_text("".join(json.dumps(event) + "\n" for event in events) + cut)
        found = swift_tests.read(path, "unit", ["M.S/a()", "M.S/b()"], self.ended(status))
        return {outcome.name: outcome for outcome in found}

    def test_passed_failed_and_skipped(self) -> None:
        found = self.read([
            told("testStarted", "M.S/a()"),
            told("issueRecorded", "M.S/a()", issue={"isKnown": False}, messages=[{"text": "Expectation failed:\n 1 == 2"}]),
            told("testEnded", "M.S/a()"), told("testSkipped", "M.S/b()", messages=[{"text": "needs rclone"}])], 1)
        self.assertEqual(found["M.S/a()"].verdict, Verdict.FAILED)
        self.assertEqual(found["M.S/a()"].reason, "Expectation failed: 1 == 2")
        self.assertEqual((found["M.S/b()"].verdict, found["M.S/b()"].reason), (Verdict.SKIPPED, "needs rclone"))

    def test_a_known_issue_is_no_failure(self) -> None:
        found = self.read([event for name in ("M.S/a()", "M.S/b()") for event in (
            told("testStarted", name), told("issueRecorded", name, issue={"isKnown": True}), told("testEnded", name))], 0)
        self.assertEqual({outcome.verdict for outcome in found.values()}, {Verdict.PASSED})

    def test_what_ran_or_did_not_run_when_the_process_died_has_failed(self) -> None:
        found = self.read([told("testStarted", "M.S/a()")], -11, cut='{"kind":"ev')
        self.assertEqual(found["M.S/a()"].reason, "it ran still when its process was over: it was ended by SIGSEGV")
        self.assertEqual(found["M.S/b()"].reason, "it did not run when its process was over: it was ended by SIGSEGV")

    def test_a_process_that_fails_after_its_tests_is_no_success(self) -> None:
        passed = [event for name in ("M.S/a()", "M.S/b()") for event in (told("testStarted", name), told("testEnded", name))]
        self.assertEqual([outcome.verdict for outcome in self.read(passed, 0).values()], [Verdict.PASSED] * 2)
        self.assertIn(Verdict.FAILED, [outcome.verdict for outcome in self.read(passed, None).values()])

    def test_one_test_is_chosen_by_the_whole_of_its_name(self) -> None:
        pattern = swift_tests.pattern("M.S/a(b:)")
        self.assertRegex("M.S/a(b:)/Some.swift:7:6", pattern)
        self.assertNotRegex("M.S/a(b:)c/Some.swift:7:6", pattern)
        self.assertNotRegex("MxS/a(b:)/Some.swift:7:6", pattern)


class WrittenResultTests(WithDirectory):
    def test_what_nothing_was_written_of_has_failed(self) -> None:
        path = self.place / "results"
        path.write_text(json.dumps({"name": "a", "outcome": "passed", "seconds": 1, "reason": ""}) + "\n")
        found = results.read(path, "python", ["a", "b"], self.ended(None))
        self.assertEqual([outcome.verdict for outcome in found], [Verdict.PASSED, Verdict.FAILED])
        self.assertEqual(found[1].reason, "it did not end within 3 s")

    def test_no_file_at_all(self) -> None:
        found = results.read(self.place / "none", "python", ["a"], self.ended(0))
        self.assertEqual([outcome.verdict for outcome in found], [Verdict.FAILED])


class ProcessTests(WithDirectory):
    def run_shell(self, script: str, bound: float = 60) -> Ended:
        return job.run(Job("lane", "name", ["sh", "-c", script], 1, 1, bound), self.place, self.place, lambda _: None)

    def test_how_it_ended(self) -> None:
        self.assertEqual(self.run_shell("exit 3").why(), "it ended with 3")
        self.assertEqual(self.run_shell("kill -6 $$").why(), "it was ended by SIGABRT")

    def test_one_that_hangs_is_killed_with_its_children(self) -> None:
        ended = self.run_shell("sleep 1000 & echo $!; wait", bound=0.5)
        self.assertIsNone(ended.status)
        child = pathlib.Path("/proc", ended.text.strip(), "stat")

        def is_gone() -> bool:
            try:
                return child.read_text().rpartition(")")[2].split()[0] == "Z"
            except (FileNotFoundError, ProcessLookupError):
                return True

        # A signal is sent at once, and the process ends when it gets a processor.
        end = time.monotonic() + 60
        while not is_gone() and time.monotonic() < end:
            time.sleep(0.01)
        self.assertTrue(is_gone())


class ScheduleTests(WithDirectory):
    def play(self, jobs: list[Job]) -> list[str]:
        schedule = Schedule(self.place, self.place)
        schedule.add(jobs)
        return [ended.name for ended, _ in schedule.ended()]

    def test_a_job_larger_than_the_machine_is_played_alone(self) -> None:
        count = self.place / "count"
        count.write_text("")
        # Each writes that it runs, and fails if another one does.
        script = f"test ! -s {count} && echo 1 >{count} && sleep 0.05 && : >{count}"
        jobs = [Job("lane", str(number), ["sh", "-c", script], 1000, 1) for number in range(3)]
        schedule = Schedule(self.place, self.place)
        schedule.add(jobs)
        self.assertEqual([ended.status for _, ended in schedule.ended()], [0, 0, 0])

    def test_the_longest_begins_first(self) -> None:
        jobs = [Job("lane", str(number), ["true"], 1000, number) for number in (1, 3, 2)]
        self.assertEqual(self.play(jobs), ["3", "2", "1"])


class FakeLane:
    """A lane of tests that are shell commands, by name."""

    name = "fake"
    needs: tuple[str, ...] = ()

    def __init__(self, scripts: dict[str, str]) -> None:
        self._scripts = scripts

    def tests(self) -> list[str]:
        return list(self._scripts)

    def jobs(self, chosen: list[str]) -> list[Job]:
        return [self.alone(test) for test in chosen]

    def alone(self, test: str) -> Job:
        return Job(self.name, test, ["sh", "-c", self._scripts[test]], 1, 1, outcomes=self._reader(test))

    def command(self, test: str) -> str:
        return test

    def _reader(self, test: str) -> Callable[[Ended], list[Outcome]]:
        def read(ended: Ended) -> list[Outcome]:
            verdict = Verdict.PASSED if ended.status == 0 else Verdict.FAILED
            return [Outcome(self.name, test, verdict, ended.seconds, "" if ended.status == 0 else ended.why())]
        return read


class SecondTryTests(WithDirectory):
    def result(self, scripts: dict[str, str]) -> Result:
        lanes: list[Lane] = [FakeLane(scripts)]
        return Run(lanes, [], self.place).play()

    def once(self, name: str) -> str:
        """A script that fails the first time."""
        return f"test -e {self.place / name} || {{ touch {self.place / name}; exit 7; }}"

    def test_one_that_passes_alone_is_named_and_does_not_fail_the_run(self) -> None:
        result = self.result({"steady": "true", "unsteady": self.once("mark")})
        self.assertEqual([(test.name, test.reason) for test in result.unsteady], [("unsteady", "it ended with 7")])
        self.assertEqual(result.faults(is_strict=True), [])

    def test_one_that_fails_twice_fails_the_run(self) -> None:
        result = self.result({"steady": "true", "broken": "exit 7"})
        self.assertEqual([test.name for test in result.failed], ["broken"])
        self.assertEqual(result.faults(is_strict=False), ["1 tests failed"])

    def test_more_than_three_unsteady_ones_fail_the_run(self) -> None:
        most = {str(number): self.once(str(number)) for number in range(MOST_UNSTEADY)}
        self.assertEqual(self.result(dict(most)).faults(is_strict=False), [])
        more = {f"x{number}": self.once(f"x{number}") for number in range(MOST_UNSTEADY + 1)}
        self.assertEqual(len(self.result(more).faults(is_strict=False)), 1)

    def test_where_very_many_fail_none_is_tried_again(self) -> None:
        result = self.result({str(number): self.once(str(number)) for number in range(MOST_AGAIN + 1)})
        self.assertEqual(len(result.failed), MOST_AGAIN + 1)

    def test_a_skip_fails_a_strict_run_alone(self) -> None:
        result = Result([Outcome("fake", "a", Verdict.SKIPPED, 0, "needs rclone")], [], [], [])
        self.assertEqual(result.faults(is_strict=False), [])
        self.assertEqual(result.faults(is_strict=True), ["under CI every test must run"])

    def test_no_test_at_all_is_no_success(self) -> None:
        self.assertEqual(Result([], [], [], []).faults(is_strict=False), ["no test ran"])

    def test_what_is_unsteady_is_kept_with_its_reason(self) -> None:
        file = self.place / "kept" / "unsteady"
        for _ in range(2):
            report.keep_unsteady([Outcome("fake", "a", Verdict.FAILED, 1, "waited in vain")], file)
        self.assertEqual(file.read_text().count(" fake/a (waited in vain)\n"), 2)


class LaneTests(WithDirectory):
    def test_a_lane_of_which_nothing_was_played_fails_the_run(self) -> None:
        empty = FakeLane({})
        empty.name = "empty"
        result = Run([FakeLane({"a": "true"}), empty], [], self.place).play()
        self.assertEqual(result.faults(is_strict=False), ["nothing of the lane empty was played"])
        chosen = Run([FakeLane({"a": "true"}), empty], ["fake/a"], self.place).play()
        self.assertEqual(chosen.faults(is_strict=False), [])


class BuildTests(unittest.TestCase):
    def test_what_a_build_needs_is_built_before_it(self) -> None:
        names = [build.name for build in builds.needed({"staged"})]
        self.assertEqual(names, [build.name for build in builds.BUILDS if build.name in names])
        self.assertLess(names.index("debug"), names.index("staged"))
        self.assertNotIn("release", names)


if __name__ == "__main__":
    unittest.main()
