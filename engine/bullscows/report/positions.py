"""A position written as the paper writes it, searched."""

from __future__ import annotations

from functools import cache
from typing import Any

from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.search.solution import Solution
from bullscows.search.solver import solve


@cache
def table_of(rules: str) -> ResponseTable:
    """Return the answers of a game, computed once."""
    return ResponseTable.of(Rules.parse(rules))


def solved(
    rules: str, objective: str, history: str = "", *, first: str | None = None, **options: Any
) -> Solution:
    """Solve a position written as ``0123:0.1 1245:0.2``; `options` are those of `solve`."""
    game = Rules.parse(rules)
    turns = [word.split(":") for word in history.split()]
    return solve(
        table_of(rules),
        objective,
        history=[(game.parse_code(guess), game.parse_answer(answer)) for guess, answer in turns],
        first=None if first is None else game.parse_code(first),
        **options,
    )
