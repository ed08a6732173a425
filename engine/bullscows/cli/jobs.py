"""``bullscows jobs``: long searches as a persistent queue, and the cost of a proof, estimated."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bullscows.cli import options as opt
from bullscows.errors import EngineError, counted
from bullscows.game.history import InconsistentError
from bullscows.game.objective import INFINITE, ObjectiveError, split_levels
from bullscows.game.question import Question
from bullscows.game.responses import table_bytes
from bullscows.jobs.pools import Pool
from bullscows.jobs.store.lines import Line, Overview, first_bounds, listed, parse_lines, state_of
from bullscows.jobs.store.store import Store, Task

if TYPE_CHECKING:
    from bullscows.jobs.estimate import Estimate, Proof

_WATCH_SECONDS = 5.0

jobs_group = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Long searches as a queue of jobs that survives crashes and restarts.",
)


@jobs_group.command()
@opt.command
def add(
    lines: Annotated[
        list[str] | None, typer.Argument(metavar="LINE", help="Jobs, one per argument.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", "-f", metavar="FILE", help="File of such lines; - for standard input."
        ),
    ] = None,
    store: opt.StoreFile = None,
) -> opt.Outcome:
    """Add jobs to the queue, for example "solve 0123(0,1)+0145(0,1) 7 4 8".

    A line has the position, the last turn (7: secrets found at turn 7 are counted), mde, and beta:
    the value is wanted if it is below beta, otherwise a proof that it is not. With mde 4 a one-step
    rule guesses at turn 5, like the paper's crush5; - is the exact search. "#" starts a comment;
    rules=p4c6r and objective=average,last can precede it.
    """
    given = [line for text in lines or [] for line in text.splitlines()]
    jobs = list(parse_lines([*given, *_read(file)]))
    if not jobs:
        raise opt.UsageError("LINE is missing: write a job, or use --file FILE")
    for job in jobs:
        _check_consistent(job.question)
    with Store.open(store or opt.default_store()) as opened:
        added = sum(opened.add_job(str(job.question), job.budget, job.text()) for job in jobs)
    return opt.Outcome({"added": added, "known": len(jobs) - added}, [f"{added} added"])


def _check_consistent(question: Question) -> None:
    if not len(question.candidates):
        raise InconsistentError(question.history, question.rules)


def _known(store: Path | None) -> Path:
    """Return the path of the store, which must exist if it is given."""
    if store is not None and not store.exists():
        raise opt.UsageError(f"--store: there is no file {store}; `bullscows jobs add` creates one")
    return store or opt.default_store()


def _read(file: Path | None) -> list[str]:
    if file is None:
        return []
    if str(file) == "-":
        return sys.stdin.read().splitlines()
    try:
        return file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise opt.UsageError(f"--file: cannot read {file}: {reason}") from None


@jobs_group.command("list")
@opt.command
def list_jobs(store: opt.StoreFile = None) -> opt.Outcome:
    """List the jobs, each as a line with its state: solve, taken, done VALUE or failed."""
    with Store.open(_known(store)) as opened:
        known = listed(opened)
    rows = [
        {
            "job": line.text(state_of(line, task)),
            "question": str(line.question),
            "state": state_of(line, task).split()[0],
            "lower": _finite(task.lower) if task else None,
            "upper": _finite(task.upper) if task else None,
            "levels": _levels(line, task),
            "reason": task.reason if task else None,
        }
        for line, task in known
    ]
    return opt.Outcome({"jobs": rows}, [str(row["job"]) for row in rows])


def _finite(bound: int | None) -> int | None:
    """Return a bound, or None if there is none or the position cannot be won in time."""
    return bound if bound is not None and bound < INFINITE else None


def _levels(line: Line, task: Task | None) -> dict[str, int] | None:
    """Return the cost of each criterion, if the value is proved."""
    if task is None or not task.exact or task.lower >= INFINITE:
        return None
    question = line.question
    answers = len(question.rules.answers)
    return split_levels(question.weights(), task.lower, task.estimate, answers, question.turn)


@jobs_group.command("run")
@opt.command
def run_jobs(
    processes: opt.Processes = None,
    cluster: opt.Cluster = None,
    nice: opt.Nice = 10,
    seconds: opt.Slice = 5.0,
    watch: Annotated[bool, typer.Option(help="Wait for more jobs when all are done.")] = False,
    store: opt.StoreFile = None,
) -> opt.Outcome:
    """Run the queued jobs, longest tasks first.

    Ctrl-C keeps finished tasks. The exit code is 1 if a job failed.
    """
    with Store.open(store or opt.default_store()) as opened:
        with opt.started_pool(processes, cluster, nice) as pool:
            _run_queue(opened, pool, seconds)
            while watch:
                time.sleep(_WATCH_SECONDS)
                _run_queue(opened, pool, seconds)
        known = listed(opened)
    states = [state_of(line, task) for line, task in known]
    texts = [line.text(state) for (line, _), state in zip(known, states, strict=True)]
    done = sum(state.startswith("done") for state in states)
    record = {"done": done, "left": len(states) - done, "jobs": texts}
    return opt.Outcome(record, texts, opt.CLAIM_FAILS if done < len(states) else opt.DONE)


def _run_queue(store: Store, pool: Pool, seconds: float) -> None:
    """Run the open jobs, then those added in the meantime, until there are no new ones."""
    from bullscows.jobs.coordinator import run
    from bullscows.jobs.plan import Plan

    begun: set[Line] = set()
    while lines := [line for line in _open(store) if line not in begun]:
        begun.update(lines)
        plans = []
        for line in lines:
            # one task answers a position, and a hybrid is a single search
            is_whole = line.question.history or line.question.mde is not None
            plans.append(Plan(line.question, budget=line.budget, plies=0 if is_whole else 1))
        with opt.progress_shown("jobs", opt.tasks_line) as show:
            run(plans, store, pool, slice_seconds=seconds, progress=show)


def _open(store: Store) -> list[Line]:
    ended = ("done", "failed")
    return [line for line, task in listed(store) if not state_of(line, task).startswith(ended)]


@jobs_group.command()
@opt.command
def status(store: opt.StoreFile = None) -> opt.Outcome:
    """Count the tasks by state, and show the proven bounds of each open job.

    A job that has not started counts as one waiting task.
    """
    path = _known(store)
    with Store.open(path) as opened:
        overview = Overview.of(opened)
    counts = overview.counts
    seconds = overview.seconds
    left = overview.left
    texts = [f"{path}: " + ", ".join(f"{count} {state}" for state, count in counts.items())]
    rate = f", {overview.rate:.1f} tasks per minute of processor time" if overview.rate else ""
    texts.append(f"{seconds} seconds of processor time stored{rate}")
    if left:
        texts.append(f"about {left:.0f} seconds of known work left; it may create more")
    jobs = [_open_job(line, task) for line, task in overview.open]
    texts += jobs
    texts += [f"failed: {task.question}: {task.reason}" for task in overview.failed]
    record = {"store": str(path), **counts, "seconds": seconds, "left": left, "jobs": jobs}
    return opt.Outcome(record, texts)


def _open_job(line: Line, task: Task | None) -> str:
    """Return an open job as a line, with its state or proven bounds."""
    if task is None:
        return f"{line.text('solve')}: not started"
    bounds = first_bounds(line, task)
    upper = "unknown" if bounds.upper is None else f"at most {bounds.upper}"
    return f"{line.text('solve')}: at least {bounds.lower}, {upper}"


@jobs_group.command()
@opt.command
def retry(store: opt.StoreFile = None) -> opt.Outcome:
    """Queue failed tasks again."""
    with Store.open(_known(store)) as opened:
        count = opened.retry()
    return opt.Outcome({"retried": count}, [f"{counted(count, 'failed task')} queued again"])


# -- estimate --------------------------------------------------------------------------------------

_DOMINATED = 1 / 3
"""If one draw has this share of the sum, the standard error is unreliable."""


@jobs_group.command()
@opt.command
def estimate(
    proof: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help='The claim to prove, for example "p5c8n average", with last turn and turns '
            '"p4c10n average,last 7 0123:0.1", or a line of a job, "solve ...".',
        ),
    ],
    time_limit: Annotated[
        float,
        typer.Option(min=0.0, metavar="S", help="Seconds after which the estimate is printed."),
    ] = 60.0,
    draws: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Maximum number of draws.", show_default="no limit"),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the draws.")] = 1,
    upper: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Cost of a known strategy: estimate the proof that none costs less.",
            show_default="what a beam finds",
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=256, metavar="N", help="Worker processes.")
    ] = 1,
    cluster: opt.Cluster = None,
    nice: opt.Nice = 10,
    slice_seconds: Annotated[
        float | None,
        typer.Option(
            "--slice",
            min=0.01,
            metavar="S",
            help="Seconds of processor time after which a task of a draw is split.",
            show_default="a tenth of the time limit, at most 5",
        ),
    ] = None,
) -> opt.Outcome:
    """Estimate the processor time of a proof, with its standard error.

    After the time limit or Ctrl-C the estimate from the finished draws is printed. The exit code
    is 3 if no draw has finished.
    """
    if upper is not None and upper >= INFINITE:
        raise opt.UsageError(f"--upper must be below {INFINITE}, not {upper}")
    started = time.monotonic()
    from bullscows.jobs.estimate import Proof
    from bullscows.jobs.estimate import estimate as estimated

    question, limit = _asked(proof)
    longest = slice_seconds or max(min(time_limit / 10, 5.0), 0.01)
    wanted = Proof(str(question), upper or limit, seed, slice_seconds=longest)
    with (
        opt.started_pool(processes, cluster, nice) as pool,
        opt.progress_shown(proof, quiet=0) as show,
    ):
        if show is not None:
            show("the first draw is running")
        progress = None if show is None else lambda known: show(_short(known))
        left = max(time_limit - (time.monotonic() - started), 0.0)
        found = estimated(wanted, pool, seconds=left, draws=draws, progress=progress)
    if found is None:
        is_over = time.monotonic() - started >= time_limit
        over = f"no draw had finished after {time_limit:g} s: raise --time-limit"
        reason = over if is_over else "interrupted before the first draw had finished"
        typer.echo(f"bullscows: {reason}", err=True)
        raise typer.Exit(opt.UNPROVED if is_over else opt.INTERRUPTED)
    code = opt.INTERRUPTED if found.is_interrupted else opt.DONE
    return opt.Outcome(_values(wanted, found), _sentences(wanted, found), code)


def _asked(text: str) -> tuple[Question, int | None]:
    """Return the question, and the cost below which the line of a job wants its value."""
    try:
        if text.split(" ")[0] in ("solve", "taken", "done", "failed"):
            line = Line.parse(text)
            question = line.question
            upper = line.beta
        else:
            question = _question(text)
            upper = None
        table_bytes(question.rules, question.rules.size)
    except ObjectiveError as error:
        said = str(error).replace("give max_turns", 'write it after the objective, "movers 5"')
        raise opt.UsageError(f"QUESTION: {said}") from None
    except (EngineError, ValueError) as error:
        raise opt.UsageError(f"QUESTION: {error}") from None
    if question.first is not None:
        raise opt.UsageError("QUESTION cannot name the next guess: leave it out")
    if question.mde is not None:
        raise opt.UsageError("QUESTION cannot have mde: only exact searches are estimated")
    _check_consistent(question)
    return question, upper


def _question(text: str) -> Question:
    """Read a question; objective and last turn are optional."""
    words = text.split()
    if not words:
        raise opt.UsageError('write a game, for example "p5c8n average"')
    words += ["average", "-"][len(words) - 1 :]
    if words[2] != "-" and not (words[2].isascii() and words[2].isdigit()):
        raise opt.UsageError(
            f"{words[2]!r} is not a last turn; it precedes the turns, with - for no limit"
        )
    return Question.parse(" ".join(words))


def _values(proof: Proof, found: Estimate) -> dict[str, Any]:
    error = found.error
    return {
        "question": proof.question,
        "upper": _finite(found.upper),
        "seed": proof.seed,
        "draws": found.draws,
        "seconds": found.work.seconds,
        "seconds_error": None if error is None else error.seconds,
        "nodes": found.work.nodes,
        "nodes_error": None if error is None else error.nodes,
        "largest": found.largest,
        "spent": round(found.spent, 3),
        "left_out": found.left_out,
        "interrupted": found.is_interrupted,
    }


def _sentences(proof: Proof, found: Estimate) -> list[str]:
    less = "exists" if found.upper >= INFINITE else f"costs less than {found.upper}"
    lines = [
        f"{proof.question}: proof that no strategy {less}",
        f"{_short(replace(found, seconds_left=0.0))} (seed {proof.seed})",
        f"{found.work.nodes:,.0f} nodes"
        + ("" if found.error is None else f" +- {found.error.nodes:,.0f}"),
    ]
    if found.draws > 1 and found.largest > _DOMINATED:
        lines.append(
            f"one draw is {found.largest:.0%} of the sum: the error may be far larger than stated; "
            "take more draws"
        )
    if found.left_out:
        lines.append(f"unfinished draws left out: {found.left_out}; the estimate may be too small")
    return lines


def _short(found: Estimate) -> str:
    """Return one line: the time of the proof, its standard error and the number of draws."""
    error = "unknown" if found.error is None else _time(found.error.seconds)
    line = (
        f"{_time(found.work.seconds)} of processor time, standard error {error}, "
        f"from {counted(found.draws, 'draw')}"
    )
    return line + (f", {found.seconds_left:.0f} s left" if found.seconds_left else "")


def _time(seconds: float) -> str:
    for unit, name in ((3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.1f} {name}"
    return f"{seconds:.1f} s"
