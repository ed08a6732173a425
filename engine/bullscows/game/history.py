"""A history: the guesses made so far with their answers, and how people write one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, overload

from bullscows.errors import EngineError
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules

Turn: TypeAlias = tuple[CodeIndex, AnswerIndex]
"""A guess and its answer, by number."""

Turns: TypeAlias = tuple[Turn, ...]
"""Turns of a game that is known from elsewhere, as on the path to a node of a tree."""


class HistoryError(EngineError, ValueError):
    """Turns that are no history of the game."""


class InconsistentError(HistoryError):
    """A history that no code fits."""

    def __init__(self, turns: Sequence[Turn], rules: Rules | None) -> None:
        game = "" if rules is None else f" of {rules}"
        super().__init__(f"no code{game} fits all {len(turns)} answers")
        self.turns = tuple(turns)
        self.rules = rules
        """The game; None if it has no rules."""


@dataclass(frozen=True)
class History(Sequence[Turn]):
    """Guesses with their answers, in order; they need not be consistent.

    >>> history = History.parse("p4c10n", "0123:0.1 1456:1.1")
    >>> history.turns, len(history)
    (((0, 1), (696, 6)), 2)
    >>> print(history.without(1))
    1456:1.1
    """

    rules: Rules
    turns: Turns = ()
    """The turns, by number."""

    @classmethod
    def of(cls, game: Rules | str, played: Played = ()) -> History:
        """Return the history of turns given as a history, a text, or pairs of numbers or texts.

        >>> History.of("p4c10n", [("0123", "0.1"), (696, 6)]).turns
        ((0, 1), (696, 6))

        Raises
        ------
        HistoryError, CodeError, AnswerError
            If it is the history of another game, or for the reasons of `parse`.
        """
        rules = Rules.of(game)
        if isinstance(played, str):
            return cls.parse(rules, played)
        if isinstance(played, History):
            if played.rules != rules:
                raise HistoryError(f"a history of {played.rules} is none of {rules}")
            return played
        turns = [
            (
                rules.parse_code(guess) if isinstance(guess, str) else int(guess),
                rules.parse_answer(answer) if isinstance(answer, str) else int(answer),
            )
            for guess, answer in played
        ]
        return cls(rules, tuple(turns))

    @classmethod
    def parse(cls, game: Rules | str, text: str) -> History:
        """Read turns written ``guess:bulls.cows`` with spaces between; inverse of `str`.

        Raises
        ------
        HistoryError
            If a turn is not of this form.
        CodeError, AnswerError
            If a guess or an answer does not exist in the game.
        """
        rules = Rules.of(game)
        turns = []
        for word in text.split():
            guess, colon, answer = word.partition(":")
            if not colon:
                raise HistoryError(
                    f"invalid turn {word[:40]!r}: write guess:answer, for example 0123:0.1"
                )
            turns.append((rules.parse_code(guess), rules.parse_answer(answer)))
        return cls(rules, tuple(turns))

    def __str__(self) -> str:
        return " ".join(self.texts)

    @property
    def texts(self) -> tuple[str, ...]:
        """Each turn as it is written."""
        rules = self.rules
        return tuple(f"{rules.text(guess)}:{rules.answers[answer]}" for guess, answer in self.turns)

    @property
    def guesses(self) -> tuple[CodeIndex, ...]:
        """The guesses alone."""
        return tuple(guess for guess, _ in self.turns)

    def __len__(self) -> int:
        return len(self.turns)

    @overload
    def __getitem__(self, index: int) -> Turn: ...

    @overload
    def __getitem__(self, index: slice) -> Turns: ...

    def __getitem__(self, index: int | slice) -> Turn | Turns:
        return self.turns[index]

    def after(self, guess: CodeIndex, answer: AnswerIndex) -> History:
        """Return this history with one more turn."""
        return History(self.rules, (*self.turns, (guess, answer)))

    def without(self, turn: int) -> History:
        """Return this history without turn number `turn`, 1 for the first."""
        return History(self.rules, (*self.turns[: turn - 1], *self.turns[turn:]))

    def corrected(self, turn: int, answer: AnswerIndex) -> History:
        """Return this history with another answer at turn number `turn`, 1 for the first."""
        guess = self.turns[turn - 1][0]
        turns = (*self.turns[: turn - 1], (guess, answer), *self.turns[turn:])
        return History(self.rules, turns)


Played: TypeAlias = str | History | Sequence[tuple[CodeIndex | str, AnswerIndex | str]]
"""A history as users give it: a value, a text for `History.parse`, or pairs of numbers or texts."""
