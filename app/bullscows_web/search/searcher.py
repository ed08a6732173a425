"""What a search process does: best guesses and evaluations, from shipped files or by search.

A `Tablebase` has what needs no search: trivial positions, shipped trees and shipped openings, the
proved values of the positions after one guess.  To look up a position takes less than a
millisecond if its candidates are counted, so the web process has one too.  A damaged file is
logged and skipped; the positions of its game are then searched.

A `Searcher` is the state of a search process.  Results are kept, so a question that is repeated
continues where the search ended.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from bullscows.analysis.adversary import Adversary, Reply
from bullscows.analysis.analyst import Analyst, is_searched
from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.memory import MEGABYTE, TooLittleMemoryError
from bullscows.analysis.openings import FOLDER, Openings, read_openings
from bullscows.analysis.without_search import (
    by_rule,
    certain,
    costs,
    postponed,
    without_idle_turns,
)
from bullscows.errors import EngineError
from bullscows.game.history import InconsistentError, splits
from bullscows.game.objective import Bounds
from bullscows.game.question import Question
from bullscows.game.result import Analysis, Finding, Reason
from bullscows.game.rules import CodeIndex, Rules
from bullscows.tree.files import POSSIBLES_ONLY
from bullscows.tree.lookup import NodeImage, find_image
from bullscows.tree.storage import RecordError
from bullscows_web.server.http_server import Format, configure_logging
from bullscows_web.trees.library import Entry, Library
from bullscows_web.web.metrics import Outcome, Source

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

SMALL_GAMES = ("p3c4n", "p2c3r")
"""Games to solve when the search is loaded: a check that also loads most kernels."""
NICENESS = 10
"""Priority below that of the web process, whose pages take milliseconds."""
UNUSED = 100 * MEGABYTE
"""Memory that the system counts for a process that does not use it, such as stacks of threads."""


# -- without a search -----------------------------------------------------------------------------


def on_tree(library: Library, question: Question) -> Analysis | None:
    """Return the analysis of a proved tree with an equivalent position, if there is one.

    That a tree is optimal says so of each of its branches where the criteria are sums over the
    secrets: a better branch would make a better tree.  It is optimal by its first criteria alone
    as well, within the same turns; and within more or none, if no tree at all takes fewer turns.
    """
    for entry in library.of(question.rules):
        if _answers(entry, question):
            found = _image(entry, question)
            if found is not None:
                image, levels = found
                last_turn = len(entry.tree.distribution_at(image.node))
                return Analysis.proved(question, image.guess, levels, last_turn, entry.name)
    return None


def on_best_tree(library: Library, question: Question, known: Analysis) -> Analysis | None:
    """Return the analysis of a best known tree, if it improves on `known`.

    No more is claimed than that: its turns are an upper bound.  At its root the record has the
    lower one; elsewhere one candidate is found now, and no other before the next turn.
    """
    is_of_game = not question.candidates_only and question.secrets is None
    if question.objective.criteria != ("average",) or not is_of_game:
        return None
    for entry in library.of(question.rules):
        record = entry.record
        if record.proof == "exact" or record.lower is None:
            continue
        if question.max_turns is not None and record.depth > question.max_turns:
            continue
        found = _image(entry, question)
        if found is None:
            continue
        image, levels = found
        bounds = known.bounds or Bounds()
        if bounds.upper is not None and bounds.upper <= levels["total"]:
            continue
        count = len(question.candidates)
        lower = record.lower if count == entry.rules.size else count * (question.turn + 1) - 1
        tighter = Bounds(lower, levels["total"]).tightened(bounds)
        return Analysis(question, guess=image.guess, bounds=tighter, source=entry.name)
    return None


def _answers(entry: Entry, question: Question) -> bool:
    """Whether the tree is proved to be optimal in the way that is asked for."""
    record = entry.record
    asked = question.objective.criteria
    is_restricted = record.objective == POSSIBLES_ONLY
    if record.proof != "exact" or "worst" in asked or is_restricted != question.candidates_only:
        return False
    if asked == ("average",) and (record.is_least or is_restricted):
        return question.max_turns is None or record.depth <= question.max_turns
    if is_restricted:
        return False
    return Question.of(entry.rules, (), record.objective, record.max_turns).covers(question)


def _image(entry: Entry, question: Question) -> tuple[NodeImage, dict[str, int]] | None:
    """Return the node that holds a position under some names, and what each criterion costs."""
    found = find_image(entry.tree, question.history)
    return (
        None if found is None else (found, costs(question, entry.tree.distribution_at(found.node)))
    )


def shipped_openings(trees: Path) -> dict[Rules, Openings]:
    """Read all files of openings in the folder of the trees."""
    games: dict[Rules, Openings] = {}
    for path in sorted((trees / FOLDER).glob("*.json")):
        try:
            openings = read_openings(path, path.stem)
        except (RecordError, OSError) as error:
            logger.error("refused file of positions %s: %s", path, error)
        else:
            games[openings.rules] = openings
    if games:
        positions = sum(map(len, games.values()))
        logger.info("added %d positions after one guess from %s", positions, trees / FOLDER)
    return games


@dataclass(frozen=True)
class Tablebase:
    """Positions whose analysis needs no search: trivial ones, and those of shipped files."""

    library: Library
    openings: Mapping[Rules, Openings]
    """Openings by game."""

    @classmethod
    def open(cls, trees: Path) -> Tablebase:
        """Read the files of a folder of trees."""
        return cls(Library.open(trees), shipped_openings(trees))

    def look_up(self, question: Question) -> tuple[Finding, Source] | None:
        """Return what is known of a position and its source; None if it needs a search."""
        if (analysis := certain(question)) is not None:
            return analysis, "certain"
        if question.secrets is not None:
            return None
        if (analysis := on_tree(self.library, question)) is not None:
            return analysis, "tree"
        # Trees can have guesses without information too, so these turns are removed only now.
        if (earlier := without_idle_turns(question)) is not None:
            found = self.look_up(earlier)
            return None if found is None else (postponed(found[0], question), found[1])
        openings = self.openings.get(question.rules)
        if openings is not None and (analysis := openings.analysis(question)) is not None:
            return analysis, "opening"
        return None

    def evaluations(self, question: Question, guesses: Sequence[CodeIndex]) -> list[Evaluation]:
        """Return evaluations of the first guesses after which every position is known."""
        openings = self.openings.get(question.rules)
        if openings is None or question.history:
            return []
        parted = splits(question.rules, question.candidates, guesses)
        evaluations = [openings.evaluation(question, one) for one in parted]
        return [one for one in evaluations if one is not None]


# -- by search ------------------------------------------------------------------------------------


class Searcher:
    """Source of analyses, evaluations and replies; for one thread.

    A search takes at most `seconds`, and the process at most `memory` bytes.
    """

    def __init__(self, tablebase: Tablebase, seconds: float, memory: int) -> None:
        self.tablebase = tablebase
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
        if (known := self.tablebase.look_up(question)) is not None:
            found, source = known
            self.sources.append(source)
            return found
        asked = without_idle_turns(question) or question
        reason: Reason = "time" if self.is_loaded else "no-search"
        if not is_searched(asked):
            reason = "large-game"
        try:
            found = self.analyst.searched(asked, self.seconds if seconds is None else seconds)
        except TooLittleMemoryError as error:
            logger.warning("answered by a rule: %s (BULLSCOWS_MEMORY_LIMIT_MB)", error)
            found = by_rule(asked)
            reason = "memory"
        taken = None if reason == "memory" else self.analyst.last_search
        if taken is not None:
            self.sources.append("search")
            self.searches.append(("proved" if found.status == "optimal" else "left", taken))
        else:
            self.sources.append("rule" if found.status == "heuristic" else "kept")
        if isinstance(found, Analysis) and found.status != "optimal":
            better = on_best_tree(self.tablebase.library, asked, found)
            found = replace(better or found, reason=reason)
        return found if asked is question else postponed(found, question)

    def evaluations(
        self, best: Analysis, guesses: Sequence[CodeIndex], seconds: float | None
    ) -> list[Evaluation]:
        """Return evaluations after at most `seconds` of search."""
        known = self.tablebase.evaluations(best.question, guesses)
        return self.analyst.evaluations(best, guesses, seconds, known)

    def best_guesses(self, best: Analysis, number: int) -> Sequence[CodeIndex]:
        """Return the best guesses, best first; empty if ranking takes too long."""
        return self.analyst.best_guesses(best, number)

    def reply(self, question: Question, guess: CodeIndex, seconds: float) -> Reply:
        """Return the consistent answer that prolongs the game most.

        If `seconds` do not suffice, it is the answer that leaves the most candidates.
        """
        return Adversary(self.analyst).reply(question, guess, seconds)


# -- in a search process ---------------------------------------------------------------------------

Work: TypeAlias = Callable[[Searcher], Result]
"""Something to do in a search process.  It is pickled: a function of a module, or a `partial`."""


@dataclass(frozen=True)
class Done(Generic[Result]):
    """The end of a task."""

    result: Result | EngineError
    """The value that it returned, or the error that it raised."""
    sources: Sequence[Source]
    """The source of each analysis, for the metrics."""
    searches: Sequence[tuple[Outcome, float]]
    """The end of each search, and its seconds."""


_searcher: Searcher | None = None
"""The state of this process, which all its tasks share."""


def start_process(trees: Path, seconds: float, memory: int, log_format: Format) -> None:
    """Limit this process, and open what tasks need."""
    global _searcher
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # at once, also in the middle of a kernel
    configure_logging(log_format)
    _limit(memory)
    logging.disable(logging.ERROR)  # the web process says what it reads and refuses
    tablebase = Tablebase.open(trees)
    logging.disable(logging.NOTSET)
    _searcher = Searcher(tablebase, seconds, memory)
    _searcher.load()


def _limit(memory: int) -> None:
    """Limit memory and priority, if the platform can."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        import resource
    except ImportError:  # Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = memory + UNUSED
    limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
    with suppress(ValueError, OSError):  # macOS refuses some limits
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def perform_limited(work: Work[Result], seconds: float) -> Done[Result]:
    """Run a task; SIGPROF ends the process after `seconds` of its processor time."""
    assert _searcher is not None, "the pool has started this process"
    if not hasattr(signal, "setitimer"):
        return perform(_searcher, work)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return perform(_searcher, work)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def perform(searcher: Searcher, work: Work[Result]) -> Done[Result]:
    """Run a task, and tell what it did."""
    searcher.sources = []
    searcher.searches = []
    result: Result | EngineError
    try:
        result = work(searcher)
    except EngineError as error:
        result = with_corrections(error)
    return Done(result, searcher.sources, searcher.searches)


def with_corrections(error: EngineError) -> EngineError:
    """Return an error; if no code fits, its corrections are counted, and pickled with it.

    They take half a second in the largest games, for which no page should wait.
    """
    if isinstance(error, InconsistentError):
        _ = error.corrections
    return error


def is_loaded(searcher: Searcher) -> bool:
    """Return whether a process can search: the first task of a pool."""
    return searcher.is_loaded
