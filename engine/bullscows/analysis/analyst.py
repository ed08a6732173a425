"""The best guess in any position of any game, and the evaluation of any guess there.

A position is given by its history alone: guesses and answers that need not follow any tree, nor
be consistent.  Counting needs NumPy only; an exact search needs numba.  Without numba, or without
time, a one-step rule guesses.  Each result states what it claims (`bullscows.game.result`).
"""

from __future__ import annotations

import sys
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, TypeVar

from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.memory import MEGABYTE, TooLittleMemoryError
from bullscows.analysis.without_search import (
    by_rule,
    certain,
    certain_evaluation,
    equivalent,
    idle_evaluation,
)
from bullscows.game import arguments
from bullscows.game.canonical import canonical_form, canonical_guess
from bullscows.game.history import (
    WHOLE_TABLE_CODES,
    Played,
    Split,
    split,
    splits,
)
from bullscows.game.objective import Bounds, Objective, ObjectiveError
from bullscows.game.question import Question
from bullscows.game.response_table import table_bytes
from bullscows.game.result import Analysis, Finding, Infeasible
from bullscows.game.rules import KNOWN_GAMES, CodeIndex, Rules

if TYPE_CHECKING:
    from bullscows.analysis.timed_search import TimedSearch

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

MAX_ROW_BYTES = 120 * MEGABYTE
"""Limit on the responses of a position's candidates to all guesses, with the numbers of the codes:
the other arrays of a search then keep within 200 MB."""

MAX_CAP = 48
"""The largest last turn that may be asked for."""

MEMORY = 800 * MEGABYTE
"""Default limit for a process: a server takes 300, the largest search 360, the rest is reserve."""

MOST_ANALYSES, MOST_GUESSES = 4096, 20_000
"""The number of analyses kept, and that of evaluations and of lists of best guesses."""

FEWEST_RANKED = 3
"""With fewer candidates all guesses that give information are equally good."""

CELLS_RANKED = 300_000
"""Limit on pairs of a candidate and a guess for ranking all guesses by cost without a time limit:
60 candidates of Bulls & Cows take some milliseconds, 45 of 5 of 8 digits a few tens."""

STEPS = 80
"""Limit on steps in a row without a proof in `Analyst.solving`.  The worst case of Bulls & Cows
from the start is not proved in ten minutes, and a tree answers there anyway."""


def checked(question: Question) -> Question:
    """Return a question that can be analysed.

    Raises `GameTooLargeError` if the game has more than `MAX_CODES` codes. Raises `ObjectiveError`
    if the last turn is too late, or the objective does not fit into 64-bit integers. Raises
    `InconsistentError` if no code fits all answers.
    """
    turns = question.turns_allowed
    if turns is not None and turns > MAX_CAP:
        raise ObjectiveError(
            f"the last turn may be at most {MAX_CAP} here, not {turns}", field="max_turns"
        )
    if "worst" not in question.objective.criteria:
        question.weights(MAX_CAP)
    return question.consistent()


def is_searched(question: Question) -> bool:
    """Return whether the position is small enough for the exact search."""
    rules = question.rules
    is_whole = rules.size <= WHOLE_TABLE_CODES and question.secrets is None
    rows = rules.size if is_whole else len(question.candidates)
    numbers: int = 4 * rules.symbols**rules.positions
    return table_bytes(rules, rows) + numbers <= MAX_ROW_BYTES


