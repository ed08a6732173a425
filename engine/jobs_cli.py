"""The commands ``bullscows jobs ...``: a list of questions that is worked off whatever happens."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine import treefile
from engine.bounds import cheapest
from engine.catalogue import TreeSpec, default_folder, spec
from engine.joblines import JobLineError, Line, parse_lines, state_of
from engine.objective import INFINITE
from engine.pools import ClusterPool, LocalPool, Pool
from engine.questions import Question
from engine.rules import Rules
from engine.store import DONE, FAILED, TAKEN, WAITING, Store, Task

if TYPE_CHECKING:
    from engine.jobs import Progress

CLAIM_FAILS = 1
_WATCH_SECONDS = 5.0

jobs_commands = typer.Typer(
    no_args_is_help=True,
    help="Long searches as a list of tasks that survives crashes and restarts.",
)

StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="File of the store.", show_default="$BULLSCOWS_JOBS, else yours"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Processes = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="Processes.", show_default="all cores")
]
Cluster = Annotated[
    str | None, typer.Option(help="Address of a Dask scheduler, as in tcp://host:8786.")
]
Nice = Annotated[int, typer.Option(min=0, max=19, help="How low the priority is.")]
Slice = Annotated[
    float, typer.Option("--slice", min=0.01, help="Seconds for a task before it is split.")
]


def default_store() -> Path:
    """Return the store that BULLSCOWS_JOBS names, else the one in the user's state folder."""
    named = os.environ.get("BULLSCOWS_JOBS")
    if named:
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "bullscows" / "jobs.sqlite"


