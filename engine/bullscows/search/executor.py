"""Who answers the questions about a bounded tree: threads with one table, or a Dask cluster.

`tighten` is the loop of every search above the kernel: it asks as many questions as the executor
answers at once, and learns the results as they come.
"""

from __future__ import annotations

import re
import threading
import time
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import replace
from functools import partial
from pkgutil import resolve_name
from typing import Any, NamedTuple

from bullscows import __version__
from bullscows.errors import EngineError
from bullscows.game.history import History, candidates
from bullscows.game.objective import INFINITE, Bounds, Weights
from bullscows.game.response_table import ResponseTable
from bullscows.game.timer import UNLIMITED, Timer
from bullscows.search.bounded_tree import BoundedTree, Option
from bullscows.search.position import Position, Progress, ReportProgress
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import BoundsMemory
from bullscows.search.subproblems import Bounding, Subproblem, SubproblemResult
from bullscows.search.threads import POLL_SECONDS, deferred_interrupts


class ClusterError(EngineError, OSError):
    """A cluster that cannot be used, or has gone away."""


def tighten(
    search: Search,
    tree: BoundedTree,
    *,
    option: Option | None = None,
    budget: int = INFINITE - 1,
    start: Bounds | None = None,
    timer: Timer = UNLIMITED,
    progress: ReportProgress | None = None,
    cluster: Cluster | None = None,
) -> Bounds:
    """Tighten the bounds of a tree's root, or of `option`, a guess there, until they meet.

    The cost is wanted if it is at most `budget`; otherwise a proof that it is more.  The bounds
    `start` are proved already.  At the end of the time, or on Ctrl-C, which is not raised, the
    result is the bounds so far.  Raises `HorizonError` if uncapped weights do not reach far enough,
    and `ClusterError` if the cluster goes away.
    """
    executor: _Threads | _Workers
    executor = _Threads(search) if cluster is None else _Workers(search, tree, cluster)
    may_split = cluster is not None or (timer.share() is not None and budget >= INFINITE // 2)
    bounding = Bounding(
        search,
        tree,
        option=option,
        budget=budget,
        may_split=may_split,
        is_remote=executor.is_remote,
    )
    if start is not None:
        bounding.start_from(start)
    report = None if progress is None else partial(_report, progress, bounding)
    running: dict[Future[Any], Subproblem] = {}
    with deferred_interrupts() as interrupts:
        try:
            while not (search.interrupted or timer.is_over):
                slots = executor.slots
                for question in bounding.next_questions(slots - len(running)):
                    limits = [timer.share(), question.patience]
                    seconds = min((limit for limit in limits if limit is not None), default=None)
                    running[executor.submit(question, seconds, report)] = question
                if not running and slots:
                    break
                if not slots:  # until a worker comes
                    time.sleep(POLL_SECONDS)
                done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    bounding.learn(running.pop(future), executor.result(future))
                if executor.is_remote and report is not None:
                    report(Progress(0.0, search.counters()["nodes"], None, 0, None))
                search.interrupted |= interrupts.take()
        finally:
            for future in running:
                future.cancel()
            bounding.end()
    return bounding.bounds()


def _report(progress: ReportProgress, bounding: Bounding, found: Progress) -> None:
    """Report progress with the time of all questions and the bounds of the whole."""
    lower, upper = bounding.bounds()
    progress(replace(found, seconds=bounding.elapsed, lower=lower, best=upper))


class _Threads:
    """The threads of a search, which answer one question at a time, as it is submitted."""

    is_remote = False
    slots = 1
    """The number of questions that can be asked at once."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self._beam: Search | None = None
        self._width = 0

    def submit(
        self, question: Subproblem, seconds: float | None, report: ReportProgress | None
    ) -> Future[Any]:
        """Answer a question."""
        future: Future[SubproblemResult] = Future()
        position = question.node.position(self.search.table)
        future.set_result(self.solve(position, question.budget, question.width, seconds, report))
        return future

    def result(self, future: Future[Any]) -> SubproblemResult:
        """Return the result of a question that is answered."""
        result: SubproblemResult = future.result()
        return result

    def solve(
        self,
        position: Position,
        budget: int,
        width: int,
        limit: float | None,
        report: ReportProgress | None = None,
    ) -> SubproblemResult:
        """Return what is proved within a number of seconds."""
        search = self._searched_by(width)
        tried = search.tried
        began = time.monotonic()
        bounds = search.value(position, budget=budget, timer=Timer(limit), progress=report)
        self.search.interrupted |= search.interrupted
        seconds = time.monotonic() - began
        is_abandoned = search.stopped
        tried = search.tried - tried
        return SubproblemResult(bounds, seconds, is_abandoned, tried, search.best_guess)

    def _searched_by(self, width: int) -> Search:
        """Return the search, or a beam, which is kept as long as questions of its width follow."""
        if width != self._width:
            self._beam = None  # frees its table before the next one is made
            self._beam = self.search.beam(width=width) if width else None
            self._width = width
        return self._beam or self.search


# -- a cluster -------------------------------------------------------------------------------------

TIMEOUT = 10
"""Seconds to wait for the scheduler."""

WORKERLESS = 60.0
"""Seconds to wait for a worker."""

_ADDRESS = re.compile(r"(?:[a-z]+://)?(?:\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):[0-9]{1,5}")


class Cluster:
    """The workers of a Dask scheduler; `ClusterError` without Dask, it, or this engine on all."""

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise ClusterError("a cluster needs Dask: pip install 'bullscows[cluster]'") from error
        if not _ADDRESS.fullmatch(address):
            raise ClusterError(
                f"{address!r} is no address of a scheduler, for example tcp://host:8786"
            )
        self._address = address
        self._gone = (
            f"the Dask scheduler at {address} went away: what was finished is kept; run again when "
            "it is back"
        )
        self._seen = time.monotonic()
        connect: Any = distributed.Client  # Dask's own annotations are partial
        try:
            self._client = connect(address, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"no Dask scheduler at {address}: {error}") from error
        self._executor = self._client.get_executor(pure=False)
        if (other := self._other_installation()) is not None:
            self.close()
            raise ClusterError(other)

    def _other_installation(self) -> str | None:
        """Describe a worker that can't answer, if any; later workers are not checked."""
        ask: Any = self._client.run  # by names of the standard library, which all workers have
        answers = ask(resolve_name, "bullscows:__version__", on_error="return")
        for worker, found in answers.items():
            if found != __version__ and not isinstance(found, OSError):  # then it has just gone
                return (
                    f"the worker at {worker} has no bullscows {__version__}, but: {found}; "
                    "have the same installation everywhere, all wheels or all checkouts"
                )
        return None

    @property
    def slots(self) -> int:
        """The threads of all workers, as last reported; raise `ClusterError` if it has gone."""
        if self._client.status != "running":
            raise ClusterError(self._gone)
        workers: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        now = time.monotonic()
        if workers:
            self._seen = now
        elif now - self._seen > WORKERLESS:
            raise ClusterError(
                f"the Dask scheduler at {self._address} has no worker: start some with "
                f"`dask worker {self._address}`, and run again"
            )
        return sum(worker["nthreads"] for worker in workers.values())

    def submit(self, *question: Any) -> Future[Any]:
        """Send the arguments of `_perform` to some worker, or another if that is lost."""
        future: Future[Any] = self._executor.submit(_perform, *question)
        return future

    def result(self, future: Future[Any]) -> SubproblemResult:
        """Return the result of a question."""
        from distributed import KilledWorker

        try:
            result: SubproblemResult = future.result()
        except KilledWorker as error:
            raise ClusterError(
                f"a question has ended several workers, so they may need more memory: {error}"
            ) from error
        except CancelledError as error:
            raise ClusterError(self._gone) from error
        return result

    def close(self) -> None:
        """Cancel what is running and leave the cluster."""
        if self._client.status == "running":
            self._executor.shutdown(wait=False)
        self._client.close(timeout=5)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Game(NamedTuple):
    """Arguments of the search of a worker."""

    history: History
    """The game, and the turns before the root of the tree."""
    is_whole: bool
    """Whether the response table is that of all codes."""
    weights: Weights
    candidates_only: bool

    def search(self) -> Search:
        """Return a search that keeps what it proves in memory."""
        rules = self.history.rules
        if self.is_whole:
            table = ResponseTable.of(rules)
        else:
            table = ResponseTable.of_candidates(rules, candidates(rules, self.history))
        memory = BoundsMemory(len(self.history) + 1)
        return Search(table, self.weights, candidates_only=self.candidates_only, checkpoint=memory)


_kept = threading.local()  # a worker may run several threads; a search serves one


def _perform(
    game: _Game, position: Position, budget: int, width: int, seconds: float | None
) -> SubproblemResult:
    """Answer a question in a worker, which keeps its search for the next question of the game."""
    if getattr(_kept, "game", None) != game:
        _kept.threads = None  # frees its table before the next one is made
        _kept.threads = _Threads(game.search())
        _kept.game = game
    threads: _Threads = _kept.threads
    proven = threads.search.proven
    assert proven is not None
    before = threads.search.counters()["nodes"]
    result = threads.solve(position, budget, width, seconds)
    nodes = threads.search.counters()["nodes"] - before
    return result._replace(nodes=nodes, rows=proven.take())


class _Workers:
    """The workers of a cluster, each with a search of its own."""

    is_remote = True

    def __init__(self, search: Search, tree: BoundedTree, cluster: Cluster) -> None:
        table = search.table
        if table.rules is None:
            raise ClusterError("a game without rules, or a list of secrets, needs --threads")
        history = History(table.rules, tree.root.turns)
        is_whole = table.codes is None
        self._game = _Game(history, is_whole, search.weights, search.candidates_only)
        self._search = search
        self._cluster = cluster

    @property
    def slots(self) -> int:
        return self._cluster.slots

    def submit(
        self, question: Subproblem, seconds: float | None, _report: ReportProgress | None
    ) -> Future[Any]:
        position = question.node.position(self._search.table)
        asked = question.budget, question.width, seconds
        return self._cluster.submit(self._game, position, *asked)

    def result(self, future: Future[Any]) -> SubproblemResult:
        result = self._cluster.result(future)
        assert result.rows is not None
        self._search.take_in(result.rows, result.nodes, result.tried)
        return result
