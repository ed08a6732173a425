"""Best guesses and evaluations, from shipped files or by search: the state of a search process.

Results are kept, so a question that is repeated continues where the search ended.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from bullscows.analysis.adversary import Adversary, Reply
from bullscows.analysis.analyst import Analyst, is_searched
from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.memory import TooLittleMemoryError
from bullscows.analysis.without_search import by_rule, postponed, without_idle_turns
from bullscows.game.question import Question
from bullscows.game.result import Analysis, Finding, Infeasible, Reason
from bullscows.game.rules import CodeIndex
from bullscows_web.search.known import Known, on_best_tree
from bullscows_web.web.metrics import Outcome, Source

logger = logging.getLogger(__name__)

SMALL_GAMES = ("p3c4n", "p2c3r")
"""Games to solve when the search is loaded: a check that also loads most kernels."""


class Searcher:
    """Source of analyses, evaluations and replies; for one thread.

    A search takes at most `seconds`, and the process at most `memory` bytes.
    """

    def __init__(self, known: Known, seconds: float, memory: int) -> None:
        self.known = known
        self.seconds = seconds
        """Time limit of the searches of one request."""
        self.sources: list[Source] = []
        """The source of each analysis of the task, for the metrics."""
        self.searches: list[tuple[Outcome, float]] = []
        """The end of each search of the task, and its seconds."""
        self.analyst = Analyst(memory)
        self.is_loaded = False

    def load(self) -> bool:
        """Load the search; return whether that succeeded. Without it one-step rules guess."""
        try:
            self.analyst.load(SMALL_GAMES)
        except Exception:
            logger.exception("the search cannot be loaded; rules guess without it")
            return False
        self.is_loaded = True
        return True

    def analysis(self, question: Question, seconds: float | None = None) -> Finding:
        """Return the best known guess, or that no strategy meets the limit on turns.

        `seconds` limits the search; by default the limit of a request applies.  With 0 only earlier
        results are used.  Raises `ObjectiveError` as `Analyst.analysis`.
        """
        # The web process looks up neither large games nor positions with guesses to evaluate.
        if (found := self.known.find(question)) is not None:
            analysis, source = found
            self.sources.append(source)
            return analysis
        limit = self.seconds if seconds is None else seconds
        if (earlier := without_idle_turns(question)) is not None:
            return postponed(self._proved(earlier, limit), question)
        return self._proved(question, limit)

    def evaluations(
        self, best: Analysis, guesses: Sequence[CodeIndex], seconds: float | None
    ) -> list[Evaluation]:
        """Return evaluations after at most `seconds` of search."""
        known = self.known.evaluations(best.question, guesses)
        return self.analyst.evaluations(best, guesses, seconds, known)

    def best_guesses(self, best: Analysis, number: int) -> Sequence[CodeIndex]:
        """Return the best guesses, best first; empty if ranking takes too long."""
        return self.analyst.best_guesses(best, number)

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the consistent answer that prolongs the game most.

        If `seconds` do not suffice, it is the answer that leaves the most candidates.
        """
        return Adversary(self.analyst).reply(question, guess, seconds)

    def _proved(self, question: Question, seconds: float) -> Finding:
        """Return the result of a search, or the best alternative, and note what was done."""
        reason: Reason = "time" if self.is_loaded else "no-search"
        if not is_searched(question):
            reason = "large-game"
        try:
            analysis = self.analyst.searched(question, seconds)
        except TooLittleMemoryError as error:
            logger.warning("answered by a rule: %s (BULLSCOWS_MEMORY_LIMIT_MB)", error)
            self.sources.append("rule")
            analysis = by_rule(question)
            reason = "memory"
        else:
            is_proved = analysis.status == "optimal"
            source: Source = "rule" if analysis.status == "heuristic" else "kept"
            self._note(source, "proved" if is_proved else "left")
            if isinstance(analysis, Infeasible) or is_proved:
                return analysis
        better = on_best_tree(self.known.library, question, analysis)
        return replace(better or analysis, reason=reason)

    def _note(self, source: Source, outcome: Outcome) -> None:
        """Note the source of an analysis, and the outcome of a search if there was one."""
        taken = self.analyst.last_search
        if taken is None:
            self.sources.append(source)
        else:
            self.sources.append("search")
            self.searches.append((outcome, taken))