class Analyst:
    """Analyses positions and evaluates guesses; with numba by search.  For one thread at a time.

    Results are kept by the canonical form of the position and reused for all equivalent positions.
    So the choice among equally good guesses depends on the canonical form alone, and the guess need
    not be the first by the names of the position.

    The whole process keeps within `memory` bytes.
    """

    def __init__(self, memory: int = MEMORY) -> None:
        self._memory = arguments.whole("memory", memory, "a number of bytes")
        self._search: TimedSearch | None = None
        self.last_search: float | None = None
        """The seconds of the last search for a guess; None: what was known sufficed."""
        self._analyses: OrderedDict[Question, Finding] = OrderedDict()
        self._evaluations: OrderedDict[tuple[Question, CodeIndex], Evaluation] = OrderedDict()
        self._ranked: OrderedDict[tuple[Question, int], tuple[CodeIndex, ...]] = OrderedDict()

    @classmethod
    def loaded(cls) -> Analyst:
        """Return one with the search and as much memory as it takes; errors as of `load`."""
        analyst = cls(sys.maxsize)
        analyst.load(())
        return analyst

    def load(self, games: Sequence[str] = KNOWN_GAMES) -> None:
        """Load the search and solve games by name; raises `ImportError` without numba."""
        from bullscows.analysis.timed_search import TimedSearch

        self._search = TimedSearch(self._memory)
        for _ in self.solving(games, None):
            pass

    def solving(self, games: Sequence[str], seconds: float | None) -> Iterator[None]:
        """Solve games step by step; a step takes about `seconds` at most.

        Each game is followed to its end, because some kernels are first needed late in a game.
        Games that do not fit into the memory are left out; a game is abandoned after `STEPS` steps
        without a proof.  Other questions may come in between.  Before `load` there are no steps.
        """
        if self._search is None:
            return
        for text, objective in product(games, ("average", "worst,average")):
            question = Question.of(text, (), objective)
            with suppress(TooLittleMemoryError):
                unproved = 0
                while certain(question) is None and unproved < STEPS:
                    found = self.searched(question, seconds).required()
                    yield
                    unproved += 1
                    if found.levels:
                        parts = split(question.rules, question.candidates, found.guess).parts
                        largest, _ = max(parts, key=lambda part: part[1])
                        question = question.then(found.guess, largest)
                        unproved = 0

    def analysis(self, question: Question, seconds: float | None) -> Analysis:
        """Return the analysis after a search of some seconds; None: no limit.  Ctrl-C is raised.

        Raises `TooFewTurnsError` if it is proved that no strategy keeps within the turns.  Raises
        `ObjectiveError` if the objective does not fit into 64-bit integers.  Raises
        `TooLittleMemoryError` if the game does not fit into the memory (but see `by_rule`).
        """
        arguments.instance("question", question, Question, "a Question")
        arguments.seconds("seconds", seconds)
        return (certain(question) or self.searched(question, seconds)).required()

    def searched(self, question: Question, seconds: float | None) -> Finding:
        """Return what a search finds of a position that is not special; errors as of `analysis`.

        The canonical position is searched, if more can be found, and its guess mapped back.  That
        no strategy keeps within the turns is no error here.
        """
        self.last_search = None
        search = self._search
        if search is None or not is_searched(question):
            return by_rule(question)
        if question.secrets is not None:  # no symmetry of the game maps a list to itself
            began = time.perf_counter()
            listed = search.analysis(question, seconds)
            self.last_search = time.perf_counter() - began
            return listed
        form = canonical_form(question.history)
        asked = replace(question, history=form.history)
        known = self._analyses.get(asked)
        if known is None or known.status != "optimal":
            began = time.perf_counter()
            try:
                # A copy: a question keeps its candidates once they are counted, and a key must not.
                found = search.analysis(replace(asked), seconds)
            finally:
                self.last_search = None if seconds == 0 else time.perf_counter() - began
            if isinstance(found, Analysis) and isinstance(known, Analysis):
                found = found.tightened(known)
            known = found
        _store(self._analyses, asked, replace(known, question=asked), MOST_ANALYSES)
        if isinstance(known, Infeasible):
            return Infeasible(question)
        if known.status == "heuristic":
            return replace(known, question=question, guess=by_rule(question).guess)
        return replace(known, question=question, guess=form.named_back(known.guess))

    def can_search(self, question: Question) -> bool:
        """Return whether the search is loaded and the position is small enough for it."""
        return self._search is not None and is_searched(question)

    def evaluations(
        self,
        best: Analysis,
        guesses: Sequence[CodeIndex],
        seconds: float | None,
        known: Sequence[Evaluation] = (),
    ) -> list[Evaluation]:
        """Evaluate any codes of the game as guesses, in their order, within a time limit.

        `best` is the analysis of the position, to which losses are relative; `seconds` are for all
        guesses together, None: until each cost is exact; `known` has evaluations in this position
        that need no search.  Later guesses need not be candidates.  Ctrl-C is raised.
        """
        question = best.question
        parted = splits(question.rules, question.candidates, guesses)
        shipped = {evaluation.guess: evaluation for evaluation in known}
        results = [
            certain_evaluation(question, one)
            or shipped.get(one.guess)
            or idle_evaluation(best, one)
            or _like_the_best(best, Evaluation(question, one))
            for one in parted
        ]
        unknown = [place for place, result in enumerate(results) if not result.is_whole]
        if self._search is not None and unknown and is_searched(question):
            asked = [parted[place] for place in unknown]
            try:
                found = self._searched_evaluations(self._search, question, asked, seconds)
            except TooLittleMemoryError:
                open_ones = [results[place] for place in unknown]
                found = [replace(one, is_refused=one.status != "optimal") for one in open_ones]
            for place, result in zip(unknown, found, strict=True):
                if result.status == "optimal" or results[place].status != "optimal":
                    results[place] = result
        return relative_to(best, results)

    def _searched_evaluations(
        self,
        search: TimedSearch,
        question: Question,
        splits: Sequence[Split],
        seconds: float | None,
    ) -> list[Evaluation]:
        """Search the canonical position, once for guesses that are equivalent there."""
        history = question.history
        asked = replace(question, history=canonical_form(history).history)
        key = replace(asked)  # a copy: the search lets `asked` keep its candidates
        names = [canonical_guess(history, split.guess) for split in splits]
        named = {name: replace(one, guess=name) for name, one in zip(names, splits, strict=True)}
        begun = [
            replace(self._evaluations.get((asked, name), Evaluation(asked, one)), question=asked)
            for name, one in named.items()
        ]
        found = search.evaluations(begun, seconds)
        for one in found:
            _store(self._evaluations, (key, one.guess), replace(one, question=key), MOST_GUESSES)
        results = dict(zip(named, found, strict=True))
        return [
            replace(results[name], question=question, split=one)
            for name, one in zip(names, splits, strict=True)
        ]

    def best_guesses(self, best: Analysis, number: int) -> Sequence[CodeIndex]:
        """Return up to `number` guesses of least cost, best first, if that takes little time.

        Nothing is returned unless `best`, the analysis of the position, is proved, and the position
        small and without ``worst``.  Of equivalent guesses there is one.
        """
        question = best.question
        count = len(best.question.candidates)
        is_small = count >= FEWEST_RANKED and count * question.rules.size <= CELLS_RANKED
        is_sum = best.status == "optimal" and "worst" not in question.objective.criteria
        if self._search is None or not (is_sum and is_small):
            return ()
        form = canonical_form(question.history)
        asked = replace(question, history=form.history), number
        if asked not in self._ranked:
            try:
                ranked = self._search.best_guesses(*asked)
            except TooLittleMemoryError:
                return ()
            _store(self._ranked, (replace(asked[0]), number), ranked, MOST_GUESSES)
        return tuple(map(form.named_back, self._ranked[asked]))


