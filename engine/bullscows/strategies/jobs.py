"""The file ``jobs.txt`` of the paper (4.3): a list of long searches, and what runs it.

    solve 0123(0,1)+0145(0,1) 7 4 8 #

docs/guides/long-proofs.md describes the fields.  *mde* is the turn after which a one-step rule
guesses instead of a search: 4 for a rule at turn 5.  The last two turns are always exact, so mde >=
depthCount - 2 means exact throughout, and so does ``-``.  The rule is crush, or Larmouth's if the
objective is the average (`bullscows.strategies.hybrids`).

The file is the only queue, and checkpoints are the only memory: each job has one in a folder next
to the file until it is done.  Both are replaced atomically, so a run may end in any way and another
one continues.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from bullscows.errors import EngineError
from bullscows.game.history import History, table_after
from bullscows.game.objective import INFINITE, Bounds
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.game.timer import Timer
from bullscows.search.checkpoint import Checkpoint
from bullscows.search.executor import Cluster, ClusterError, tighten
from bullscows.search.position import Position, Progress
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import CheckpointError
from bullscows.search.subproblems import tree_of
from bullscows.strategies.hybrids import hybrid_of, hybrid_search
from bullscows.tree.storage import write_whole

SOLVE, TAKEN, DONE, FAILED = "solve", "taken", "done", "failed"

_STATE = re.compile(rf"\s*({SOLVE}|{TAKEN}|{FAILED}|{DONE}\s+\S+)(?=\s)")
_TURN = re.compile(r"([0-9a-f]+)\((\d+),(\d+)\)")
_DIGITS = 17
"""Longer numbers exceed every value of a search."""
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]")
_GAME = "p4c10n"
_OBJECTIVE = "last"


class JobsFileError(EngineError, ValueError):
    """A file that cannot be read, or a line that is no job."""


@dataclass(frozen=True)
class Job:
    """A job as its line states it."""

    state: str
    """`SOLVE`, `TAKEN`, `FAILED`, or `DONE` with the value."""
    question: Question
    beta: int | None
    """The value is wanted if it is below this; None: in any case."""
    text: str
    """The line without state and comment."""

    @classmethod
    def parse(cls, text: str) -> Job:
        """Read a line; raise `JobsFileError` if it is not of the form."""
        text = text.rstrip("\r")
        if _CONTROL.search(text):
            raise JobsFileError("it has control characters")
        state = _STATE.match(text)
        if state is None:
            raise JobsFileError(
                f"it begins with {SOLVE}, {TAKEN}, {FAILED} or {DONE} and the value, and turns"
            )
        body = text[state.end() :].partition("#")[0].strip()
        try:
            question, beta = _fields(body.split())
        except ValueError as error:
            raise JobsFileError(str(error)) from None
        return cls(" ".join(state[1].split()), question, beta, body)

    @property
    def is_open(self) -> bool:
        """Whether it is still to be solved."""
        return self.state in (SOLVE, TAKEN)

    @property
    def budget(self) -> int:
        """The largest value that is wanted."""
        return INFINITE - 1 if self.beta is None else self.beta - 1

    def is_same(self, other: Job) -> bool:
        """Return whether two lines are the same job, in whatever state."""
        return (self.question, self.beta) == (other.question, other.beta)

    def state_after(self, bounds: Bounds) -> str:
        """Return the state of the job once bounds of its question are proved."""
        if bounds.lower >= INFINITE:
            return f"{DONE} impossible"
        if bounds.lower > self.budget:
            return f"{DONE} >={self.beta}"
        return f"{DONE} {bounds.lower}" if bounds.exact else TAKEN


def read_jobs(path: Path) -> list[Job]:
    """Read a file of jobs and comments.

    Raises `JobsFileError` with the number of the first invalid line, or if it can't be read.
    """
    jobs = []
    for number, text in enumerate(_lines(path), start=1):
        if text.partition("#")[0].strip():
            try:
                jobs.append(Job.parse(text))
            except JobsFileError as error:
                raise JobsFileError(
                    f"{path}, line {number}: {text.strip()[:80]!r} is no job: {error}; correct "
                    "the line, or put # before it"
                ) from None
    return jobs


def write_state(path: Path, job: Job, state: str) -> None:
    """Write the state of a job into its line, with the rest of the file as it is now.

    The file is written at once or not at all.  Errors are those of `read_jobs`, and `OSError`.
    """
    lines = _lines(path)
    for place, text in enumerate(lines):
        if text.partition("#")[0].strip() and Job.parse(text).is_same(job):
            lines[place] = _STATE.sub(state, text, count=1)
    write_whole(path, "\n".join(lines))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise JobsFileError(f"cannot read {path}: {reason}") from None


def _fields(words: list[str]) -> tuple[Question, int | None]:
    """Read what follows the state: turns, depthCount, mde and beta, then the options."""
    if len(words) < 4:
        raise JobsFileError("after the state come turns, depthCount, mde and beta")
    turns, depth, mde, beta, *named = words
    options = dict(word.split("=", 1) for word in named if "=" in word)
    if len(options) < len(named) or not options.keys() <= {"rules", "objective"}:
        raise JobsFileError(f"after beta come rules=... and objective=... only, not {named}")
    rules = Rules.parse(options.get("rules", _GAME))
    history = _history(rules, turns)
    question = Question.of(rules, history, options.get("objective", _OBJECTIVE), _number(depth))
    question.consistent().weights()
    after = _number(mde)
    last = question.max_turns
    if after is not None and last is not None and after < last - 2:
        question = replace(question, mde=after)
    return question, _number(beta)


def _number(word: str) -> int | None:
    if word == "-":
        return None
    if not (word.isascii() and word.isdigit()):
        raise JobsFileError(f"{word[:20]!r} is no number from 0 on, nor -")
    if len(word) > _DIGITS:
        raise JobsFileError(f"{word[:20]}... is too large")
    return int(word)


def _history(rules: Rules, text: str) -> History:
    if text == "start":
        return History(rules)
    history = []
    for word in text.split("+"):
        match = _TURN.fullmatch(word)
        if match is None:
            raise JobsFileError(f"{word!r} is no turn such as 0123(0,1)")
        answer = rules.answer_index(int(match[2]), int(match[3]))
        history.append((rules.parse_code(match[1]), answer))
    return History(rules, tuple(history))


# -- the run ---------------------------------------------------------------------------------------


@dataclass
class JobsRun:
    """The result of a run."""

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
            bounds = search.value(position, budget=job.budget, progress=report, timer=timer)
        else:
            bounds = tighten(
                search,
                tree_of(search, history),
                budget=job.budget,
                start=proven.bounds,
                timer=timer,
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
