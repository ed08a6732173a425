"""Best guesses for one position, or for many within the search time of one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import Request

from bullscows.analysis.analyst import checked
from bullscows.errors import EngineError
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows_web.api.position_schemas import (
    BestGuess,
    GuessRequest,
    GuessResult,
    GuessResults,
    fields_of_limits,
)
from bullscows_web.errors.kinds import EXPECTED
from bullscows_web.errors.responses import count, describe
from bullscows_web.search.searcher import Searcher
from bullscows_web.search.service import EXTRA_SECONDS, Search
from bullscows_web.web.errors import OutOfTimeError
from bullscows_web.web.metrics import Metrics

PATIENCE = 10.0
"""Seconds within which each position of a batch must be started."""
BATCH_SECONDS = PATIENCE + 2 * EXTRA_SECONDS
"""Limit on the processor time of a batch."""


@dataclass(frozen=True)
class Asked:
    """A position, and the guesses to evaluate there."""

    question: Question
    guesses: Sequence[CodeIndex] | None
    """None: no evaluations are asked for."""

    @classmethod
    def of(cls, request: GuessRequest) -> Asked:
        """Read a request; raise `FieldError` or `MalformedError` if it is invalid."""
        question = request.question()
        evaluated = request.evaluated(question.rules)
        return cls(question, None if request.guesses is None else evaluated)


async def best_guess(given: GuessRequest, request: Request, search: Search) -> BestGuess:
    """Return the best guess of a position and the evaluations of the requested guesses.

    Raises `FieldError` or `MalformedError` if the request is invalid. Raises `InconsistentError` if
    no code fits the turns. Raises `TooFewTurnsError` if no strategy meets the limit on turns.
    """
    asked = Asked.of(given)
    with fields_of_limits():
        known = None if asked.guesses else search.look_up(asked.question)
        if known is not None:
            return BestGuess.of_analysis(known.required(), None if given.guesses is None else [])
        return await search.run(request, partial(found, asked=asked))


def found(searcher: Searcher, asked: Asked, seconds: float | None = None) -> BestGuess:
    """Search the best guess for some seconds, by default those of a request.

    If there are guesses to evaluate, the search for the best one gets half of the time.
    """
    question = checked(asked.question)
    seconds = searcher.seconds if seconds is None else seconds
    ends = time.monotonic() + seconds
    best = searcher.analysis(question, seconds / 2 if asked.guesses else seconds).required()
    evaluations = None
    if asked.guesses is not None:
        left = max(ends - time.monotonic(), 0.0)
        evaluations = searcher.evaluations(best, asked.guesses, left)
    return BestGuess.of_analysis(best, evaluations)


async def best_guesses(
    given: Sequence[GuessRequest], request: Request, search: Search, metrics: Metrics
) -> GuessResults:
    """Return the best guess or the problem of each position; errors as of `Search.run`."""
    asked = [_asked(one) for one in given]
    valid = [one for one in asked if isinstance(one, Asked)]
    results = iter(await search.run(request, partial(all_found, asked=valid), BATCH_SECONDS))
    return GuessResults(
        results=[
            _result(next(results) if isinstance(one, Asked) else one, metrics) for one in asked
        ]
    )


def all_found(searcher: Searcher, asked: Sequence[Asked]) -> list[BestGuess | Exception]:
    """Search positions one after the other; each gets an equal share of the time left.

    A position that is not started within `PATIENCE` seconds has an `OutOfTimeError`.
    """
    latest = time.monotonic() + PATIENCE
    left = searcher.seconds
    results: list[BestGuess | Exception] = []
    for place, one in enumerate(asked):
        began = time.monotonic()
        share = max(left, 0.0) / (len(asked) - place)
        results.append(OutOfTimeError(PATIENCE) if began > latest else _tried(searcher, one, share))
        left -= min(time.monotonic() - began, share)
    return results


def _tried(searcher: Searcher, asked: Asked, seconds: float) -> BestGuess | Exception:
    try:
        return found(searcher, asked, seconds)
    except EngineError as error:
        return error


def _asked(request: GuessRequest) -> Asked | Exception:
    try:
        return Asked.of(request)
    except EXPECTED as error:
        return error


def _result(result: BestGuess | Exception, metrics: Metrics) -> GuessResult:
    if isinstance(result, BestGuess):
        return GuessResult(best_guess=result)
    try:
        with fields_of_limits():
            raise result
    except EXPECTED as error:
        count(error, metrics)
        return GuessResult(problem=describe(error).document)
