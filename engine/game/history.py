"""A history: the guesses made so far with their answers, and how people write one."""

from __future__ import annotations

from typing import TypeAlias

from engine.errors import EngineError
from engine.game.rules import AnswerIndex, CodeIndex, Rules

Turn: TypeAlias = tuple[CodeIndex, AnswerIndex]
"""A guess and its answer, by number."""

Turns: TypeAlias = tuple[Turn, ...]
"""The turns played so far."""


class HistoryTextError(EngineError, ValueError):
    """A history that is not written as ``0123:0.1 1245:0.2``."""


def parse_history(rules: Rules, text: str) -> Turns:
    """Read turns written ``guess:bulls.cows`` with spaces between.

    Raises
    ------
    HistoryTextError
        If a turn is not of this form.
    CodeError, AnswerError
        If a guess or an answer does not exist in the game.
    """
    turns = []
    for word in text.split():
        guess, colon, answer = word.partition(":")
        if not colon:
            raise HistoryTextError(
                f"invalid turn {word[:40]!r}: write guess:answer, as in 0123:0.1"
            )
        turns.append((rules.parse_code(guess), rules.parse_answer(answer)))
    return tuple(turns)
