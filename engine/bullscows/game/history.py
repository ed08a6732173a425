"""A history: the guesses made so far with their answers, the codes that fit it, and corrections.

A history need not follow a tree nor be consistent.  A code that disagrees with exactly one of its
answers is a witness that this answer alone may be wrong: a `Correction`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal, TypeAlias, overload

import numpy as np

from bullscows.errors import EngineError
from bullscows.game import arguments
from bullscows.game.response_table import (
    GameTooLargeError,
    ResponseArray,
    ResponseTable,
    all_codes,
    responses_between,
)
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules, Turn, Turns
from bullscows.game.scoring import Answer
from bullscows.game.symmetry import IndexArray
from bullscows.game.timer import UNLIMITED, Timer


class HistoryError(EngineError, ValueError):
    """Turns that are no history of the game."""


class InconsistentError(HistoryError):
    """A history that no code fits."""

    def __init__(
        self,
        turns: Sequence[Turn],
        rules: Rules | None,
        secrets: Sequence[CodeIndex] | None = None,
    ) -> None:
        game = "" if rules is None else f" of {rules}"
        game = game if secrets is None else " of the list"
        answers = "the answer" if len(turns) == 1 else f"all {len(turns)} answers"
        super().__init__(f"no code{game} fits {answers}")
        self.turns = tuple(turns)
        """The turns that contradict each other."""
        self.rules = rules
        """The game; None if it has no rules."""
        self.secrets = secrets
        """The codes that may be the secret; None: all."""

    @cached_property
    def corrections(self) -> list[Correction]:
        """Corrections of one answer, most plausible first; none if the game has no rules."""
        if self.rules is None:
            return []
        codes = None if self.secrets is None else np.array(self.secrets, dtype=np.int32)
        return corrections(History(self.rules, self.turns), codes)


@dataclass(frozen=True)
class History(Sequence[Turn]):
    """Guesses with their answers, in order; they need not be consistent.

    Examples
    --------
    >>> history = History.parse("p4c10n", "0123:0.1 1456:1.1")
    >>> history.turns, len(history)
    (((0, 1), (696, 6)), 2)
    >>> print(history.without(1))
    1456:1.1
    """

    game: Rules | ResponseTable
    """The rules; or the responses of a game without rules."""
    turns: Turns = ()
    """The turns, by number."""

    def __post_init__(self) -> None:
        if not isinstance(self.game, ResponseTable):
            arguments.instance("game", self.game, Rules, "Rules")
        arguments.instance("turns", self.turns, tuple, "a tuple of turns")

    @property
    def rules(self) -> Rules:
        """The rules of the game; raises `HistoryError` if it has none."""
        if isinstance(self.game, ResponseTable):
            raise HistoryError(f"{self.game.name} has no rules")
        return self.game

    @classmethod
    def of(cls, game: ResponseTable | Rules | str, played: Played = ()) -> History:
        """Return the history of turns given as a history, a text, or tuples.

        A tuple is a guess and its answer, each by number or text, or a guess, bulls and cows. In a
        game without rules it is a guess and its answer by number.

        Examples
        --------
        >>> History.of("p4c10n", [("0123", "0.1"), (696, 6), ("0123", 0, 1)]).turns
        ((0, 1), (696, 6), (0, 1))

        Raises
        ------
        HistoryError, CodeError, AnswerError
            If it is the history of another game, or for the reasons of `parse`.
        """
        if isinstance(game, ResponseTable) and game.rules is None:
            return cls(game, _numbered(game, played))
        rules = game.rules if isinstance(game, ResponseTable) else Rules.of(game)
        assert rules is not None
        if isinstance(played, str):
            return cls.parse(rules, played)
        if isinstance(played, History):
            if played.rules != rules:
                raise HistoryError(f"a history of {played.rules} is none of {rules}")
            return played
        given = arguments.listed("history", played, "a History, a text, or a sequence of turns")
        turns = [_turn(rules, turn, number) for number, turn in enumerate(given, start=1)]
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
        given = arguments.text("text", text, "0123:0.1")
        return cls(rules, parsed_turns(given, rules.parse_code, rules.parse_answer, "0123:0.1"))

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
        return History(self.game, (*self.turns, (guess, answer)))

    def without(self, turn: int) -> History:
        """Return this history without turn number `turn`, 1 for the first."""
        return History(self.rules, (*self.turns[: turn - 1], *self.turns[turn:]))

    def corrected(self, turn: int, answer: AnswerIndex) -> History:
        """Return this history with another answer at turn number `turn`, 1 for the first."""
        guess = self.turns[turn - 1][0]
        turns = (*self.turns[: turn - 1], (guess, answer), *self.turns[turn:])
        return History(self.rules, turns)


def parsed_turns(
    text: str,
    code: Callable[[str], CodeIndex],
    answer: Callable[[str], AnswerIndex],
    example: str,
) -> Turns:
    """Read turns written ``guess:answer``; raise `HistoryError` if one is not of this form."""
    turns = []
    for word in text.split():
        guess, colon, given = word.partition(":")
        if not colon:
            raise HistoryError(
                f"invalid turn {word[:40]!r}: write guess:answer, for example {example}"
            )
        turns.append((code(guess), answer(given)))
    return tuple(turns)


PlayedTurn: TypeAlias = tuple[CodeIndex | str, AnswerIndex | str] | tuple[CodeIndex | str, int, int]
"""A guess and its answer, each by number or text; or a guess, bulls and cows."""

Played: TypeAlias = str | History | Sequence[PlayedTurn]
"""A history as users give it: a value, a text for `History.parse`, or turns."""


def _turn(rules: Rules, turn: object, number: int) -> Turn:
    """Return a turn by number as users give it; `number` is its place, 1 for the first."""
    if isinstance(turn, tuple | list) and len(turn) == 2:
        guess, answer = turn
        given = rules.answer_number(answer)
    elif isinstance(turn, tuple | list) and len(turn) == 3:
        guess, bulls, cows = turn
        given = rules.answer_index(bulls, cows)
    else:
        raise HistoryError(
            f"turn {number} of history must be (guess, answer) or (guess, bulls, cows), for "
            f"example ('0123', '0.1') or ('0123', 0, 1), not {arguments.shown(turn)}"
        )
    return rules.number(guess, "a guess of history"), given


def _numbered(table: ResponseTable, played: Played) -> Turns:
    """Return the turns of a game without rules, which are given by number."""
    allowed = "pairs of a guess and its answer by number, because a game without rules has no texts"
    try:
        turns = tuple(
            (arguments.whole("guess", guess), arguments.whole("answer", answer))
            for guess, answer in arguments.listed("history", played, allowed)
        )
    except (TypeError, ValueError):
        raise HistoryError(f"history must be {allowed}, not {arguments.shown(played)}") from None
    for guess, answer in turns:
        if not (0 <= guess < table.size and 0 <= answer < table.answers):
            raise HistoryError(f"no guess {guess} with answer {answer} in this game")
    return turns


MAX_CODES = 2_000_000
"""The largest game that is analysed."""

WHOLE_TABLE_CODES = 10_000
"""The largest game whose whole table is made for a position."""

_COUNTED = 1 << 19
"""How many answers are counted at once: in 64-bit numbers they take 4 MB."""

_GUESSES = 64
"""How many guesses are counted at once where secrets are too many for one block."""

_CODES_AT_ONCE = 1 << 16
"""Of how many codes the answers to all turns are compared at once."""

MAX_HISTORY = 20
"""The most turns that a position may have behind it."""


@dataclass(frozen=True)
class Split:
    """The parts into which a guess splits the candidates."""

    guess: CodeIndex
    """The guess."""
    is_candidate: bool
    """Whether it may be the secret."""
    parts: tuple[tuple[AnswerIndex, int], ...]
    """How many candidates give each answer, by ascending answer, if any does."""

    @property
    def remaining(self) -> int:
        """How many candidates there are before the guess."""
        return sum(size for _, size in self.parts)

    @property
    def number(self) -> int:
        """How many different answers there can be."""
        return len(self.parts)

    @property
    def is_informative(self) -> bool:
        """Whether the guess splits the candidates or is one of them."""
        return self.number > 1 or self.is_candidate

    @property
    def largest(self) -> int:
        """How many candidates are left at worst."""
        return max(size for _, size in self.parts)

    @property
    def expected(self) -> float:
        """How many candidates are left on average: a part of n is met n times."""
        return sum(size * size for _, size in self.parts) / self.remaining


def candidates(game: Rules | str, history: Played = ()) -> IndexArray:
    """Return the codes that fit all answers, (n,) int32 ascending; empty if they contradict.

    Examples
    --------
    >>> rules = Rules.parse("p3c4n")
    >>> [rules.text(code) for code in candidates(rules, "012:1.2")]
    ['021', '102', '210']

    Parameters
    ----------
    game
        The rules, or their text.
    history
        The guesses and answers so far: a `History`, text, or pairs.

    Returns
    -------
    IndexArray
        Codes by number, (n,) int32 ascending.

    Raises
    ------
    GameTooLargeError
        If the game has more than `MAX_CODES` codes.
    CodeError, AnswerError, HistoryError
        If a guess or an answer does not exist, or a text can't be read.
    """
    *_, left = narrowed(History.of(game, history))
    return left


def remaining_after(history: History) -> list[int]:
    """Return how many codes fit the answers up to each turn; raise what `candidates` raises."""
    return [len(left) for left in narrowed(history)][1:]


def informative_turns(history: History) -> Turns:
    """Return the turns without redundant ones, which exclude no candidate that the others leave.

    Of two turns with the same effect the earlier one stays.
    """
    turns = history.turns
    rules = history.rules
    left = len(candidates(rules, turns))
    for number in range(len(turns) - 1, -1, -1):
        others = (*turns[:number], *turns[number + 1 :])
        if len(candidates(rules, others)) == left:
            turns = others
    return turns


def narrowed(turns: History) -> Iterator[IndexArray]:
    """Yield all codes, then those that are left after each turn, (n,) int32 ascending.

    Raises what `candidates` raises.
    """
    if isinstance(turns.game, Rules):
        for number, turn in enumerate(turns, start=1):
            _turn(turns.game, turn, number)
    if (size := turns.game.size) > MAX_CODES:
        raise GameTooLargeError(
            f"{turns.game} has {size} codes; games of up to {MAX_CODES} codes are analysed"
        )
    left = np.arange(size, dtype=np.int32)
    played = set()
    yield left
    for guess, answer in turns:
        if (guess, answer) not in played:  # the same turn again leaves the same
            left = left[responses_to(turns.game, guess, left) == answer]
            played.add((guess, answer))
        yield left


def table_after(
    history: History, *, only_candidates: bool = False, timer: Timer = UNLIMITED
) -> ResponseTable:
    """Return the response table for a search of the position after a history.

    It is the whole table if the game is small, which serves the next position as well; otherwise,
    or with `only_candidates`, the rows of the candidates. Raises `InconsistentError` if no code
    fits all answers, `GameTooLargeError` if the game has too many codes, and `OutOfTimeError` if
    the table would take more than half of the time.
    """
    rules = history.rules
    is_small = rules.size <= WHOLE_TABLE_CODES and not only_candidates
    if is_small or not history:
        return ResponseTable.of(rules, timer)
    left = candidates(rules, history)
    if not len(left):
        raise InconsistentError(history, rules)
    return ResponseTable.of_candidates(rules, left, timer)


def split(rules: Rules, left: IndexArray, guess: CodeIndex) -> Split:
    """Count what each answer to `guess` leaves of `left`, the candidates, (n,) int32, n > 0."""
    (found,) = splits(rules, left, [guess])
    return found


def splits(rules: Rules, left: IndexArray, guesses: Sequence[CodeIndex]) -> list[Split]:
    """Count the same for several guesses, which is quicker than one after the other."""
    counts = answer_counts(rules, left, np.array(guesses, dtype=np.int32))
    are_candidates = np.isin(guesses, left).tolist()
    found = []
    for guess, is_candidate, sizes in zip(guesses, are_candidates, counts.tolist(), strict=True):
        parts = tuple((answer, size) for answer, size in enumerate(sizes) if size)
        found.append(Split(guess, is_candidate, parts))
    return found


def answer_counts(rules: Rules, secrets: IndexArray, guesses: IndexArray) -> IndexArray:
    """Return (guesses, answers) int32: how many secrets give each answer to each guess."""
    kinds = len(rules.answers)
    counts = np.zeros((len(guesses), kinds), dtype=np.int32)
    width = max(1, min(len(guesses), max(_GUESSES, _COUNTED // max(1, len(secrets)))))
    height = max(1, _COUNTED // width)
    for left, top in product(range(0, len(guesses), width), range(0, len(secrets), height)):
        asked = guesses[left : left + width]
        some = secrets[top : top + height]
        if len(asked) < len(some):  # the longer axis last is quicker; guesses answer the same
            answers = responses_between(rules, asked, some).T
        else:
            answers = responses_between(rules, some, asked)
        cells = answers + np.arange(0, len(asked) * kinds, kinds)
        found = np.bincount(cells.ravel(), minlength=len(asked) * kinds)
        counts[left : left + width] += found.reshape(len(asked), kinds)
    return counts


# -- corrections -----------------------------------------------------------------------------------

Mistake = Literal["swapped", "off-by-one", "other"]
"""Kind of mistake: bulls and cows are swapped; one of them is off by one; anything else."""

LIKELIHOOD: dict[Mistake, int] = {"swapped": 4, "off-by-one": 2, "other": 1}
"""Assumed likelihood of a kind of mistake, relative to `other`.

