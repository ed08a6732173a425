"""What a task asks: the least cost of the position after a history, for an objective.

A question is one line of text, ``p4c10n average,last 7 0123:0.1 1245:0.2``: game, objective, last
allowed turn (``-`` for none) and history; a guess at the end without an answer is the only one
considered.  Renaming symbols, reordering positions and playing the
same guesses in another order change no value (paper, 2.2, lemma 1), so a question is known by the
least such image of its history: two questions with the same *key* have the same value.  Trees are
another matter: which of several optimal guesses comes first does depend on the names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import permutations

from engine import __version__
from engine.game.history import Turns
from engine.game.objective import (
    Objective,
    TurnsError,
    Weights,
    combine,
)
from engine.game.rules import (
    AnswerIndex,
    Code,
    CodeIndex,
    Rules,
)

HORIZON = 17
"""Turns with a weight when the rules set no cap; a search that needs more says so."""

SHARED_TURNS = 2
"""Histories of up to so many turns are known by their least image, longer ones by themselves: the
image of each of the many long ones would take longer than it saves."""


@dataclass(frozen=True)
class Question:
    """A position and what to minimise there."""

    rules: Rules
    """The game."""
    objective: str
    """An objective of `engine.game.objective` other than ``worst``, which is no sum."""
    max_turns: int | None
    """The last allowed turn, counted from the start of the game."""
    history: Turns = ()
    """Guesses and answers so far, by number."""
    first: CodeIndex | None = None
    """The only next guess that is considered; None: all."""

    def __post_init__(self) -> None:
        objective = Objective.parse(self.objective)
        if "worst" in objective.criteria:
            raise TurnsError("worst is no sum over secrets: give the cap on the turns instead")
        if objective.needs_cap and self.max_turns is None:
            raise TurnsError(f"objective {objective} needs a last allowed turn")
        objective.turns_allowed(self.max_turns)

    @classmethod
    def parse(cls, text: str) -> Question:
        """Read the one-line form; inverse of `str`.

        Raises
        ------
        ValueError
            If the line has too few words, or one of them is no game, objective, turn or answer.
        """
        name, objective, turns, *played = text.split(" ")
        rules = Rules.parse(name)
        first = None
        if played and ":" not in played[-1]:
            first = rules.parse_code(played.pop())
        history = []
        for turn in played:
            guess, _, answer = turn.partition(":")
            history.append((rules.parse_code(guess), rules.parse_answer(answer)))
        return cls(rules, objective, None if turns == "-" else int(turns), tuple(history), first)

    def __str__(self) -> str:
        turns = "-" if self.max_turns is None else str(self.max_turns)
        return " ".join([str(self.rules), self.objective, turns, *self._turns()])

    def _turns(self) -> Iterator[str]:
        for guess, answer in self.history:
            yield f"{self.rules.text(guess)}:{self.rules.answers[answer]}"
        if self.first is not None:
            yield self.rules.text(self.first)

    @property
    def turn(self) -> int:
        """The number of the next guess."""
        return len(self.history) + 1

    @property
    def key(self) -> str:
        """The address of the value: equal for questions that symmetry makes equal."""
        if self.first is None and 0 < len(self.history) <= SHARED_TURNS:
            return _address(str(replace(self, history=_least_image(self.rules, self.history))))
        return _address(str(self))

    @property
    def tree_key(self) -> str:
        """The address of the tree, of this very question and no image of it."""
        return _address(f"{self} tree")

    def then(self, guess: CodeIndex, answer: AnswerIndex) -> Question:
        """Return the question one turn later."""
        return replace(self, history=(*self.history, (guess, answer)), first=None)

    def trying(self, guess: CodeIndex) -> Question:
        """Return the question with one guess for the next turn."""
        return replace(self, first=guess)

    def weights(self) -> Weights:
        """Return the cost of each turn.

        Raises
        ------
        ObjectiveError
            If the exact scaling of the criteria does not fit.
        """
        return _weights(self.rules, self.objective, self.max_turns)


@lru_cache(maxsize=16)
def _weights(rules: Rules, text: str, max_turns: int | None) -> Weights:
    objective = Objective.parse(text)
    cap = objective.turns_allowed(max_turns)
    answers = len(rules.answers)
    return combine(objective, cap or HORIZON, rules.size, answers, capped=cap is not None)


def _address(text: str) -> str:
    return sha256(f"{__version__} {text}".encode()).hexdigest()


@lru_cache(maxsize=1 << 16)
def _least_image(rules: Rules, history: Turns) -> Turns:
    """Return the least image of a history over positions, symbols and the order of its turns."""
    played = [(rules.code(guess), answer) for guess, answer in history]
    least = min(
        _renamed(order, places)
        for order in permutations(played)
        for places in permutations(range(rules.positions))
    )
    return tuple((rules.index(code), answer) for code, answer in least)


def _renamed(
    played: Sequence[tuple[Code, AnswerIndex]], places: Sequence[int]
) -> list[tuple[Code, AnswerIndex]]:
    """Reorder positions; name symbols 0, 1, ... in the order in which they come up."""
    names: dict[int, int] = {}
    return [
        (tuple(names.setdefault(code[place], len(names)) for place in places), answer)
        for code, answer in played
    ]
