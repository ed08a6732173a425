"""Slovesnov's tables, recomputed: turns, late secrets, equivalence classes, hybrids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from bullscows.build.builder import build_record
from bullscows.build.catalogue import spec
from bullscows.build.strategies import BuildOptions
from bullscows.game.history import History
from bullscows.game.rules import Rules
from bullscows.game.symmetry import representatives
from bullscows.report.sections import BULLS_COWS, MASTERMIND, proved, published, section, solved
from bullscows.report.tables import Row
from bullscows.strategies.hybrids import HYBRIDS, Hybrid, HybridSearch

# -- Bulls & Cows ----------------------------------------------------------------------------------


@section("average", "Bulls & Cows: fewest turns", "Slovesnov 5.2.1")
def average_by_first_answer(threads: int) -> Iterator[Row]:
    """Fewest turns in all after each answer to 0123, and in all (paper, 5.2.1)."""
    shares = published()["total_turns"]["p4c10n_by_first_response"]["exact"]
    for answer, turns in shares.items():
        if answer == "total":
            continue
        history = f"0123:{answer}"
        ours = (
            1
            if answer == "4.0"
            else proved(solved(BULLS_COWS, "average", history, threads=threads))
        )
        yield Row(f"0123 {answer}", turns, ours)
    yield Row("total", shares["total"], proved(solved(BULLS_COWS, "average", threads=threads)))


@section("movers", "Bulls & Cows: fewest late secrets", "Slovesnov 5.1.1")
def movers_by_first_answer(threads: int) -> Iterator[Row]:
    """Fewest secrets at the last turn that any are left for, after each answer (paper, 5.1.1)."""
    figures = published()["k_movers"]
    seven = figures["p4c10n_7_movers_by_first_response"]["exact"]
    below = figures["p4c10n_fewest_movers_below_7"]
    answers = [str(answer) for answer in Rules.parse(BULLS_COWS).answers[:-1]]
    for answer in answers:
        for turn in (7, 6, 5, 4):
            known = seven if turn == 7 else below[f"{turn}_movers"]
            solution = solved(BULLS_COWS, "last", f"0123:{answer}", max_turns=turn, threads=threads)
            default = 0 if turn == 7 else ""
            label = f"0123 {answer}, {turn}-movers"
            yield Row(label, known.get(answer, default), proved(solution))
            if solution.value != 0:
                break
    total = proved(solved(BULLS_COWS, "last", max_turns=7, threads=threads))
    yield Row("total, 7-movers", seven["total"], total)


@section("second", "Bulls & Cows: second guesses", "Slovesnov 5.1.1")
def second_guesses(threads: int) -> Iterator[Row]:
    """Fewest 7-movers after 0123 0.1 and each second guess answered 0.2 (paper, 5.1.1)."""
    column = published()["k_movers"]["p4c10n_(0123,0.1)(t,0.2)"]["exact"]
    for guess, count in column.items():
        history = f"0123:0.1 {guess}:0.2"
        ours = proved(solved(BULLS_COWS, "last", history, max_turns=7, threads=threads))
        label = f"0123 0.1, {guess} 0.2"
        if isinstance(count, str):  # ">=9": his search stopped there
            yield Row(label, int(count.removeprefix(">=")), ours, bound=">=")
        else:
            yield Row(label, count, ours)


@section("turns", "How many turns are too few", "Slovesnov 1; Chen")
def six_turns(threads: int) -> Iterator[Row]:
    """Whether six turns are enough for Bulls & Cows, and four for Mastermind (paper, 1)."""
    for rules, turns in ((BULLS_COWS, 6), (MASTERMIND, 4)):
        solution = solved(rules, "average", max_turns=turns, threads=threads)
        yield Row(f"{rules} within {turns} turns", None, proved(solution))


# -- Mastermind ------------------------------------------------------------------------------------


@section("mastermind-movers", "Mastermind: 5-movers", "Slovesnov 5.1.2", quick=True)
def mastermind_movers(threads: int) -> Iterator[Row]:
    """Fewest 5-movers within five turns for each first guess (paper, 5.1.2)."""
    figures = published()["k_movers"]["p4c6r_5_movers_by_first_guess_at_most_5_turns"]["exact"]
    return _by_first_guess("last", figures, threads)


@section("mastermind-average", "Mastermind: fewest turns", "Slovesnov 5.2.2", quick=True)
def mastermind_average(threads: int) -> Iterator[Row]:
    """Fewest turns within five for each first guess (paper, 5.2.2)."""
    figures = published()["total_turns"]["p4c6r_at_most_5_turns_by_first_guess"]["exact"]
    return _by_first_guess("average", figures, threads)


def _by_first_guess(objective: str, figures: dict[str, Any], threads: int) -> Iterator[Row]:
    for guess, known in figures.items():
        solution = solved(MASTERMIND, objective, first=guess, max_turns=5, threads=threads)
        yield Row(f"{guess}, {objective}", known, proved(solution))


@section("mastermind-shares", "Mastermind: after 0012", "Slovesnov 5.2.2", quick=True)
def mastermind_shares(threads: int) -> Iterator[Row]:
    """Turns within five after each answer to 0012, and without a cap (paper, 5.2.2)."""
    figures = published()["total_turns"]
    for answer, turns in figures["p4c6r_0012_by_response_at_most_5_turns"]["exact"].items():
        if answer == "total":
            continue
        history = f"0012:{answer}"
        capped = solved(MASTERMIND, "average", history, max_turns=5, threads=threads)
        yield Row(f"0012 {answer}", turns, 1 if answer == "4.0" else proved(capped))
    free = figures["p4c6r_any_number_of_turns"]
    uncapped = solved(MASTERMIND, "average", "0012:1.1", threads=threads)
    yield Row("0012 1.1, any number of turns", free["0012 1.1"], proved(uncapped))
    yield Row("any number of turns", free["exact"], proved(solved(MASTERMIND, "average")))


# -- equivalence -----------------------------------------------------------------------------------


@section("classes", "Equivalence classes", "Slovesnov 2.4; Francis", quick=True)
def equivalence(_threads: int) -> Iterator[Row]:
    """Sizes of the sets of first to third guesses (paper, 2.4)."""
    figures = published()["equivalence"]
    game = Rules.parse(BULLS_COWS)
    second = _after(game, (0,))
    third = sum(len(_after(game, (0, guess))) for guess in second)
    yield from _members("Bulls & Cows, S1", figures[BULLS_COWS]["S1"], game, _after(game, ()))
    yield from _members("Bulls & Cows, S2(0123)", figures[BULLS_COWS]["S2(0123)"], game, second)
    yield Row("Bulls & Cows, S3 in all", figures[BULLS_COWS]["S3_total"], third)
    game = Rules.parse(MASTERMIND)
    first = _after(game, ())
    pairs = sum(len(_after(game, (guess,))) for guess in first)
    yield from _members("Mastermind, S1", figures[MASTERMIND]["S1"], game, first)
    yield Row(
        "Mastermind, S2 in all",
        figures[MASTERMIND]["S2_total"],
        pairs,
        why="11 + 52 + 38 + 129 + 56; a listing of all 24 x 720 transformations gives the same",
        unexplained=True,
    )


def _members(label: str, known: list[str], game: Rules, ours: list[int]) -> Iterator[Row]:
    """Yield how many guesses a set has, and which."""
    yield Row(label, len(known), len(ours))
    names = sorted(game.text(guess) for guess in ours)
    yield Row(f"{label}, guesses", " ".join(sorted(known)), " ".join(names))


def _after(game: Rules, guesses: tuple[int, ...]) -> list[int]:
    """Return an equivalence set as the paper defines it: without the guesses made."""
    found: list[int] = representatives(game, guesses).tolist()
    return [guess for guess in found if guess not in guesses]


# -- the strings -----------------------------------------------------------------------------------

_PAPERS_TREES = {
    "crushBullsCows": "crush-bulls-cows",
    "avgBullsCows": "avg-bulls-cows",
    "crushMastermind": "crush-mastermind",
    "avgMastermind5": "avg-mastermind-5",
    "avgMastermind": "avg-mastermind",
}


@section("strings", "Nodes of the paper's five trees", "Slovesnov 6.2")
def string_lengths(threads: int) -> Iterator[Row]:
    """Nodes, special and stored nodes of the paper's five trees, and their bytes (paper, 6.2)."""
    figures = published()["nodes"]
    total = 0
    for known, nodes, special, stored in figures["rows"]:
        name = _PAPERS_TREES[known]
        record = build_record(spec(name), BuildOptions(threads))
        yield Row(f"{name}, nodes", nodes, record.nodes, depends=True)
        ours = record.nodes - record.stored
        yield Row(f"{name}, special", special, ours, depends=True)
        yield Row(f"{name}, stored", stored, record.stored, bound="<=")
        total += len(record.string)
    yield Row("bytes of the five strings", figures["all_strings_bytes"], total, bound="<=")


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