@jobs_commands.command()
def add(
    lines: Annotated[
        list[str] | None, typer.Argument(metavar="[LINE...]", help="Jobs, one an argument.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="A file of such lines; - for input.")
    ] = None,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """Put jobs on the list, such as "solve 0123(0,1)+0145(0,1) 7 4 8".

    State, turns, what to count (7: secrets guessed at turn 7), the paper's mde, and beta: the
    value is wanted if below beta, else a proof that it is not.  "#" begins a comment; rules=p4c6r
    and objective=average,last may come before it.
    """
    texts = list(lines or [])
    if file is not None:
        source = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
        texts += source.splitlines()
    jobs = _parsed(texts)
    if not jobs:
        raise typer.BadParameter("give a job or a file of jobs")
    with Store.open(store or default_store()) as opened:
        added = sum(opened.add_job(str(job.question), job.budget, job.text()) for job in jobs)
    for job in jobs:
        if job.is_stronger:
            typer.echo(
                f"solved exactly, which is stronger than mde {job.mde}: {job.text()}", err=True
            )
    _emit({"added": added, "known": len(jobs) - added}, [f"{added} added"], as_json)


def _parsed(texts: list[str]) -> list[Line]:
    try:
        jobs = list(parse_lines(texts))
    except JobLineError as error:
        raise typer.BadParameter(str(error)) from None
    for job in jobs:
        if not _candidates(job.question):
            raise typer.BadParameter(f"no secret gives these answers: {job.text()}")
    return jobs


def _candidates(question: Question) -> list[int]:
    """Return the secrets that are left; without the tables of a search, which need numba."""
    left = list(range(question.rules.size))
    for guess, answer in question.history:
        left = question.rules.partition(guess, left).get(answer, [])
    return left


@jobs_commands.command("list")
def list_jobs(store: StoreFile = None, as_json: AsJson = False) -> None:
    """Write the list as text, each job with its state: solve, taken, done VALUE or failed."""
    with Store.open(store or default_store()) as opened:
        listed = _listed(opened)
    rows = [
        {
            "job": line.text(state_of(line, task)),
            "question": str(line.question),
            "state": state_of(line, task).split()[0],
            "lower": task.lower if task else None,
            "upper": task.upper if task else None,
            "levels": _levels(line, task),
            "reason": task.reason if task else None,
        }
        for line, task in listed
    ]
    _emit({"jobs": rows}, [str(row["job"]) for row in rows], as_json)


def _listed(store: Store) -> list[tuple[Line, Task | None]]:
    lines = [Line.parse(job.line) for job in store.jobs()]
    return [(line, store.get(line.question.key)) for line in lines]


def _levels(line: Line, task: Task | None) -> dict[str, int] | None:
    """Take the value of a combined objective apart."""
    if task is None or not task.exact or task.lower >= INFINITE:
        return None
    question = line.question
    weights = question.weights()
    fan_out = max(len(question.rules.answers) - 1, 1)
    least = [
        cheapest(task.estimate, level.weights, fan_out, question.turn) for level in weights.levels
    ]
    return weights.split(task.lower, least)


@jobs_commands.command("run")
def run_jobs(
    jobs: Processes = None,
    cluster: Cluster = None,
    nice: Nice = 10,
    seconds: Slice = 5.0,
    watch: Annotated[bool, typer.Option(help="Wait for more jobs when all are done.")] = False,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """Work the list off, longest tasks first; Ctrl-C keeps what is done. 1 if a job failed."""
    with Store.open(store or default_store()) as opened:
        with _pool(jobs, cluster, nice) as pool:
            _work_off(opened, pool, seconds)
            while watch:
                time.sleep(_WATCH_SECONDS)
                _work_off(opened, pool, seconds)
        listed = _listed(opened)
    states = [state_of(line, task) for line, task in listed]
    texts = [line.text(state) for (line, _), state in zip(listed, states, strict=True)]
    done = sum(state.startswith("done") for state in states)
    _emit({"done": done, "left": len(states) - done, "jobs": texts}, texts, as_json)
    if done < len(states):
        raise typer.Exit(CLAIM_FAILS)


@jobs_commands.command()
def build(
    trees: Annotated[list[str], typer.Argument(metavar="TREE...", help="Shipped trees.")],
    jobs: Processes = None,
    cluster: Cluster = None,
    nice: Nice = 10,
    seconds: Slice = 5.0,
    folder: Annotated[Path | None, typer.Option("--trees", help="Folder to write to.")] = None,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """Make optimal trees by tasks of the store: interrupt it at will, and run it again.

    The files are those of "bullscows build", byte for byte.
    """
    from engine.jobs import JobFailedError

    specs = [spec(name) for name in trees]
    rows = []
    with Store.open(store or default_store()) as opened, _pool(jobs, cluster, nice) as pool:
        for entry in specs:
            if entry.proof != "exact":
                raise typer.BadParameter(f"{entry.name} follows a rule, and is no search")
            path = (folder or default_folder()) / f"{entry.name}.json"
            try:
                record = _built(entry, opened, pool, seconds)
            except JobFailedError as error:
                typer.echo(f"bullscows: {error}", err=True)
                raise typer.Exit(CLAIM_FAILS) from None
            treefile.write(path, record)
            rows.append({"tree": str(path), "total": record.total, "sha256": record.sha256})
    _emit({"trees": rows}, [f"{row['tree']}: total {row['total']}" for row in rows], as_json)


def _built(entry: TreeSpec, store: Store, pool: Pool, seconds: float) -> treefile.TreeRecord:
    from engine.jobs import optimal_tree

    question = Question(Rules.parse(entry.rules), entry.objective, entry.max_turns)
    with _shown() as show:
        tree = optimal_tree(question, store, pool, slice_seconds=seconds, progress=show)
    return treefile.TreeRecord.of(
        tree, objective=entry.objective, max_turns=entry.max_turns, proof=entry.proof
    )


@contextmanager
def _pool(jobs: int | None, cluster: str | None, nice: int) -> Iterator[Pool]:
    """Start workers, and end them however the block ends; SIGTERM ends it like Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    pool: Pool = ClusterPool(cluster) if cluster else LocalPool(jobs or _cores(), nice=nice)
    try:
        yield pool
    finally:
        pool.stop()
        signal.signal(signal.SIGTERM, before)


def _work_off(store: Store, pool: Pool, seconds: float) -> None:
    from engine.jobs import run
    from engine.plan import Plan

    plans = []
    for line, task in _listed(store):
        if not state_of(line, task).startswith(("done", "failed")):
            plies = 0 if line.question.history else 1
            plans.append(Plan(line.question, budget=line.budget, plies=plies))
    if plans:
        with _shown() as show:
            run(plans, store, pool, slice_seconds=seconds, progress=show)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _shown() -> Iterator[Any]:
    """Show progress on a terminal, on one line that is wiped in the end."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(progress: Progress) -> None:
        typer.echo(
            f"\r\x1b[K{progress.seconds:.0f} s: {progress.done} tasks done, "
            f"{progress.running} running, {progress.waiting} waiting",
            nl=False,
            err=True,
        )

    try:
        yield show
    finally:
        typer.echo("\r\x1b[K", nl=False, err=True)


@jobs_commands.command()
def status(store: StoreFile = None, as_json: AsJson = False) -> None:
    """Count the tasks by state, and show what is proven of each job that is not done."""
    path = store or default_store()
    with Store.open(path) as opened:
        tasks = opened.tasks()
        listed = _listed(opened)
    states = (WAITING, TAKEN, DONE, FAILED)
    counts = {state: sum(task.state == state for task in tasks) for state in states}
    seconds = round(sum(task.seconds for task in tasks), 3)
    texts = [f"{path}: " + ", ".join(f"{counts[state]} {state}" for state in states)]
    texts.append(f"{seconds} seconds of work kept")
    for line, task in listed:
        if task is not None and not task.settles(line.budget):
            upper = "unknown" if task.upper is None else f"at most {task.upper}"
            texts.append(f"{line.text('solve')}: at least {task.lower}, {upper}")
    texts += [f"failed: {task.question}: {task.reason}" for task in tasks if task.state == FAILED]
    _emit({"store": str(path), **counts, "seconds": seconds}, texts, as_json)


@jobs_commands.command()
def retry(store: StoreFile = None, as_json: AsJson = False) -> None:
    """Let failed tasks wait again."""
    with Store.open(store or default_store()) as opened:
        count = opened.retry()
    _emit({"retried": count}, [f"{count} failed tasks wait again"], as_json)


def _emit(value: dict[str, Any], lines: list[str], as_json: bool) -> None:
    for line in [json.dumps(value)] if as_json else lines:
        typer.echo(line)
