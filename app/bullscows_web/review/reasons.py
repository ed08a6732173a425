"""One reason why a guess was worse than the best one, or what its answer was worth.

Each reason has a name, which the templates put into a sentence, and what the sentence mentions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bullscows.game.history import History
from bullscows.game.rules import Answer, CodeIndex
from bullscows_web.analyse.known_symbols import KnownSymbols, impossible_places
from bullscows_web.review.reviewed import Judgement, ReviewedTurn

FAR = 1.5
"""Factor from which on the number of codes left is far from what was expected."""

Flaw = Literal["excluded", "missing", "place", "turn"]
"""Why a guess could not be the code: it has a symbol that the code has not; it lacks one that the
code has; a symbol cannot be in its place; the answer to an earlier guess, which no single symbol
explains."""


@dataclass(frozen=True)
class Impossible:
    """Why a guess could not be the code."""

    flaw: Flaw
    symbol: str = ""
    number: int = 0
    """Its place, or the number of the earlier guess."""
    instead: Answer | None = None
    """The answer to the earlier guess if this guess were the code."""


def impossible(judged: Judgement) -> Impossible | None:
    """Return why a guess could not be the code; None if it could."""
    question = judged.evaluation.question
    guess = judged.guess
    if judged.split.is_candidate:
        return None
    known = KnownSymbols.of(question.rules, question.candidates)
    for symbol in guess:
        if symbol in known.excluded:
            return Impossible("excluded", symbol)
    for symbol in sorted(known.certain - set(guess)):
        return Impossible("missing", symbol)
    for place in impossible_places(question.rules, question.candidates, judged.split.guess):
        return Impossible("place", guess[place - 1], place)
    return _contradiction(question.history, judged.split.guess)


def _contradiction(history: History, code: CodeIndex) -> Impossible:
    """Return the first turn whose answer rules a code out."""
    answers = [history.rules.respond(guess, code) for guess in history.guesses]
    return next(
        Impossible("turn", number=number, instead=history.rules.answers[answer])
        for number, (answer, (_, given)) in enumerate(zip(answers, history, strict=True), start=1)
        if answer != given
    )


def shortfall(judged: Judgement) -> Literal["impossible", "parts", "left", "later"]:
    """Return what the better guess does better: the first of these that is so."""
    own = judged.split
    best = judged.best
    if not own.is_candidate and (best.is_candidate or _wastes_more(judged)):
        return "impossible"
    if best.number > own.number:
        return "parts"
    return "left" if best.expected < own.expected else "later"


def _wastes_more(judged: Judgement) -> bool:
    """Whether a guess has more symbols that the code has not than the better guess."""
    question = judged.evaluation.question
    excluded = KnownSymbols.of(question.rules, question.candidates).excluded
    own = judged.guess
    best = question.rules.text(judged.best.guess)
    return sum(map(excluded.__contains__, own)) > sum(map(excluded.__contains__, best))


def luck(turn: ReviewedTurn) -> Literal["only", "hit", "lucky", "unlucky", "usual"]:
    """Return what the answer to a guess was worth."""
    if turn.is_hit:
        return "only" if turn.remaining == 1 else "hit"
    if turn.left * FAR <= turn.expected_left:
        return "lucky"
    return "unlucky" if turn.left >= turn.expected_left * FAR else "usual"
