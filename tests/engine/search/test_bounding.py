"""Bounds from both sides: always true, ever tighter, and equal if there is time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import INFINITE, Bounds, Objective, combine
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.game.symmetry import representatives
from bullscows.search import bounding
from bullscows.search.bounding import Bounding, Effort, tree_of
from bullscows.search.position import Position, Progress
from bullscows.search.search import Search
from bullscows.search.tree import BoundedTree, Entry, TreeNode
from tests.support.examples import examples
from tests.support.known import known, known_total

FEWEST_TURNS = known_total("p4c10n")
KNOWN = {
    ("p4c6r", "average", None): known_total("p4c6r"),
    ("p4c6r", "last", 5): known("p4c6r", "last", 5).worst,
    ("p4c10n", "average", None): FEWEST_TURNS,
    ("p3c10n", "average", None): known_total("p3c10n"),
}


def search_of(rules: str, objective: str, max_turns: int | None = None, threads: int = 1) -> Search:
    table = ResponseTable.of(Rules.parse(rules))
    weights = combine(
        Objective.parse(objective),
        max_turns or 16,
        table.size,
        table.answers,
        capped=max_turns is not None,
    )
    return Search(table, weights, threads=threads)


def root(search: Search) -> Position:
    return Position.after(search.table, ())


@pytest.mark.parametrize(("game", "value"), KNOWN.items())
def test_bounds_meet_at_the_value(game: tuple[str, str, int | None], value: int) -> None:
    search = search_of(*game)
    assert Bounding(search, tree_of(search, ())).bounds() == Bounds(value, value)


def test_two_threads_meet_at_the_same_value() -> None:
    search = search_of("p3c10n", "average", threads=2)
    total = known_total("p3c10n")
    assert Bounding(search, tree_of(search, ())).bounds() == Bounds(total, total)


def test_a_game_without_strategy_has_no_upper_bound() -> None:
    search = search_of("p4c6r", "last", 4)
    bounds = Bounding(search, tree_of(search, ())).bounds()
    assert bounds.lower >= INFINITE
    assert bounds.upper is None


@pytest.mark.parametrize("first", ["0000", "0011"])
def test_the_first_guess_can_be_given(first: str) -> None:
    search = search_of("p4c6r", "average")
    guess = Rules.parse("p4c6r").parse_code(first)
    tree = tree_of(search, ())
    bounds = Bounding(search, tree, option=tree.option(tree.root, guess)).bounds()
    plain = sum(search.value(part).lower for part in search.parts(root(search), guess))
    assert bounds == Bounds(plain, plain)


@pytest.fixture
def split_at_once(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Split positions of some candidates before anything is asked about them; list how large."""
    monkeypatch.setattr(bounding, "SHORTEST_SPELL", 0.001)
    monkeypatch.setattr(bounding, "SPLIT_SIZE", 100)
    sizes: list[int] = []
    ask, split = Bounding._ask, Bounding._split

    def split_first(self: Bounding, node: TreeNode) -> bool:
        effort = self._efforts[node.entry]
        if self._may_split and not effort.stays_whole:
            self._split(node, effort)
        return self._spell(node) if effort.is_split else ask(self, node)

    def count(self: Bounding, node: TreeNode, effort: Effort) -> None:
        split(self, node, effort)
        if effort.is_split:
            sizes.append(node.count)

    monkeypatch.setattr(Bounding, "_ask", split_first)
    monkeypatch.setattr(Bounding, "_split", count)
    return sizes


@pytest.mark.parametrize(
    ("rules", "objective", "max_turns"),
    [
        ("p4c5r", "average", None),
        pytest.param("p4c6r", "average", None, marks=pytest.mark.slow),
        pytest.param("p5c7n", "average", None, marks=pytest.mark.slow),
        ("p4c7n", "average,last", 8),
    ],
)
def test_bounds_of_positions_split_into_guesses_meet_at_the_value(
    split_at_once: list[int], rules: str, objective: str, max_turns: int | None
) -> None:
    search = search_of(rules, objective, max_turns)
    value = search.value(root(search)).lower
    again = search_of(rules, objective, max_turns)
    assert Bounding(again, tree_of(again, ())).bounds(600.0) == Bounds(value, value)
    assert split_at_once


@pytest.mark.parametrize("answer", ["0.3", pytest.param("1.1", marks=pytest.mark.slow)])
@pytest.mark.parametrize("rows", ["whole", "candidates"])
def test_positions_of_a_history_are_split_into_a_guess_of_each_class(
    split_at_once: list[int], rows: str, answer: str
) -> None:
    """Also where the table has rows of candidates only, whose numbers are not those of codes."""
    rules = Rules.parse("p4c10n")
    whole = search_of("p4c10n", "average")
    played = [(rules.parse_code("0123"), rules.parse_answer(answer))]
    position = Position.after(whole.table, played)
    value = whole.value(position).lower
    table = whole.table
    if rows == "candidates":
        candidates = np.array(position.candidates, dtype=np.int32)
        table = ResponseTable.of_candidates(rules, candidates)
    search = Search(table, whole.weights)
    tree = tree_of(search, played)
    assert tree.guesses(tree.root) == representatives(rules, [played[0][0]]).tolist()
    assert Bounding(search, tree).bounds(600.0) == Bounds(value, value)
    assert split_at_once


