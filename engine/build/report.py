"""The published tables, recomputed by our own search and printed beside the published figures.

A section makes one table of `Row`s.  What others published is read from ``published.json`` only to
be compared: no figure of theirs enters a search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine.build.builder import build_record
from engine.build.catalogue import spec
from engine.game.responses import ResponseTable
from engine.game.rules import Rules
from engine.game.symmetry import representatives
from engine.search.solution import Solution
from engine.search.solver import solve

BULLS_COWS, MASTERMIND = "p4c10n", "p4c6r"
IMPOSSIBLE = "-"
"""How the paper writes that there is no strategy."""


@dataclass(frozen=True)
class Row:
    """One figure."""

    label: str
    """What it is of."""
    published: str
    """What the documents say, empty where they say nothing."""
    ours: str
    """What our search proved; `IMPOSSIBLE` where it proved that there is no strategy."""

    depends: bool = False
    """Does the figure depend on which of several optimal trees one takes?  Then nothing follows
    from a difference."""

    @property
    def agrees(self) -> bool:
        """Whether the figures are equal, or a published bound ``>=n`` or ``<=n`` holds."""
        if self.published.startswith(">="):
            return int(self.ours) >= int(self.published[2:])
        if self.published.startswith("<="):
            return int(self.ours) <= int(self.published[2:])
        return self.depends or self.published in ("", self.ours)


@dataclass(frozen=True)
class Section:
    """One table of the report."""

    title: str
    source: str
    rows: Callable[[int], Iterator[Row]]
    """Makes the rows, with a number of threads."""


@cache
def published() -> dict[str, Any]:
    """Return the published figures."""
    path = Path(__file__).with_name("published.json")
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return figures


@cache
def _table(rules: str) -> ResponseTable:
    return ResponseTable.of(Rules.parse(rules))


def _solve(
    rules: str, objective: str, history: str = "", *, first: str | None = None, **options: Any
) -> Solution:
    """Solve a position written as ``0123:0.1 1245:0.2``."""
    game = Rules.parse(rules)
    turns = [word.split(":") for word in history.split()]
    return solve(
        _table(rules),
        objective,
        history=[(game.parse_code(guess), game.parse_answer(answer)) for guess, answer in turns],
        first=None if first is None else game.parse_code(first),
        **options,
    )


def _figure(solution: Solution) -> str:
    return IMPOSSIBLE if solution.value is None else str(solution.value)


def _text(value: object) -> str:
    return IMPOSSIBLE if value is None else str(value)


# -- Bulls & Cows ----------------------------------------------------------------------------------


def average_by_first_answer(jobs: int) -> Iterator[Row]:
    """Fewest turns in all after each answer to 0123, and in all (paper, 5.2.1)."""
    shares = published()["total_turns"]["p4c10n_by_first_response"]["exact"]
    for answer, turns in shares.items():
        if answer == "total":
            continue
        history = f"0123:{answer}"
        ours = (
            "1" if answer == "4.0" else _figure(_solve(BULLS_COWS, "average", history, jobs=jobs))
        )
        yield Row(f"0123 {answer}", str(turns), ours)
    total = _figure(_solve(BULLS_COWS, "average", jobs=jobs))
    yield Row("total", str(shares["total"]), total)


def movers_by_first_answer(jobs: int) -> Iterator[Row]:
    """Fewest secrets at the last turn that any are left for, after each answer (paper, 5.1.1)."""
    figures = published()["k_movers"]
    seven = figures["p4c10n_7_movers_by_first_response"]["exact"]
    below = figures["p4c10n_fewest_movers_below_7"]
    answers = [str(answer) for answer in Rules.parse(BULLS_COWS).answers[:-1]]
    for answer in answers:
        for turn in (7, 6, 5, 4):
            known = seven if turn == 7 else below[f"{turn}_movers"]
            solution = _solve(BULLS_COWS, "last", f"0123:{answer}", max_turns=turn, jobs=jobs)
            default = "0" if turn == 7 else ""
            yield Row(
                f"0123 {answer}, {turn}-movers", str(known.get(answer, default)), _figure(solution)
            )
            if solution.value != 0:
                break
    total = _figure(_solve(BULLS_COWS, "last", max_turns=7, jobs=jobs))
    yield Row("total, 7-movers", str(seven["total"]), total)


def second_guesses(jobs: int) -> Iterator[Row]:
    """Fewest 7-movers after 0123 0.1 and each second guess answered 0.2 (paper, 5.1.1)."""
    column = published()["k_movers"]["p4c10n_(0123,0.1)(t,0.2)"]["exact"]
    for guess, count in column.items():
        history = f"0123:0.1 {guess}:0.2"
        ours = _figure(_solve(BULLS_COWS, "last", history, max_turns=7, jobs=jobs))
        yield Row(f"0123 0.1, {guess} 0.2", str(count), ours)


def six_turns(jobs: int) -> Iterator[Row]:
    """Whether six turns are enough for Bulls & Cows, and four for Mastermind (paper, 1)."""
    for rules, turns in ((BULLS_COWS, 6), (MASTERMIND, 4)):
        solution = _solve(rules, "average", max_turns=turns, jobs=jobs)
        yield Row(f"{rules} within {turns} turns", IMPOSSIBLE, _figure(solution))


# -- Mastermind ------------------------------------------------------------------------------------


def mastermind_movers(jobs: int) -> Iterator[Row]:
    """Fewest 5-movers within five turns for each first guess (paper, 5.1.2)."""
    figures = published()["k_movers"]["p4c6r_5_movers_by_first_guess_at_most_5_turns"]["exact"]
    return _by_first_guess("last", figures, jobs)


def mastermind_average(jobs: int) -> Iterator[Row]:
    """Fewest turns within five for each first guess (paper, 5.2.2)."""
    figures = published()["total_turns"]["p4c6r_at_most_5_turns_by_first_guess"]["exact"]
    return _by_first_guess("average", figures, jobs)


def _by_first_guess(objective: str, figures: dict[str, Any], jobs: int) -> Iterator[Row]:
    for guess, figure in figures.items():
        solution = _solve(MASTERMIND, objective, first=guess, max_turns=5, jobs=jobs)
        yield Row(f"{guess}, {objective}", _text(figure), _figure(solution))


def mastermind_shares(jobs: int) -> Iterator[Row]:
    """Turns within five after each answer to 0012, and without a cap (paper, 5.2.2)."""
    figures = published()["total_turns"]
    for answer, turns in figures["p4c6r_0012_by_response_at_most_5_turns"]["exact"].items():
        if answer == "total":
            continue
        history = f"0012:{answer}"
        solved = _solve(MASTERMIND, "average", history, max_turns=5, jobs=jobs)
        yield Row(f"0012 {answer}", str(turns), "1" if answer == "4.0" else _figure(solved))
    free = figures["p4c6r_any_number_of_turns"]
    uncapped = _solve(MASTERMIND, "average", "0012:1.1", jobs=jobs)
    yield Row("0012 1.1, any number of turns", str(free["0012 1.1"]), _figure(uncapped))
    yield Row("any number of turns", str(free["exact"]), _figure(_solve(MASTERMIND, "average")))


# -- equivalence -----------------------------------------------------------------------------------


def equivalence(_jobs: int) -> Iterator[Row]:
    """Sizes of the sets of first to third guesses (paper, 2.4)."""
    figures = published()["equivalence"]
    game = Rules.parse(BULLS_COWS)
    second = _after(game, (0,))
    third = sum(len(_after(game, (0, guess))) for guess in second)
    yield Row("Bulls & Cows, S2(0123)", str(len(figures[BULLS_COWS]["S2(0123)"])), str(len(second)))
    yield Row("Bulls & Cows, S3 in all", str(figures[BULLS_COWS]["S3_total"]), str(third))
    game = Rules.parse(MASTERMIND)
    first = _after(game, ())
    pairs = sum(len(_after(game, (guess,))) for guess in first)
    yield Row("Mastermind, S1", str(len(figures[MASTERMIND]["S1"])), str(len(first)))
    yield Row("Mastermind, S2 in all", str(figures[MASTERMIND]["S2_total"]), str(pairs))


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


def string_lengths(jobs: int) -> Iterator[Row]:
    """Nodes, special and stored nodes of the paper's five trees, and their bytes (paper, 6.2)."""
    figures = published()["nodes"]
    total = 0
    for known, nodes, special, stored in figures["rows"]:
        name = _PAPERS_TREES[known]
        record = build_record(spec(name), jobs=jobs)
        if record is None:
            raise KeyboardInterrupt
        yield Row(f"{name}, nodes", str(nodes), str(record.nodes), depends=True)
        ours = record.nodes - record.stored
        yield Row(f"{name}, special", str(special), str(ours), depends=True)
        yield Row(f"{name}, stored", f"<={stored}", str(record.stored))
        total += len(record.string)
    yield Row("bytes of the five strings", f"<={figures['all_strings_bytes']}", str(total))


