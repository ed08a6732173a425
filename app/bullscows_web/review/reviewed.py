"""Games judged turn by turn: what each guess cost, and what luck its answer was.

The *expected length* of a game is the mean turn at which the best guesses find the code, over all
codes still possible.  A guess raises it by the guess's loss, whatever the answer.  The answer then
lowers or raises it: that is luck.  So the numbers of a finished game add up: the expected length at
the start, plus all losses, minus all luck, is the turn at which the code was found.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from bullscows.analysis.findings import Evaluation
from bullscows.game.history import History, Split, split
from bullscows.game.question import Question
from bullscows.game.rules import Answer, AnswerIndex, CodeIndex
from bullscows_web.analyse.search.service import Backend
from bullscows_web.trees.library import Library
from bullscows_web.trees.links import position_path

SHARE = 0.6
"""Share of a search's time for the games on one page; a reload continues the search."""


@dataclass(frozen=True)
class Judgement:
    """A guess in a position, held against the best guess that is known there."""

    evaluation: Evaluation
    """The guess, and bounds on its cost."""
    best: Split
    """The best guess that is known."""

    @property
    def guess(self) -> str:
        """The guess as it is written."""
        return self.evaluation.guess_text

    @property
    def split(self) -> Split:
        """How the guess parts the codes."""
        return self.evaluation.split

    @property
    def remaining(self) -> int:
        """How many codes were possible before the guess."""
        return len(self.evaluation.question.candidates)

    @property
    def loss(self) -> tuple[float, float] | None:
        """Bounds on the mean number of turns that the guess costs; None if unknown."""
        return self.evaluation.shown_loss

    @property
    def better(self) -> str:
        """The better guess; empty if there is none, or if that is not known."""
        is_worse = self.loss is not None and self.loss[0] > 0
        return self.evaluation.question.rules.text(self.best.guess) if is_worse else ""

    @property
    def lengths(self) -> tuple[float, float] | None:
        """The expected length of the game before and after the guess; None unless exact."""
        best = self.evaluation.best
        own = self.evaluation.bounds
        if best is None or own is None or not (best.exact and own.exact):
            return None
        return best.lower / self.remaining, own.lower / self.remaining


@dataclass(frozen=True)
class ReviewedTurn(Judgement):
    """A turn of a game."""

    answer: AnswerIndex
    """The answer to the guess."""
    tried: Judgement | None = None
    """Another guess that the visitor tries in its place."""

    @property
    def before(self) -> History:
        """The turns before it."""
        return self.evaluation.question.history

    @property
    def number(self) -> int:
        """1 for the first."""
        return len(self.before) + 1

    @property
    def given(self) -> Answer:
        """The answer as bulls and cows."""
        return self.before.rules.answers[self.answer]

    @property
    def is_hit(self) -> bool:
        """Whether the guess found the code."""
        return self.answer == self.before.rules.win

    @property
    def left(self) -> int:
        """How many codes the answer left; a hit leaves none to guess."""
        return 0 if self.is_hit else dict(self.split.parts)[self.answer]

    @property
    def expected_left(self) -> float:
        """How many codes the guess leaves on average, counted in the same way."""
        return self.split.expected - self.split.is_candidate / self.remaining

    @property
    def position(self) -> str:
        """The path of the analysis of the position in which the guess was made."""
        return position_path(self.before)


@dataclass(frozen=True)
class ReviewedGame:
    """The turns of one player."""

    history: History
    """All turns."""
    turns: Sequence[ReviewedTurn]
    """Those that were reviewed."""
    is_computer: bool = False
    """Whether the computer guessed."""

    @property
    def is_found(self) -> bool:
        """Whether the last guess found the code."""
        return self.turns[-1].is_hit

    @property
    def lost(self) -> tuple[float, float] | None:
        """Bounds on the turns that all guesses together cost; None if one of them is unknown."""
        losses = [turn.loss for turn in self.turns]
        known = [loss for loss in losses if loss is not None]
        if len(known) < len(losses):
            return None
        return sum(least for least, _ in known), sum(most for _, most in known)

    @property
    def worst(self) -> ReviewedTurn | None:
        """The turn whose guess cost most, if any is known to have cost anything."""
        costly = [turn for turn in self.turns if turn.better]
        return max(costly, key=lambda turn: turn.loss or (0.0, 0.0), default=None)

    @cached_property
    def won_by_luck(self) -> float | None:
        """The turns that lucky answers saved, negative if they cost turns; None if unknown."""
        start = self.turns[0].lengths
        lost = self.lost
        if start is None or lost is None or lost[0] != lost[1] or not self.is_found:
            return None
        return start[0] + lost[0] - len(self.turns)

    @property
    def is_final(self) -> bool:
        """Whether each loss is exact, or will not be searched for."""
        return all(turn.evaluation.is_settled for turn in self.turns)


def reviewed(
    backend: Backend,
    library: Library,
    history: History,
    seconds: float,
    *,
    tried: Mapping[int, CodeIndex] = MappingProxyType({}),
    only: int = 0,
    is_computer: bool = False,
) -> ReviewedGame:
    """Review a game in a given time, or only one of its turns.

    The last turns come first: they are proved soonest, and the first ones may use what time is
    left.  `tried` has other guesses to judge, by their turns.  Raises `InconsistentError` if no
    code fits all answers.
    """
    ends = time.monotonic() + seconds
    backend.checked(Question.of(history.rules, history))
    numbers = [only] if only else range(len(history), 0, -1)
    turns = [
        _reviewed_turn(backend, library, history, number, tried.get(number), ends)
        for number in numbers
    ]
    return ReviewedGame(history, turns[::-1], is_computer)


def _reviewed_turn(
    backend: Backend,
    library: Library,
    history: History,
    number: int,
    tried: CodeIndex | None,
    ends: float,
) -> ReviewedTurn:
    question = Question.of(history.rules, History(history.rules, history[: number - 1]))
    guess, answer = history[number - 1]
    known = backend.analysis(library, question, max(ends - time.monotonic(), 0.0) / 2)
    asked = [guess, *([] if tried is None else [tried])]
    found, *others = backend.evaluations(known, asked, max(ends - time.monotonic(), 0.0))
    best = split(history.rules, question.candidates, known.analysis.guess)
    other = Judgement(others[0], best) if others else None
    return ReviewedTurn(found, best, answer, other)
