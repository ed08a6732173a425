"""Bounds from both sides: always true, ever tighter, and equal if there is time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.cost import Bounds
from bullscows.game.objective import (
    INFINITE,
    Objective,
    combine,
)
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.game.symmetry import representatives
from bullscows.search import anytime
from bullscows.search.anytime import AnytimeSearch
from bullscows.search.brackets import Bracket
from bullscows.search.position import Position, Progress
from bullscows.search.search import Search
from tests.support.examples import examples
from tests.support.known import known, known_total

FEWEST_TURNS = known_total("p4c10n")
KNOWN = {
    ("p4c6r", "average", None): known_total("p4c6r"),
    ("p4c6r", "last", 5): known("p4c6r", "last", 5).worst,
    ("p4c10n", "average", None): FEWEST_TURNS,
    ("p3c10n", "average", None): known_total("p3c10n"),
}


def search_of(rules: str, objective: str, max_turns: int | None = None, jobs: int = 1) -> Search:
    table = ResponseTable.of(Rules.parse(rules))
    weights = combine(
        Objective.parse(objective),
        max_turns or 16,
        table.size,
        table.answers,
        capped=max_turns is not None,
    )
    return Search(table, weights, jobs=jobs)


def root(search: Search) -> Position:
    return Position.after(search.table, ())


@pytest.mark.parametrize(("game", "value"), KNOWN.items())
def test_bounds_meet_at_the_value(game: tuple[str, str, int | None], value: int) -> None:
    search = search_of(*game)
    assert AnytimeSearch(search, root(search)).bounds() == Bounds(value, value)


def test_two_threads_meet_at_the_same_value() -> None:
    search = search_of("p3c10n", "average", jobs=2)
    total = known_total("p3c10n")
    assert AnytimeSearch(search, root(search)).bounds() == Bounds(total, total)


def test_a_game_without_strategy_is_told_apart() -> None:
    search = search_of("p4c6r", "last", 4)
    bounds = AnytimeSearch(search, root(search)).bounds()
    assert bounds.lower >= INFINITE
    assert bounds.upper is None


@pytest.mark.parametrize("first", ["0000", "0011"])
def test_the_first_guess_can_be_given(first: str) -> None:
    search = search_of("p4c6r", "average")
    guess = Rules.parse("p4c6r").parse_code(first)
    bounds = AnytimeSearch(search, root(search), first=guess).bounds()
    plain = sum(
        search.value(part).lower if known.upper is None else known.lower
        for part, known in search.parts(root(search), guess)
    )
    assert bounds == Bounds(plain, plain)


@pytest.fixture
def split_at_once(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Split positions of ten candidates as soon as a question takes a moment; list how large."""
    for name in ("SHORTEST", "SHORTEST_OF_PARTS", "SHORTEST_SPELL"):
        monkeypatch.setattr(anytime, name, 0.001)
    monkeypatch.setattr(anytime, "PATIENCE", 0.02)
    monkeypatch.setattr(anytime, "OVERDUE", 1.0)
    monkeypatch.setattr(anytime, "SPLIT_AFTER", 1)
    monkeypatch.setattr(anytime, "SPLIT_SIZE", 10)
    sizes: list[int] = []
    split = AnytimeSearch._split

    def count(self: AnytimeSearch, bracket: Bracket) -> None:
        split(self, bracket)
        if bracket.branches:
            sizes.append(len(bracket.position.candidates))

    monkeypatch.setattr(AnytimeSearch, "_split", count)
    return sizes


@pytest.mark.parametrize(
    ("rules", "objective", "max_turns"),
    [
        ("p4c6r", "average", None),
        pytest.param("p5c7n", "average", None, marks=pytest.mark.slow),
        ("p4c8n", "average,last", 8),
    ],
)
def test_bounds_of_positions_split_into_guesses_meet_at_the_value(
    split_at_once: list[int], rules: str, objective: str, max_turns: int | None
) -> None:
    search = search_of(rules, objective, max_turns)
    value = search.value(root(search)).lower
    again = search_of(rules, objective, max_turns)
    assert AnytimeSearch(again, root(again)).bounds(600.0) == Bounds(value, value)
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
    search, position = Search(table, whole.weights), Position.after(table, played)
    asked = AnytimeSearch(search, position)
    guesses = [table.code(guess) for guess in asked._guesses(position)]
    assert guesses == representatives(rules, [played[0][0]]).tolist()
    assert asked.bounds(600.0) == Bounds(value, value)
    assert split_at_once


def test_a_position_that_is_too_large_to_split_is_not_looked_at_again(
    split_at_once: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anytime, "ROOM", 0)
    asked = []
    guesses = AnytimeSearch._guesses

    def count(self: AnytimeSearch, position: Position) -> list[int]:
        asked.append(position.candidates)
        return guesses(self, position)

    monkeypatch.setattr(AnytimeSearch, "_guesses", count)
    search = search_of("p5c7n", "average")
    value = search.value(root(search)).lower
    again = search_of("p5c7n", "average")
    assert AnytimeSearch(again, root(again)).bounds(600.0) == Bounds(value, value)
    assert not split_at_once
    assert len(asked) == len(set(asked))


def test_no_position_is_split_where_time_has_no_end(split_at_once: list[int]) -> None:
    search = search_of("p5c7n", "average")
    value = search.value(root(search)).lower
    assert AnytimeSearch(search, root(search)).bounds() == Bounds(value, value)
    assert not split_at_once


@given(seconds=st.sampled_from([0.0, 0.02, 0.1, 0.3]))
@examples(4)
def test_bounds_after_any_time_hold(seconds: float) -> None:
    search = search_of("p4c10n", "average")
    bounds = AnytimeSearch(search, root(search)).bounds(seconds)
    assert bounds.lower <= FEWEST_TURNS
    assert bounds.upper is None or bounds.upper >= FEWEST_TURNS


def test_progress_tightens_only() -> None:
    told: list[Progress] = []
    search = search_of("p4c10n", "average")
    AnytimeSearch(search, root(search), progress=told.append).bounds()
    lowers = [progress.lower for progress in told]
    uppers = [progress.best for progress in told if progress.best is not None]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)
    assert [progress.seconds for progress in told] == sorted(p.seconds for p in told)


def test_an_interrupt_ends_it_with_what_is_known() -> None:
    def interrupt(_progress: Progress) -> None:
        raise KeyboardInterrupt

    search = search_of("p4c10n", "average")
    bounds = AnytimeSearch(search, root(search), progress=interrupt).bounds()
    assert not bounds.exact
    assert bounds.lower <= FEWEST_TURNS


def test_a_beam_is_a_strategy_and_wider_ones_come_nearer() -> None:
    search = search_of("p4c10n", "average")
    costs = [search.narrowed(width).value(root(search)).lower for width in (1, 4, 16, 64)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] < 26700
    assert costs[-1] >= FEWEST_TURNS
