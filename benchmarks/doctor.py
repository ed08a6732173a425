"""Print how often the contradiction doctor finds the answer that was wrong, and how often first.

A game here is a tree, a secret, a turn and a wrong answer at that turn; every other answer is
true to the secret, whatever guesses the tree asks after the wrong one.  By default 1000 games of
each shipped tree are drawn with a fixed seed, each as likely as any other; `--all` plays all.

A game ends in one of three ways.  If the wrong answer is not among those that the page offers, it
is *refused at once*.  If it says that the guess is the secret, the game *ends wrongly*: nothing
contradicts it, so such games are counted and left out of the shares.  In all others the true
answer to some later guess is not offered.  Then the player says so, and perhaps which answer is
true, and gets `suspects`; or a program gives the true answer all the same, and gets
`contradiction_corrections`.  All these ways are measured.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Literal

from bullscows.game.candidates import LIKELIHOOD, Correction, Mistake
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows.tree.storage import default_folder
from bullscows_web.play import wrong_answers
from bullscows_web.trees.corrections import contradiction_corrections
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import GamePosition

SEED = 20171
End = Literal["refused", "ended", "doubted"]
WAYS = ("none of these fits", "and the right one said", "refused later", "refused at once")
"""How the doctor is asked."""
ORDERS: dict[str, Callable[[Correction], tuple[float, ...]]] = {
    "as shipped: codes times likelihood": lambda correction: (-correction.plausibility,),
    "codes times 8, 4, 1": lambda correction: (
        -correction.remaining * {"swapped": 8, "off-by-one": 4, "other": 1}[correction.mistake],
    ),
    "codes alone": lambda correction: (-correction.remaining,),
    "kind of mistake, then codes": lambda correction: (
        -LIKELIHOOD[correction.mistake],
        -correction.remaining,
    ),
    "codes times likelihood, later turns first": lambda correction: (
        -correction.plausibility * 1.25**correction.turn,
    ),
}
"""Sort keys of corrections; the sort is stable, so ties keep their order."""


@dataclass(frozen=True)
class Game:
    """One game with one wrong answer."""

    secret: CodeIndex
    turn: int
    wrong: AnswerIndex


@dataclass
class Tally:
    """What came of many games."""

    ends: Counter[End] = field(default_factory=Counter)
    """How they ended."""
    asked: Counter[str] = field(default_factory=Counter)
    """How many times the doctor was asked, by way."""
    offered: Counter[str] = field(default_factory=Counter)
    """How many times the true correction was among those offered, by way."""
    within: Counter[tuple[str, int]] = field(default_factory=Counter)
    """How many times it was among the first one, three or six, by way."""
    mistakes: Counter[Mistake] = field(default_factory=Counter)
    """The kinds of mistake, where the player doubts."""
    first: Counter[tuple[str, Mistake]] = field(default_factory=Counter)
    """How many times the true correction was first, by order and kind of mistake, the same."""

    def __iadd__(self, other: Tally) -> Tally:
        for name in ("ends", "asked", "offered", "within", "mistakes", "first"):
            getattr(self, name).update(getattr(other, name))
        return self


def every_game(entry: Entry) -> Iterator[Game]:
    """Yield every game of a tree with one wrong answer."""
    turns, answers = range(1, entry.record.depth + 1), range(len(entry.rules.answers))
    for secret, turn, wrong in product(range(entry.rules.size), turns, answers):
        if is_game(entry, game := Game(secret, turn, wrong)):
            yield game


def draw(entry: Entry, count: int, seed: int) -> list[Game]:
    """Return different games of a tree, each as likely as any other.

    What is drawn is a secret, a turn and an answer; what is no game is drawn again.
    """
    rng, rules = random.Random(f"{seed} {entry.name}"), entry.rules
    found: dict[Game, None] = {}
    for _ in range(100 * count):
        game = Game(
            rng.randrange(rules.size),
            rng.randint(1, entry.record.depth),
            rng.randrange(len(rules.answers)),
        )
        if is_game(entry, game):
            found[game] = None
        if len(found) == count:
            break
    return list(found)


def is_game(entry: Entry, game: Game) -> bool:
    """Whether the tree plays that turn against the secret, and the answer is wrong but possible."""
    nodes = entry.tree.play(game.secret)
    if game.turn > len(nodes):
        return False
    guess = nodes[game.turn - 1].guess
    is_wrong = game.wrong != entry.rules.respond(guess, game.secret)
    return is_wrong and game.wrong in _possible(entry, guess)


@cache
def _possible(entry: Entry, guess: CodeIndex) -> frozenset[AnswerIndex]:
    """Return the answers that some code gives; no other can be meant."""
    return frozenset(entry.rules.partition(guess, range(entry.rules.size)))


class Clinic:
    """Plays games of one tree; what the doctor says of a position is asked once."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._suspects = cache(
            wrong_answers.suspects
        )  # of a position, and perhaps the right answer
        self._corrections = cache(contradiction_corrections)
        self.tally = Tally()

    def play(self, game: Game) -> None:
        """Play one game to its end and see whether the doctor finds the wrong answer."""
        rules = self._entry.rules
        position = GamePosition.start(self._entry, shuffle=False)
        while True:
            true = rules.respond(position.node.guess, game.secret)
            given = game.wrong if position.turn == game.turn else true
            if position.turn == game.turn:
                truth = true
            offered = {choice.answer for choice in position.choices}
            if rules.answers[given] not in offered:
                break
            position = position.after(given)
            if position.is_finished:
                self.tally.ends["ended"] += 1
                return
        later = position.turn > game.turn
        self.tally.ends["doubted" if later else "refused"] += 1
        found = self._corrections(position, given)
        self._count("refused later" if later else "refused at once", found, game, truth)
        if later:
            self._count("none of these fits", self._suspects(position), game, truth)
            self._count("and the right one said", self._suspects(position, given), game, truth)

    def _count(self, way: str, found: Sequence[Correction], game: Game, truth: AnswerIndex) -> None:
        answer = self._entry.rules.answers[truth]
        true = [item for item in found if (item.turn, item.instead) == (game.turn, answer)]
        self.tally.asked[way] += 1
        self.tally.offered[way] += len(true)
        if not true:
            return
        place = found.index(true[0])
        self.tally.within.update((way, most) for most in (1, 3, 6) if place < most)
        if way == "none of these fits":
            self.tally.mistakes[true[0].mistake] += 1
            for name, key in ORDERS.items():
                self.tally.first[name, true[0].mistake] += min(found, key=key) is true[0]


