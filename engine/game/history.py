"""A history: the guesses made so far with their answers, and how people write one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.errors import EngineError
from engine.game.rules import AnswerIndex, CodeIndex, Rules

Turn: TypeAlias = tuple[CodeIndex, AnswerIndex]
"""A guess and its answer, by number."""

Turns: TypeAlias = tuple[Turn, ...]
"""The turns played so far."""

Played: TypeAlias = str | Sequence[tuple[CodeIndex | str, AnswerIndex | str]]
"""Turns as users give them: a text for `parse_history`, or pairs of numbers or texts."""


class HistoryTextError(EngineError, ValueError):
    """A history that is not written as ``0123:0.1 1245:0.2``."""


def parse_history(rules: Rules, text: str) -> Turns:
    """Read turns written ``guess:bulls.cows`` with spaces between.

    >>> parse_history(Rules.parse("p4c10n"), "0123:0.1 1456:1.1")
    ((0, 1), (696, 6))

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


def turns_of(rules: Rules, played: Played) -> Turns:
    """Return turns by number.  Numbers are taken as they are, texts are read.

    >>> turns_of(Rules.parse("p4c10n"), [("0123", "0.1"), (696, 6)])
    ((0, 1), (696, 6))

    Raises
    ------
    HistoryTextError, CodeError, AnswerError
        As `parse_history`.
    """
    if isinstance(played, str):
        return parse_history(rules, played)
    return tuple(
        (
            rules.parse_code(guess) if isinstance(guess, str) else guess,
            rules.parse_answer(answer) if isinstance(answer, str) else answer,
        )
        for guess, answer in played
    )
