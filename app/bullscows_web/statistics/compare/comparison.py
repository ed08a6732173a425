"""Two trees of one game at the same answers: where they guess alike, and where they part.

As long as two trees guess alike, the same answers leave the same candidates.  Where their guesses
differ for the first time they part, and from then on the same answers mean different things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from bullscows.game.cost import turns_in_all
from bullscows.game.rules import Answer, AnswerIndex
from bullscows.tree.nodes import Node
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import (
    Choice,
    ContradictionError,
    GameOverError,
    GamePosition,
)


@dataclass(frozen=True)
class Side:
    """One of the two trees."""

    entry: Entry
    """The tree."""
    position: GamePosition | None
    """Where the answers lead; None if its games never get there."""

    @property
    def turns(self) -> Sequence[int]:
        """How many candidates are guessed at turn 1, 2, ...; none of a game that is over."""
        if self.position is None or self.position.is_finished:
            return ()
        return self.entry.turns(self.position.node)

    @property
    def average(self) -> float:
        """The mean turn at which the candidates are guessed."""
        total = turns_in_all(self.turns)
        return total / sum(self.turns)

    def guess(self, turn: int) -> str | None:
        """Return what is guessed at a turn, None if the game doesn't get there."""
        trail = self.position.trail if self.position else ()
        return self.entry.rules.text(trail[turn - 1].guess) if turn <= len(trail) else None


@dataclass(frozen=True)
class Part:
    """An answer that is possible next in one of the trees, or in both."""

    answer: Answer
    """The answer."""
    choices: tuple[Choice | None, Choice | None]
    """Where it leads in each."""

    @property
    def differs(self) -> bool:
        """Whether it is possible in one tree only, or what follows it is not the same guess."""
        return len({choice and choice.position.guess for choice in self.choices}) > 1


@dataclass(frozen=True)
class Parting:
    """A place where the guesses differ for the first time."""

    position: GamePosition
    """The place, in the first tree."""
    guesses: tuple[str, str]
    """What each guesses there."""


@dataclass(frozen=True)
class Comparison:
    """Two trees at the same answers."""

    answers: tuple[AnswerIndex, ...]
    """The answers so far."""
    sides: tuple[Side, Side]
    """The trees."""

    @classmethod
    def of(cls, library: Library, first: Entry, second: Entry, text: str) -> Comparison:
        """Walk both trees along answers that are written as in a position's URL.

        Raises
        ------
        MalformedError
            If the answers are not well formed.
        ContradictionError, GameOverError
            If neither tree gets there.
        """
        sides = tuple(Side(entry, _reach(library, entry, text)) for entry in (first, second))
        position = next((side.position for side in sides if side.position), None)
        if position is None:
            position = GamePosition.parse(library, first.name, "0", text)
        return cls(position.answers, (sides[0], sides[1]))

    @property
    def parted(self) -> int:
        """The first turn so far at which the guesses differ, 0 if there is none."""
        turns = range(1, len(self.answers) + 2)
        return next((turn for turn in turns if len(set(self.guesses(turn))) > 1), 0)

    def guesses(self, turn: int) -> tuple[str | None, str | None]:
        """Return what each guesses at a turn."""
        first, second = self.sides
        return first.guess(turn), second.guess(turn)

    @property
    def parts(self) -> list[Part]:
        """The answers that are possible next, ascending."""
        first, second = (
            {choice.answer: choice for choice in side.position.choices} if side.position else {}
            for side in self.sides
        )
        every = sorted(first.keys() | second.keys())
        return [Part(answer, (first.get(answer), second.get(answer))) for answer in every]

    def partings(self) -> Sequence[Parting]:
        """Return the places from here on where the guesses differ first, shortest path first."""
        first, second = (side.position for side in self.sides)
        if self.parted or first is None or second is None or first.is_finished:
            return ()
        return _Partings(first, list(_partings(self.sides, first.node, second.node)))


def _partings(sides: tuple[Side, Side], one: Node, other: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the first nodes below two that differ in their guess, breadth first."""
    ours, theirs = (side.entry.tree.nodes for side in sides)
    queue = [(one, other)]
    for node, fellow in queue:
        if node.guess != fellow.guess:
            yield node, fellow
        elif node != fellow:  # what is below is the same tree's
            below = zip(node.children.values(), fellow.children.values(), strict=True)
            queue.extend((ours[child], theirs[mate]) for child, mate in below)


class _Partings(Sequence[Parting]):
    """Partings of which there may be thousands: each is made when it is looked at."""

    def __init__(self, root: GamePosition, nodes: Sequence[tuple[Node, Node]]) -> None:
        self._root = root
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, place: int) -> Parting: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Parting]: ...
    def __getitem__(self, place: int | slice) -> Parting | Sequence[Parting]:
        if isinstance(place, slice):
            return _Partings(self._root, self._nodes[place])
        node, other = self._nodes[place]
        path = self._root.entry.tree.path(node)[len(self._root.answers) :]
        position = self._root.after(*(answer for _, answer in path))
        return Parting(position, (position.guess, position.show(other.guess)))


def _reach(library: Library, entry: Entry, text: str) -> GamePosition | None:
    try:
        return GamePosition.parse(library, entry.name, "0", text)
    except (ContradictionError, GameOverError):
        return None
