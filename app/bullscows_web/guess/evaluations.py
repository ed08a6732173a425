"""Evaluations of the guesses of a game: the loss at each turn, in mean turns."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request

from bullscows.analysis.findings import DOUBTFUL, GOOD, Evaluation
from bullscows.game.candidates import MAX_HISTORY, candidates
from bullscows.game.history import History
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows_web.analyse.search.lookup import Backend
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.guess.pages import GuessPage
from bullscows_web.trees.library import Library
from bullscows_web.trees.links import position_path
from bullscows_web.web.dependencies import is_copy
from bullscows_web.web.html.polling import PollingPage

SHARE = 0.6
"""Share of a search's time for the costs of one page; a reload continues the search."""


@dataclass(frozen=True)
class EvaluatedGuess:
    """A guess that was made while more than one code fitted, and what it cost."""

    before: History
    """The turns before it."""
    guess: CodeIndex
    """The guess."""
    evaluation: Evaluation
    """Its cost above the best guess."""
    best: CodeIndex
    """The best guess that is known there."""

    @property
    def number(self) -> int:
        """Its turn."""
        return len(self.before) + 1

    @property
    def better(self) -> CodeIndex | None:
        """The better guess; None if the one that was made is as good, or may be."""
        above = self.evaluation.shown_loss
        return self.best if above and above[0] > 0 else None

    @property
    def position(self) -> str:
        """The path of the analysis of the position in which it was made."""
        return position_path(self.before)

    def text(self, code: CodeIndex) -> str:
        """Return a code as it is written."""
        return self.before.rules.text(code)


@dataclass(frozen=True)
class EvaluatedGame:
    """The guesses of one player."""

    evaluations: tuple[EvaluatedGuess, ...]
    """Of each guess that could tell something."""

    @property
    def given_away(self) -> tuple[float, float] | None:
        """Between what all guesses together cost above the best ones; None unless all are known."""
        known = [evaluated.evaluation.shown_loss for evaluated in self.evaluations]
        if not known:
            return None
        lower = upper = 0.0
        for above in known:
            if above is None:
                return None
            lower, upper = lower + above[0], upper + above[1]
        return lower, upper

    @property
    def is_final(self) -> bool:
        """Whether all of them are proved."""
        return all(evaluated.evaluation.is_settled for evaluated in self.evaluations)


@dataclass(frozen=True)
class EvaluatedTurns(PollingPage):
    """Part of a page with the costs of guesses."""

    games: tuple[EvaluatedGame, ...] = ()
    """The guesses of the player, and those of the opponent if there is one."""
    polls: int = 0
    """How many times this page has asked again by itself."""

    @property
    def is_final(self) -> bool:
        """Whether looking again would tell nothing new."""
        return all(game.is_final for game in self.games)

    @property
    def thresholds(self) -> tuple[float, float]:
        """Up to how many turns above the best a guess is called good, and doubtful."""
        return GOOD, DOUBTFUL


@dataclass(frozen=True)
class EvaluationsPage(EvaluatedTurns, GuessPage):
    """The turns of a puzzle with the evaluations of its guesses."""

    @property
    def evaluations(self) -> Mapping[int, EvaluatedGuess]:
        """The guesses that have an evaluation, by their turns."""
        return {
            evaluated.number: evaluated for game in self.games for evaluated in game.evaluations
        }

    @property
    def address(self) -> str:
        """The path of the page itself."""
        return self.evaluations_path


async def evaluated_games(
    request: Request, service: AnalysisService, library: Library, *played: History
) -> tuple[EvaluatedGame, ...]:
    """Find what the guesses of games cost; a copy starts no search."""
    seconds = 0.0 if is_copy(request) else SHARE * service.seconds / len(played)

    def look(backend: Backend) -> tuple[EvaluatedGame, ...]:
        found = (evaluations(backend, library, history, seconds) for history in played)
        return tuple(map(EvaluatedGame, found))

    return await service.answer(look, unproved=True)


def evaluations(
    backend: Backend, library: Library, history: History, seconds: float
) -> tuple[EvaluatedGuess, ...]:
    """Find what the guesses of a game cost.

    The last come first: they are proved soonest, and the first ones may use what time is left.
    """
    ends = time.monotonic() + seconds
    guesses = history.guesses[:MAX_HISTORY]
    before = [History(history.rules, history[:turn]) for turn in range(len(guesses))]
    found = [
        _evaluated(backend, library, turns, guess, ends)
        for turns, guess in zip(reversed(before), reversed(guesses), strict=True)
        if len(candidates(history.rules, turns)) > 1
    ]
    return tuple(reversed(found))


def _evaluated(
    backend: Backend, library: Library, before: History, guess: CodeIndex, ends: float
) -> EvaluatedGuess:
    question = Question.of(before.rules, before)
    known = backend.analysis(library, question, max(ends - time.monotonic(), 0.0) / 2)
    (evaluation,) = backend.evaluations(known, [guess], max(ends - time.monotonic(), 0.0))
    return EvaluatedGuess(before, guess, evaluation, known.analysis.guess)