def analyse(
    game: Rules | str,
    history: Played = (),
    objective: Objective | str = "average",
    *,
    max_turns: int | None = None,
    seconds: float | None = 10.0,
    candidates_only: bool = False,
) -> Analysis:
    """Find the best guess of a position and what can be proved of it in a given time.

    If the game is over, its cost is the turn at which the code was found.  An `Analyst` keeps its
    results for later questions; this function does not.

    Examples
    --------
    >>> print(analyse("p3c6n", "012:0.1 134:1.0"))
    p3c6n, average: total 19 (mean 3.800): proven optimal; guess 524

    Parameters
    ----------
    game
        The rules, or their text.
    history
        The guesses and answers so far: a `History`, text, or pairs.
    objective
        The criteria to minimise, as a value or as text.
    max_turns
        The last allowed turn, counted from the start of the game.
    seconds
        Time limit; None: until the value is proved.  Without numba, and in games too large for the
        exact search, a one-step rule guesses, and the status is ``heuristic``.
    candidates_only
        Whether each guess must be a candidate.

    Returns
    -------
    Analysis
        The best guess, and what is proved about it.

    Raises
    ------
    RulesError, HistoryError, CodeError, AnswerError, ObjectiveError
        If a text can't be read, or the question makes no sense.
    GameTooLargeError
        If the game has too many codes.
    InconsistentError
        If no code fits all answers.
    TooFewTurnsError
        If it is proved that no strategy keeps within the turns.
    """
    arguments.seconds("seconds", seconds)
    question = checked(
        Question.of(game, history, objective, max_turns, candidates_only=candidates_only)
    )
    if question.found is not None:  # the game is over, whatever the last turn was
        turn, code = question.found
        return Analysis.proved(question, code, {"total": turn}, turn)
    analyst = Analyst()
    if certain(question) is None and is_searched(question):
        with suppress(ImportError):
            analyst = Analyst.loaded()
    return analyst.analysis(question, seconds)


def _store(cache: OrderedDict[_Key, _Value], key: _Key, value: _Value, most: int) -> None:
    """Store a value as the newest of at most `most`; the oldest is evicted."""
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > most:
        cache.popitem(last=False)


def relative_to(best: Analysis, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Return evaluations with the bounds of the best guess, which they may tighten."""
    results = [_like_the_best(best, one) for one in evaluations]
    if best.bounds is None:
        return results
    known = best.bounds
    for one in results:
        if one.bounds is not None:  # a strategy that begins so is one for the position
            known = known.tightened(Bounds(0, one.bounds.upper))
    least = Bounds(known.lower)
    return [
        replace(one if one.bounds is None else one.bounded(least), best=known) for one in results
    ]


def _like_the_best(best: Analysis, evaluation: Evaluation) -> Evaluation:
    """Return the evaluation of a guess that is equivalent to the best, if no better is known."""
    found = evaluation
    if found.status == "optimal" or not equivalent(best.question, best.guess, found.guess):
        return found
    last_turn = best.last_turn if best.levels else found.last_turn
    found = found if best.bounds is None else found.bounded(best.bounds)
    return replace(found, levels=best.levels, last_turn=last_turn)
