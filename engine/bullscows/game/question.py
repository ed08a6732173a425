"""Questions: the least cost of the position after a history, for an objective.

As text a question is one line, ``p4c10n average,last 7 0123:0.1 1245:0.2``: game, objective, last
allowed turn (``-`` for none), perhaps ``mde=4``, and history; a guess at the end without an answer
is the only one considered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from bullscows.game import arguments
from bullscows.game.arguments import ArgumentError
from bullscows.game.history import History, HistoryError, InconsistentError, Played, narrowed
from bullscows.game.objective import Objective, ObjectiveError, Weights, combine
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray

HORIZON = 17
"""Turns with a weight when the rules set no cap; a search that needs more says so."""


@dataclass(frozen=True)
class Question:
    """A position and what to minimise there.

    Examples
    --------
    >>> question = Question.of("p4c10n", "0123:0.1", "average,last", 7)
    >>> print(question)
    p4c10n average,last 7 0123:0.1
    """

    history: History
    """The game, and the guesses and answers so far."""
    objective: Objective
    """The criteria to minimise."""
    max_turns: int | None = None
    """The last allowed turn, counted from the start of the game."""
    first: CodeIndex | None = None
    """The only next guess that is considered; None: all."""
    candidates_only: bool = False
    """Must each guess be a candidate, possible after all answers?"""
    secrets: tuple[CodeIndex, ...] | None = None
    """The codes that may be the secret, ascending; None: all. Every code may be guessed."""
    mde: int | None = None
    """The turn after which a one-step rule guesses instead of a search, up to the last turn but two
    (`bullscows.strategies.hybrids`); None: the question is exact."""

    def __post_init__(self) -> None:
        arguments.instance("history", self.history, History, "a History")
        arguments.instance("objective", self.objective, Objective, "an Objective")
        arguments.instance("candidates_only", self.candidates_only, bool, "True or False")
        if self.mde is not None:
            arguments.whole("mde", self.mde)
        if self.objective.needs_cap and self.max_turns is None:
            raise ObjectiveError(
                f"objective {self.objective} needs a last allowed turn: give max_turns",
                field="max_turns",
            )
        self.objective.turns_allowed(self.max_turns)

    @classmethod
    def of(
        cls,
        game: ResponseTable | Rules | str,
        history: Played = (),
        objective: Objective | str = "average",
        max_turns: int | None = None,
        *,
        first: CodeIndex | str | None = None,
        candidates_only: bool = False,
        secrets: Iterable[CodeIndex | str] | None = None,
    ) -> Question:
        """Return a question given by values or by texts.

        Raises
        ------
        RulesError, HistoryError, CodeError, AnswerError, ObjectiveError
            If a text can't be read, or the turns do not suit the objective.
        """
        played = History.of(game, history)
        codes = None
        if secrets is not None:
            allowed = "a list of codes by number or text, at least one"
            listed = arguments.listed("secrets", secrets, allowed)
            codes = tuple(sorted({played.rules.number(code, "a secret") for code in listed}))
            if not codes:
                raise ArgumentError("secrets", secrets, allowed)
        if isinstance(first, str):
            if isinstance(played.game, ResponseTable):
                raise HistoryError(
                    f"a game without rules has no texts: give {first[:20]!r} by number"
                )
            first = played.game.parse_code(first)
        elif first is not None:
            allowed = "the next guess by number or text, or None"
            first = arguments.whole("first", first, allowed)
        return cls(played, Objective.of(objective), max_turns, first, candidates_only, codes)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the candidates, which can take megabytes and are found again."""
        return {name: value for name, value in vars(self).items() if name != "candidates"}

    def __str__(self) -> str:
        turns = "-" if self.max_turns is None else str(self.max_turns)
        first = [] if self.first is None else [self.rules.text(self.first)]
        aim = f"{self.objective} {turns}"
        if self.candidates_only:
            aim += " candidates-only"
        if self.mde is not None:
            aim += f" mde={self.mde}"
        return " ".join([str(self.rules), aim, *self.history.texts, *first])

    @property
    def rules(self) -> Rules:
        """The rules of the game; raises `HistoryError` if it has none."""
        return self.history.rules

    @property
    def game(self) -> str:
        """The name of the game."""
        game = self.history.game
        return str(game) if isinstance(game, Rules) else game.name

    @property
    def answers(self) -> int:
        """The number of answers of the game."""
        game = self.history.game
        return len(game.answers) if isinstance(game, Rules) else game.answers

    @property
    def turns_allowed(self) -> int | None:
        """The cap on the turns: `max_turns`, or the number of the weights if fewer."""
        return self.objective.turns_allowed(self.max_turns)

    @property
    def found(self) -> tuple[int, CodeIndex] | None:
        """The turn at which the history found the code, and the code; None: it did not."""
        turns = enumerate(self.history, start=1)
        won = ((at, guess) for at, (guess, answer) in turns if answer == self.history.game.win)
        return next(won, None)

    def text(self, code: CodeIndex) -> str:
        """Return a code as text; in a game without rules its number."""
        game = self.history.game
        return game.text(code) if isinstance(game, Rules) else str(code)

    @cached_property
    def candidates(self) -> IndexArray:
        """The secrets that fit all answers, (n,) int32 ascending.

        Raises `GameTooLargeError` if the game has too many codes to go through.
        """
        *_, left = self._narrowed()
        return left

    def _narrowed(self) -> Iterator[IndexArray]:
        """Yield the secrets that fit the answers up to each turn, first all of them."""
        for left in narrowed(self.history):
            yield left if self.secrets is None else left[np.isin(left, self.secrets)]

    @property
    def turn(self) -> int:
        """The number of the next guess."""
        return len(self.history) + 1

    @property
    def aim(self) -> str:
        """The objective, and the last turn if there is one."""
        return f"{self.objective}" + (f" by turn {self.max_turns}" if self.max_turns else "")

    def covers(self, other: Question) -> bool:
        """Return whether what is best by this objective is best by that of another question."""
        asked = other.objective.criteria
        return self.max_turns == other.max_turns and self.objective.criteria[: len(asked)] == asked

    def at(self, history: History) -> Question:
        """Return the question of another position of the game."""
        return replace(self, history=history, first=None)

    def then(self, guess: CodeIndex, answer: AnswerIndex) -> Question:
        """Return the question one turn later."""
        return self.at(self.history.after(guess, answer))

    def remaining(self) -> list[int]:
        """Return how many codes fit the answers up to each turn, and count the candidates.

        Raises `GameTooLargeError` if the game has too many codes to go through.
        """
        counts = []
        for left in self._narrowed():
            counts.append(len(left))
        vars(self)["candidates"] = left  # as `cached_property` stores them
        return counts[1:]

    def before(self) -> list[Question]:
        """Return the questions before each turn of the history, with their candidates counted.

        Twenty turns of a game of 1.8 million codes take a tenth of the time that counting for each
        question takes. Raises `GameTooLargeError` if the game has too many codes to go through.
        """
        found = []
        for turns, left in zip(range(len(self.history)), self._narrowed(), strict=False):
            earlier = self.at(History(self.rules, self.history.turns[:turns]))
            vars(earlier)["candidates"] = left  # as `cached_property` stores them
            found.append(earlier)
        return found

    def consistent(self) -> Question:
        """Return this question; raise `InconsistentError` if no code fits all answers."""
        if not len(self.candidates):
            game = self.history.game
            rules = game if isinstance(game, Rules) else None
            raise InconsistentError(self.history, rules, self.secrets)
        return self

    def weights(self, horizon: int = HORIZON) -> Weights:
        """Return the cost of each turn, up to `horizon` if the rules set no cap.

        Raises `ObjectiveError` if the objective is no sum, or the exact scaling does not fit.
        """
        if "worst" in self.objective.criteria:
            raise ObjectiveError(
                "worst is no sum over secrets: give the cap on the turns instead", field="max_turns"
            )
        return _weights(self.rules, self.objective, self.turns_allowed, horizon)


@lru_cache(maxsize=16)
def _weights(rules: Rules, objective: Objective, cap: int | None, horizon: int) -> Weights:
    answers = len(rules.answers)
    return combine(objective, cap or horizon, rules.size, answers, capped=cap is not None)
