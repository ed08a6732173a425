"""A game's whole state as a value: the tree that is played, the relabelling, the answers so far.

It is written in a URL as ``/play/avg-bulls-cows/k3/0.1-1.1``, and as the id of an API session as
``avg-bulls-cows~k3~0.1-1.1``.  A position that exists is one that the game can reach: parsing
walks the tree, so whatever a URL says, no wrong guess is ever shown, and nothing is stored.

Guesses and candidates are shown relabelled; answers are the same under every relabelling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import Correction, History, corrections, remaining_after
from bullscows.game.notation import read_answer
from bullscows.game.rules import AnswerError, AnswerIndex, CodeIndex, Rules, Turns
from bullscows.game.scoring import Answer
from bullscows.game.symmetry import IndexArray
from bullscows.tree.nodes import Node
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.relabelling import Relabelling
from bullscows_web.web.exceptions import MalformedError, ProblemError
from bullscows_web.web.frame import address_parts

LISTED = 100
"""The most candidates that a page or a document lists; larger numbers are only counted."""

GLANCE = 30
"""The most candidates that a page shows before it is asked for more."""

MAX_TEXT = 400
"""The longest text of a position: no game of any tree comes near."""


def listed(rules: Rules, codes: IndexArray) -> list[str] | None:
    """Return codes as they are written, if they are few enough to list."""
    return list(map(rules.text, codes.tolist())) if len(codes) <= LISTED else None


class ContradictionError(ProblemError, ValueError):
    """An answer that exists in the game, but that no remaining candidate would give."""

    slug = "contradiction"

    def __init__(self, position: GamePosition, answer: AnswerIndex) -> None:
        text = position.rules.answers[answer]
        super().__init__(
            f"no code fits all answers: none of the {position.remaining} remaining ones "
            f"gives {text} to {position.guess} at turn {position.turn}"
        )
        self.position = position
        """The last state of the game that exists."""
        self.answer = answer


class GameOverError(ProblemError, ValueError):
    """An answer to a game that has ended."""

    slug = "game-over"

    def __init__(self, position: GamePosition) -> None:
        super().__init__(f"the game ended at turn {position.turn}")
        self.position = position
        """The end of the game."""


def parse_answer(rules: Rules, text: str) -> AnswerIndex:
    """Return the number of an answer; raise `MalformedError` if the game has none such."""
    try:
        return rules.parse_answer(text)
    except AnswerError as error:
        raise MalformedError("impossible-answer", str(error), text, rules) from None


def typed_answer(rules: Rules, text: str) -> AnswerIndex:
    """Return the number of an answer in any notation, such as `2b1c`; errors as above."""
    try:
        return read_answer(rules, text)
    except AnswerError as error:
        raise MalformedError("impossible-answer", str(error), text, rules) from None


class Choice(NamedTuple):
    """An answer that is possible now."""

    answer: Answer
    """A possible answer."""
    remaining: int
    """How many candidates remain after it."""
    position: GamePosition
    """Where it leads."""
    share: float
    """Which share of the candidates that is."""


@dataclass(frozen=True)
class PastTurn:
    """A turn as a page lists it."""

    number: int
    """1 for the first."""
    guess: str
    """The guess as it was shown."""
    answer: Answer
    remaining: int
    """How many candidates remained after it."""

    @classmethod
    def all_of(cls, history: History, remaining: Sequence[int] | None = None) -> list[PastTurn]:
        """Return the turns of a history; by default the candidates after each are counted."""
        rules = history.rules
        counts = remaining_after(history) if remaining is None else remaining
        turns = zip(history, counts, strict=True)
        return [
            cls(number, rules.text(guess), rules.answers[answer], left)
            for number, ((guess, answer), left) in enumerate(turns, start=1)
        ]


@dataclass(frozen=True)
class GamePosition:
    """A reachable state of a game; make one with `start`, `parse`, `parse_id` or `after`."""

    entry: Entry
    """The tree that is played."""
    relabelling: Relabelling
    """How its codes are shown."""
    answers: tuple[AnswerIndex, ...]
    """The answers so far."""
    trail: tuple[Node, ...] = field(compare=False, repr=False)
    """The tree's nodes up to here, one per guess; the winning answer leads to no other node."""

    # -- making one ----------------------------------------------------------------------------

    @classmethod
    def at_root(cls, entry: Entry, relabelling: Relabelling) -> GamePosition:
        """Return the game before its first answer."""
        return cls(entry, relabelling, (), (entry.tree.root,))

    @classmethod
    def at_end(cls, entry: Entry, secret: CodeIndex) -> GamePosition:
        """Return the end of the game in which the tree guesses a code."""
        nodes = entry.tree.play(secret)
        answers = [entry.rules.respond(node.guess, secret) for node in nodes]
        return cls.at_root(entry, Relabelling(entry.rules)).after(*answers)

    @classmethod
    def start(cls, entry: Entry, *, shuffle: bool) -> GamePosition:
        """Return a new game, under a random relabelling if `shuffle`."""
        return cls.at_root(
            entry, Relabelling.draw(entry.rules) if shuffle else Relabelling(entry.rules)
        )

    @classmethod
    def parse(cls, library: Library, tree: str, token: str, answers: str = "") -> GamePosition:
        """Read the three parts of a URL.

        Raises `NotFoundError` or `UnavailableError` if the tree can't be played. Raises
        `MalformedError` if a part is not well formed. Raises `ContradictionError` or
        `GameOverError` if the game never gets there.
        """
        if len(answers) > MAX_TEXT:
            message = f"the answers take {len(answers)} characters, more than {MAX_TEXT}"
            raise MalformedError("malformed-position", message)
        entry = library.tree(tree)
        relabelling = Relabelling.parse(entry.rules, token)
        indices = [parse_answer(entry.rules, text) for text in address_parts(answers)]
        return cls.at_root(entry, relabelling).after(*indices)

    @classmethod
    def parse_id(cls, library: Library, text: str) -> GamePosition:
        """Read the id of a session; the inverse of `id`, raising the same as `parse`."""
        parts = text.split("~")
        if len(text) > MAX_TEXT or not 2 <= len(parts) <= 3 or not parts[-1]:
            message = "write tree~relabelling~answers, for example avg-mastermind~0~0.1-1.1"
            raise MalformedError("malformed-position", message)
        return cls.parse(library, *parts)

    def after(self, *answers: AnswerIndex) -> GamePosition:
        """Return the position after further answers.

        Raises `ContradictionError` if no candidate is left after one of them. Raises
        `GameOverError` if the game ends before the last one.
        """
        game = (self.entry, self.relabelling)
        played = self.answers
        trail = self.trail
        for answer in answers:
            if len(trail) == len(played):
                raise GameOverError(GamePosition(*game, played, trail))
            if child := trail[-1].after(answer):
                trail = (*trail, child)
            elif answer != self.rules.win or not trail[-1].is_candidate_guess:
                raise ContradictionError(GamePosition(*game, played, trail), answer)
            played = (*played, answer)
        return GamePosition(*game, played, trail)

    # -- writing it ----------------------------------------------------------------------------

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of its URL: tree, relabelling and, after the first turn, answers."""
        start = (self.entry.name, self.relabelling.token)
        return (*start, self.answers_text) if self.answers else start

    @cached_property
    def answers_text(self) -> str:
        """The answers so far as they are written in URLs."""
        return "-".join(map(self.rules.answer_texts.__getitem__, self.answers))

    @property
    def path(self) -> str:
        """Its URL below `/play/`; no character needs quoting."""
        return "/".join(self.parts)

    @property
    def id(self) -> str:
        """The id of a session: one segment of a URL."""
        return "~".join(self.parts)

    # -- what is known -------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.entry.tree.rules

    @property
    def is_finished(self) -> bool:
        """Whether the last guess was the secret."""
        return len(self.trail) == len(self.answers)

    @property
    def node(self) -> Node:
        """The tree's node; of a finished game, the node of the last guess."""
        return self.trail[-1]

    @property
    def turn(self) -> int:
        """The turn to play, 1 in a new game; of a finished game, the last turn."""
        return self.node.turn

    @property
    def guess(self) -> str:
        """The guess to make now; in a finished game, the secret."""
        return self.show(self.node.guess)

    @property
    def secret(self) -> str | None:
        """The secret if the game is finished."""
        return self.guess if self.is_finished else None

    @property
    def remaining(self) -> int:
        """How many codes fit all answers."""
        return 1 if self.is_finished else self.node.size

    @property
    def candidates(self) -> list[str]:
        """The codes that fit all answers, as they are shown, in lexicographic order."""
        codes = (self.node.guess,) if self.is_finished else self.node.candidates
        return sorted(map(self.show, codes))

    @property
    def listed(self) -> list[str] | None:
        """The candidates, if they are few enough to list."""
        return self.candidates if self.remaining <= LISTED else None

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The answers that some candidate gives, in ascending order; none in a finished game."""
        if self.is_finished:
            return ()
        node = self.node
        nodes = self.node.nodes
        rules = self.rules
        remaining = self.remaining
        first, end = nodes.below(node.number, node.number + 1)
        answers = nodes.answers[first:end].tolist()
        sizes = np.diff(nodes.starts[first : end + 1]).tolist()
        trails = [(*self.trail, Node(nodes, child)) for child in range(first, end)]
        if node.is_candidate_guess:
            answers = [*answers, rules.win]
            sizes = [*sizes, 1]
            trails = [*trails, self.trail]
        game = self.entry, self.relabelling
        return tuple(
            Choice(
                rules.answers[a], n, GamePosition(*game, (*self.answers, a), trail), n / remaining
            )
            for a, n, trail in zip(answers, sizes, trails, strict=True)
        )

    @property
    def codes(self) -> IndexArray:
        """The candidates of an unfinished game as players see them, (n,) int32 in no order."""
        nodes = self.node.nodes
        first, end = nodes.starts[self.node.number : self.node.number + 2]
        shown = self.relabelling.transformation
        return shown.apply_to_all(self.rules, nodes.codes[first:end])

    @property
    def parent(self) -> GamePosition | None:
        """The position before the last answer, None for a new game."""
        return self.before(len(self.answers)) if self.answers else None

    def before(self, turn: int) -> GamePosition:
        """Return the position in which turn `turn` was asked."""
        earlier = self.answers[: turn - 1]
        return GamePosition(self.entry, self.relabelling, earlier, self.trail[:turn])

    @cached_property
    def history(self) -> History:
        """The turns so far, as players see them."""
        show = self.relabelling.show
        turns = zip(self.trail, self.answers, strict=False)
        return History(self.rules, tuple((show(node.guess), answer) for node, answer in turns))

    @cached_property
    def turns(self) -> list[PastTurn]:
        """The same turns as pages list them."""
        sizes = [*[node.size for node in self.trail[1:]], 1]  # of a finished game its code
        return PastTurn.all_of(self.history, sizes[: len(self.answers)])

    # -- relabelling ---------------------------------------------------------------------------

    def show(self, code: CodeIndex) -> str:
        """Return a code of the tree as players see it."""
        return self.rules.text(self.relabelling.show(code))


# -- corrections ---------------------------------------------------------------------------------

# A corrected answer usually leads to a node whose guesses the player has not seen.  So the game
# continues right after the corrected turn, and skips guesses that have been answered already.


def resume(position: GamePosition, known: Mapping[CodeIndex, AnswerIndex]) -> GamePosition:
    """Return the position after all guesses, from `position` on, whose answers are known.

    Raises `ContradictionError` if no code gives all these answers.
    """
    while not position.is_finished and position.node.guess in known:
        position = position.after(known[position.node.guess])
    return position


def path_of(position: GamePosition) -> Turns:
    """Return the turns so far, not relabelled."""
    path = position.entry.tree.path(position.node)
    if position.is_finished:
        return (*path, (position.node.guess, position.rules.win))
    return path


def game_corrections(
    position: GamePosition,
    answer: AnswerIndex | None = None,
    codes: NDArray[np.int32] | None = None,
) -> list[Correction]:
    """Return corrections of one turn, most plausible first; none if two or more are wrong.

    The turns are those so far and, with `answer`, that to the guess on the board.  `codes`, (n,)
    int32, are the possible secrets; by default all codes.  Guesses are as they are shown.
    """
    turns = path_of(position)
    if answer is not None:
        turns = (*turns, (position.node.guess, answer))
    found = corrections(History(position.rules, turns), codes)
    return [replace(one, guess=position.show(turns[one.turn - 1][0])) for one in found]


def corrected(position: GamePosition, correction: Correction) -> GamePosition:
    """Return the position right after the corrected turn."""
    instead = position.rules.answer_index(*correction.instead)
    return position.before(correction.turn).after(instead)


def continued(position: GamePosition, correction: Correction) -> GamePosition:
    """Return the position after the corrected turn and the guesses that are answered already."""
    return resume(corrected(position, correction), dict(correction.history.turns))
