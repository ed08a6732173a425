"""The game of one place (Chen, section 2): guess a number, hear smaller, equal or greater.

``number:16`` is the game of the numbers 0 to 15; the answers ``<``, ``=`` and ``>`` compare the
secret with the guess. It has no symmetry and no `Rules`, only a response table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from bullscows.game.history import parsed_turns
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import (
    NUMBERS,
    AnswerError,
    AnswerIndex,
    CodeError,
    CodeIndex,
    RulesError,
    Turns,
)

MAX_NUMBERS = 1000
"""The largest game: its search looks at every range of numbers."""

_ANSWERS = ("<", ">", "=")
"""By index; the last one wins."""

_TEXT = re.compile(r"0|[1-9][0-9]{0,5}")


@dataclass(frozen=True)
class NumberGame:
    """The game of the numbers 0 to size - 1.

    >>> game = NumberGame.parse("number:16")
    >>> game.turns("7:> 11:<")
    ((7, 1), (11, 0))

    Raises `RulesError` unless 1 <= size <= `MAX_NUMBERS`.
    """

    size: int
    """How many numbers there are."""

    def __post_init__(self) -> None:
        if not 1 <= self.size <= MAX_NUMBERS:
            raise RulesError(f"there must be 1 to {MAX_NUMBERS} numbers, not {self.size}")

    @classmethod
    def parse(cls, text: str) -> NumberGame:
        """Read the notation ``number:16``; inverse of `str`."""
        size = text.removeprefix(NUMBERS)
        if size == text or _TEXT.fullmatch(size) is None:
            raise RulesError(
                f"invalid rules {text[:20]!r}: write how many numbers, for example number:16"
            )
        return cls(int(size))

    def __str__(self) -> str:
        return f"{NUMBERS}{self.size}"

    def text(self, number: CodeIndex) -> str:
        """Return a number as it is written; inverse of `parse_code`."""
        return str(number)

    def parse_code(self, text: str) -> CodeIndex:
        """Return the number written as `text`."""
        if _TEXT.fullmatch(text) is None or int(text) >= self.size:
            raise CodeError(f"invalid number {text[:20]!r}: {self} has 0 to {self.size - 1}")
        return int(text)

    def parse_answer(self, text: str) -> AnswerIndex:
        """Return the index of the answer ``<``, ``=`` or ``>``."""
        if text not in _ANSWERS:
            raise AnswerError(
                f"invalid answer {text[:20]!r}: write <, = or > for a secret that is smaller than, "
                "equal to or greater than the guess"
            )
        return _ANSWERS.index(text)

    def turns(self, history: str) -> Turns:
        """Read guesses and answers written ``7:> 11:<``."""
        return parsed_turns(history, self.parse_code, self.parse_answer, "7:>")

    def table(self) -> ResponseTable:
        """Return the answers of all secrets to all guesses."""
        numbers = np.arange(self.size)
        secrets = numbers[:, None]
        guesses = numbers
        answers = np.where(secrets == guesses, 2, secrets > guesses)
        return ResponseTable.from_answers(
            answers.astype(np.uint8), answers=len(_ANSWERS), win=2, name=str(self)
        )
