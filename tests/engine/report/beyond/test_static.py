"""The tables of the static game: only what a search has proved stands in them as a size."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bullscows.game.rules import Rules
from bullscows.report.beyond import static as module
from bullscows.report.rows import Row
from bullscows.strategies.static_game import StaticSet


def found(*, lower: int, interrupted: bool = False) -> Callable[[str], StaticSet]:
    return lambda game: StaticSet(Rules.parse(game), (0, 1, 2), lower, interrupted)


def sizes(monkeypatch: pytest.MonkeyPatch, search: Callable[[str], StaticSet]) -> list[Row]:
    monkeypatch.setattr(module, "static_set", search)
    monkeypatch.setattr(module, "COLOURS", ("p2c2r",))
    return [row for row in module.colours(1) if row.label.endswith("guesses")]


def test_a_size_that_is_not_proved_is_shown_as_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = sizes(monkeypatch, found(lower=2))
    assert (row.published, row.ours, row.verdict) == ("2", "2 to 3", "unexplained")


def test_a_size_that_is_proved_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = sizes(monkeypatch, found(lower=3))
    assert (row.ours, row.verdict) == ("3", "differs")


def test_an_interrupted_search_makes_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        sizes(monkeypatch, found(lower=2, interrupted=True))
