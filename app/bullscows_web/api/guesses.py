"""`POST /guess` and `/guesses`: the best guess of a position, or of many in the time of one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter, Request

from bullscows.analysis.analyst import checked
from bullscows.errors import EngineError
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows.game.timer import Timer
from bullscows_web.api.guess_schemas import (
    BestGuess,
    GuessesRequest,
    GuessRequest,
    GuessResult,
    GuessResults,
    fields_of_limits,
)
from bullscows_web.api.openapi import BAD_BODY, problems
from bullscows_web.errors.kinds import EXPECTED
from bullscows_web.errors.responses import count, describe
from bullscows_web.search.searcher import Searcher
from bullscows_web.search.service import EXTRA_SECONDS, SearchDep
from bullscows_web.web.dependencies import MetricsDep
from bullscows_web.web.exceptions import NotStartedError
from bullscows_web.web.metrics import Metrics

router = APIRouter(tags=["positions"])

START_SECONDS = 10.0
"""Seconds within which each position of a batch must be started."""
BATCH_SECONDS = START_SECONDS + 2 * EXTRA_SECONDS
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
        return cls(question, request.evaluated(question.rules))


@router.post(
    "/guess",
    summary="Find the best guess",
    responses=problems(409, 429, 503) | BAD_BODY,
)
async def find_guess(position: GuessRequest, request: Request, search: SearchDep) -> BestGuess:
    """Return the best guess of a position of any game, and whether it is proved.

    If no code fits the turns, the response is a 409 problem that lists the answers that could be
    wrong. Each of the `guesses` is evaluated: its value and its loss against the best guess. A
    search takes about a second and its results are stored, so repeating a request can improve the
    result. Games can have up to 2,000,000 codes. A position is searched if its candidates times the
    codes of the game are at most 256 million.
    """
    asked = Asked.of(position)
    with fields_of_limits():
        known = None if asked.guesses else search.look_up(asked.question)
        if known is not None:
            return BestGuess.of_analysis(known.required(), None if asked.guesses is None else [])
        return await search.run(request, partial(find_best, asked=asked))


def find_best(searcher: Searcher, asked: Asked, seconds: float | None = None) -> BestGuess:
    """Search the best guess for some seconds, by default those of a request.

    If there are guesses to evaluate, the search for the best one gets half of the time.
    """
    question = checked(asked.question)
    seconds = searcher.seconds if seconds is None else seconds
    timer = Timer(seconds)
    best = searcher.analysis(question, seconds / 2 if asked.guesses else seconds).required()
    evaluations = None
    if asked.guesses is not None:
        evaluations = searcher.evaluations(best, asked.guesses, timer.share())
    return BestGuess.of_analysis(best, evaluations)


@router.post(
    "/guesses",
    summary="Find the best guesses of many positions",
    responses=problems(429, 503) | BAD_BODY,
)
async def find_guesses(
    given: GuessesRequest, request: Request, search: SearchDep, metrics: MetricsDep
) -> GuessResults:
    """Return the best guess of up to 100 positions, in their order.

    A position with an error has a problem as its result and does not affect the others. All
    searches together take the time of one request to `POST /guess`. A position that is not started
    within 10 seconds has a `time-over` problem. Repeat the request to continue.
    """
    asked = [_asked(one) for one in given.positions]
    valid = [one for one in asked if isinstance(one, Asked)]
    results = iter(await search.run(request, partial(find_all, asked=valid), BATCH_SECONDS))
    return GuessResults(
        results=[
            _result(next(results) if isinstance(one, Asked) else one, metrics) for one in asked
        ]
    )


def find_all(searcher: Searcher, asked: Sequence[Asked]) -> list[BestGuess | Exception]:
    """Search positions one after the other; each gets an equal share of the time left.

    A position that is not started within `START_SECONDS` seconds has a `NotStartedError`.
    """
    latest = time.monotonic() + START_SECONDS
    left = searcher.seconds
    results: list[BestGuess | Exception] = []
    for place, one in enumerate(asked):
        began = time.monotonic()
        share = max(left, 0.0) / (len(asked) - place)
        if began > latest:
            results.append(NotStartedError(START_SECONDS))
        else:
            results.append(_tried(searcher, one, share))
        left -= min(time.monotonic() - began, share)
    return results


def _tried(searcher: Searcher, asked: Asked, seconds: float) -> BestGuess | Exception:
    try:
        return find_best(searcher, asked, seconds)
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
