"""`POST /guess` and `/guesses`: the best guess of a position, or of many in the time of one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

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
from bullscows_web.search.searcher import Searcher, with_corrections
from bullscows_web.search.service import EXTRA_SECONDS, SearchDep
from bullscows_web.web.dependencies import MetricsDep
from bullscows_web.web.exceptions import NotStartedError
from bullscows_web.web.metrics import Metrics

router = APIRouter(tags=["positions"])

ParsedRequest: TypeAlias = tuple[Question, Sequence[CodeIndex] | None]
"""A position, and the guesses to evaluate there; None: no evaluations are asked for."""

START_SECONDS = 10.0
"""Seconds within which each position of a batch must be started."""
BATCH_SECONDS = START_SECONDS + 2 * EXTRA_SECONDS
"""Limit on the processor time of a batch."""


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
    question, guesses = position.parsed()
    with fields_of_limits():
        known = None if guesses else search.look_up(question)
        if known is not None:
            return BestGuess.of_analysis(known.required(), None if guesses is None else [])
        return await search.run(request, partial(find_best, question=question, guesses=guesses))


def find_best(
    searcher: Searcher,
    question: Question,
    guesses: Sequence[CodeIndex] | None,
    seconds: float | None = None,
) -> BestGuess:
    """Search the best guess for some seconds, by default those of a request.

    If there are guesses to evaluate, the search for the best one gets half of the time.
    """
    seconds = searcher.seconds if seconds is None else seconds
    timer = Timer(seconds)
    best = searcher.analysis(checked(question), seconds / 2 if guesses else seconds).required()
    evaluations = None
    if guesses is not None:
        evaluations = searcher.evaluations(best, guesses, timer.share())
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
    asked = [_parsed(one) for one in given.positions]
    valid = [one for one in asked if not isinstance(one, Exception)]
    found = iter(await search.run(request, partial(find_all, asked=valid), BATCH_SECONDS))
    results = [one if isinstance(one, Exception) else next(found) for one in asked]
    return GuessResults(results=[_result(one, metrics) for one in results])


def find_all(searcher: Searcher, asked: Sequence[ParsedRequest]) -> list[BestGuess | Exception]:
    """Search positions one after the other; each gets an equal share of the time left.

    A position that is not started within `START_SECONDS` seconds has a `NotStartedError`.
    """
    latest = time.monotonic() + START_SECONDS
    left = searcher.seconds
    results: list[BestGuess | Exception] = []
    for place, (question, guesses) in enumerate(asked):
        began = time.monotonic()
        share = max(left, 0.0) / (len(asked) - place)
        if began > latest:
            message = f"the positions before this one took more than {START_SECONDS:g} seconds"
            results.append(NotStartedError(message))
            continue
        try:
            results.append(find_best(searcher, question, guesses, share))
        except EngineError as error:
            results.append(with_corrections(error))
        left -= min(time.monotonic() - began, share)
    return results


def _parsed(request: GuessRequest) -> ParsedRequest | Exception:
    try:
        return request.parsed()
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
