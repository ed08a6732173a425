"""Complete analysis of a history for the analysis page.

It takes milliseconds, and up to a second with a search, so it never runs in the event loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bullscows.analysis.findings import Evaluation, Ranking, TooFewTurnsError, ranking
from bullscows.game.history import (
    Correction,
    History,
    InconsistentError,
    Split,
    corrections,
    remaining_after,
    splits,
)
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows_web.analyse.search.lookup import SearchNeededError, SourcedAnalysis
from bullscows_web.analyse.search.service import Backend
from bullscows_web.trees.library import Library

RANKED = 10
"""Number of ranked guesses on a page."""

EVALUATION_SHARE = 0.4
"""Share of the search time for evaluations, and as much again for the visitor's own guess before
them; a later request continues them."""


@dataclass(frozen=True)
class AnalysedPosition:
    """A consistent position and its analysis."""

    question: Question
    """The position and the objective."""
    known: SourcedAnalysis | None
    """The best known guess; None if no strategy meets the limit on turns, or not found yet."""
    best: Split | None
    """Partition by the best guess."""
    ranked: Sequence[Split]
    """The best guesses by value, or by a one-step rule; best first."""
    own: Split | None
    """Partition by the visitor's own guess."""
    is_ranked: bool = False
    """Whether a search proved that the ranked guesses are the best."""
    is_late: bool = False
    """Whether the ranking was postponed because other requests wait for the search."""
    evaluations: Mapping[CodeIndex, Evaluation] = field(default_factory=dict)
    """Evaluations of these guesses."""
    is_preview: bool = False
    """Whether search, evaluations and ranking are still to come."""

    @property
    def ranking(self) -> Ranking:
        """Ranking of the guesses by a one-step rule."""
        return ranking(self.question)


@dataclass(frozen=True)
class AnalysedHistory:
    """The turns so far and their analysis."""

    history: History
    remaining: Sequence[int]
    """Number of candidates after each turn."""
    position: AnalysedPosition | None
    """The position; None if no code fits, or the secret is found."""
    corrections: Sequence[Correction]
    """Corrections if no code fits, most plausible first."""

    @property
    def found(self) -> CodeIndex | None:
        """The secret, if the last guess found it and all answers are consistent."""
        turns = self.history.turns
        is_won = bool(turns) and turns[-1][1] == self.history.rules.win
        return turns[-1][0] if is_won and self.remaining[-1] else None

    @property
    def is_contradictory(self) -> bool:
        """Whether no code fits all answers."""
        return bool(self.remaining) and not self.remaining[-1]


def analyse(
    backend: Backend,
    library: Library,
    history: History,
    objective: str,
    max_turns: int | None,
    own: CodeIndex | None,
    *,
    again: bool = False,
    preview: bool = False,
) -> AnalysedHistory:
    """Analyse a history; raise `GameTooLargeError` or `ObjectiveError` if that is impossible.

    With `again`, only earlier results and a missing ranking are added.
    A `preview` contains only what is found without a search, evaluations or a ranking.
    """
    rules = history.rules
    turns = history.turns
    try:
        question = backend.checked(Question.of(rules, history, objective, max_turns))
    except InconsistentError:
        return AnalysedHistory(history, remaining_after(history), None, corrections(history))
    remaining = remaining_after(history)
    if turns and turns[-1][1] == rules.win:
        return AnalysedHistory(history, remaining, None, ())
    if preview and len(question.candidates) > 1:
        position = _previewed(backend, library, question, own)
    else:
        position = _analysed(backend, library, question, own, again)
    return AnalysedHistory(history, remaining, position, ())


def _previewed(
    backend: Backend, library: Library, question: Question, own: CodeIndex | None
) -> AnalysedPosition:
    """Return the position from a lookup only."""
    known, is_preview = None, True
    try:
        known = backend.analysis(library, question)
    except TooFewTurnsError:
        is_preview = False
    except SearchNeededError:
        pass
    best = None if known is None else known.analysis.guess
    parted = _parted(question, best, own)
    return AnalysedPosition(
        question, known, parted.get(best), (), parted.get(own), is_preview=is_preview
    )


def _parted(question: Question, *guesses: CodeIndex | None) -> dict[CodeIndex | None, Split]:
    """Return the partitions by guesses that are not None."""
    shown = [guess for guess in guesses if guess is not None]
    return dict(zip(shown, splits(question.rules, question.candidates, shown), strict=True))


def _analysed(
    backend: Backend, library: Library, question: Question, own: CodeIndex | None, again: bool
) -> AnalysedPosition:
    try:
        known = backend.analysis(library, question, 0.0 if again else None)
    except TooFewTurnsError:
        known = None
    seconds = 0.0 if again else EVALUATION_SHARE * backend.seconds
    measure = known if len(question.candidates) > 1 else None
    evaluations: list[Evaluation] = []
    if measure is not None and own is not None:  # what the visitor waits for comes first
        evaluations += backend.evaluations(measure, [own], seconds)
    ranked = () if known is None else backend.best_guesses(known, RANKED)
    liked = ranked or ranking(question).guesses
    if measure is not None:
        others = dict.fromkeys([measure.analysis.guess, *liked])
        evaluations += backend.evaluations(measure, [*others], seconds)
    best = None if known is None else known.analysis.guess
    parted = _parted(question, best, own, *liked)
    return AnalysedPosition(
        question,
        known,
        parted.get(best),
        [parted[guess] for guess in liked],
        parted.get(own),
        is_ranked=bool(ranked),
        is_late=ranked is None,
        evaluations={evaluation.guess: evaluation for evaluation in evaluations},
    )
