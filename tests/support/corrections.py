"""Games of a tree with one wrong answer, and whether the corrections offered include the true one.

A game ends in one of three ways.  If the page does not offer the wrong answer, it is *refused*.  If
the wrong answer says that the guess is the secret, the game *ended*: nothing contradicts it.
Otherwise it is *doubted*: the true answer to a later guess is not offered.  Then the player says
so (`suspects`), perhaps with the true answer, or a program sends it (`contradiction_corrections`).
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from bullscows.game.history import Correction, Mistake
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows_web.play import pages
from bullscows_web.trees.library import Entry
from bullscows_web.trees.position import GamePosition, contradiction_corrections

SEED = 20171
WAYS = ("none is right", "right answer given", "later", "at once")
"""How corrections are requested."""


@dataclass(frozen=True)
class Game:
    """One game with one wrong answer."""

    secret: CodeIndex
    turn: int
    wrong: AnswerIndex


@dataclass
class Tally:
    ends: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    """Requests for corrections, by way."""
    offered: Counter[str] = field(default_factory=Counter)
    """Requests whose corrections include the true one, by way."""
    first: Counter[tuple[str, Mistake]] = field(default_factory=Counter)
    """Requests with the true correction first, as shipped or by codes alone, by kind."""


def measure(entry: Entry, count: int | None) -> Tally:
    """Play `count` random games of a tree, or all of them."""
    measured = _Measured(entry)
    for game in _every_game(entry) if count is None else _drawn(entry, count):
        measured.play(game)
    return measured.tally


def _every_game(entry: Entry) -> Iterator[Game]:
    turns = range(1, entry.record.depth + 1)
    answers = range(len(entry.rules.answers))
    for game in product(range(entry.rules.size), turns, answers):
        if _is_game(entry, Game(*game)):
            yield Game(*game)


def _drawn(entry: Entry, count: int) -> list[Game]:
    """Return different games of a tree, all equally likely."""
    rng = random.Random(f"{SEED} {entry.name}")
    rules = entry.rules
    found: dict[Game, None] = {}
    while len(found) < count:
        secret = rng.randrange(rules.size)
        turn = rng.randint(1, entry.record.depth)
        game = Game(secret, turn, rng.randrange(len(rules.answers)))
        if _is_game(entry, game):
            found[game] = None
    return list(found)


def _is_game(entry: Entry, game: Game) -> bool:
    """Return whether the tree reaches the turn, and the answer is wrong but possible."""
    nodes = entry.tree.play(game.secret)
    if game.turn > len(nodes):
        return False
    guess = nodes[game.turn - 1].guess
    is_wrong = game.wrong != entry.rules.respond(guess, game.secret)
    return is_wrong and game.wrong in _possible(entry, guess)


@cache
def _possible(entry: Entry, guess: CodeIndex) -> frozenset[AnswerIndex]:
    return frozenset(entry.rules.partition(guess, range(entry.rules.size)))


class _Measured:
    """Plays games of one tree; the corrections of a position are computed once."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._suspects = cache(pages.suspects)
        self._corrections = cache(contradiction_corrections)
        self.tally = Tally()

    def play(self, game: Game) -> None:
        rules = self._entry.rules
        truth = rules.respond(self._entry.tree.play(game.secret)[game.turn - 1].guess, game.secret)
        position = GamePosition.start(self._entry, shuffle=False)
        while True:
            is_wrong = position.turn == game.turn
            given = game.wrong if is_wrong else rules.respond(position.node.guess, game.secret)
            if rules.answers[given] not in {choice.answer for choice in position.choices}:
                break
            position = position.after(given)
            if position.is_finished:
                self.tally.ends["ended"] += 1
                return
        later = position.turn > game.turn
        self.tally.ends["doubted" if later else "refused"] += 1
        true = (game.turn, rules.answers[truth])
        self._count("later" if later else "at once", self._corrections(position, given), true)
        if later:
            self._count("none is right", self._suspects(position), true)
            self._count("right answer given", self._suspects(position, given), true)

    def _count(self, way: str, found: Sequence[Correction], true: tuple[int, object]) -> None:
        matching = [item for item in found if (item.turn, item.instead) == true]
        self.tally.asked[way] += 1
        self.tally.offered[way] += len(matching)
        if way == "none is right" and matching:
            by_codes = max(found, key=lambda item: item.remaining)
            self.tally.first["shipped", matching[0].mistake] += found[0] is matching[0]
            self.tally.first["codes alone", matching[0].mistake] += by_codes is matching[0]
