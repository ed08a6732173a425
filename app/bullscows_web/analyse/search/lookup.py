"""Analysis without a search: from trivial positions, shipped trees and shipped openings.

Pages and the API use a `Backend`: either `Lookup`, which runs in any thread and outside the queue,
or the service that searches (`bullscows_web.analyse.search.service`).  If a lookup does not
suffice, it raises `SearchNeededError`, and the work is repeated with the service.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

from bullscows.analysis.adversary import Reply, largest_part
from bullscows.analysis.analyst import FEWEST_RANKED, Analyst, checked
from bullscows.analysis.certain import certain, postponed, without_idle_turns
from bullscows.analysis.findings import Evaluation, TooFewTurnsError
from bullscows.game.candidates import split
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows_web.analyse.search.shipped import ShippedOpenings, SourcedAnalysis, on_tree
from bullscows_web.trees.library import Library
from bullscows_web.web.metrics import Source

MOST_COUNTED = 4_000_000
"""Maximum number of answers to count outside the queue, about 60 ms: enough for all turns of games
with trees, and for a few turns of the largest games."""


class SearchNeededError(Exception):
    """The request needs a search, or counting that takes too long outside the queue."""


class Backend(Protocol):
    """Source of best guesses and evaluations."""

    @property
    def seconds(self) -> float:
        """Time limit of the searches of one request, in seconds."""

    def checked(self, question: Question) -> Question:
        """Return the question if it can be answered; see `bullscows.analysis.analyst.checked`."""

    def analysis(
        self, library: Library, question: Question, seconds: float | None = None
    ) -> SourcedAnalysis:
        """Return the best known guess.

        `seconds` limits the search; by default the limit of a request applies.  With 0 only earlier
        results are used.  Raises `TooFewTurnsError` or `ObjectiveError` as
        `bullscows.analysis.analyst.Analyst.analysis`.
        """

    def evaluations(
        self, sourced: SourcedAnalysis, guesses: Sequence[CodeIndex], seconds: float
    ) -> list[Evaluation]:
        """Return evaluations of guesses, after a search of at most `seconds`."""

    def best_guesses(self, sourced: SourcedAnalysis, number: int) -> Sequence[CodeIndex] | None:
        """Return the best guesses, best first; empty if ranking takes too long.

        None means that the ranking has to be requested again, because other requests wait.
        """

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the consistent answer that prolongs the game most.

        If `seconds` do not suffice, or the search is not loaded, it is the answer that leaves the
        most candidates.
        """


class Lookup:
    """Backend that never searches, for one request.

    `unproved` says whether evaluations may stay unproved; otherwise they need a search, of at most
    `seconds`.
    """

    def __init__(self, openings: ShippedOpenings, seconds: float, *, unproved: bool) -> None:
        self._openings = openings
        self._unproved = unproved
        self.seconds = seconds
        self.sources: list[Source] = []
        self.is_whole = True
        """Whether a search would add nothing to the results."""

    def checked(self, question: Question) -> Question:
        """Return the question if it can be answered and its candidates are counted quickly."""
        if question.rules.size * len(question.history) > MOST_COUNTED:
            raise SearchNeededError
        return checked(question)

    def analysis(
        self, library: Library, question: Question, seconds: float | None = None
    ) -> SourcedAnalysis:
        """Return the best guess if it is known."""
        found = find(library, self._openings, question)
        if found is None:
            raise SearchNeededError
        sourced, source = found
        self.sources.append(source)
        return sourced

    def evaluations(
        self, sourced: SourcedAnalysis, guesses: Sequence[CodeIndex], seconds: float
    ) -> list[Evaluation]:
        """Return evaluations of guesses from known positions."""
        best = sourced.analysis
        found = Analyst().evaluations(
            best, guesses, 0.0, self._openings.evaluations(best.question, guesses)
        )
        if not (self._unproved or all(evaluation.status == "optimal" for evaluation in found)):
            raise SearchNeededError
        self.is_whole &= all(evaluation.is_whole for evaluation in found)
        return found

    def best_guesses(self, sourced: SourcedAnalysis, number: int) -> Sequence[CodeIndex] | None:
        """Return an empty list if all guesses are equally good; otherwise a search is needed."""
        if len(sourced.analysis.question.candidates) < FEWEST_RANKED:
            return ()
        self.is_whole = False
        return None

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the answer that prolongs the game most, if the position after each is trivial."""
        parted = split(question.rules, question.candidates, guess)
        after = (question.then(guess, answer) for answer, _ in parted.parts)
        if parted.largest > len(question.rules.answers) or not all(map(certain, after)):
            raise SearchNeededError
        return largest_part(question, guess)


def find(
    library: Library, openings: ShippedOpenings, question: Question
) -> tuple[SourcedAnalysis, Source] | None:
    """Return the known analysis of a position and its source; None if it needs a search.

    Raises `TooFewTurnsError` if it is known that no strategy meets the limit on turns.
    """
    if (analysis := certain(question)) is not None:
        return SourcedAnalysis(analysis), "certain"
    if (known := on_tree(library, question)) is not None:
        return known, "tree"
    # Trees can have guesses without information too, so these turns are removed only now.
    if (earlier := without_idle_turns(question)) is not None:
        with errors_about(question):
            found = find(library, openings, earlier)
        return None if found is None else (late(found[0], question), found[1])
    if (analysis := openings.analysis(question)) is not None:
        return SourcedAnalysis(analysis), "opening"
    return None


@contextmanager
def errors_about(question: Question) -> Iterator[None]:
    """Raise an error about a position without its idle turns as an error about `question`."""
    try:
        yield
    except TooFewTurnsError as error:
        raise TooFewTurnsError(question) from error


def late(known: SourcedAnalysis, question: Question) -> SourcedAnalysis:
    """Return the analysis of a position from the analysis without its idle turns."""
    return replace(known, analysis=postponed(known.analysis, question))
