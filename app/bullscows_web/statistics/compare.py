"""Comparison of two trees of one game at the same answers: `/compare/NAME/NAME/ANSWERS`.

As long as two trees guess the same, the same answers leave the same candidates.  After their
guesses differ for the first time, the same answers mean different things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.objective import mean_turns
from bullscows.game.rules import AnswerIndex, Rules
from bullscows.game.scoring import Answer
from bullscows.tree.nodes import Node
from bullscows_web.trees.library import Entry, Game, Library, LibraryDep
from bullscows_web.trees.links import comparison_path
from bullscows_web.trees.position import Choice, ContradictionError, GameOverError, GamePosition
from bullscows_web.web.dependencies import IN_TURN, TextQuery
from bullscows_web.web.frame import redirect
from bullscows_web.web.rendering import respond

router = APIRouter(dependencies=[IN_TURN])

SHOWN = 24
"""Maximum number of differences on a page."""


@dataclass(frozen=True)
class Side:
    """One of the two trees."""

    entry: Entry
    position: GamePosition | None
    """The position after the answers; None if no game of the tree reaches it."""

    @property
    def distribution(self) -> Sequence[int]:
        """Candidates found at turn 1, 2, ...; empty if the game is over."""
        if self.position is None or self.position.is_finished:
            return ()
        return self.entry.tree.distribution_at(self.position.node)

    @property
    def mean(self) -> float:
        """Mean turn at which the candidates are found."""
        return mean_turns(self.distribution)

    def guess(self, turn: int) -> str | None:
        """Return the guess at a turn; None if the game does not reach it."""
        trail = self.position.trail if self.position else ()
        return self.entry.rules.text(trail[turn - 1].guess) if turn <= len(trail) else None


@dataclass(frozen=True)
class Part:
    """An answer that is possible next in one of the trees or in both."""

    answer: Answer
    choices: tuple[Choice | None, Choice | None]
    """The position after it in each tree."""

    @property
    def differs(self) -> bool:
        """Whether only one tree has the answer, or the next guesses differ."""
        return len({choice and choice.position.guess for choice in self.choices}) > 1


@dataclass(frozen=True)
class Parting:
    """A position where the guesses differ for the first time."""

    position: GamePosition
    """The position in the first tree."""
    guesses: tuple[str, str]


@dataclass(frozen=True)
class Comparison:
    """Two trees at the same answers; the context of their page."""

    answers: tuple[AnswerIndex, ...]
    sides: tuple[Side, Side]

    @classmethod
    def of(cls, library: Library, first: Entry, second: Entry, text: str) -> Comparison:
        """Follow answers in both trees; `text` has the form of a URL of a position.

        Raises `MalformedError` if the answers are not well formed. Raises `ContradictionError` or
        `GameOverError` if neither tree reaches the position.
        """
        sides = tuple(Side(entry, _reach(library, entry, text)) for entry in (first, second))
        position = next((side.position for side in sides if side.position), None)
        if position is None:
            position = GamePosition.parse(library, first.name, "0", text)
        return cls(position.answers, (sides[0], sides[1]))

    @property
    def names(self) -> tuple[str, str]:
        """The names of the trees."""
        first, second = self.sides
        return first.entry.name, second.entry.name

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.sides[0].entry.rules

    @property
    def turn(self) -> int:
        """The turn to play."""
        return len(self.answers) + 1

    @property
    def parted(self) -> int:
        """The first turn so far at which the guesses differ; 0 if there is none."""
        turns = range(1, self.turn + 1)
        return next((turn for turn in turns if len(set(self.guesses(turn))) > 1), 0)

    def guesses(self, turn: int) -> tuple[str | None, str | None]:
        """Return the guesses of both trees at a turn."""
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

    @cached_property
    def partings(self) -> list[tuple[Node, Node]]:
        """The nodes below here where the guesses differ first, shortest path first."""
        first, second = (side.position for side in self.sides)
        if self.parted or first is None or second is None or first.is_finished:
            return []
        return list(_partings(self.sides, first.node, second.node))

    def parting(self, node: Node, other: Node) -> Parting:
        """Return one of `partings` as a position."""
        root = self.sides[0].position
        assert root is not None
        path = root.entry.tree.path(node)[len(root.answers) :]
        position = root.after(*(answer for _, answer in path))
        return Parting(position, (position.guess, position.show(other.guess)))

    @property
    def shown(self) -> list[Parting]:
        """The first of `partings`."""
        return [self.parting(*nodes) for nodes in self.partings[:SHOWN]]

    def path(self, *more: Answer, turns: int | None = None) -> str:
        """Return the path of this comparison after its first `turns` answers and `more`."""
        steps = [self.rules.answers[answer] for answer in self.answers[:turns]]
        return comparison_path(*self.names, "-".join(map(str, (*steps, *more))))

    def link(self, parting: Parting) -> str:
        """Return the path of the comparison at a parting."""
        return comparison_path(*self.names, "-".join(parting.position.parts[2:]))


def _partings(sides: tuple[Side, Side], one: Node, other: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the first nodes below two nodes that differ in their guess, breadth first."""
    ours, theirs = (side.entry.tree.nodes for side in sides)
    queue = [(one, other)]
    for node, fellow in queue:
        if node.guess != fellow.guess:
            yield node, fellow
        elif node != fellow:  # otherwise both subtrees are the same
            below = zip(node.children.values(), fellow.children.values(), strict=True)
            queue.extend((ours[child], theirs[mate]) for child, mate in below)


def _reach(library: Library, entry: Entry, text: str) -> GamePosition | None:
    try:
        return GamePosition.parse(library, entry.name, "0", text)
    except (ContradictionError, GameOverError):
        return None


@dataclass(frozen=True)
class ChoosePage:
    """Context of the choice of two trees."""

    games: Sequence[Game]
    """The games with at least two trees."""
    refused: tuple[Entry, Entry] | None = None
    """Two trees of different games, if these were chosen."""


@router.get("/compare")
def choose(
    request: Request,
    library: LibraryDep,
    first: TextQuery = "",
    second: TextQuery = "",
    answers: Annotated[str, Query(max_length=400)] = "",
) -> Response:
    """Show the choice of two trees, or redirect to the comparison of those chosen."""
    if not (first and second):
        return _choices(request, library)
    one = library.tree(first)
    other = library.tree(second)
    if one.rules == other.rules:
        path = Comparison.of(library, one, other, answers).path()
    else:
        path = comparison_path(one.name, other.name, "")
    return redirect(request, path)


@router.get("/compare/{first}/{second}")
@router.get("/compare/{first}/{second}/{answers}")
def show(
    request: Request, library: LibraryDep, first: str, second: str, answers: str = ""
) -> Response:
    """Show two trees at the same answers."""
    one = library.tree(first)
    other = library.tree(second)
    if one.rules != other.rules:
        return _choices(request, library, (one, other))
    page = Comparison.of(library, one, other, answers)
    return respond(request, "statistics/compare/page.html", page)


def _choices(
    request: Request, library: Library, refused: tuple[Entry, Entry] | None = None
) -> Response:
    several = [game for game in library.games if len(game.entries) > 1]
    page = ChoosePage(several, refused)
    status = 409 if refused else 200
    return respond(request, "statistics/compare/choose.html", page, status=status)