# -- other games -----------------------------------------------------------------------------------

_CRITERIA = {
    "average": "fewest turns",
    "worst": "best worst case",
    "worst,average": "best worst case, then fewest turns",
}


def other_games(jobs: int) -> Iterator[Row]:
    """Values of games that the paper does not treat, with who published each first."""
    for rules, figures in published()["other_games"].items():
        if rules == "source":
            continue
        for objective, (figure, source) in figures.items():
            levels = _solve(rules, objective, jobs=jobs).levels
            ours = ", ".join(map(str, levels.values()))
            yield Row(f"{rules}: {_CRITERIA[objective]} ({source})", figure, ours)


# -- never published -------------------------------------------------------------------------------

OPEN = (
    (BULLS_COWS, "average,last", 7, "fewest turns, then fewest 7-movers"),
    (BULLS_COWS, "last,average", 7, "fewest 7-movers, then fewest turns"),
    (BULLS_COWS, "movers", 7, "fewest 7-movers, then 6-movers, and so on"),
    (MASTERMIND, "average,last", 6, "fewest turns, then fewest 6-movers"),
    (MASTERMIND, "average,last", 5, "fewest turns within five, then fewest 5-movers"),
    (MASTERMIND, "last,average", 5, "fewest 5-movers, then fewest turns"),
    (MASTERMIND, "movers", 5, "fewest 5-movers, then 4-movers, and so on"),
    *(
        (rules, "worst,average", None, "best worst case, then fewest turns")
        for rules in ("p3c10n", "p4c9n", "p3c6r", "p4c5r")
    ),
    *(
        (rules, "average", None, "fewest turns")
        for rules in (
            "p3c6n",
            "p3c7n",
            "p3c8n",
            "p3c9n",
            "p3c10n",
            "p3c10z",
            "p6c6n",
            "p3c5r",
            "p3c6r",
        )
    ),
    *(
        (rules, "average,last", turns, f"fewest turns, then fewest secrets at turn {turns}")
        for rules, turns in (
            ("p3c10n", 7),
            ("p4c9n", 7),
            ("p5c7n", 6),
            ("p6c6n", 7),
            ("p3c6r", 5),
            ("p4c5r", 5),
            ("p4c7r", 6),
            ("p4c8r", 7),
        )
    ),
    ("p4c10z", "average,last", 7, "fewest turns, then fewest 7-movers"),
    ("p4c10z", "worst,average", None, "best worst case, then fewest turns"),
)
"""What is asked: rules, objective, cap on turns, and what to call it."""


