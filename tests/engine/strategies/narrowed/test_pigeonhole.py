"""The extended pigeonhole lemma: its examples, and its bound against all ways to fill holes."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows.search.solver import solve
from bullscows.strategies.narrowed.worst_first import least_worst_parts, pigeonhole_bound

BULLS_AND_COWS = [1, 24, 6, 72, 180, 8, 216, 720, 480, 9, 264, 1260, 1440, 360]


@pytest.mark.parametrize(("pigeons", "fullest"), [(1440, 165), (165, 15), (15, 2), (14, 1)])
def test_examples_of_the_paper(pigeons: int, fullest: int) -> None:
    assert pigeonhole_bound(pigeons, BULLS_AND_COWS) == fullest


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.data())
def test_bound_is_what_the_best_filling_attains(volumes: list[int], data: st.DataObject) -> None:
    fillings = list(product(*(range(volume + 1) for volume in volumes)))
    pigeons = sum(data.draw(st.sampled_from([f for f in fillings if sum(f)] or [(1,)])))
    if pigeons > sum(volumes):
        return
    best = min(max(filling) for filling in fillings if sum(filling) == pigeons)
    assert pigeonhole_bound(pigeons, volumes) == best


@pytest.mark.parametrize("pigeons", [0, 7])
def test_pigeons_need_holes_with_room(pigeons: int) -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        pigeonhole_bound(pigeons, [1, 2, 3])


def test_worst_parts_of_bulls_and_cows() -> None:
    assert least_worst_parts("p4c10n") == (1440, 165, 15, 2)


@pytest.mark.parametrize("text", ["p2c4n", "p3c5n", "p3c6n", "p3c8n", "p4c5n"])
def test_lower_bound_holds_for_solved_games(text: str) -> None:
    worst = solve(text, "worst").value
    assert worst is not None
    assert len(least_worst_parts(text)) + 2 <= worst


@pytest.mark.parametrize(
    ("text", "reason"), [("p4c6r", "not all equal"), ("p3c5z", "not all"), ("p2c2n", "no two")]
)
def test_games_of_which_the_lemma_says_nothing(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        least_worst_parts(Rules.parse(text))
