"""What is answered about positions: of one, or of many in the time of one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from app.analyse.history import InconsistentTurnsError
from app.analyse.search.service import AnalysisService
from app.api.positions import BestGuess, BestGuesses, GuessQuestion
from app.trees.library import Library
from app.web.errors.documents import ProblemDocument
from app.web.errors.problems import FORESEEN, Kind, ProblemError, describe
from app.web.metrics import Metrics
from app.web.queue import RETRY_SECONDS
from engine.analysis.analyst import checked
from engine.game.history import InconsistentError

PATIENCE = 10.0
"""The seconds in which a position of many has to begin; counting takes time besides searching."""


class TimeOverError(ProblemError):
    """A position of many whose turn did not come in time."""

    kind = Kind(
        503,
        "time-over",
        "There was no time left for this position",
        "ask about it again, with fewer others",
        retry_seconds=RETRY_SECONDS,
    )

    def __init__(self) -> None:
        super().__init__(f"the positions before this one took more than {PATIENCE:g} seconds")

    def count(self, metrics: Metrics) -> None:
        """Count it as a refusal."""
        metrics.count_refusal("time")


def found(
    question: GuessQuestion, library: Library, service: AnalysisService, seconds: float
) -> BestGuess:
    """Return what is known of a position after so many seconds; for the analyst's thread.

    If guesses are to be priced, the best one has half of the time, and they what it leaves.
    """
    asked = question.asked()
    guesses = question.priced(asked.rules)
    try:
        checked(asked)
    except InconsistentError as error:
        raise InconsistentTurnsError(asked.history, str(error)) from None
    ends = time.monotonic() + seconds
    sourced = service.analysis(library, asked, seconds / 2 if guesses else seconds)
    prices = None
    if question.guesses is not None:
        prices = service.prices(sourced, guesses, max(ends - time.monotonic(), 0.0))
    return BestGuess.of_analysis(asked, sourced, prices)


async def all_found(
    questions: Sequence[GuessQuestion],
    library: Library,
    service: AnalysisService,
    metrics: Metrics,
) -> BestGuesses:
    """Return what is known of positions, each in a turn of its own, so that others have theirs.

    Each may search for an equal share of the seconds that are left, which searching alone uses up.
    """
    answers: list[BestGuess | ProblemDocument] = []
    left, latest = service.seconds, time.monotonic() + PATIENCE

    def one(question: GuessQuestion, share: float) -> BestGuess:
        nonlocal left
        if time.monotonic() > latest:
            raise TimeOverError
        began = time.monotonic()
        try:
            return found(question, library, service, share)
        finally:
            left -= min(time.monotonic() - began, share)

    async with service.place():
        for place, question in enumerate(questions):
            share = max(left, 0.0) / (len(questions) - place)
            try:
                answers.append(await service.run(partial(one, question, share)))
            except FORESEEN as error:
                answers.append(describe(error).document)
                if isinstance(error, ProblemError):
                    error.count(metrics)
    return BestGuesses(answers=answers)
