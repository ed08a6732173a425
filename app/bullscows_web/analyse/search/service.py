"""The analysis service: one thread that searches, with a short queue.

Searches and everything else that takes long run in that thread, so the event loop stays free and
memory is bounded.  If the queue is full, a request gets `BusyError` at once.  Lookups without a
search (`bullscows_web.analyse.search.lookup`) bypass the queue.  The search itself is loaded at the
first request, in another thread, because this can take 10 seconds; until then a one-step rule
guesses.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias, TypeVar, cast

from fastapi import Depends, Request

from bullscows.analysis.adversary import Adversary, Reply
from bullscows.analysis.analyst import MEMORY, Analyst, checked, is_searched
from bullscows.analysis.certain import without_idle_turns
from bullscows.analysis.findings import Analysis, Evaluation, TooFewTurnsError, by_rule
from bullscows.analysis.memory import TooLittleMemoryError, give_back
from bullscows.game.question import Question
from bullscows.game.rules import KNOWN_GAMES, CodeIndex
from bullscows_web.analyse.search.lookup import (
    Lookup,
    Reason,
    SearchNeededError,
    ShippedOpenings,
    SourcedAnalysis,
    errors_about,
    find,
    late,
    on_best_tree,
)
from bullscows_web.trees.library import Library
from bullscows_web.web.errors import BusyError
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.queue import WorkQueue

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

SMALL_GAMES = ("p3c4n", "p2c3r")
"""Games to solve after loading: a check that also loads most kernels."""

STEP_SECONDS = 0.1
"""Length of a step of background solving: the longest extra wait of a request."""

READERS = 2
"""Number of concurrent lookups."""


class AnalysisService:
    """Queue of requests and the thread that searches.

    A search takes at most `seconds`, and this process `memory` bytes; at most `waiting` requests
    are queued, the running one included.  Solves `games` in the background.
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
        self.seconds = seconds
        """Time limit of the searches of one request."""
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

    async def answer(self, work: Callable[[Backend], Result], *, unproved: bool = False) -> Result:
        """Return the result of `work`: from a lookup if that suffices, otherwise from the queue.

        While other requests wait for the search, a lookup has to suffice; with `unproved`, its
        evaluations may stay open. Raises `BusyError` if it needs a search and the queue is full.
        """
        with suppress(SearchNeededError):
            return await self.at_once(work, unproved=unproved)
        return await self.ask(lambda: work(self))

    async def at_once(self, work: Callable[[Backend], Result], *, unproved: bool = False) -> Result:
        """Return the result of a lookup in another thread, or raise `SearchNeededError`."""
        known = Lookup(self._openings, self.seconds, unproved=unproved)
        result = await self._readers.make(lambda: work(known))
        if not (known.is_whole or self._in_hand):
            raise SearchNeededError
        for source in known.sources:
            self._metrics.count_analysis(source)
        return result

    async def preview(self, work: Callable[[Backend], Result]) -> Result:
        """Return the result of a lookup; raise `SearchNeededError` if even that takes too long."""
        known = Lookup(self._openings, self.seconds, unproved=True)
        return await self._readers.make(lambda: work(known))

    async def ask(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the search thread; raise `BusyError` if the queue is full."""
        async with self.place():
            return await self.run(work)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place in the queue for one request; raise `BusyError` if the queue is full."""
        if self._in_hand >= self._waiting:
            raise BusyError("search", self._in_hand, self._in_hand * self.seconds)
        self._in_hand += 1
        try:
            with self._metrics.in_line("analyses"):
                yield
        finally:
            self._leave()

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the search thread, for a request that holds a place."""
        return await asyncio.wrap_future(self._pool.submit(self._counted, work))

    @property
    def is_asked(self) -> bool:
        """Whether a request holds a place in the queue."""
        return self._in_hand > 0

    def checked(self, question: Question) -> Question:
        """Return the question if it can be answered; for the search thread."""
        return checked(question)

    def analysis(
        self, library: Library, question: Question, seconds: float | None = None
    ) -> SourcedAnalysis:
        """Return the best known guess; for the search thread.

        `seconds` limits the search; by default the limit of a request applies.  With 0 only earlier
        results are used.  Raises `TooFewTurnsError` or `ObjectiveError` as `Analyst.analysis`.
        """
        if (found := find(library, self._openings, question)) is not None:
            sourced, source = found
            self._metrics.count_analysis(source)
            return sourced
        if (earlier := without_idle_turns(question)) is not None:
            with errors_about(question):
                return late(self._proved(library, earlier, seconds), question)
        return self._proved(library, question, seconds)

    def _proved(
        self, library: Library, question: Question, seconds: float | None
    ) -> SourcedAnalysis:
        """Return the result of a search, or the best alternative."""
        self.load()
        reason: Reason
        try:
            analysis = self._searched(question, self.seconds if seconds is None else seconds)
        except TooLittleMemoryError as error:
            logger.warning("answered by a rule: %s (BULLSCOWS_MEMORY_LIMIT_MB)", error)
            self._metrics.count_analysis("rule")
            analysis = by_rule(question)
            reason = "memory"
        else:
            reason = (self._state or "time") if is_searched(question) else "large-game"
        if analysis.status == "optimal":
            return SourcedAnalysis(analysis)
        better = on_best_tree(library, question, analysis)
        return replace(better or SourcedAnalysis(analysis), reason=reason)

    def _searched(self, question: Question, seconds: float) -> Analysis:
        """Return the analysis of the analyst, and count its source."""
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
        """Search, and count the outcome."""
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

    def evaluations(
        self, sourced: SourcedAnalysis, guesses: Sequence[CodeIndex], seconds: float
    ) -> list[Evaluation]:
        """Return evaluations after at most `seconds` of search; for the search thread."""
        best = sourced.analysis
        known = self._openings.evaluations(best.question, guesses)
        return self._analyst.evaluations(best, guesses, seconds, known)

    def best_guesses(self, sourced: SourcedAnalysis, number: int) -> Sequence[CodeIndex]:
        """Return the best guesses, best first, cached; empty if ranking takes too long."""
        return self._analyst.best_guesses(sourced.analysis, number)

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the consistent answer that prolongs the game most; for the search thread.

        If `seconds` do not suffice, or the search is not loaded, it is the answer that leaves the
        most candidates.
        """
        self.load()
        return Adversary(self._analyst).reply(question, guess, seconds)

    def load(self) -> threading.Thread:
        """Start to load the search unless it is started; return the loading thread."""
        if self._loading is None:
            self._loading = threading.Thread(target=self._load, name="loader", daemon=True)
            self._loading.start()
        return self._loading

    @property
    def state(self) -> Literal["loading", "ready", "none"]:
        """Whether the search is available."""
        if self._state is None:
            return "ready"
        return "loading" if self._state == "loading" else "none"

    def close(self) -> None:
        """Cancel queued work."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _load(self) -> None:
        try:
            self._analyst.load(SMALL_GAMES)
        except ImportError as error:
            logger.warning("positions are analysed without a search: %s", error)
            self._state = "no-search"
        except Exception as error:  # one-step rules still work
            self._log(error, "the search can't be loaded; positions are analysed without it")
            self._state = "no-search"
        else:
            self._state = None
            self._steps = self._analyst.solving(self._games, STEP_SECONDS)
            self._queue_step()

    def _solve_on(self) -> None:
        """Take one step of background solving, unless a request holds a place in the queue.

        A batch of positions holds its place from the first position to the last.
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
        except Exception as error:  # requests are still answered
            self._log(error, "a game can't be solved before it is asked about")
            return
        self._queue_step()

    def _queue_step(self) -> None:
        with suppress(RuntimeError):  # the server ends
            self._pool.submit(self._counted, self._solve_on)

    def _leave(self) -> None:
        """Release a place; after the last one, resume background solving."""
        with self._lock:
            self._in_hand -= 1
            goes_on = self._is_put_off and not self._in_hand
            self._is_put_off = self._is_put_off and not goes_on
        if goes_on:
            self._queue_step()

    def _log(self, error: Exception, what: str) -> None:
        """Log an error, unless it is caused by the shutdown of the process."""
        if not (isinstance(error, RuntimeError) and self._ends()):
            logger.error(what, exc_info=error)

    def _ends(self) -> bool:
        """Whether the server shuts down, so that no pool accepts work."""
        try:
            self._pool.submit(int)
        except RuntimeError:
            return True
        return False

    def _counted(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the search thread, then update the metrics."""
        try:
            return work()
        finally:
            self._metrics.keep_positions(self._analyst.kept)


Backend: TypeAlias = Lookup | AnalysisService
"""Source of best guesses and evaluations: a lookup, or the search."""


async def get_analysis(request: Request) -> AnalysisService:
    """Return the analysis of positions."""
    return cast(AnalysisService, request.app.state.analysis)


AnalysisDep = Annotated[AnalysisService, Depends(get_analysis)]
