"""The server's analyst: one thread that searches, a short line before it, and what it says.

Everything that takes long is done in that thread, so the event loop stays free and memory is
bounded; who would have to wait for too many others is sent away at once.  The search itself is
loaded when somebody first asks, in a thread of its own, for that may take twenty seconds; until
then, and without numba, a one-step rule guesses.
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

from app.analyse.search.openings import ShippedOpenings
from app.analyse.search.shipped import Reason, SourcedAnalysis, on_best_tree, on_tree
from app.trees.library import Library
from app.web.metrics import Metrics
from app.web.queue import BusyError
from engine.analysis.analysis import Analysis, TooFewTurnsError, by_rule
from engine.analysis.analyst import MEMORY, Analyst, is_searched
from engine.analysis.certain import certain
from engine.analysis.codemaker import Codemaker, Reply
from engine.analysis.idle_turns import put_off, without_idle_turns
from engine.analysis.memory import TooLittleMemoryError
from engine.analysis.price import Price
from engine.game.question import Question
from engine.game.rules import KNOWN_GAMES, CodeIndex

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

SMALL_GAMES = ("p3c4n", "p2c3r")
"""What is solved to see that the search works, which loads most of its kernels."""

STEP_SECONDS = 0.25
"""How long visitors wait at most for the games that are solved unasked."""


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
        self._in_hand = 0
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="analyst")
        self._analyst = Analyst(memory)
        self._loading: threading.Thread | None = None
        self._state: Reason | None = "loading"
        self._steps: Iterator[None] = iter(())

    async def ask(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the analyst's thread; raise `BusyError` if too many are waiting."""
        async with self.place():
            return await self.run(work)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Take a place in the line for as much as one asks; raise `BusyError` if there is none."""
        if self._in_hand >= self._waiting:
            raise BusyError("search")
        self._in_hand += 1
        try:
            with self._metrics.in_line("analyses"):
                yield
        finally:
            self._in_hand -= 1

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the analyst's thread, for one who has a place; others have their turns."""
        return await asyncio.wrap_future(self._pool.submit(self._counted, work))

    @property
    def seconds(self) -> float:
        """What the searches for one who asks may take."""
        return self._seconds

    def analysis(
        self, library: Library, question: Question, seconds: float | None = None
    ) -> SourcedAnalysis:
        """Say what the best guess is; for the analyst's thread.

        The search may take so many `seconds`, or what one who asks may take; with 0 the answer
        is what was found before.

        Raises
        ------
        TooFewTurnsError, ObjectiveError
            As `engine.analysis.analyst.Analyst.analysis`.
        """
        if (analysis := certain(question)) is not None:
            self._metrics.count_analysis("certain")
            return SourcedAnalysis(analysis)
        if (known := on_tree(library, question)) is not None:
            self._metrics.count_analysis("tree")
            return known
        # A tree may ask what tells nothing itself, so only now is that left out.
        if (earlier := without_idle_turns(question)) is not None:
            return self._put_off(library, earlier, question, seconds)
        if (analysis := self._openings.analysis(question)) is not None:
            self._metrics.count_analysis("opening")
            return SourcedAnalysis(analysis)
        self.load()
        reason: Reason
        try:
            analysis = self._searched(question, self._seconds if seconds is None else seconds)
        except TooLittleMemoryError as error:
            logger.warning("answered by a rule: %s (BULLSCOWS_MEMORY)", error)
            self._metrics.count_analysis("rule")
            analysis, reason = by_rule(question), "memory"
        else:
            reason = (self._state or "time") if is_searched(question) else "large-game"
        if analysis.status == "optimal":
            return SourcedAnalysis(analysis)
        better = on_best_tree(library, question, analysis)
        return replace(better or SourcedAnalysis(analysis), reason=reason)

    def _put_off(
        self, library: Library, earlier: Question, question: Question, seconds: float | None
    ) -> SourcedAnalysis:
        """Say of a position what is known of it without its turns that told nothing."""
        try:
            sourced = self.analysis(library, earlier, seconds)
        except TooFewTurnsError as error:
            raise TooFewTurnsError(question) from error
        return replace(sourced, analysis=put_off(sourced.analysis, question))

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
    ) -> list[Price]:
        """Say what guesses cost in so many seconds of search; for the analyst's thread."""
        best = sourced.analysis
        shipped = (self._openings.price(best.question, guess) for guess in guesses)
        known = [price for price in shipped if price is not None]
        return self._analyst.prices(best, guesses, seconds, known)

    def best_guesses(
        self, sourced: SourcedAnalysis, number: int, *, search: bool
    ) -> Sequence[CodeIndex]:
        """Return the guesses that cost least, best first; none where that takes long.

        Without a `search` they are what was found before; for the analyst's thread.
        """
        return self._analyst.best_guesses(sourced.analysis, number, search=search)

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the true answer that keeps a game up longest; for the analyst's thread.

        Where so many `seconds` don't suffice, or the search is not loaded, it is the answer that
        leaves most candidates.
        """
        self.load()
        return Codemaker(self._analyst).reply(question, guess, seconds)

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
        """Take one more step with the games to be solved first, and then let others have a turn."""
        try:
            next(self._steps)
        except StopIteration:
            return
        except Exception as error:  # what visitors ask is answered all the same
            self._log(error, "a game can't be solved before it is asked about")
            return
        self._queue_step()

    def _queue_step(self) -> None:
        with suppress(RuntimeError):  # the server ends
            self._pool.submit(self._counted, self._solve_on)

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