def test_a_position_that_is_too_large_to_split_is_not_looked_at_again(
    split_at_once: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounding, "ROOM", 0)
    asked = []
    guesses = BoundedTree.guesses

    def count(self: BoundedTree, node: TreeNode) -> list[int]:
        asked.append(node.turns)
        return guesses(self, node)

    monkeypatch.setattr(BoundedTree, "guesses", count)
    search = search_of("p5c7n", "average")
    value = search.value(root(search)).lower
    again = search_of("p5c7n", "average")
    assert Bounding(again, tree_of(again, ())).bounds(600.0) == Bounds(value, value)
    assert not split_at_once
    assert asked
    assert len(asked) == len(set(asked))


def test_no_position_is_split_where_time_has_no_end(split_at_once: list[int]) -> None:
    search = search_of("p5c7n", "average")
    value = search.value(root(search)).lower
    assert Bounding(search, tree_of(search, ())).bounds() == Bounds(value, value)
    assert not split_at_once


@given(seconds=st.sampled_from([0.0, 0.02, 0.1, 0.3]))
@examples(4)
def test_bounds_after_any_time_hold(seconds: float) -> None:
    search = search_of("p4c10n", "average")
    bounds = Bounding(search, tree_of(search, ())).bounds(seconds)
    assert bounds.lower <= FEWEST_TURNS
    assert bounds.upper is None or bounds.upper >= FEWEST_TURNS


def test_progress_tightens_only() -> None:
    reported: list[Progress] = []
    search = search_of("p4c10n", "average")
    Bounding(search, tree_of(search, ()), progress=reported.append).bounds()
    lowers = [progress.lower for progress in reported]
    uppers = [progress.best for progress in reported if progress.best is not None]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)
    assert [progress.seconds for progress in reported] == sorted(p.seconds for p in reported)


def test_an_interrupt_ends_it_with_what_is_known() -> None:
    def interrupt(_progress: Progress) -> None:
        raise KeyboardInterrupt

    search = search_of("p4c10n", "average")
    bounds = Bounding(search, tree_of(search, ()), progress=interrupt).bounds()
    assert not bounds.exact
    assert bounds.lower <= FEWEST_TURNS


def test_a_beam_is_a_strategy_and_wider_ones_come_nearer() -> None:
    search = search_of("p4c10n", "average")
    costs = [search.beam(width=width).value(root(search)).lower for width in (1, 4, 16, 64)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] < 26700
    assert costs[-1] >= FEWEST_TURNS


# -- what is asked next ------------------------------------------------------------------------


def effort(lower: int, upper: int | None = None, **more: float) -> Effort:
    return Effort(Entry(Bounds(lower, upper)), **more)  # type: ignore[arg-type]


def test_a_question_is_about_a_share_of_what_is_possible() -> None:
    asked = effort(100, 201)
    assert asked.budget == 150
    asked.asked(2.0, is_answered=False)
    assert (asked.budget, asked.left, asked.seconds) == (125, 1, 2.0)
    asked.asked(1.0, is_answered=True)
    assert (asked.budget, asked.left, asked.seconds) == (150, 0, 1.0)


def test_nothing_known_from_above_asks_for_all() -> None:
    assert effort(100).budget == INFINITE - 1


def test_a_part_may_cost_what_the_others_leave_and_is_asked_for_a_little() -> None:
    search = search_of("p4c6r", "average")
    tree = tree_of(search, ())
    option = tree.option(tree.root, 7)  # 0011
    asked = Bounding(search, tree, option=option)
    spare = 300
    chosen = asked._next_part(tree.root, option, option.total + spare)
    assert chosen is not None
    parts = tree.parts(tree.root, option)
    wanted = [asked._efforts[part.entry].wanted - part.bounds.lower for part in parts]
    assert len(set(wanted)) == 1
    assert all(asked._efforts[part.entry].caution >= 2 for part in parts)


def test_a_split_position_promises_what_it_gained_lately_or_a_little_hope() -> None:
    split = effort(50, 90, is_split=True)
    split.worked(20, 1.0)
    assert split.promise == pytest.approx(20)
    split.worked(0, 1.0)
    assert split.promise == pytest.approx(10)
    for _ in range(20):
        split.worked(0, 1.0)
    assert 0 < split.promise < 1


def test_the_quickest_gain_is_asked_for_first() -> None:
    slow, quick, known = effort(0, 100, seconds=10.0), effort(0, 100), effort(5, 5)
    assert quick.promise > slow.promise > known.promise == 0
