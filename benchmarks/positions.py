"""Measure how soon random positions are proved: ``python -m benchmarks.positions``.

For each game and number of turns, positions after random guesses at a random secret, with a fixed
seed.  One `Analyst` searches them in turn, as a server does, so earlier searches help later ones.
The first position of a game includes its response table.  Shipped trees and positions are not used.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from bullscows.analysis.analyst import MEMORY, Analyst, checked
from bullscows.game.history import History
from bullscows.game.question import Question
from bullscows.game.rules import Rules

SHARES = (50, 90, 99, 100)
"""Percentiles of the time."""


GAMES = {
    "p4c10n": (1, 2, 3, 4),
    "p4c6r": (1, 2, 3, 4),
    "p3c10n": (1, 2, 3, 4),
    "p5c8n": (1, 2, 3, 4),
    "p4c8r": (1, 2, 3, 4),
    "p5c10n": (2, 3, 4, 5),
    "p5c8r": (2, 3, 4, 5),
}
"""Games with numbers of turns."""


def positions(rules: Rules, played: int, number: int) -> Iterator[Question]:
    """Yield random positions after a number of turns, none of them won."""
    random = Random(f"{rules} {played}")
    while number:
        secret, *guesses = (random.randrange(rules.size) for _ in range(played + 1))
        if secret not in guesses:
            number -= 1
            turns = tuple((guess, rules.respond(guess, secret)) for guess in guesses)
            yield Question.of(rules, History(rules, turns))


def seconds(analyst: Analyst, question: Question, limit: float) -> tuple[float, bool]:
    """Return the processor time that a position takes, and whether it is proved."""
    began = time.process_time()
    found = analyst.analysis(checked(question), limit)
    return time.process_time() - began, found.status == "optimal"


def main(words: Sequence[str] | None = None) -> None:
    """Print what the command line asks for, a line as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.positions", description=__doc__)
    parser.add_argument("games", nargs="*", help="rules of games (the seven)")
    parser.add_argument("--positions", type=int, default=1000, help="of each row (1000)")
    parser.add_argument("--turns", type=int, action="append", help="turns (those of the game)")
    parser.add_argument("--limit", type=float, default=5.0, help="seconds of each search (5)")
    options = parser.parse_args(words)
    shares = " | ".join(f"{share} %" for share in SHARES)
    print(f"| game | turns | positions | proved | {shares} |")
    print(f"| --- |{' ---: |' * (3 + len(SHARES))}")
    for game in options.games or GAMES:
        analyst = Analyst(MEMORY)
        analyst.load(("p2c3r",))
        for turns in options.turns or GAMES.get(game, (1, 2, 3, 4)):
            asked = positions(Rules.parse(game), turns, options.positions)
            taken = [seconds(analyst, question, options.limit) for question in asked]
            proved = sum(is_proved for _, is_proved in taken) / len(taken)
            times = np.percentile([time for time, _ in taken], SHARES)
            cells = " | ".join(f"{time:.3f}" for time in times)
            print(f"| {game} | {turns} | {len(taken)} | {proved:.1%} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
