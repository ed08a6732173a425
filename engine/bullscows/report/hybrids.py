"""Slovesnov's hybrids, recomputed: late secrets and turns by first answer and by position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from bullscows.game.history import History
from bullscows.game.rules import Rules
from bullscows.report.sections import BULLS_COWS, MASTERMIND, published, section
from bullscows.report.tables import Row
from bullscows.strategies.hybrids import HYBRIDS, Hybrid, HybridSearch

_TOTAL = "total"
_WON = "4.0"

_CRUSH = (
    "ten orders of the guesses were tried, none gives it; the nearest, with the last of equal "
    "guesses outside, has 79 after 0.1 and 24 after 0.2"
)
_LARMOUTH = (
    "ten orders and a dozen ways to round the sum of n log n were tried: the last of all equal "
    "guesses has 314 after 2.1, none has 845 after 2.0"
)

_TRIED: Mapping[str, str] = {
    "crush35": _CRUSH,
    "crush45": "crush35, on which orders were tried, differs likewise",
    "avg35": _LARMOUTH,
    "avg45": "avg35, on which orders were tried, differs likewise",
}
"""Attempts to explain hybrids whose figures differ (docs/research.md, "Hybrids")."""


@section("hybrids-movers", "Hybrids: fewest late secrets", "Slovesnov 5.1.1", quick=True)
def late_secrets(_threads: int) -> Iterator[Row]:
    """Seven-movers of crush35 after each first answer (paper, 5.1.1)."""
    figures = published()["k_movers"]["p4c10n_7_movers_by_first_response"]
    yield from _column("crush35", BULLS_COWS, "0123", figures["crush35"], unpublished=0)


@section("hybrids-turns", "Hybrids: fewest turns", "Slovesnov 5.2.1")
def turns(_threads: int) -> Iterator[Row]:
    """Turns of avg35, avg45 and fso after each first answer (paper, 5.2.1)."""
    figures = published()["total_turns"]["p4c10n_by_first_response"]
    for name in ("avg35", "avg45", "fso"):
        yield from _column(name, BULLS_COWS, "0123", figures[name])


@section("hybrids-positions", "Hybrids after two turns", "Slovesnov 5.1.1")
def positions(_threads: int) -> Iterator[Row]:
    """Seven-movers of crush45 after two turns (paper, 5.1.1)."""
    figures = published()["k_movers"]
    for key, guess, first in (
        ("p4c10n_second_guess_0.1", "1245", "0.1"),
        ("p4c10n_second_guess_0.2", "1435", "0.2"),
    ):
        column = figures[key][f"(0123,{first})({guess},r)"]["crush45"]
        for answer, known in column.items():
            if answer != _TOTAL:
                history = f"0123:{first} {guess}:{answer}"
                label = f"0123 {first}, {guess} {answer}"
                yield _row("crush45", label, known, _value("crush45", BULLS_COWS, history))


@section("hybrids-mastermind", "Mastermind: hybrids", "Slovesnov 5.1.2, 5.2.2", quick=True)
def mastermind(_threads: int) -> Iterator[Row]:
    """The hybrids of Mastermind by first guess, and after 0012 by answer (paper, 5.1.2, 5.2.2)."""
    movers, totals = published()["k_movers"], published()["total_turns"]
    for name, by_guess, by_answer in (
        (
            "crush3",
            movers["p4c6r_5_movers_by_first_guess_at_most_5_turns"],
            movers["p4c6r_5_movers_0012_by_response"],
        ),
        (
            "avg3",
            totals["p4c6r_at_most_5_turns_by_first_guess"],
            totals["p4c6r_0012_by_response_at_most_5_turns"],
        ),
    ):
        if name == "avg3":
            yield from _avg3_by_first_guess(by_guess[name])
            yield from _column(_AVG3_LAST, MASTERMIND, "0012", by_answer[name])
        else:
            for guess, known in by_guess[name].items():
                yield _row(name, guess, known, _after_first_guess(name, MASTERMIND, guess))
        yield from _column(name, MASTERMIND, "0012", by_answer[name])


def _column(
    name: str, game: str, guess: str, figures: Mapping[str, Any], unpublished: int | None = None
) -> Iterator[Row]:
    """Yield a figure for each answer to a first guess, and their sum."""
    for answer in map(str, Rules.parse(game).answers):
        known = figures.get(answer, unpublished)
        if answer != _WON and known is not None:
            yield _row(name, f"{guess} {answer}", known, _value(name, game, f"{guess}:{answer}"))
    yield _row(name, _TOTAL, figures[_TOTAL], _after_first_guess(name, game, guess))


def _row(name: str, label: str, known: int | None, ours: int | None) -> Row:
    row = Row(f"{name}, {label}", known, ours)
    if row.verdict != "differs":
        return row
    tried = _TRIED.get(name, "")
    return replace(row, why=tried, unexplained=bool(tried))


def _avg3_by_first_guess(figures: Mapping[str, Any]) -> Iterator[Row]:
    """Compare avg3 in our order of equal guesses and in the one that gives the paper's figures."""
    for guess, known in figures.items():
        row = _row("avg3", guess, known, _after_first_guess("avg3", MASTERMIND, guess))
        last = _after_first_guess(_AVG3_LAST, MASTERMIND, guess)
        if row.verdict == "differs" and last == known:
            row = replace(row, why="the last of equal guesses outside gives the published figure")
        yield row
        yield _row(_AVG3_LAST, guess, known, last)


_AVG3_LAST = "avg3, last outside"


@cache
def _search(name: str, game: str) -> HybridSearch:
    return HybridSearch(Rules.parse(game), _hybrid(name))


def _hybrid(name: str) -> Hybrid:
    base, _, order = name.partition(", ")
    return replace(HYBRIDS[base], outside_last=bool(order))


@cache
def _value(name: str, game: str, history: str) -> int | None:
    return _search(name, game).value(History.parse(game, history).turns)


def _after_first_guess(name: str, game: str, guess: str) -> int | None:
    """Return the sum over the answers to a first guess; None if some secret comes too late."""
    rules = Rules.parse(game)
    parts = rules.partition(rules.parse_code(guess), range(rules.size))
    answers = [str(rules.answers[answer]) for answer in parts if answer != rules.win]
    found = [_value(name, game, f"{guess}:{answer}") for answer in answers]
    won = _hybrid(name).weights[0]
    return None if None in found else won + sum(value for value in found if value is not None)
