"""Skill and luck of a game, counted without a search, and the best guess that is known at once.

*Skill* is the information of a guess as a share of the most informative guess there.  A guess that
splits N candidates into parts of n gives ``log2 N - sum(n log2 n) / N`` bits on average, and a
consistent guess counts ``2 / N`` more: the measure of Larmouth's rule (see
`bullscows.strategies.rules.one_step`).  It looks one turn ahead and proves nothing; a guess of a
proved tree counts as perfect all the same.

*Luck* is the share of the candidates under which the answer would have left more, those under which
it leaves as many counted half; after a hit nothing is left.  So luck is one half on average over
all secrets, whatever is guessed.

A game stands *on the tree* as long as its guesses are the tree's, under some relabelling.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log2
from statistics import fmean

from bullscows.game.history import History, Split, candidates, split
from bullscows.game.objective import total_turns
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules, Turns
from bullscows.strategies.rules.ranking import rank
from bullscows.tree.nodes import Node
from bullscows_web.guess.game import Asked, Guessing
from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.trees.library import Entry
from bullscows_web.trees.relabelling import Relabelling

MAX_COMPARED = 8000
"""The most codes of a game whose guesses are compared."""
MAX_ANSWERS = 2_000_000
"""The most answers of candidates to guesses that are worked out, where symmetry helps no more."""
SYMMETRIC_TURNS = 2
"""Number of different guesses up to which most guesses are equivalent to another."""
_ROUNDING = 1e-9
"""The error of a quotient of sums of logarithms is far below this."""
KEPT = 4096
"""For how many positions the best guess is kept: a few hundred bytes each."""


def telling(found: Split) -> float:
    """Return the information of a guess in bits; see the module's docstring."""
    sizes = [size for _, size in found.parts]
    bits = log2(sum(sizes)) - sum(size * log2(size) for size in sizes) / sum(sizes)
    return bits + 2 / sum(sizes) * found.is_candidate


def luck(rules: Rules, found: Split, answer: AnswerIndex) -> float | None:
    """Return how lucky an answer to a guess is, 0 to 1; None if all answers leave as many."""
    left = {each: 0 if each == rules.win else size for each, size in found.parts}
    count = sum(size for _, size in found.parts)
    worse = sum(size for each, size in found.parts if left[each] > left[answer])
    equal = sum(size for each, size in found.parts if left[each] == left[answer])
    return None if equal == count else (worse + equal / 2) / count


@dataclass(frozen=True)
class Advice:
    """The best guess known in a position."""

    guess: CodeIndex
    to_go: float | None
    """How many guesses the tree then needs on average, this one included; None off the tree, where
    the guess is the most informative one."""


def advice(puzzle: Puzzle, turns: Sequence[Asked]) -> Advice | None:
    """Return the best guess known after some turns: the tree's, or the most informative one.

    None off the tree where comparing all guesses takes too long.
    """
    if entry := puzzle.tree:
        node, pairs = _place(entry, turns)
        relabelling = Relabelling.matching(entry.rules, pairs) if node else None
        if node and relabelling:
            to_go = total_turns(entry.turns(node)[node.turn - 1 :]) / node.size
            return Advice(relabelling.show(node.guess), to_go)
    guess = _finest(puzzle.rules, turns)
    return None if guess is None else Advice(guess, None)


@dataclass(frozen=True)
class Reviewed:
    """One turn of a game."""

    puzzle: Puzzle
    """The puzzle, with the tree to hold it against."""
    earlier: Sequence[Asked]
    """The turns before it."""
    asked: Asked
    """The guess and its answer."""

    @cached_property
    def split(self) -> Split:
        """Partition by the guess that was made."""
        return self._split(self.asked.guess)

    @cached_property
    def follows_tree(self) -> bool:
        """Whether this is the tree's guess, as all before it were."""
        if self.puzzle.tree is None:
            return False
        node, pairs = _place(self.puzzle.tree, self.earlier)
        if node is None:
            return False
        own = (node.guess, self.asked.guess)
        return Relabelling.matching(self.puzzle.rules, [*pairs, own]) is not None

    @cached_property
    def skill(self) -> float | None:
        """How good the guess was, 0 to 1; None where comparing it with all takes too long."""
        guess = _finest(self.puzzle.rules, self.earlier)
        if guess is None:
            return None
        if self.follows_tree and self.puzzle.entry.record.is_optimal:
            return 1.0
        share = telling(self.split) / telling(self._split(guess))
        return 1.0 if share > 1 - _ROUNDING else share

    @cached_property
    def luck(self) -> float | None:
        """How lucky the answer was, 0 to 1; None if nothing was left to chance."""
        return luck(self.puzzle.rules, self.split, self.asked.answer)

    def _split(self, guess: CodeIndex) -> Split:
        return split(self.puzzle.rules, self.asked.before, guess)


@dataclass(frozen=True)
class Review:
    """A game that has ended, looked back at."""

    game: Guessing

    @cached_property
    def turns(self) -> list[Reviewed]:
        """Its turns."""
        puzzle = self.game.puzzle
        turns = self.game.turns
        return [Reviewed(puzzle, turns[:place], asked) for place, asked in enumerate(turns)]

    @property
    def skill(self) -> float | None:
        """The mean skill of the turns that have one."""
        return _mean(turn.skill for turn in self.turns)

    @property
    def luck(self) -> float | None:
        """The mean luck of the turns in which there was any."""
        return _mean(turn.luck for turn in self.turns)

    @cached_property
    def tree_turns(self) -> int:
        """The turn at which the tree finds the same secret."""
        return len(self.game.puzzle.entry.tree.play(self.game.puzzle.secret))


def _mean(shares: Iterable[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return fmean(known) if known else None


def _place(
    entry: Entry, turns: Sequence[Asked]
) -> tuple[Node | None, list[tuple[CodeIndex, CodeIndex]]]:
    """Return the node of the tree after the same answers, and the guesses on the way there.

    Each guess of the tree is paired with the visitor's.  There may be no such node.
    """
    tree = entry.tree
    node = tree.root
    pairs = []
    for asked in turns:
        pairs.append((node.guess, asked.guess))
        if asked.answer not in node.children:
            return None, pairs
        node = tree.nodes[node.children[asked.answer]]
    return node, pairs


def _finest(rules: Rules, turns: Sequence[Asked]) -> CodeIndex | None:
    return _kept(rules, tuple((asked.guess, asked.answer) for asked in turns))


@lru_cache(maxsize=KEPT)
def _kept(rules: Rules, path: Turns) -> CodeIndex | None:
    if rules.size > MAX_COMPARED:
        return None
    left = candidates(rules, path)
    is_symmetric = len({guess for guess, _ in path}) <= SYMMETRIC_TURNS
    if not is_symmetric and len(left) * rules.size > MAX_ANSWERS:
        return None
    ranking = rank(History(rules, path), left, "larmouth")
    return ranking.guesses[0] if ranking.complete else None
