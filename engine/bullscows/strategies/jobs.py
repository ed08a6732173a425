"""Solves the jobs of a ``jobs.txt`` in their order, as often as it is interrupted.

The file is the only queue, and checkpoints are the only memory: each job has one in a folder next
to the file until it is done.  Both are replaced atomically, so a run may end in any way and another
one continues.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path

from bullscows.errors import EngineError
from bullscows.game.history import table_after
from bullscows.game.objective import Bounds
from bullscows.game.timer import Timer
from bullscows.search.bounding import tree_of
from bullscows.search.checkpoint import Checkpoint
from bullscows.search.executor import Cluster, ClusterError, tighten
from bullscows.search.jobs_file import (
    FAILED,
    TAKEN,
    Job,
    JobsFileError,
    read_jobs,
    write_state,
)
from bullscows.search.position import Position, Progress
from bullscows.search.proven import CheckpointError
from bullscows.search.search import Search
from bullscows.strategies.hybrids import hybrid_of, hybrid_search


@dataclass
class JobsRun:
    """How a run ended."""

    jobs: list[Job]
    """All jobs of the file, with their states."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Why jobs of this run have failed, by their questions."""


def run_jobs(
    path: Path,
    *,
    threads: int = 1,
    cluster: Cluster | None = None,
    time_limit: float | None = None,
    progress: Callable[[Job, Progress], None] | None = None,
) -> JobsRun:
    """Solve the open jobs of a file, in their order, with those added meanwhile.

    A job that no search can answer fails, and the others go on.  Ctrl-C is raised with the work
    kept.  Raises `JobsFileError` if the file can't be used, `CheckpointError` if a checkpoint
    can't, `ClusterError` if the cluster goes away, and `OSError` if nothing can be written.
    """
    timer = Timer(time_limit)
    folder = path.with_name(f"{path.name}.checkpoints")
    run = JobsRun(read_jobs(path))
    if not any(job.is_open for job in run.jobs):
        return run
    begun: list[Job] = []
    with _held(folder, path):
        while not timer.is_over:
            new = (job for job in run.jobs if job.is_open and not any(map(job.is_same, begun)))
            job = next(new, None)
            if job is None:
                break
            begun.append(job)
            file = folder / f"{sha256(str(job.question).encode()).hexdigest()[:16]}.json"
            write_state(path, job, TAKEN)
            try:
                bounds = _bounds(job, file, threads, cluster, timer, progress)
            except (CheckpointError, ClusterError):
                raise
            except EngineError as error:
                run.reasons[str(job.question)] = str(error)
                write_state(path, job, FAILED)
            else:
                state = job.state_after(bounds)
                write_state(path, job, state)
                if state != TAKEN:
                    file.unlink(missing_ok=True)
            run.jobs = read_jobs(path)
    return run


def _bounds(
    job: Job,
    file: Path,
    threads: int,
    cluster: Cluster | None,
    timer: Timer,
    progress: Callable[[Job, Progress], None] | None,
) -> Bounds:
    """Search for the value of a job if it is at most its budget, from its checkpoint on.

    A hybrid is searched by threads here, because its rule breaks ties by names.
    """
    question = job.question
    history = question.history
    weights = question.weights()
    checkpoint = Checkpoint(file, question)
    with checkpoint.saved_at_end():
        if question.mde is None:
            table = table_after(history)
            search = Search(table, weights, threads=threads, checkpoint=checkpoint)
        else:
            hybrid = hybrid_of(question)
            search = hybrid_search(question.rules, hybrid, threads=threads, checkpoint=checkpoint)
        proven = checkpoint.proven(weights)
        report = None if progress is None else partial(progress, job)
        position = Position.after(search.table, history)
        search.take_over(position)
        if cluster is None or question.mde is not None:
            bounds = search.value(
                position, budget=job.budget, progress=report, time_limit=timer.share()
            )
        else:
            bounds = tighten(
                search,
                tree_of(search, history),
                budget=job.budget,
                known=proven.bounds,
                time_limit=timer.share(),
                progress=report,
                cluster=cluster,
            )
        proven.learn(bounds)
        if search.interrupted:
            raise KeyboardInterrupt
    return proven.bounds


@contextmanager
def _held(folder: Path, path: Path) -> Iterator[None]:
    """Keep other runs from the file, as far as the system can, and remove an empty folder."""
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        with suppress(ImportError):  # Windows has no such locks
            import fcntl

            held = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, held)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise JobsFileError(
                    f"another `bullscows jobs run` works on {path}: wait for its end, or stop it"
                ) from None
        try:
            yield
        finally:
            with suppress(OSError):  # checkpoints remain
                folder.rmdir()
