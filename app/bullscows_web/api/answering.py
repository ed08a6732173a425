"""What is answered about positions: of one, or of many in the time of one."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from bullscows_web.analyse.search.known import Informant, SearchNeededError
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.api.positions import BestGuess, BestGuesses, GuessQuestion, fields_of_limits
from bullscows_web.error_responses import EXPECTED, ProblemDocument, count, describe
from bullscows_web.trees.library import Library
from bullscows_web.web.errors import BusyError, OutOfTimeError
from bullscows_web.web.metrics import Metrics

PATIENCE = 10.0
"""The seconds in which a position of many has to begin; counting takes time besides searching."""


def found(
    question: GuessQuestion,
    library: Library,
    informant: Informant,
    seconds: float | None = None,
) -> BestGuess:
    """Return what is known of a position after so many seconds, or those of one who asks.

    If guesses are to be priced, the best one has half of the time, and they what it leaves.
    """
    asked = question.asked()
    guesses = question.priced(asked.rules)
    with fields_of_limits():
        informant.checked(asked)
    seconds = informant.seconds if seconds is None else seconds
    ends = time.monotonic() + seconds
    sourced = informant.analysis(library, asked, seconds / 2 if guesses else seconds)
    prices = None
    if question.guesses is not None:
        prices = informant.prices(sourced, guesses, max(ends - time.monotonic(), 0.0))
    return BestGuess.of_analysis(asked, sourced, prices)


async def all_found(
    questions: Sequence[GuessQuestion],
    library: Library,
    service: AnalysisService,
    metrics: Metrics,
) -> BestGuesses:
    """Return what is known of positions, each in a turn of its own, so that others have theirs.

    Those that need no search come first, without a place in the line; where there is none left,
    they are answered all the same.

    Raises
    ------
    BusyError
        If each of them needs a search and too many are waiting.
    """
    latest = time.monotonic() + PATIENCE
    answers: dict[int, BestGuess | ProblemDocument] = {}
    for place, question in enumerate(questions):
        work = partial(_in_time, latest, question, library)
        with suppress(SearchNeededError):
            answers[place] = await _told(service.at_once(work), metrics)
    left = {place: one for place, one in enumerate(questions) if place not in answers}
    try:
        answers |= await _searched(left, library, service, metrics, latest)
    except BusyError as error:
        if not answers:
            raise
        answers |= {place: _problem(error, metrics) for place in left}
    return BestGuesses(answers=[answers[place] for place in sorted(answers)])


async def _searched(
    questions: Mapping[int, GuessQuestion],
    library: Library,
    service: AnalysisService,
    metrics: Metrics,
    latest: float,
) -> dict[int, BestGuess | ProblemDocument]:
    """Return what is known of positions by their places, after searches.

    Each may search for an equal share of the seconds that are left, which searching alone uses up.
    """
    answers: dict[int, BestGuess | ProblemDocument] = {}
    left = service.seconds

    def one(question: GuessQuestion, share: float) -> BestGuess:
        nonlocal left
        began = time.monotonic()
        try:
            return _in_time(latest, question, library, service, share)
        finally:
            left -= min(time.monotonic() - began, share)

    if not questions:
        return answers
    async with service.place():
        for place, question in questions.items():
            share = max(left, 0.0) / (len(questions) - len(answers))
            answers[place] = await _told(service.run(partial(one, question, share)), metrics)
    return answers


def _in_time(
    latest: float,
    question: GuessQuestion,
    library: Library,
    informant: Informant,
    seconds: float | None = None,
) -> BestGuess:
    """Return what is known of a position of many, if its turn has come in time."""
    if time.monotonic() > latest:
        raise OutOfTimeError(PATIENCE)
    return found(question, library, informant, seconds)


async def _told(answer: Awaitable[BestGuess], metrics: Metrics) -> BestGuess | ProblemDocument:
    """Return an answer, or why there is none."""
    try:
        return await answer
    except EXPECTED as error:
        return _problem(error, metrics)


def _problem(error: Exception, metrics: Metrics) -> ProblemDocument:
    count(error, metrics)
    return describe(error).document
