"""Two runs of the benchmarks differ where they do, and nowhere by chance."""
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "Benchmarks"))

import comparison
from comparison import Verdict
from runs import Figure


def figure(own: list[float], peer: list[float] | None = None, name: str = "row", unit: str = "ns") -> Figure:
    return Figure(name, unit, tuple(own), tuple(peer or []))


def verdict(before: Figure, after: Figure) -> Verdict:
    change = comparison.change(before, after)
    assert change is not None
    return change.verdict


class ChangeTests(unittest.TestCase):
    def test_what_every_round_shows_is_beyond_the_noise(self) -> None:
        slow, fast = figure([100, 104, 98, 102, 101]), figure([80, 82, 79, 83, 81])
        change = comparison.change(slow, fast)
        assert change is not None
        self.assertAlmostEqual(change.ratio, 81 / 101)
        self.assertLessEqual(change.low, change.ratio)
        self.assertLess(change.high, 1)
        self.assertEqual(change.verdict, Verdict.BETTER)
        self.assertEqual(verdict(fast, slow), Verdict.WORSE)

    def test_rounds_that_mix_are_noise(self) -> None:
        self.assertEqual(verdict(figure([100, 120, 90, 130, 110]), figure([105, 85, 118, 95, 125])), Verdict.NOISE)

    def test_one_round_alone_changes_nothing(self) -> None:
        self.assertEqual(verdict(figure([100, 101, 102, 99, 100]), figure([100, 101, 99, 102, 900])), Verdict.NOISE)

    def test_a_machine_that_is_slower_for_all_is_no_change(self) -> None:
        before = figure([100, 104, 98, 102, 101], [50, 53, 49, 51, 50])
        after = figure([200, 206, 198, 205, 202], [100, 103, 99, 104, 101])
        self.assertEqual(verdict(before, after), Verdict.NOISE)
        self.assertEqual(verdict(figure(list(before.own)), figure(list(after.own))), Verdict.WORSE)

    def test_three_rounds_say_nothing(self) -> None:
        self.assertEqual(verdict(figure([100, 101, 102]), figure([50, 51, 52])), Verdict.FEW)
        self.assertEqual(verdict(figure([100, 101, 102, 103]), figure([50, 51, 52, 53])), Verdict.BETTER)

    def test_the_same_work_seems_changed_seldom(self) -> None:
        chance = random.Random(7)

        def rounds() -> Figure:
            return figure([100 * chance.lognormvariate(0, 0.1) for _ in range(5)])
        wrong = sum(verdict(rounds(), rounds()) is not Verdict.NOISE for _ in range(100))
        self.assertLessEqual(wrong, 10)

    def test_the_range_is_the_same_each_time(self) -> None:
        # So many that no two ranges are the same by chance.
        chance = random.Random(7)
        before, after = (figure([chance.uniform(90, 110) for _ in range(100)]) for _ in range(2))
        self.assertEqual(comparison.change(before, after), comparison.change(before, after))

    def test_what_has_a_peer_in_one_run_alone_is_not_compared(self) -> None:
        self.assertIsNone(comparison.change(figure([1, 2, 3, 4], [1, 1, 1, 1]), figure([1, 2, 3, 4])))

    def test_nothing_at_all_is_not_divided_by(self) -> None:
        self.assertIsNone(comparison.change(figure([0]), figure([0])))
        self.assertIsNone(comparison.change(figure([5.0] * 4, [0.0] * 4), figure([5.0] * 4, [1.0] * 4)))


class TableTests(unittest.TestCase):
    def test_rows_of_both_are_compared_and_the_others_named(self) -> None:
        before = {"kept": figure([2e9] * 5), "gone": figure([1])}
        after = {"kept": figure([1e9] * 5), "new": figure([1])}
        lines = comparison.table(before, after)
        self.assertIn("| kept | 2 s | 1 s | 0.50 (0.50 to 0.50) | **better** |", lines)
        text = "\n".join(lines)
        self.assertIn("Only A has:\n- gone", text)
        self.assertIn("Only B has:\n- new", text)
        self.assertIn("1 of 1 rows", text)

    def test_figures_stand_beside_their_peers(self) -> None:
        self.assertEqual(comparison.figure_text(figure([3e6] * 3, [2e6] * 3)), "3 ms, 1.5 × its peer")
        self.assertEqual(comparison.figure_text(figure([2048], unit="KiB")), "2 MiB")
        self.assertEqual(comparison.figure_text(figure([42], unit="count")), "42")

    def test_nothing_measured_is_said_and_not_compared(self) -> None:
        idle = {"idle": figure([0], unit="count")}
        self.assertIn("| idle | 0 | 0 | | cannot be compared |", comparison.table(idle, idle))
