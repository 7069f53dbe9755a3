"""One run: the builds, then the tests of each lane as soon as what it needs is there, then a second try."""
import pathlib
import time

import report
from builds import needed
from job import Ended, Job
from lane import ROOT, Lane, Mistake, say
from outcome import Outcome, Verdict
from report import Result, Tally
from schedule import Schedule

# If more tests than that fail, something is broken, and to try each of them again would take an hour.
MOST_AGAIN = 12


class Run:
    """What is built and played, and what came of it up to now."""

    def __init__(self, lanes: list[Lane], words: list[str], logs: pathlib.Path) -> None:
        self._lanes = {lane.name: lane for lane in lanes}
        self._words = words
        self._logs = logs
        self._schedule = Schedule(ROOT, logs)
        self._began = time.monotonic()
        self._wanted = {build.name: build for build in needed({name for lane in lanes for name in lane.needs})}
        self._begun_builds: set[str] = set()
        self._begun_lanes: set[str] = set()
        self._built: set[str] = set()
        self._broken: list[str] = []
        self.tallies: dict[str, Tally] = {}

    def titles(self) -> list[str]:
        """The titles of the tests that would be played."""
        return [f"{lane.name}/{test}" for lane in self._lanes.values() for test in self._chosen(lane)]

    def play(self) -> Result:
        """Builds and plays everything, and once more what failed."""
        try:
            self._go_on()
            for job, ended in self._schedule.ended():
                if job.lane == "build":
                    self._note_build(job, ended)
                else:
                    self._note_tests(job, ended)
        finally:
            self._schedule.stop()
        if not self._words:
            self._broken += [f"nothing of the lane {name} was played" for name in self._lanes if name not in self.tallies]
        tests = [test for tally in self.tallies.values() for test in tally.tests]
        failed, unsteady = self._second_try([test for test in tests if test.verdict is Verdict.FAILED])
        return Result(tests, failed, unsteady, self._broken)

    def command(self, test: Outcome) -> str:
        """What a person types to play nothing but that test."""
        return self._lanes[test.lane].command(test.name)

    def _chosen(self, lane: Lane) -> list[str]:
        return [test for test in lane.tests()
                if not self._words or any(word in f"{lane.name}/{test}" for word in self._words)]

    def _go_on(self) -> None:
        """Starts every build and every lane for which nothing is missing."""
        for build in self._wanted.values():
            if build.name not in self._begun_builds and set(build.needs) <= self._built:
                self._begun_builds.add(build.name)
                self._schedule.add([build.job()])
        for lane in self._lanes.values():
            if lane.name not in self._begun_lanes and set(lane.needs) <= self._built:
                self._begun_lanes.add(lane.name)
                self._begin(lane)

    def _begin(self, lane: Lane) -> None:
        try:
            self._schedule.add(lane.jobs(self._chosen(lane)))
        except Mistake as mistake:
            self._broken.append(str(mistake))

    def _note_build(self, job: Job, ended: Ended) -> None:
        say(f"{self._now():>6.0f} s  built {job.name} in {ended.seconds:.0f} s")
        self.tallies.setdefault("build", Tally()).add([], self._now(), ended)
        if ended.status == 0:
            self._built.add(job.name)
        else:
            self._broken.append(f"{job.name} cannot be built: {ended.why()}")
            say(report.excerpt(ended))
        self._go_on()

    def _note_tests(self, job: Job, ended: Ended) -> None:
        outcomes = job.outcomes(ended)
        self.tallies.setdefault(job.lane, Tally()).add(outcomes, self._now(), ended)
        failed = [outcome for outcome in outcomes if outcome.verdict is Verdict.FAILED]
        count = f"{len(outcomes) - len(failed)} of {len(outcomes)}"
        say(f"{self._now():>6.0f} s  {job.lane:<12} {job.name}: {count} in {ended.seconds:.1f} s")
        for outcome in failed:
            say(f"          FAILED {outcome.title}: {outcome.reason}")
        if failed:
            say(report.excerpt(ended))

    def _second_try(self, first: list[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
        """The tests that failed for good, and those that did not when they were played alone, each with its first reason."""
        if len(first) > MOST_AGAIN:
            say(f"\n{len(first)} tests failed: none of them is tried again.")
            return first, []
        failed: list[Outcome] = []
        unsteady: list[Outcome] = []
        for test in first:
            say(f"\nonce more, alone: {test.title}")
            (unsteady if self._passes_alone(test) else failed).append(test)
        return failed, unsteady

    def _passes_alone(self, test: Outcome) -> bool:
        job = self._lanes[test.lane].alone(test.name)
        schedule = Schedule(ROOT, self._logs)
        schedule.add([job])
        try:
            ended = next(ended for _, ended in schedule.ended())
        finally:
            schedule.stop()
        if any(outcome.verdict is not Verdict.PASSED for outcome in job.outcomes(ended)):
            say(report.excerpt(ended))
            return False
        return True

    def _now(self) -> float:
        return time.monotonic() - self._began
