"""Print how soon random positions are proved, as processor time of the search.

Run as ``python -m benchmarks.positions``: for each game and each number of turns told, positions
after random guesses at a random secret, drawn with a fixed seed.  They are put to one `Analyst`
after each other, as by the visitors of a server, so what it has searched helps with the next; the
table of a game is made with its first question.  Trees and positions that ship are not asked.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from bullscows.analysis.analyst import MEMORY, Analyst, checked
from bullscows.game.history import History
from bullscows.game.question import Question
from bullscows.game.rules import Rules

WITHIN = (0.1, 0.25, 1.0, 5.0)
"""Seconds of processor time within which the share of proved positions is told."""

SHARES = (50, 90, 99, 100)
"""Which percentiles of the time are told."""


@dataclass(frozen=True)
class Case:
    """A game, and how many turns are told."""

    rules: str
    told: Sequence[int]


CASES = (
    Case("p4c10n", (1, 2, 3, 4)),
    Case("p4c6r", (1, 2, 3, 4)),
    Case("p3c10n", (1, 2, 3, 4)),
    Case("p5c8n", (1, 2, 3, 4)),
    Case("p4c8r", (1, 2, 3, 4)),
    Case("p5c10n", (2, 3, 4, 5)),
    Case("p5c8r", (2, 3, 4, 5)),
)


def positions(rules: Rules, told: int, number: int) -> Iterator[Question]:
    """Yield so many random positions after so many turns, none of them won."""
    random = Random(f"{rules} {told}")
    while number:
        secret, *guesses = (random.randrange(rules.size) for _ in range(told + 1))
        if secret not in guesses:
            number -= 1
            turns = tuple((guess, rules.respond(guess, secret)) for guess in guesses)
            yield Question.of(rules, History(rules, turns))


def seconds(analyst: Analyst, question: Question, limit: float) -> tuple[float, bool]:
    """Return the processor time that a position takes, and whether it is proved."""
    began = time.process_time()
    found = analyst.analysis(checked(question), limit)
    return time.process_time() - began, found.status == "optimal"


def row(rules: str, told: int, taken: Sequence[tuple[float, bool]]) -> str:
    """Return a line of the table: shares of all positions, and percentiles of the time of all."""
    times = [time for time, _ in taken]
    shares = [sum(time <= most for time, proved in taken if proved) for most in WITHIN]
    cells = [
        rules,
        str(told),
        str(len(taken)),
        *(f"{share / len(taken):.1%}" for share in (*shares, sum(proved for _, proved in taken))),
        *(f"{np.percentile(times, share):.3f}" for share in SHARES),
    ]
    return f"| {' | '.join(cells)} |"


def heads() -> str:
    """Return the first two lines of the table."""
    names = ["game", "turns told", "positions", *(f"in {most:g} s" for most in WITHIN), "proved"]
    names += ["median s", *(f"{share} %" for share in SHARES[1:-1]), "most"]
    return f"| {' | '.join(names)} |\n|{' --- |' * 2}{' ---: |' * (len(names) - 2)}"


def main(words: Sequence[str] | None = None) -> None:
    """Print what the command line asks for, a line as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.positions", description=__doc__)
    parser.add_argument("games", nargs="*", help="rules of games (the seven)")
    parser.add_argument("--positions", type=int, default=1000, help="of each row (1000)")
    parser.add_argument("--told", type=int, action="append", help="turns told (those of the game)")
    parser.add_argument("--limit", type=float, default=5.0, help="seconds of each search (5)")
    options = parser.parse_args(words)
    cases = [case for case in CASES if not options.games or case.rules in options.games]
    known = {case.rules for case in cases}
    cases += [Case(game, (1, 2, 3, 4)) for game in options.games if game not in known]
    print(heads())
    for case in cases:
        analyst = Analyst(MEMORY)
        analyst.load(("p2c3r",))
        for told in options.told or case.told:
            asked = positions(Rules.parse(case.rules), told, options.positions)
            taken = [seconds(analyst, question, options.limit) for question in asked]
            print(row(case.rules, told, taken), flush=True)


if __name__ == "__main__":
    main()
