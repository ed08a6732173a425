"""One reason why a guess was worse than the best one, and the symbols that answers tell.

Each reason has a name, which the templates put into a sentence, and what the sentence mentions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bullscows.analysis.evaluation import Evaluation
from bullscows.game.history import History, Split
from bullscows.game.response_table import code_array
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.scoring import Answer
from bullscows.game.symmetry import IndexArray
from bullscows_web.language.words import symbols

Flaw = Literal["excluded", "missing", "place", "turn", "parts", "left", "later"]
"""Why a guess is worse.  It could not be the code: it has a symbol that the code has not; it lacks
one that the code has; a symbol cannot be in its place; the answer to an earlier guess, which no
single symbol explains.  Or it makes fewer parts, leaves more codes, or they take more turns."""


@dataclass(frozen=True)
class Shortfall:
    """The first reason why a guess is worse than the best one."""

    flaw: Flaw
    symbol: str = ""
    number: int = 0
    """Its place, or the number of the earlier guess."""
    instead: Answer | None = None
    """The answer to the earlier guess if this guess were the code."""


def impossible(evaluation: Evaluation) -> Shortfall:
    """Return why a guess that is no candidate could not be the code."""
    question = evaluation.question
    guess = evaluation.guess_text
    known = KnownSymbols.of(question.rules, question.candidates)
    for symbol in guess:
        if symbol in known.excluded:
            return Shortfall("excluded", symbol)
    for symbol in sorted(known.certain - set(guess)):
        return Shortfall("missing", symbol)
    for place in impossible_places(question.rules, question.candidates, evaluation.guess):
        return Shortfall("place", guess[place - 1], place)
    number, instead = contradictions(question.history, evaluation.guess)[0]
    return Shortfall("turn", number=number, instead=instead)


def contradictions(history: History, code: CodeIndex) -> list[tuple[int, Answer]]:
    """Return the turns, 1 for the first, that rule a code out, with what it would answer."""
    rules = history.rules
    answers = [rules.respond(guess, code) for guess in history.guesses]
    return [
        (number, rules.answers[answer])
        for number, (answer, (_, given)) in enumerate(zip(answers, history, strict=True), start=1)
        if answer != given
    ]


def shortfall(evaluation: Evaluation, best: Split) -> Shortfall:
    """Return what the better guess `best` does better."""
    own = evaluation.split
    if not own.is_candidate and (best.is_candidate or _wastes_more(evaluation, best)):
        return impossible(evaluation)
    if best.number > own.number:
        return Shortfall("parts")
    return Shortfall("left" if best.expected < own.expected else "later")


def _wastes_more(evaluation: Evaluation, best: Split) -> bool:
    """Whether a guess has more symbols that the code has not than the better guess."""
    question = evaluation.question
    excluded = KnownSymbols.of(question.rules, question.candidates).excluded
    own = evaluation.guess_text
    better = question.rules.text(best.guess)
    return sum(map(excluded.__contains__, own)) > sum(map(excluded.__contains__, better))


@dataclass(frozen=True)
class KnownSymbols:
    """Symbols that are certain or excluded, whichever candidate is the secret."""

    excluded: frozenset[str]
    """Those that no candidate has."""
    certain: frozenset[str]
    """Those that all candidates have."""

    @classmethod
    def of(cls, rules: Rules, candidates: Sequence[CodeIndex] | IndexArray) -> KnownSymbols:
        """Look at the candidates, of which there is one at least."""
        codes = _codes(rules)[np.asarray(candidates)]
        has = (codes[:, :, None] == np.arange(rules.symbols, dtype=np.uint8)).any(axis=1)
        excluded = compress(symbols(rules), ~has.any(axis=0))
        return cls(frozenset(excluded), frozenset(compress(symbols(rules), has.all(axis=0))))


def impossible_places(
    rules: Rules, candidates: Sequence[CodeIndex] | IndexArray, code: CodeIndex
) -> list[int]:
    """Return the places, 1 for the first, where no candidate has the symbol that a code has."""
    codes = _codes(rules)
    fits = (codes[np.asarray(candidates)] == codes[code]).any(axis=0)
    return [int(place) + 1 for place in np.flatnonzero(~fits)]


@lru_cache(maxsize=8)
def _codes(rules: Rules) -> NDArray[np.uint8]:
    return code_array(rules)
