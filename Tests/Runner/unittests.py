#!/usr/bin/python3
"""Plays the unittest classes of one folder, in a process of its own.

    Tests/Runner/unittests.py FOLDER --list
    Tests/Runner/unittests.py FOLDER --results FILE NAME...

NAME        a test (module.Class.test_method) or a class of them; without one, all
--list      prints the names of all tests and plays none
--results   a file to which one JSON object is added for each test that was played
"""
import argparse
import json
import sys
import time
import unittest
from collections.abc import Iterator
from typing import Any


class WritingResult(unittest.TextTestResult):
    """Writes what became of each test when it has ended; a failed subtest fails its test once."""

    path = ""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._began = 0.0
        self._reasons: dict[str, tuple[str, str]] = {}

    def startTest(self, test: unittest.TestCase) -> None:
        self._began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self._write(test.id())

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self._note(test, "skipped", reason)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self._note(test, "failed", f"{err[0].__name__}: {err[1]}")

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self._note(test, "failed", f"{err[0].__name__}: {err[1]}")

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._note(test, "failed", f"{err[0].__name__}: {err[1]}")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self._note(test, "failed", "it passed, and is said to fail")

    def _note(self, test: unittest.TestCase, outcome: str, reason: str) -> None:
        if self._reasons.get(test.id(), ("", ""))[0] != "failed":
            self._reasons[test.id()] = (outcome, reason)

    def _write(self, name: str) -> None:
        outcome, reason = self._reasons.get(name, ("passed", ""))
        row = {"name": name, "outcome": outcome, "seconds": time.monotonic() - self._began, "reason": reason}
        if self.path:
            with open(self.path, "a") as file:
                file.write(json.dumps(row) + "\n")


def each(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from each(test)
        else:
            yield test


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--results", default="")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_intermixed_args()
    sys.path.insert(0, arguments.folder)
    tests = list(each(unittest.TestLoader().discover(arguments.folder, top_level_dir=arguments.folder)))
    if arguments.list:
        print("\n".join(test.id() for test in tests))
        return 0
    names = arguments.names
    chosen = [test for test in tests if not names or any(f"{test.id()}.".startswith(f"{name}.") for name in names)]
    WritingResult.path = arguments.results
    result = unittest.TextTestRunner(resultclass=WritingResult, verbosity=2).run(unittest.TestSuite(chosen))
    return 0 if result.wasSuccessful() and chosen else 1


if __name__ == "__main__":
    sys.exit(main())
