"""The bounded tree of positions: what is proved of each.

The cost of a position is that of its cheapest guess, and the cost of a guess the sum of its parts.
So the bounds of parts add up to bounds of a guess, and the least of these bound the position
(docs/proof.md, "Bounds from both sides").  A position is split into its guesses when a question
about it takes too long.  Equivalent positions share what is proved of them.

`bullscows.search.subproblems` says which questions to ask next, `bullscows.search.estimate` draws
some at random.  This module does not need the compiled search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from math import log2
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.canonical import canonical_form
from bullscows.game.history import History
from bullscows.game.objective import INFINITE, Bounds, Weights, cheapest
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import AnswerIndex, CodeIndex, Turn, Turns
from bullscows.game.symmetry import IndexArray, representatives
from bullscows.search.position import Position

EXCHANGED = 5
"""Guesses are also equivalent if exchanging turns with the same answer makes them so.  In histories
of more turns than this that is left out, because all orders of the turns are enumerated."""

SETTLED = 2
"""Positions of up to this number of candidates need no question: their size gives their cost."""


@dataclass(eq=False)
class Entry:
    """The bounds of all positions with one key."""

    bounds: Bounds = field(default_factory=Bounds)
    first: TreeNode | None = None
    """The first of these positions that was created."""
    options: list[Option] = field(default_factory=list)
    """The guesses of which it is a part."""

    def learn(self, found: Bounds) -> None:
        """Tighten the bounds, and those of the guesses above."""
        before = self.bounds
        self.bounds = self.bounds.tightened(found)
        if self.bounds != before:
            for option in self.options:
                option.add_up()


@dataclass(eq=False)
class TreeNode:
    """A position of the tree."""

    turns: Turns
    """The guesses and answers that lead to it, by number."""
    members: IndexArray
    """(n,) int32, ascending: the candidates, as the table numbers them."""
    fan_out: int
    """Limit on the parts, without its own win, into which a guess splits a subset."""
    entry: Entry
    fan_out_below: int = 0
    """The same of the positions after its guesses, once it is split."""
    options: list[Option] | None = None
    """The guesses worth a try, most promising first, once it is split."""

    @property
    def count(self) -> int:
        """The number of candidates."""
        return len(self.members)

    @property
    def turn(self) -> int:
        """The turn of the next guess."""
        return len(self.turns) + 1

    @property
    def bounds(self) -> Bounds:
        """The bounds on its cost."""
        return self.entry.bounds

    def position(self, table: ResponseTable) -> Position:
        """Return it as a position of the search."""
        guesses = tuple(table.number(guess) for guess, _ in self.turns)
        return Position(tuple(self.members.tolist()), self.turn, guesses)


_Sizes: TypeAlias = NDArray[np.intp]


class Part(NamedTuple):
    """The candidates that give one answer, not the win, to a guess."""

    answer: AnswerIndex
    size: int
    least: int
    """Lower bound on their cost by their number alone; the cost of one or two."""

    @property
    def bounds(self) -> Bounds:
        """The bounds on their cost by their number alone."""
        return _by_size(self.size, self.least)


@dataclass(eq=False)
class Option:
    """A guess at a position that is split."""

    guess: CodeIndex
    rank: tuple[bool, CodeIndex]
    """The order of ties: candidates first, then by number."""
    won: int
    """The cost of the secret that the guess finds, 0 if it is no candidate."""
    parts: list[Part]
    """The other answers, those of most candidates first."""
    children: dict[AnswerIndex, TreeNode] = field(default_factory=dict)
    """The positions after these answers that were created."""

    def __post_init__(self) -> None:
        self.total = self.won + sum(part.least for part in self.parts)
        """The sum of the lower bounds of its parts."""
        self.least = min(self.total, INFINITE)
        """Lower bound of its cost by the sizes of its parts alone."""
        self.bounds = Bounds()
        """Bounds on the strategies that begin with it."""
        self.add_up()

    def learn(self, found: Bounds) -> None:
        """Tighten the bounds of the guess itself."""
        self.bounds = self.bounds.tightened(found)

    def add_up(self) -> None:
        """Add up the bounds of the parts."""
        known = [self.children.get(part.answer, part).bounds for part in self.parts]
        self.total = self.won + sum(bounds.lower for bounds in known)
        lower = min(self.total, INFINITE)
        uppers = [bounds.upper for bounds in known if bounds.upper is not None]
        is_open = len(uppers) < len(known) or lower >= INFINITE
        self.learn(Bounds(lower, None if is_open else self.won + sum(uppers)))


class BoundedTree:
    """Bounds of a position and of those after it.

    Raises `HistoryError` if a guess or an answer does not exist, `InconsistentError` if no code
    fits all answers.
    """

    def __init__(
        self,
        table: ResponseTable,
        weights: Weights,
        history: Sequence[Turn] = (),
        *,
        candidates_only: bool = False,
    ) -> None:
        self.table = table
        self.weights = weights
        self.candidates_only = candidates_only
        self._entries: dict[str, Entry] = {}
        # No bound method, or the tree and its table would only go with the next garbage collection.
        self._least = cache(partial(_least_cost, weights))
        members = np.array(Position.after(table, history).candidates, dtype=np.int32)
        self.root = self._node(tuple(history), members, table.answers - 1)

    def __del__(self) -> None:
        """Free the candidates of all positions at once, although these refer to each other."""
        for entry in self._entries.values():
            entry.first = None
            entry.options.clear()

    # -- positions -----------------------------------------------------------------------------

    def _node(self, turns: Turns, members: IndexArray, fan_out: int) -> TreeNode:
        entry = self._entries.setdefault(_key(self.table, turns), Entry())
        node = TreeNode(turns, members, fan_out, entry, fan_out)
        entry.first = entry.first or node
        entry.learn(_by_size(node.count, self.least(node)))
        return node

    def least(self, node: TreeNode) -> int:
        """Return a lower bound of a position's cost by its size; the cost of one or two codes."""
        return self._least(node.count, node.turn, node.fan_out)

    def after(self, node: TreeNode, option: Option, answer: AnswerIndex) -> TreeNode:
        """Return the position after a guess and its answer."""
        if answer not in option.children:
            answers = self.table.responses[node.members, self.table.number(option.guess)]
            turns = (*node.turns, (option.guess, answer))
            part = self._node(turns, node.members[answers == answer], node.fan_out_below)
            option.children[answer] = part
            part.entry.options.append(option)
            option.add_up()
        return option.children[answer]

    def parts(self, node: TreeNode, option: Option) -> list[TreeNode]:
        """Return the positions after a guess that are not settled by their size."""
        open_parts = [part.answer for part in option.parts if part.size > SETTLED]
        return [self.after(node, option, answer) for answer in open_parts]

    def guesses(self, node: TreeNode) -> list[CodeIndex]:
        """Return a guess of each class of equivalent guesses at a position."""
        rules = self.table.rules
        if rules is None:
            return list(range(self.table.size))
        turns = History(rules, node.turns)
        answers = [answer for _, answer in turns] if len(turns) <= EXCHANGED else None
        return [int(guess) for guess in representatives(rules, turns.guesses, answers=answers)]

    def split(self, node: TreeNode, guesses: Sequence[CodeIndex] | None = None) -> list[Option]:
        """Split a position into the guesses that give information; return them.

        First come those with the least bound, then those that split most finely.  No guess splits a
        subset into more parts than the set, so the most parts that any guess makes here, its own
        win left out, cap the fan-out below (docs/proof.md, "Fan-out").  `guesses` is the result of
        `guesses` for the position, if known; one that is split stays as it is.
        """
        if node.options is None:
            sizes = self._sizes(node, self.guesses(node) if guesses is None else guesses)
            win = self.table.win
            most = max(np.count_nonzero(row) - (row[win] > 0) for row in sizes.values())
            node.fan_out_below = min(node.fan_out, int(most))
            options = [
                self._option(node, guess, row)
                for guess, row in sizes.items()
                if row.max() < node.count and (row[win] or not self.candidates_only)
            ]
            node.options = sorted(options, key=_order)
        return node.options

    def option(self, node: TreeNode, guess: CodeIndex) -> Option:
        """Return any guess at a position, with bounds of the strategies that begin with it.

        It does not affect the bounds of the position, but shares what is proved of its parts.
        """
        return self._option(node, guess, self._sizes(node, [guess])[guess])

    def _sizes(self, node: TreeNode, guesses: Sequence[CodeIndex]) -> dict[CodeIndex, _Sizes]:
        """Count the candidates that give each answer, (answers,) int64, for some guesses."""
        table = self.table
        members = node.members
        return {
            guess: np.bincount(
                table.responses[members, table.number(guess)], minlength=table.answers
            )
            for guess in guesses
        }

    def _option(self, node: TreeNode, guess: CodeIndex, sizes: _Sizes) -> Option:
        win = self.table.win
        turn = node.turn
        fan_out = node.fan_out_below
        won = self._least(1, turn, fan_out) if sizes[win] else 0
        parts = [
            Part(answer, count, self._least(count, turn + 1, fan_out))
            for answer, count in enumerate(sizes.tolist())
            if count and answer != win
        ]
        parts.sort(key=lambda part: (-part.size, part.answer))
        return Option(guess, (not sizes[win], guess), won, parts)

    # -- what is proved ------------------------------------------------------------------------

    def bounds(self) -> Bounds:
        """Return the bounds of the root, by itself and by its guesses."""
        self.gather(self.root)
        return self.root.bounds

    def gather(self, node: TreeNode) -> None:
        """Bound a position by its guesses, if it is split."""
        if node.options:
            uppers = [one.bounds.upper for one in node.options if one.bounds.upper is not None]
            lower = min(option.bounds.lower for option in node.options)
            node.entry.learn(Bounds(lower, min(uppers, default=None)))

    def best_guess(self, node: TreeNode) -> int | None:
        """Return the guess, by number, that attains the upper bound of a split position, if any."""
        upper = node.bounds.upper
        for option in node.options or []:
            if upper is not None and option.bounds.upper == upper:
                return self.table.number(option.guess)
        return None


def _by_size(count: int, least: int) -> Bounds:
    return Bounds(least, least if count <= SETTLED and least < INFINITE else None)


def _order(option: Option) -> tuple[int, float, tuple[bool, CodeIndex]]:
    disorder = sum(part.size * log2(part.size) for part in option.parts)
    return option.least, disorder, option.rank


def _key(table: ResponseTable, turns: Turns) -> str:
    """Return a text that is equal for equivalent positions, as far as it is known which are."""
    if table.rules is None:
        return str(turns)
    return str(canonical_form(History(table.rules, turns)).history)


def _least_cost(weights: Weights, count: int, turn: int, fan_out: int) -> int:
    if weights.capped and turn + min(count, SETTLED) - 1 > weights.turns:
        return INFINITE
    return min(cheapest(count, weights.values, fan_out, turn), INFINITE)