def measure(entry: Entry, count: int | None, seed: int = SEED) -> Tally:
    """Play `count` games of a tree, or all of them."""
    drawn = every_game(entry) if count is None else draw(entry, count, seed)
    clinic = Clinic(entry)
    for game in drawn:
        clinic.play(game)
    return clinic.tally


def lines(tallies: Mapping[str, Tally]) -> Iterator[str]:
    """Yield the tables: a line per game, the sum of all games, and the orders compared."""
    whole = Tally()
    for tally in tallies.values():
        whole += tally
    yield "| rules | games | ended wrongly |" + "".join(f" {way} |" for way in WAYS)
    yield "| --- | ---: | ---: |" + " ---: |" * len(WAYS)
    for name, tally in {**tallies, "all": whole}.items():
        cells = [_shares(tally, way) for way in WAYS]
        played = tally.ends.total()
        yield f"| {name} | {played} | {tally.ends['ended']} | {' | '.join(cells)} |"
    yield ""
    mistakes: tuple[Mistake, ...] = ("swapped", "off-by-one", "other")
    yield "| order | all |" + "".join(f" {mistake} |" for mistake in mistakes)
    yield "| --- | ---: |" + " ---: |" * len(mistakes)
    for order in ORDERS:
        firsts = [whole.first[order, mistake] for mistake in mistakes]
        shares = [
            _percent(n, whole.mistakes[mistake])
            for n, mistake in zip(firsts, mistakes, strict=True)
        ]
        cells = [_percent(sum(firsts), whole.mistakes.total()), *shares]
        yield f"| {order} | {' | '.join(cells)} |"
    kinds = ", ".join(f"{whole.mistakes[mistake]} {mistake}" for mistake in mistakes)
    yield f"| games | {whole.mistakes.total()}: {kinds} |"


def _shares(tally: Tally, way: str) -> str:
    """Return how many were asked, how many found, and the shares of the first 1, 3 and 6."""
    asked = tally.asked[way]
    found = _percent(tally.offered[way], asked)
    places = " / ".join(_percent(tally.within[way, most], asked) for most in (1, 3, 6))
    return f"{asked}: {found}; {places}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main() -> None:
    """Measure all shipped trees."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.doctor", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games of each tree (1000)")
    parser.add_argument("--all", action="store_true", help="all games of every tree (long)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the draw ({SEED})")
    options = parser.parse_args()
    count = None if options.all else options.games
    library = Library.open(default_folder())
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for entry in library:
        tallies[str(entry.rules)] += measure(entry, count, options.seed)
    print("\n".join(lines(tallies)))
    if missed := sum((tally.asked - tally.offered).total() for tally in tallies.values()):
        raise SystemExit(f"the true answer was not among the corrections {missed} times")


if __name__ == "__main__":
    main()
