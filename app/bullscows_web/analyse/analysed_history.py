"""All that the page of the analysis says of a position: counted and analysed in one go.

That is never done in the event loop: it takes milliseconds, and up to a second with a search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bullscows.analysis.findings import Evaluation, Ranking, TooFewTurnsError, ranking
from bullscows.game.candidates import (
    Correction,
    Split,
    corrections,
    remaining_after,
    splits,
)
from bullscows.game.history import History, InconsistentError
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows_web.analyse.search.known import Informant, SearchNeededError
from bullscows_web.analyse.search.shipped import SourcedAnalysis
from bullscows_web.trees.library import Library

RANKED = 10
"""How many of the best guesses a page shows."""

PRICE_SHARE = 0.4
"""What share of a search's time the prices on a page may take; looking again goes on from there."""


@dataclass(frozen=True)
class AnalysedPosition:
    """A position that some code fits, and what is known of it."""

    question: Question
    """The position, and what to minimise."""
    known: SourcedAnalysis | None
    """The best guess known; None if no strategy keeps within the turns, or not found yet."""
    best: Split | None
    """What that guess does to the candidates."""
    ranked: Sequence[Split]
    """The guesses that cost least, or those that a one-step rule likes best; best first."""
    own: Split | None
    """The guess that the visitor asks about."""
    is_ranked: bool = False
    """Whether no other guess costs less than those that are ranked, as a search proved."""
    is_late: bool = False
    """Whether others were waiting for the search, so that it has to rank guesses later."""
    prices: Mapping[CodeIndex, Evaluation] = field(default_factory=dict)
    """What is known of the prices of these guesses."""
    is_preview: bool = False
    """Whether the search, the prices and the ranking are still to come."""

    @property
    def ranking(self) -> Ranking:
        """What a one-step rule says of the guesses."""
        return ranking(self.question)


@dataclass(frozen=True)
class AnalysedHistory:
    """The turns so far, and what follows from them."""

    history: History
    """The turns."""
    remaining: Sequence[int]
    """How many codes fit after each of them."""
    position: AnalysedPosition | None
    """The position; None if no code fits, or the last guess was the secret."""
    corrections: Sequence[Correction]
    """Corrections if no code fits, most plausible first."""

    @property
    def found(self) -> CodeIndex | None:
        """The secret, if the last answer says that its guess was that and the others agree."""
        turns = self.history.turns
        is_won = bool(turns) and turns[-1][1] == self.history.rules.win
        return turns[-1][0] if is_won and self.remaining[-1] else None

    @property
    def is_contradictory(self) -> bool:
        """Whether no code fits all answers."""
        return bool(self.remaining) and not self.remaining[-1]


def analyse(
    informant: Informant,
    library: Library,
    history: History,
    objective: str,
    max_turns: int | None,
    own: CodeIndex | None,
    *,
    again: bool = False,
    preview: bool = False,
) -> AnalysedHistory:
    """Look at a position from all sides.

    Who looks `again` gets what was found before; a search ranks the guesses if none has yet.
    A `preview` contains only what is found without a search, prices or a ranking.

    Raises
    ------
    GameTooLargeError, ObjectiveError
        If the question can't be answered.
    """
    rules, turns = history.rules, history.turns
    try:
        question = informant.checked(Question.of(rules, history, objective, max_turns))
    except InconsistentError:
        return AnalysedHistory(history, remaining_after(history), None, corrections(history))
    remaining = remaining_after(history)
    if turns and turns[-1][1] == rules.win:
        return AnalysedHistory(history, remaining, None, ())
    if preview and len(question.candidates) > 1:
        position = _previewed(informant, library, question, own)
    else:
        position = _analysed(informant, library, question, own, again)
    return AnalysedHistory(history, remaining, position, ())


def _previewed(
    informant: Informant, library: Library, question: Question, own: CodeIndex | None
) -> AnalysedPosition:
    """Return the position without what takes long."""
    known, is_preview = None, True
    try:
        known = informant.analysis(library, question)
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
    """Return how each guess splits the candidates; None is no guess."""
    shown = [guess for guess in guesses if guess is not None]
    return dict(zip(shown, splits(question.rules, question.candidates, shown), strict=True))


def _analysed(
    informant: Informant,
    library: Library,
    question: Question,
    own: CodeIndex | None,
    again: bool,
) -> AnalysedPosition:
    try:
        known = informant.analysis(library, question, 0.0 if again else None)
    except TooFewTurnsError:
        known = None
    ranked = () if known is None else informant.best_guesses(known, RANKED)
    liked = ranked or ranking(question).guesses
    prices: list[Evaluation] = []
    if known is not None and len(question.candidates) > 1:
        asked = [known.analysis.guess, *([] if own is None else [own]), *liked]
        seconds = 0.0 if again else PRICE_SHARE * informant.seconds
        prices = informant.prices(known, [*dict.fromkeys(asked)], seconds)
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
        prices={price.guess: price for price in prices},
    )