The plausibility of a correction is this times the number of codes that support it: Bayes' rule for
equally likely codes.
"""


@dataclass(frozen=True)
class Correction:
    """A change of one answer that makes the history consistent."""

    turn: int
    """Turn of the answer, 1 for the first."""
    guess: str
    """The guess at that turn, as it was shown."""
    given: Answer
    """The answer that was given."""
    instead: Answer
    """The answer that it should have been."""
    remaining: int
    """Number of codes that fit the corrected history."""
    history: History
    """The corrected history."""

    @property
    def mistake(self) -> Mistake:
        """How the two answers may have been confused."""
        given = self.given
        instead = self.instead
        if (given.cows, given.bulls) == instead:
            return "swapped"
        if abs(given.bulls - instead.bulls) + abs(given.cows - instead.cows) == 1:
            return "off-by-one"
        return "other"

    @property
    def plausibility(self) -> int:
        """Relative plausibility, comparable within one history only."""
        return LIKELIHOOD[self.mistake] * self.remaining


def corrections(history: History, codes: IndexArray | None = None) -> list[Correction]:
    """Return every correction of one answer, most plausible first; none if two or more are wrong.

    No code fits the history.  `codes`, (n,) int32, are the possible secrets; by default all codes.
    A correction is supported by the codes that disagree with this turn only.
    """
    rules = history.rules
    codes = all_codes(rules) if codes is None else codes
    guesses = np.array(history.guesses, dtype=np.int32)
    given = np.array([answer for _, answer in history], dtype=np.uint8)
    counts = np.zeros((len(history), len(rules.answers)), dtype=np.int64)
    for some in np.array_split(codes, 1 + len(codes) // _CODES_AT_ONCE):
        answers = responses_between(rules, some, guesses)
        differs = answers != given
        rows, turns = np.nonzero(differs & (differs.sum(axis=1) == 1)[:, None])
        np.add.at(counts, (turns, answers[rows, turns]), 1)
    found = [
        Correction(
            turn=turn + 1,
            guess=rules.text(history.guesses[turn]),
            given=rules.answers[given[turn]],
            instead=rules.answers[instead],
            remaining=int(counts[turn, instead]),
            history=history.corrected(turn + 1, instead),
        )
        for turn, instead in np.argwhere(counts).tolist()
    ]
    return sorted(found, key=lambda one: (-one.plausibility, one.turn, one.instead))


def responses_to(game: Rules | ResponseTable, guess: CodeIndex, codes: IndexArray) -> ResponseArray:
    """Return (codes,) uint8: what each of some codes answers to a guess."""
    if isinstance(game, ResponseTable):
        column: ResponseArray = game.responses[codes, guess]
        return column
    answers: ResponseArray = responses_between(game, np.array([guess], dtype=np.int32), codes)[0]
    return answers
