"""What the soak says of figures that grow, stay and are missing."""
import unittest
from collections import Counter

from judgement import TOLERANCES, Reading, Verdict, judged

PROGRAM = "roundeld"
FIGURES = {"processes": 1.0, "memory": 8.0, "anonymous": 3.0, "descriptors": 20.0, "watches": 30.0,
           "threads": 2.0, "wake-ups": 4.0}


def reading(figures: dict[str, float] | None = None, process: int = 7) -> dict[str, Reading]:
    return {PROGRAM: Reading(frozenset({process}), {**FIGURES, **(figures or {})})}


def faults(verdicts: list[Verdict]) -> dict[str, str]:
    return {verdict.figure: verdict.fault for verdict in verdicts if verdict.fault}


class JudgementTests(unittest.TestCase):
    def test_the_same_figures_are_no_leak(self) -> None:
        verdicts = judged(reading(), reading(), frozenset({PROGRAM}))
        self.assertEqual({verdict.figure for verdict in verdicts}, set(FIGURES))
        self.assertEqual(faults(verdicts), {})

    def test_one_descriptor_or_watch_more_is_a_leak(self) -> None:
        for figure in ("descriptors", "watches"):
            more = judged(reading(), reading({figure: FIGURES[figure] + 1}), frozenset({PROGRAM}))
            self.assertEqual(faults(more), {figure: "grew"})

    def test_what_there_was_not_before_is_named(self) -> None:
        def opened(*paths: str) -> dict[str, Reading]:
            return {PROGRAM: Reading(frozenset({7}), {"descriptors": len(paths)}, {"descriptors": Counter(paths)})}
        (verdict,) = judged(opened("/a", "socket"), opened("/a", "socket", "socket", "/b"), frozenset())
        self.assertEqual(verdict.more, Counter({"socket": 1, "/b": 1}))

    def test_each_tolerance_has_an_end(self) -> None:
        for figure, tolerance in TOLERANCES.items():
            before, most = reading({figure: 40}), tolerance.most(40)
            self.assertLess(most, 80)
            self.assertEqual(faults(judged(before, reading({figure: most}), frozenset())), {})
            self.assertEqual(faults(judged(before, reading({figure: most + 0.1}), frozenset())), {figure: "grew"})

    def test_less_is_no_leak(self) -> None:
        self.assertEqual(faults(judged(reading(), reading({"memory": 1, "descriptors": 3}), frozenset())), {})

    def test_a_program_that_was_to_last_and_was_started_again_is_a_fault(self) -> None:
        before, after = reading(process=7), reading(process=8)
        self.assertEqual(faults(judged(before, after, frozenset({PROGRAM}))), {"processes": "ended by itself"})
        self.assertEqual(faults(judged(before, after, frozenset())), {})

    def test_what_was_not_measured_does_not_pass(self) -> None:
        gone: dict[str, Reading] = {}
        for before, after in ((reading(), gone), (gone, reading()), (gone, gone)):
            self.assertEqual(faults(judged(before, after, frozenset({PROGRAM}))), {"processes": "not measured"})
        none = {PROGRAM: Reading(frozenset(), dict.fromkeys(FIGURES, 0.0))}
        self.assertEqual(faults(judged(none, none, frozenset())), {"processes": "not measured"})
        one_less = {PROGRAM: Reading(frozenset({7}), {"memory": 8.0})}
        self.assertEqual(faults(judged(reading(), one_less, frozenset()))["watches"], "not measured")
        self.assertEqual(faults(judged(one_less, reading(), frozenset()))["watches"], "not measured")


if __name__ == "__main__":
    unittest.main()
