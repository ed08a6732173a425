"""Brackets: what is asked next of a position, and what its guesses tell of it."""

from __future__ import annotations

import pytest

from bullscows.game.cost import Bounds
from bullscows.game.objective import INFINITE
from bullscows.search.brackets import FRESH, UNSET, Bracket, Branch, most_promising
from bullscows.search.position import Position

SOME = Position((1, 2, 3, 4), 2)


def bracket(lower: int, upper: int | None = None, **more: float) -> Bracket:
    return Bracket(SOME, lower, upper, **more)  # type: ignore[arg-type]


def part(lower: int, upper: int | None = None) -> Bracket:
    return Bracket.part(SOME, Bounds(lower, upper))


def test_a_question_is_about_a_share_of_what_is_possible() -> None:
    asked = bracket(100, 201)
    assert asked.budget == 150
    asked.gave_up(2.0)
    assert (asked.budget, asked.left, asked.seconds) == (125, 1, 2.0)
    asked.answered(1.0)
    assert (asked.budget, asked.left, asked.seconds) == (150, 0, 1.0)


def test_nothing_known_from_above_asks_for_all() -> None:
    assert bracket(100).budget == INFINITE - 1


def test_bounds_tighten_only() -> None:
    asked = bracket(100, 200)
    for known, expected in [
        (Bounds(90, 210), (100, 200)),
        (Bounds(110, None), (110, 200)),
        (Bounds(0, 150), (110, 150)),
    ]:
        asked.tighten(known)
        assert (asked.lower, asked.upper) == expected
    assert asked.is_open
    asked.tighten(Bounds(150, 150))
    assert not asked.is_open


def test_a_guess_costs_what_its_parts_do_together() -> None:
    branch = Branch([part(10, 12), part(20, 20), part(30)])
    assert (branch.lower, branch.upper) == (60, None)
    branch.parts[2].tighten(Bounds(31, 40))
    assert (branch.lower, branch.upper) == (61, 72)


def test_a_part_may_cost_what_the_others_leave_and_is_asked_for_a_little() -> None:
    branch = Branch([part(100, 100), part(200), part(300)])
    asked = branch.next_part(700)
    assert asked is not None
    assert [one.wanted for one in branch.parts] == [200, 300, 400]
    assert asked.caution != UNSET
    assert asked.lower < asked.budget <= asked.lower + asked.lower // FRESH + 1


def test_a_guess_of_which_all_is_known_has_no_next_part() -> None:
    assert Branch([part(10, 10), part(20, 20)]).next_part(50) is None


def test_the_least_of_the_guesses_is_what_a_split_position_costs() -> None:
    split = bracket(50, 90)
    split.branches = [Branch([part(30, 40), part(32)]), Branch([part(70, 85)])]
    assert split.learn() is split.branches[0]
    assert (split.lower, split.upper) == (62, 85)
    split.branches[0].parts[1].tighten(Bounds(60, None))
    assert split.learn() is split.branches[1]
    assert split.lower == 70
    split.branches[1].parts[0].tighten(Bounds(85, 85))
    assert split.learn() is None
    assert (split.lower, split.upper) == (85, 85)


def test_a_split_position_promises_what_it_gained_lately_or_a_little_hope() -> None:
    split = bracket(50, 90)
    split.branches = [Branch([part(50)])]
    split.count(20, 1.0)
    assert split.promise == pytest.approx(20)
    split.count(0, 1.0)
    assert split.promise == pytest.approx(10)
    for _ in range(20):
        split.count(0, 1.0)
    assert 0 < split.promise < 1


def test_the_quickest_gain_is_asked_for_first() -> None:
    slow, quick, known = bracket(0, 100, seconds=10.0), bracket(0, 100), bracket(5, 5)
    assert most_promising([slow, quick, known]) is quick
