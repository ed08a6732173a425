"""The nodes of a strategy tree as columns of numbers: 23 bytes a node and 4 a candidate.

A `Node` is a view of one row. Nodes are in breadth-first order, children by ascending answer, so
the children of a node are adjacent, and so are all nodes of one turn below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from bullscows.game.rules import AnswerIndex, CodeIndex

Candidates: TypeAlias = tuple[CodeIndex, ...]
"""Secrets still possible, ascending."""

_Column: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Node:
    """One position of a strategy tree."""

    nodes: Nodes = field(repr=False)
    """All nodes of the tree."""
    number: int
    """Place in breadth-first order, 0 for the root."""

    @property
    def turn(self) -> int:
        """The turn at which `guess` is played, 1 for the root of a whole game."""
        return self.nodes.turns.item(self.number)

    @property
    def guess(self) -> CodeIndex:
        """The guess to play; it need not be a candidate."""
        return self.nodes.guesses.item(self.number)

    @property
    def size(self) -> int:
        """The number of candidates."""
        starts = self.nodes.starts
        return starts.item(self.number + 1) - starts.item(self.number)

    @property
    def candidates(self) -> Candidates:
        """Secrets that fit all answers so far, ascending; a new tuple at each access."""
        starts = self.nodes.starts
        return tuple(self.nodes.codes[starts[self.number] : starts[self.number + 1]].tolist())

    @property
    def children(self) -> Mapping[AnswerIndex, int]:
        """Node number after each answer but the winning one, ascending; a new mapping each time."""
        first, end = self.nodes.below(self.number, self.number + 1)
        if first == end:  # as of three of four nodes
            return {}
        return dict(zip(self.nodes.answers[first:end].tolist(), range(first, end), strict=True))

    def after(self, answer: AnswerIndex) -> Node | None:
        """Return the node after an answer; None if the answer wins or is impossible."""
        first, end = self.nodes.below(self.number, self.number + 1)
        answers = self.nodes.answers[first:end].tolist()
        return Node(self.nodes, first + answers.index(answer)) if answer in answers else None

    @property
    def parent(self) -> int | None:
        """Node number of the position before, None for the root."""
        return self.nodes.parents.item(self.number) if self.number else None

    @property
    def answer(self) -> AnswerIndex | None:
        """The answer that led here from the parent, None for the root."""
        return self.nodes.answers.item(self.number) if self.number else None

    @property
    def is_candidate_guess(self) -> bool:
        """Whether this guess can end the game."""
        found = self.nodes.found
        return found.item(self.number + 1) > found.item(self.number)


@dataclass(frozen=True, eq=False, repr=False)
class Nodes(Sequence[Node]):
    """All nodes of a tree, n in number.

    Raises `ValueError` unless each node but the root comes after its parent, and parents ascend.
    """

    guesses: _Column
    """(n,) int32: the guess of each node."""
    parents: _Column
    """(n,) int32: the node before each, ascending; -1 for the root."""
    answers: NDArray[np.uint8]
    """(n,) uint8: the answer that leads from there; that of the root means nothing."""
    starts: _Column
    """(n + 1,) int32: where the candidates of each node begin in `codes`; where the last end."""
    codes: _Column
    """(starts[n],) int32: the candidates of node 0, of node 1, ..., ascending for each."""
    first_turn: int = 1
    """The turn of the root."""

    def __post_init__(self) -> None:
        if (self.parents >= np.arange(len(self))).any() or (np.diff(self.parents) < 0).any():
            raise ValueError("nodes must come in breadth-first order, each after its parent")

    @classmethod
    def of(
        cls,
        guesses: Sequence[CodeIndex],
        edges: Sequence[tuple[int, AnswerIndex]],
        sizes: Sequence[int],
        codes: Sequence[CodeIndex],
        first_turn: int = 1,
    ) -> Nodes:
        """Make the columns of lists, the root at `first_turn`.

        `edges` has the parent of each node but the root, and the answer that leads from there;
        `codes` the candidates of node 0, of node 1, ...
        """
        parents, answers = zip((-1, 0), *edges, strict=True)
        return cls(
            np.array(guesses, dtype=np.int32),
            np.array(parents, dtype=np.int32),
            np.array(answers, dtype=np.uint8),
            np.cumsum([0, *sizes], dtype=np.int32),
            np.array(codes, dtype=np.int32),
            first_turn,
        )

    def __len__(self) -> int:
        return len(self.guesses)

    @overload
    def __getitem__(self, number: int) -> Node: ...
    @overload
    def __getitem__(self, number: slice) -> list[Node]: ...
    def __getitem__(self, number: int | slice) -> Node | list[Node]:
        if isinstance(number, slice):
            return [Node(self, one) for one in range(len(self))[number]]
        return Node(self, range(len(self))[number])

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, number) for number in range(len(self)))

    def below(self, first: int, end: int) -> tuple[int, int]:
        """Return where the children of nodes that stand side by side begin and end."""
        return self._firsts.item(first), self._firsts.item(end)

    def levels(self, number: int = 0) -> Iterator[tuple[int, int]]:
        """Yield where the nodes of each turn at and below a node begin and end, by turn."""
        first = number
        end = number + 1
        while first < end:
            yield first, end
            first, end = self.below(first, end)

    def sizes_below(self, number: int) -> tuple[int, ...]:
        """Return how many nodes there are at a node's turn, that node alone, the next one, ..."""
        return tuple(end - first for first, end in self.levels(number))

    def distribution(self, number: int = 0) -> tuple[int, ...]:
        """Return how many candidates of a node are found at turn 1, 2, ... of the game."""
        found = self.found
        below = [found.item(end) - found.item(first) for first, end in self.levels(number)]
        return (0,) * (self.turns.item(number) - 1) + tuple(below)

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """(n,) int64: the sum, over the candidates of each node, of the turns that find them.

        A candidate is found one turn later for each node below that it belongs to.
        """
        sizes = np.diff(self.starts).astype(np.int64)
        below = np.zeros(len(self), dtype=np.int64)
        for first, end in reversed(list(self.levels())[1:]):
            np.add.at(below, self.parents[first:end], sizes[first:end] + below[first:end])
        return self.turns * sizes + below

    @cached_property
    def turns(self) -> NDArray[np.uint16]:
        """(n,) uint16: the turn at which each guess is played."""
        turns = np.empty(len(self), dtype=np.uint16)
        for turn, (first, end) in enumerate(self.levels(), start=self.first_turn):
            turns[first:end] = turn
        return turns

    @cached_property
    def found(self) -> _Column:
        """(n + 1,) int32: how many of nodes 0 to k - 1 guess a candidate."""
        places = np.flatnonzero(self.codes == np.repeat(self.guesses, np.diff(self.starts)))
        ends = np.searchsorted(places, self.starts)
        return ends.astype(np.int32)

    @cached_property
    def _firsts(self) -> _Column:
        """(n + 1,) int32: the first node whose parent is k or later."""
        numbers = np.arange(len(self) + 1)
        return np.searchsorted(self.parents, numbers).astype(np.int32)
