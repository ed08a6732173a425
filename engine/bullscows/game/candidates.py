"""What a history leaves, by counting: candidates, what a guess does to them, who tells of a slip.

A history is guesses with their answers that need not follow any tree, nor make sense together.
A code that disagrees with exactly one of its answers is a witness that this answer alone may be
wrong, and says what it should have been: a `Correction`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bullscows.errors import EngineError
from bullscows.game.history import History, InconsistentError, Played
from bullscows.game.responses import (
    ResponseArray,
    ResponseTable,
    responses_between,
)
from bullscows.game.rules import (
    Answer,
    AnswerError,
    AnswerIndex,
    CodeIndex,
    Rules,
)
from bullscows.game.symmetry import IndexArray

MAX_CODES = 2_000_000
"""The largest game that is analysed: room for eight of ten digits, seven pegs in seven colours."""

WHOLE_TABLE_CODES = 10_000
"""The largest game whose table is made whole for a position: room for four digits that repeat."""

MAX_HISTORY = 20
"""The most turns that a position may have behind it."""


class GameTooLargeError(EngineError, ValueError):
    """A game with more codes than are analysed while somebody waits."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(
            f"{rules} has {rules.size} codes; games of up to {MAX_CODES} codes are analysed"
        )
        self.rules = rules


@dataclass(frozen=True)
class Split:
    """What a guess does to the candidates."""

    guess: CodeIndex
    """The guess."""
    is_candidate: bool
    """Whether it may be the secret."""
    parts: tuple[tuple[AnswerIndex, int], ...]
    """How many candidates give each answer, by ascending answer; answers that none gives left
    out."""

    @property
    def number(self) -> int:
        """How many different answers there can be."""
        return len(self.parts)

    @property
    def tells(self) -> bool:
        """Whether it leaves another position than the same one a turn later."""
        return self.number > 1 or self.is_candidate

    @property
    def largest(self) -> int:
        """How many candidates are left at worst."""
        return max(size for _, size in self.parts)

    @property
    def expected(self) -> float:
        """How many candidates are left on average: a part of n is met n times."""
        total = sum(size for _, size in self.parts)
        return sum(size * size for _, size in self.parts) / total


def candidates(game: Rules | str, history: Played = ()) -> IndexArray:
    """Return the codes that fit all answers, (n,) int32 ascending; none if they contradict.

    >>> rules = Rules.parse("p3c4n")
    >>> [rules.text(code) for code in candidates(rules, "012:1.2")]
    ['021', '102', '210']

    Parameters
    ----------
    game
        The rules, or their text.
    history
        Guesses and answers, as text or as pairs.

    Raises
    ------
    GameTooLargeError
        If the game has more than `MAX_CODES` codes.
    CodeError, AnswerError, HistoryTextError
        If a guess or an answer does not exist, or a text can't be read.
    """
    rules = Rules.of(game)
    if rules.size > MAX_CODES:
        raise GameTooLargeError(rules)
    turns = History.of(rules, history)
    _check_numbers(turns)
    if not turns:
        return np.arange(rules.size, dtype=np.int32)
    answers = _answers_to(turns)
    given = np.array([answer for _, answer in turns], dtype=np.uint8)
    return np.flatnonzero((answers == given).all(axis=1)).astype(np.int32)


def table_after(history: History, *, only_candidates: bool = False) -> ResponseTable:
    """Return the answers that a search of the position after a history needs.

    That is the table of the whole game if it is small, which serves the next position as well;
    else, or if the candidates alone are wanted, their rows.

    Raises
    ------
    InconsistentError
        If no code fits all answers.
    TableTooLargeError, GameTooLargeError
        If the game has too many codes.
    """
    rules = history.rules
    is_small = rules.size <= WHOLE_TABLE_CODES and not only_candidates
    if is_small or not history:
        return ResponseTable.of(rules)
    left = candidates(rules, history)
    if not len(left):
        raise InconsistentError(history, rules)
    return ResponseTable.of_candidates(rules, left)


def _check_numbers(history: History) -> None:
    rules = history.rules
    for guess, answer in history:
        rules.code(guess)
        if not 0 <= answer <= rules.win:
            raise AnswerError(f"answer number {answer} is not in 0 to {rules.win}")


def split(rules: Rules, left: IndexArray, guess: CodeIndex) -> Split:
    """Count what each answer to `guess` leaves of `left`, the candidates, (n,) int32, n > 0."""
    answers = responses_between(rules, left, np.array([guess], dtype=np.int32))[:, 0]
    given, sizes = np.unique(answers, return_counts=True)
    parts = tuple(zip(given.tolist(), sizes.tolist(), strict=True))
    return Split(guess, bool((left == guess).any()), parts)


# -- slips -----------------------------------------------------------------------------------------

Slip = Literal["swapped", "off-by-one", "other"]
"""How the answer may have gone wrong: bulls and cows changed places; one of them is one too many
or too few; anything else."""

LIKELIHOOD: dict[Slip, int] = {"swapped": 4, "off-by-one": 2, "other": 1}
"""How many times likelier one slip of a kind is taken to be than one of kind `other`.

A correction's plausibility is this times the number of codes behind it, as Bayes' rule has it for
codes that are equally likely.  `python -m benchmarks.doctor` measures what the weights are worth.
"""


@dataclass(frozen=True)
class Correction:
    """One answer that, if changed alone, makes the history consistent."""

    turn: int
    """The turn of the answer that may be wrong."""
    guess: str
    """What was asked then, as it was shown."""
    given: Answer
    """What was answered."""
    instead: Answer
    """What should have been answered."""
    remaining: int
    """How many codes fit the whole history so mended."""

    @property
    def slip(self) -> Slip:
        """How one answer may have been taken for the other."""
        given, instead = self.given, self.instead
        if (given.cows, given.bulls) == instead:
            return "swapped"
        if abs(given.bulls - instead.bulls) + abs(given.cows - instead.cows) == 1:
            return "off-by-one"
        return "other"

    @property
    def plausibility(self) -> int:
        """How much speaks for it, to be compared within one history only."""
        return LIKELIHOOD[self.slip] * self.remaining

    @property
    def order(self) -> tuple[int, int, Answer]:
        """What to sort by to have the most plausible first."""
        return (-self.plausibility, self.turn, self.instead)


def witnesses(
    history: History, codes: IndexArray | None = None
) -> Counter[tuple[int, AnswerIndex]]:
    """Count the codes that disagree with exactly one turn, by turn and by what they answer there.

    Turns are counted from 1.  With `codes`, (n,) int32, only these are asked.
    """
    answers = _answers_to(history, codes)
    differs = answers != np.array([answer for _, answer in history], dtype=np.uint8)
    single = differs.sum(axis=1) == 1
    rows, turns = np.nonzero(differs & single[:, None])
    told = answers[rows, turns]
    return Counter(zip((turns + 1).tolist(), told.tolist(), strict=True))


def _answers_to(history: History, codes: IndexArray | None = None) -> ResponseArray:
    """Return (codes, turns) uint8: what every code, or each of `codes`, answers to each guess."""
    if codes is None:
        codes = np.arange(history.rules.size, dtype=np.int32)
    guesses = np.array(history.guesses, dtype=np.int32)
    return responses_between(history.rules, codes, guesses)
