"""The server's analyst: one thread that searches, a short line before it, and what it says.

Everything that takes long is done in that thread, so the event loop stays free and memory is
bounded; who would have to wait for too many others is sent away at once.  What is known without a
search (`bullscows_web.analyse.search.known`) goes by that line, and is said while all its places
are taken. The search itself is loaded when somebody first asks, in a thread of its own, for that
may take twenty seconds; until then a one-step rule guesses.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Literal, TypeVar

from bullscows.analysis.adversary import Adversary, Reply
from bullscows.analysis.analyst import MEMORY, Analyst, checked, is_searched
from bullscows.analysis.certain import without_idle_turns
from bullscows.analysis.findings import Analysis, Evaluation, TooFewTurnsError, by_rule
from bullscows.analysis.memory import TooLittleMemoryError, give_back
from bullscows.game.question import Question
from bullscows.game.rules import KNOWN_GAMES, CodeIndex
from bullscows_web.analyse.search.known import (
    Informant,
    Known,
    SearchNeededError,
    find,
    late,
    told_of,
)
from bullscows_web.analyse.search.openings import ShippedOpenings
from bullscows_web.analyse.search.shipped import Reason, SourcedAnalysis, on_best_tree
from bullscows_web.trees.library import Library
from bullscows_web.web.errors import BusyError
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.queue import WorkQueue

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

SMALL_GAMES = ("p3c4n", "p2c3r")
"""What is solved to see that the search works, which loads most of its kernels."""

STEP_SECONDS = 0.1
"""How long a visitor waits at most for the games that are solved unasked."""

READERS = 2
"""How many are answered at once of those who need no search."""


class AnalysisService:
    """Where positions are handed in.

    Parameters
    ----------
    seconds
        What a search may take.
    waiting
        The most questions in hand at once, the one under way included.
    memory
        The bytes that this process may use.
    games
        The rules of the games that are solved when the search is loaded.
    openings
        The positions that are proved already; by default none.
    metrics
        Where it counts; by default for itself.
    """

    def __init__(
        self,
        seconds: float,
        waiting: int,
        memory: int = MEMORY,
        games: Sequence[str] = KNOWN_GAMES,
        openings: ShippedOpenings | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self._seconds = seconds
        self._waiting = waiting
        self._games = games
        self._openings = openings or ShippedOpenings({})
        self._metrics = metrics or Metrics()
        self._lock = threading.Lock()
        """For the two that follow, if both matter."""
        self._in_hand = 0
        self._is_put_off = False
        """Whether there is a step to take when all have left."""
        self._readers = WorkQueue(READERS, counted=lambda: self._metrics.in_line("known"))
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="analyst")
        self._analyst = Analyst(memory)
        self._loading: threading.Thread | None = None
        self._state: Reason | None = "loading"
        self._steps: Iterator[None] = iter(())

    async def answer(
        self, work: Callable[[Informant], Result], *, unproved: bool = False
    ) -> Result:
        """Return what `work` says: at once if it takes no search, else in its turn.

        While others are waiting for the search, what is known without it has to do: all that is
        asked about, or all but prices, if they may be left `unproved`.

        Raises
        ------
        BusyError
            If it takes a search and too many are waiting.
        """
        with suppress(SearchNeededError):
            return await self.at_once(work, unproved=unproved)
        return await self.ask(lambda: work(self))

    async def at_once(
        self, work: Callable[[Informant], Result], *, unproved: bool = False
    ) -> Result:
        """Return what `work` says without the search; raise `SearchNeededError` if it takes one.

        That is done in another thread, and nobody who does it waits for one who searches.
        """
        known = Known(self._openings, self._seconds, unproved=unproved)
        result = await self._readers.make(lambda: work(known))
        if not (known.is_whole or self._in_hand):
            raise SearchNeededError
        for source in known.sources:
            self._metrics.count_analysis(source)
        return result

    async def preview(self, work: Callable[[Informant], Result]) -> Result:
        """Return what `work` finds without a search, even if a search would add to it.

        Raises
        ------
        SearchNeededError
            If even that takes long.
        """
        known = Known(self._openings, self._seconds, unproved=True)
        return await self._readers.make(lambda: work(known))

    async def ask(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the analyst's thread; raise `BusyError` if too many are waiting."""
        async with self.place():
            return await self.run(work)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Take a place in the line for as much as one asks; raise `BusyError` if there is none."""
        if self._in_hand >= self._waiting:
            raise BusyError("search", self._in_hand, self._in_hand * self._seconds)
        self._in_hand += 1
        try:
            with self._metrics.in_line("analyses"):
                yield
        finally:
            self._leave()

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the analyst's thread, for one who has a place; others have their turns."""
        return await asyncio.wrap_future(self._pool.submit(self._counted, work))

    @property
    def is_asked(self) -> bool:
        """Whether somebody has a place in the line."""
        return self._in_hand > 0

    @property
    def seconds(self) -> float:
        """What the searches for one who asks may take."""
        return self._seconds

    def checked(self, question: Question) -> Question:
        """Return a question that can be answered; for the analyst's thread."""
        return checked(question)

    def analysis(
        self, library: Library, question: Question, seconds: float | None = None
    ) -> SourcedAnalysis:
        """Say what the best guess is; for the analyst's thread."""
        if (found := find(library, self._openings, question)) is not None:
            sourced, source = found
            self._metrics.count_analysis(source)
            return sourced
        if (earlier := without_idle_turns(question)) is not None:
            with told_of(question):
                return late(self._proved(library, earlier, seconds), question)
        return self._proved(library, question, seconds)

    def _proved(
        self, library: Library, question: Question, seconds: float | None
    ) -> SourcedAnalysis:
        """Say what a search finds, or what else there is."""
        self.load()
        reason: Reason
        try:
            analysis = self._searched(question, self._seconds if seconds is None else seconds)
        except TooLittleMemoryError as error:
            logger.warning("answered by a rule: %s (BULLSCOWS_MEMORY_LIMIT_MB)", error)
            self._metrics.count_analysis("rule")
            analysis, reason = by_rule(question), "memory"
        else:
            reason = (self._state or "time") if is_searched(question) else "large-game"
        if analysis.status == "optimal":
            return SourcedAnalysis(analysis)
        better = on_best_tree(library, question, analysis)
        return replace(better or SourcedAnalysis(analysis), reason=reason)

    def _searched(self, question: Question, seconds: float) -> Analysis:
        """Return what the analyst says, and count where it has it from."""
        can_search = seconds > 0 and self._analyst.can_search(question)
        if can_search and not self._analyst.knows(question):
            return self._search(question, seconds)
        try:
            analysis = self._analyst.analysis(question, seconds)
        except TooFewTurnsError:
            self._metrics.count_analysis("kept")
            raise
        self._metrics.count_analysis("rule" if analysis.status == "heuristic" else "kept")
        return analysis

    def _search(self, question: Question, seconds: float) -> Analysis:
        """Let the analyst search, and count how that ends."""
        with self._metrics.searching() as outcome:
            try:
                analysis = self._analyst.analysis(question, seconds)
            except TooFewTurnsError:
                outcome.append("proved")
                raise
            except TooLittleMemoryError:
                outcome.clear()
                raise
            if analysis.status == "optimal":
                outcome.append("proved")
        return analysis

    def prices(
        self, sourced: SourcedAnalysis, guesses: Sequence[CodeIndex], seconds: float
    ) -> list[Evaluation]:
        """Say what guesses cost in so many seconds of search; for the analyst's thread."""
        best = sourced.analysis
        known = self._openings.prices(best.question, guesses)
        return self._analyst.evaluations(best, guesses, seconds, known)

    def best_guesses(self, sourced: SourcedAnalysis, number: int) -> Sequence[CodeIndex]:
        """Return the guesses that cost least, best first; none where that takes long.

        What was found is kept; for the analyst's thread.
        """
        return self._analyst.best_guesses(sourced.analysis, number)

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the true answer that keeps a game up longest; for the analyst's thread."""
        self.load()
        return Adversary(self._analyst).reply(question, guess, seconds)

    def load(self) -> threading.Thread:
        """Begin to load the search, if that has not been done; return the thread that does."""
        if self._loading is None:
            self._loading = threading.Thread(target=self._load, name="loader", daemon=True)
            self._loading.start()
        return self._loading

    @property
    def state(self) -> Literal["loading", "ready", "none"]:
        """Whether the search can be asked, or will be."""
        if self._state is None:
            return "ready"
        return "loading" if self._state == "loading" else "none"

    def close(self) -> None:
        """Drop what is waiting."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _load(self) -> None:
        try:
            self._analyst.load(SMALL_GAMES)
        except ImportError as error:
            logger.warning("positions are analysed without a search: %s", error)
            self._state = "no-search"
        except Exception as error:  # whatever it is, rules can still guess
            self._log(error, "the search can't be loaded; positions are analysed without it")
            self._state = "no-search"
        else:
            self._state = None
            self._steps = self._analyst.solving(self._games, STEP_SECONDS)
            self._queue_step()

    def _solve_on(self) -> None:
        """Take one more step with the games to be solved first, but not while anyone has a place.

        Whoever asks about many positions has one from the first to the last of them.
        """
        with self._lock:
            self._is_put_off = self._in_hand > 0
            if self._is_put_off:
                return
        try:
            next(self._steps)
        except StopIteration:
            give_back()
            return
        except Exception as error:  # what visitors ask is answered all the same
            self._log(error, "a game can't be solved before it is asked about")
            return
        self._queue_step()

    def _queue_step(self) -> None:
        with suppress(RuntimeError):  # the server ends
            self._pool.submit(self._counted, self._solve_on)

    def _leave(self) -> None:
        """Give a place back; after the last one what was put off goes on."""
        with self._lock:
            self._in_hand -= 1
            goes_on = self._is_put_off and not self._in_hand
            self._is_put_off = self._is_put_off and not goes_on
        if goes_on:
            self._queue_step()

    def _log(self, error: Exception, what: str) -> None:
        """Log an error, unless it is that a search got no thread because everything ends."""
        if not (isinstance(error, RuntimeError) and self._ends()):
            logger.error(what, exc_info=error)

    def _ends(self) -> bool:
        """Whether the server or its process ends: from then on no pool takes work."""
        try:
            self._pool.submit(int)
        except RuntimeError:
            return True
        return False

    def _counted(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the analyst's thread, and count what is kept then."""
        try:
            return work()
        finally:
            self._metrics.keep_positions(self._analyst.kept)
