#!/usr/bin/python3
"""Runs the Python tests of the folders named and says how many passed, failed and were skipped, by name.

With CI=true a skipped test is a failure: nothing may pass there because its tools were missing.
"""
import os
import sys
import unittest
from typing import Any


class CountingResult(unittest.TextTestResult):
    """Counts tests that passed wholly: a failed subtest fails its test once."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.passed = 0

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed += 1


def failed_tests(result: unittest.TestResult) -> list[str]:
    """The names of failed tests, each once: a subtest counts as the test that it is part of."""
    cases = [case for case, _ in result.failures + result.errors]
    return sorted({getattr(case, "test_case", case).id() for case in cases})


def main(folders: list[str]) -> int:
    loader = unittest.TestLoader()
    suite = unittest.TestSuite()
    for folder in folders:
        sys.path.insert(0, folder)
        suite.addTests(loader.discover(folder, top_level_dir=folder))
    result = unittest.TextTestRunner(resultclass=CountingResult, verbosity=2).run(suite)
    assert isinstance(result, CountingResult)
    failed = failed_tests(result)
    for name in failed:
        print(f"failed: {name}")
    for test, reason in result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    print(f"{result.passed} passed, {len(failed)} failed, {len(result.skipped)} skipped")
    strict = os.environ.get("CI") == "true"
    empty = result.testsRun == 0
    return 1 if failed or empty or (strict and result.skipped) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
