"""The turns of any game so far as a value: guesses of the player's own, with their answers.

It is written in a URL as ``h=0123:0.1-4567:1.1``.  Unlike `app.trees.position.Position` it follows
no tree, and need not make sense: `mends` says which single answer may be wrong if no code fits.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.analyse.turn_notation import read_turns
from app.web.errors.documents import Conflict
from app.web.errors.problems import Kind, ProblemError
from engine.game.candidates import MAX_HISTORY, witnesses
from engine.game.corrections import Correction
from engine.game.history import Turns
from engine.game.rules import AnswerIndex, CodeIndex, Rules


class MalformedHistoryError(ProblemError, ValueError):
    """More turns than a position may have behind it."""

    kind = Kind(
        422,
        "malformed-history",
        "These are not turns of a game",
        "write guess:answer with - between turns, as in 0123:0.1-4567:1.1",
    )


@dataclass(frozen=True)
class History:
    """Guesses with their answers, by number, in the order in which they were made."""

    rules: Rules
    """The game."""
    turns: Turns = ()
    """The turns."""

    def __post_init__(self) -> None:
        if len(self.turns) > MAX_HISTORY:
            raise MalformedHistoryError(
                f"a position has at most {MAX_HISTORY} turns behind it here, not {len(self.turns)}"
            )

    @classmethod
    def parse(cls, rules: Rules, text: str) -> History:
        """Read ``0123:0.1-4567:1.1``, or turns in any notation of `app.analyse.turn_notation`.

        Raises
        ------
        UnreadableTurnError
            If a turn can't be read, or there are too many.
        """
        return cls(rules, read_turns(rules, text))

    def __str__(self) -> str:
        return "-".join(
            f"{self.rules.text(guess)}:{self.rules.answers[answer]}" for guess, answer in self.turns
        )

    def after(self, guess: CodeIndex, answer: AnswerIndex) -> History:
        """Return this history with one more turn."""
        return History(self.rules, (*self.turns, (guess, answer)))

    def without(self, turn: int) -> History:
        """Return this history without turn number `turn`, 1 for the first."""
        return History(self.rules, (*self.turns[: turn - 1], *self.turns[turn:]))

    def mended(self, turn: int, answer: AnswerIndex) -> History:
        """Return this history with another answer at turn number `turn`."""
        guess = self.turns[turn - 1][0]
        turns = (*self.turns[: turn - 1], (guess, answer), *self.turns[turn:])
        return History(self.rules, turns)


@dataclass(frozen=True)
class Mend(Correction):
    """A correction, and the history after it."""

    history: History
    """The whole history so mended."""


def mends(history: History) -> list[Mend]:
    """Return every single answer that may be wrong, most plausible first.

    An empty list means that at least two answers are wrong.
    """
    found = [
        _mend(history, turn, instead, count)
        for (turn, instead), count in witnesses(history.rules, history.turns).items()
    ]
    return sorted(found, key=lambda mend: mend.order)


class InconsistentTurnsError(ProblemError, ValueError):
    """Turns that no code fits."""

    kind = Kind(
        409,
        "inconsistent-turns",
        "No code fits all turns",
        "change one of the answers under conflicts",
    )

    def __init__(self, history: History, message: str) -> None:
        super().__init__(message)
        self.history = history

    def conflicts(self) -> list[Conflict] | None:
        """Return the single answers that could be wrong."""
        return [Conflict.of(found) for found in mends(self.history)]


def _mend(history: History, turn: int, instead: AnswerIndex, count: int) -> Mend:
    rules = history.rules
    guess, given = history.turns[turn - 1]
    return Mend(
        turn=turn,
        guess=rules.text(guess),
        given=rules.answers[given],
        instead=rules.answers[instead],
        remaining=count,
        history=history.mended(turn, instead),
    )
