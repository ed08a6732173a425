"""Analysis of a history for the analysis page: all that its template shows of many candidates.

`analyse` runs in a search process.  `preview` is for small games, and takes milliseconds.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bullscows.analysis.analyst import checked
from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.without_search import Ranking, ranking
from bullscows.game.history import (
    Correction,
    History,
    InconsistentError,
    Split,
    remaining_after,
    splits,
)
from bullscows.game.objective import ObjectiveError
from bullscows.game.question import Question
from bullscows.game.result import Analysis, Finding
from bullscows.game.rules import CodeIndex
from bullscows_web.search.searcher import Searcher
from bullscows_web.trees.position import listed
from bullscows_web.web.pictures.field import Field

AVERAGE = "average"
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
    known: Analysis | None
    """The best known guess; None if no strategy meets the limit on turns, or not found yet."""
    best: Split | None
    """Partition by the best guess."""
    ranked: Sequence[Split]
    """The best guesses by value, or by a one-step rule; best first."""
    own: Split | None
    """Partition by the visitor's own guess."""
    field: Field
    """The candidates, by their answers to the visitor's own guess or to the best one."""
    candidates: Sequence[str] | None
    """The candidates, if they are few enough to list."""
    ranking: Ranking | None = None
    """Ranking of the guesses by a one-step rule."""
    is_ranked: bool = False
    """Whether a search proved that the ranked guesses are the best."""
    evaluations: Mapping[CodeIndex, Evaluation] = dataclasses.field(default_factory=dict)
    """Evaluations of these guesses."""
    is_preview: bool = False
    """Whether search, evaluations and ranking are still to come."""


@dataclass(frozen=True)
class AnalysedHistory:
    """The turns so far and their analysis."""

    history: History
    remaining: Sequence[int]
    """Number of candidates after each turn."""
    position: AnalysedPosition | None
    """The position; None if no code fits, or the secret is found."""
    corrections: Sequence[Correction] = ()
    """Corrections if no code fits, most plausible first."""
    aim_error: bool = False
    """Whether the objective is invalid; then no guess is analysed."""

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


@dataclass(frozen=True)
class Asked:
    """A question about a history; unlike a `Question`, its objective can be invalid."""

    history: History
    objective: str = AVERAGE
    max_turns: int | None = None
    """The last allowed turn."""
    own: CodeIndex | None = None
    """The visitor's own guess."""
    secrets: tuple[CodeIndex, ...] | None = None
    """The codes that may be the secret; None: all.  Then only the best guess is evaluated."""


def analyse(searcher: Searcher, asked: Asked, *, again: bool) -> AnalysedHistory:
    """Analyse a history by search; with `again` only earlier results and a ranking are added.

    Raises `GameTooLargeError`.
    """
    found, question = _counted(asked)
    if question is None:
        return found
    best = searcher.analysis(question, 0.0 if again else None)
    known = best if isinstance(best, Analysis) else None
    seconds = 0.0 if again else EVALUATION_SHARE * searcher.seconds
    has_evaluations = len(question.candidates) > 1 and question.secrets is None
    measure = known if has_evaluations else None
    evaluations: list[Evaluation] = []
    if measure is not None and asked.own is not None:  # what the visitor waits for comes first
        evaluations += searcher.evaluations(measure, [asked.own], seconds)
    ranked = () if measure is None else searcher.best_guesses(measure, RANKED)
    by_rule = ranking(question)
    liked = ranked or by_rule.guesses
    if measure is not None:
        others = dict.fromkeys([measure.guess, *liked])
        evaluations += searcher.evaluations(measure, [*others], seconds)
    position = replace(
        _position(question, known, asked.own, liked),
        ranking=by_rule,
        is_ranked=bool(ranked),
        evaluations={evaluation.guess: evaluation for evaluation in evaluations},
    )
    return replace(found, position=position)


def preview(find: Callable[[Question], Finding | None], asked: Asked) -> AnalysedHistory:
    """Show a position with what `find` knows of it; search, evaluations and ranking are to come."""
    found, question = _counted(asked)
    if question is None:
        return found
    best = find(question)
    known = best if isinstance(best, Analysis) else None
    is_open = best is None or best.feasible is not False
    is_preview = is_open and len(question.candidates) > 1
    position = replace(_position(question, known, asked.own), is_preview=is_preview)
    return replace(found, position=position)


def _counted(asked: Asked) -> tuple[AnalysedHistory, Question | None]:
    """Return what is left after each turn, and the question; None if there is nothing to ask."""
    history = asked.history
    try:
        question = Question.of(
            history.rules, history, asked.objective, asked.max_turns, secrets=asked.secrets
        )
        remaining = question.remaining()
        checked(question)
    except ObjectiveError:
        return AnalysedHistory(history, remaining_after(history), None, aim_error=True), None
    except InconsistentError as error:
        return AnalysedHistory(history, remaining, None, error.corrections), None
    is_won = bool(history) and history[-1][1] == history.rules.win
    return AnalysedHistory(history, remaining, None), None if is_won else question


def _position(
    question: Question,
    known: Analysis | None,
    own: CodeIndex | None,
    others: Sequence[CodeIndex] = (),
) -> AnalysedPosition:
    """Return a position with the partitions by the best guess, the visitor's own, and others."""
    rules = question.rules
    left = question.candidates
    best = None if known is None else known.guess
    shown = [guess for guess in (best, own, *others) if guess is not None]
    parted = dict(zip(shown, splits(rules, left, shown), strict=True))
    return AnalysedPosition(
        question,
        known,
        None if best is None else parted[best],
        [parted[guess] for guess in others],
        None if own is None else parted[own],
        Field.of(rules, left, best if own is None else own),
        listed(rules, left),
    )
