"""What is said of positions without a search: by any thread, and for nobody's turn in the line.

Pages and the API ask an `Informant`, and don't care which: this one, which knows what is certain
and what ships, or the one that searches (`bullscows_web.analyse.search.service`).  Whatever this
one can't say ends its work, and the other does it from the beginning.
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
from bullscows_web.analyse.search.openings import ShippedOpenings
from bullscows_web.analyse.search.shipped import SourcedAnalysis, on_tree
from bullscows_web.trees.library import Library
from bullscows_web.web.metrics import Source

MOST_COUNTED = 4_000_000
"""The most answers to the guesses so far that are counted outside the line, some 60 ms of them: all
turns that a game with trees may have, and a few of the largest ones."""


class SearchNeededError(Exception):
    """What was asked takes a search, or to count so much that it takes long as well."""


class Informant(Protocol):
    """Who says what is known of positions."""

    @property
    def seconds(self) -> float:
        """What the searches for one who asks may take."""

    def checked(self, question: Question) -> Question:
        """Return a question that can be answered; see `bullscows.analysis.analyst.checked`."""

    def analysis(
        self, library: Library, question: Question, seconds: float | None = None
    ) -> SourcedAnalysis:
        """Say what the best guess is.

        A search may take so many `seconds`, or what one who asks may take; with 0 the answer is
        what was found before.

        Raises
        ------
        TooFewTurnsError, ObjectiveError
            As `bullscows.analysis.analyst.Analyst.analysis`.
        """

    def prices(
        self, sourced: SourcedAnalysis, guesses: Sequence[CodeIndex], seconds: float
    ) -> list[Evaluation]:
        """Say what guesses cost, after so many seconds of search."""

    def best_guesses(self, sourced: SourcedAnalysis, number: int) -> Sequence[CodeIndex] | None:
        """Return the guesses that cost least, best first; none where that takes long.

        None: they have to be asked for again, when others are through.
        """

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the true answer that keeps a game up longest.

        Where so many `seconds` don't suffice, or the search is not loaded, it is the answer that
        leaves most candidates.
        """


class Known:
    """An informant that never searches, for one who asks.

    Parameters
    ----------
    openings
        The positions that are proved already.
    seconds
        What searches might take.
    unproved
        Whether prices may be left open; else they take a search.
    """

    def __init__(self, openings: ShippedOpenings, seconds: float, *, unproved: bool) -> None:
        self._openings = openings
        self._unproved = unproved
        self.seconds = seconds
        self.sources: list[Source] = []
        """Where the analyses come from."""
        self.is_whole = True
        """Whether a search would add nothing to what was said."""

    def checked(self, question: Question) -> Question:
        """Return a question that can be answered, if it is soon counted."""
        if question.rules.size * len(question.history) > MOST_COUNTED:
            raise SearchNeededError
        return checked(question)

    def analysis(
        self, library: Library, question: Question, seconds: float | None = None
    ) -> SourcedAnalysis:
        """Say what the best guess is, where that is known."""
        found = find(library, self._openings, question)
        if found is None:
            raise SearchNeededError
        sourced, source = found
        self.sources.append(source)
        return sourced

    def prices(
        self, sourced: SourcedAnalysis, guesses: Sequence[CodeIndex], seconds: float
    ) -> list[Evaluation]:
        """Say what guesses cost after which all is known."""
        best = sourced.analysis
        found = Analyst().evaluations(
            best, guesses, 0.0, self._openings.prices(best.question, guesses)
        )
        if not (self._unproved or all(price.status == "optimal" for price in found)):
            raise SearchNeededError
        self.is_whole &= all(price.is_whole for price in found)
        return found

    def best_guesses(self, sourced: SourcedAnalysis, number: int) -> Sequence[CodeIndex] | None:
        """Return none where all are as good; else it takes a search to know which cost least."""
        if len(sourced.analysis.question.candidates) < FEWEST_RANKED:
            return ()
        self.is_whole = False
        return None

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the answer that keeps a game up longest, where all is certain after each."""
        parted = split(question.rules, question.candidates, guess)
        after = (question.then(guess, answer) for answer, _ in parted.parts)
        if parted.largest > len(question.rules.answers) or not all(map(certain, after)):
            raise SearchNeededError
        return largest_part(question, guess)


def find(
    library: Library, openings: ShippedOpenings, question: Question
) -> tuple[SourcedAnalysis, Source] | None:
    """Return what is known of a position without a search, and where it is from, or None.

    Raises
    ------
    TooFewTurnsError
        If it is known that no strategy keeps within the turns.
    """
    if (analysis := certain(question)) is not None:
        return SourcedAnalysis(analysis), "certain"
    if (known := on_tree(library, question)) is not None:
        return known, "tree"
    # A tree may ask what tells nothing itself, so only now is that left out.
    if (earlier := without_idle_turns(question)) is not None:
        with told_of(question):
            found = find(library, openings, earlier)
        return None if found is None else (late(found[0], question), found[1])
    if (analysis := openings.analysis(question)) is not None:
        return SourcedAnalysis(analysis), "opening"
    return None


@contextmanager
def told_of(question: Question) -> Iterator[None]:
    """Say of a position what is raised of the same one without its turns that told nothing."""
    try:
        yield
    except TooFewTurnsError as error:
        raise TooFewTurnsError(question) from error


def late(known: SourcedAnalysis, question: Question) -> SourcedAnalysis:
    """Return what is known of a position, from what is known of it without such turns."""
    return replace(known, analysis=postponed(known.analysis, question))
