"""Best guesses for one position, or for many within the search time of one."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from bullscows_web.analyse.search.lookup import SearchNeededError
from bullscows_web.analyse.search.service import AnalysisService, Backend
from bullscows_web.api.positions import (
    BestGuess,
    GuessRequest,
    GuessResult,
    GuessResults,
    fields_of_limits,
)
from bullscows_web.errors.kinds import EXPECTED
from bullscows_web.errors.responses import count, describe
from bullscows_web.trees.library import Library
from bullscows_web.web.errors import BusyError, OutOfTimeError
from bullscows_web.web.metrics import Metrics

PATIENCE = 10.0
"""Seconds within which each position of a batch must be started."""


def best_guess(
    request: GuessRequest, library: Library, backend: Backend, seconds: float | None = None
) -> BestGuess:
    """Return the best guess of a position and the evaluations of the requested guesses.

    `seconds` limits the search; by default the backend's own limit applies.  If there are guesses
    to evaluate, the search for the best one gets half of the time.  Raises `FieldError` or
    `MalformedError` if the request is invalid. Raises `InconsistentError` if no code fits the
    turns.
    """
    question = request.question()
    guesses = request.evaluated(question.rules)
    with fields_of_limits():
        backend.checked(question)
    seconds = backend.seconds if seconds is None else seconds
    ends = time.monotonic() + seconds
    sourced = backend.analysis(library, question, seconds / 2 if guesses else seconds)
    evaluations = None
    if request.guesses is not None:
        evaluations = backend.evaluations(sourced, guesses, max(ends - time.monotonic(), 0.0))
    return BestGuess.of_analysis(question, sourced, evaluations)


async def best_guesses(
    requests: Sequence[GuessRequest], library: Library, service: AnalysisService, metrics: Metrics
) -> GuessResults:
    """Return the best guess or the problem of each position.

    Positions that need no search are answered first and outside the queue.  The others share the
    search time of a single request.  Raises `BusyError` if every position needs a search and the
    queue is full.
    """
    latest = time.monotonic() + PATIENCE
    results: dict[int, GuessResult] = {}
    for place, request in enumerate(requests):
        work = partial(_in_time, latest, request, library)
        with suppress(SearchNeededError):
            results[place] = await _result(service.at_once(work), metrics)
    left = {place: request for place, request in enumerate(requests) if place not in results}
    try:
        results |= await _searched(left, library, service, metrics, latest)
    except BusyError as error:
        if not results:
            raise
        results |= {place: _problem(error, metrics) for place in left}
    return GuessResults(results=[results[place] for place in sorted(results)])


async def _searched(
    requests: Mapping[int, GuessRequest],
    library: Library,
    service: AnalysisService,
    metrics: Metrics,
    latest: float,
) -> dict[int, GuessResult]:
    """Search the positions one after the other; each gets an equal share of the time left."""
    results: dict[int, GuessResult] = {}
    left = service.seconds

    def search(request: GuessRequest, share: float) -> BestGuess:
        nonlocal left
        began = time.monotonic()
        try:
            return _in_time(latest, request, library, service, share)
        finally:
            left -= min(time.monotonic() - began, share)

    if not requests:
        return results
    async with service.place():
        for place, request in requests.items():
            share = max(left, 0.0) / (len(requests) - len(results))
            found = service.run(partial(search, request, share))
            results[place] = await _result(found, metrics)
    return results


def _in_time(
    latest: float,
    request: GuessRequest,
    library: Library,
    backend: Backend,
    seconds: float | None = None,
) -> BestGuess:
    """Return the best guess of a position; raise `OutOfTimeError` if it is past `latest`."""
    if time.monotonic() > latest:
        raise OutOfTimeError(PATIENCE)
    return best_guess(request, library, backend, seconds)


async def _result(found: Awaitable[BestGuess], metrics: Metrics) -> GuessResult:
    try:
        return GuessResult(best_guess=await found)
    except EXPECTED as error:
        return _problem(error, metrics)


def _problem(error: Exception, metrics: Metrics) -> GuessResult:
    count(error, metrics)
    return GuessResult(problem=describe(error).document)