def never_published(jobs: int) -> Iterator[Row]:
    """Values of which we found no earlier publication."""
    for rules, objective, max_turns, label in OPEN:
        solution = _solve(rules, objective, max_turns=max_turns, jobs=jobs)
        levels = ", ".join(f"{level} {cost}" for level, cost in solution.levels.items())
        turns = "/".join(map(str, solution.tree().histogram))
        yield Row(f"{rules}: {label}", "", f"{levels} (turns {turns})")


SECTIONS: dict[str, Section] = {
    "average": Section("Bulls & Cows: fewest turns", "Slovesnov 5.2.1", average_by_first_answer),
    "movers": Section(
        "Bulls & Cows: fewest late secrets", "Slovesnov 5.1.1", movers_by_first_answer
    ),
    "second": Section("Bulls & Cows: second guesses", "Slovesnov 5.1.1", second_guesses),
    "turns": Section("How many turns are too few", "Slovesnov 1; Chen", six_turns),
    "mastermind-movers": Section("Mastermind: 5-movers", "Slovesnov 5.1.2", mastermind_movers),
    "mastermind-average": Section(
        "Mastermind: fewest turns", "Slovesnov 5.2.2", mastermind_average
    ),
    "mastermind-shares": Section("Mastermind: after 0012", "Slovesnov 5.2.2", mastermind_shares),
    "classes": Section("Equivalence sets", "Slovesnov 2.4; Francis", equivalence),
    "strings": Section("Nodes of the paper's five trees", "Slovesnov 6.2", string_lengths),
    "games": Section("Other games", "named with each", other_games),
    "open": Section("No earlier publication found", "our own", never_published),
}
"""The sections by name, in the order of the report."""


def markdown(section: Section, rows: list[Row]) -> str:
    """Return one section as a Markdown table."""
    lines = [f"## {section.title}", "", f"Source of the published figures: {section.source}.", ""]
    lines += ["| | published | ours | |", "| --- | --- | --- | --- |"]
    for row in rows:
        verdict = "agrees" if row.published and not row.depends else ""
        verdict = verdict if row.agrees else "differs"
        lines.append(f"| {row.label} | {row.published} | {row.ours} | {verdict} |")
    return "\n".join(lines) + "\n"
