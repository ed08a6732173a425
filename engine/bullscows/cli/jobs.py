"""Long searches: ``bullscows jobs`` runs them from a file, ``estimate`` predicts their work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bullscows.cli import options as opt
from bullscows.errors import counted
from bullscows.game.notation import read_history
from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.search.position import Progress

if TYPE_CHECKING:
    from bullscows.search.estimate import Estimate
    from bullscows.strategies.jobs import Job

jobs_group = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Long searches from a file, in their order.",
)


@jobs_group.callback()
def _group() -> None:
    """Make a group of the only command."""


@jobs_group.command("run")
@opt.command
def run_jobs(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File with a job in each line.")],
    threads: opt.Threads = 1,
    cluster: opt.ClusterAddress = None,
    time_limit: opt.TimeLimit = None,
) -> opt.Outcome:
    """Solve the open jobs of a file and write their states into it.

    A line such as "solve 0123(0,1)+0145(0,1) 7 4 8" has the position, the last turn, mde (after
    turn 4 a one-step rule guesses; - is the exact search), and beta: the value is wanted if it is
    below 8. rules=p4c6r and objective=average,last can follow, and # starts a comment.

    The state becomes taken, then done with the value, or failed. The same command continues an
    interrupted run. The exit code is 1 if a job failed, 3 if the time limit left jobs open, and 130
    after Ctrl-C.
    """
    from bullscows.strategies.jobs import FAILED
    from bullscows.strategies.jobs import run_jobs as run

    with (
        opt.terminable(),
        opt.connected(cluster) as workers,
        opt.progress_shown("jobs", _line) as show,
    ):
        progress = None if show is None else lambda job, progress: show((job, progress))
        ended = run(
            file, threads=threads, cluster=workers, time_limit=time_limit, progress=progress
        )
    texts = [f"{job.state}: {job.text}" for job in ended.jobs]
    for question, reason in ended.reasons.items():
        typer.echo(f"bullscows: {question}: {reason}", err=True)
    left = sum(job.is_open for job in ended.jobs)
    failed = sum(job.state == FAILED for job in ended.jobs)
    record = {"done": len(texts) - left - failed, "failed": failed, "left": left, "jobs": texts}
    code = opt.CLAIM_FAILS if failed else opt.UNPROVED if left else opt.DONE
    return opt.Outcome(record, texts, code)


def _line(progressed: tuple[Job, Progress]) -> str:
    job, progress = progressed
    return f"{job.text}: {opt.search_line(job.question.text, progress)}"


# -- estimate --------------------------------------------------------------------------------------

_DOMINATED = 1 / 3
"""If one draw has this share of the sum, the standard error is unreliable."""


@opt.command
def estimate(
    rules: opt.RulesText,
    objective: Annotated[
        str, typer.Option(metavar="NAMES", help="Objective, as of bullscows solve.")
    ] = "average",
    max_turns: opt.MaxTurns = None,
    history: opt.Turns = "",
    upper: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=INFINITE - 1,
            metavar="N",
            help="Cost of a known strategy: estimate the proof that none costs less.",
            show_default="what a beam finds",
        ),
    ] = None,
    time_limit: Annotated[
        float,
        typer.Option(min=0.0, metavar="S", help="Seconds after which the estimate is printed."),
    ] = 60.0,
    draws: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Maximum number of draws.", show_default="no limit"),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the draws.")] = 1,
    slice_seconds: Annotated[
        float | None,
        typer.Option(
            "--slice",
            min=0.01,
            metavar="S",
            help="Seconds after which a search of a draw is split.",
            show_default="a tenth of the time limit, at most 5",
        ),
    ] = None,
) -> opt.Outcome:
    """Estimate the processor time of a proof, with its standard error.

    After the time limit or Ctrl-C the estimate from the finished draws is printed. The exit code is
    3 if no draw has finished.
    """
    from bullscows.search.estimate import estimate as estimated

    game = Rules.parse(rules)
    question = Question.of(game, read_history(game, history), objective, max_turns).consistent()
    found: list[Estimate] = []
    code = opt.DONE
    with opt.progress_shown(str(question), _short) as show:

        def note(known: Estimate) -> None:
            found.append(known)
            if show is not None:
                show(known)

        try:
            estimated(
                question,
                upper=upper,
                seconds=opt.timer(time_limit).share(),
                draws=draws,
                seed=seed,
                slice_seconds=slice_seconds or max(min(time_limit / 10, 5.0), 0.01),
                progress=note,
            )
        except KeyboardInterrupt:
            code = opt.INTERRUPTED
    if not found:
        late = f"no draw had finished after {time_limit:g} s: raise --time-limit"
        reason = "interrupted before the first draw had finished" if code else late
        typer.echo(f"bullscows: {reason}", err=True)
        raise typer.Exit(code or opt.UNPROVED)
    return _outcome(question, found[-1], seed, code)


def _outcome(question: Question, found: Estimate, seed: int, code: int) -> opt.Outcome:
    nodes, seconds = found.work.tolist()
    errors = [None, None] if found.error is None else found.error.tolist()
    record = {
        "question": str(question),
        "upper": found.upper if found.upper < INFINITE else None,
        "seed": seed,
        "draws": found.draws,
        "seconds": seconds,
        "seconds_error": errors[1],
        "nodes": nodes,
        "nodes_error": errors[0],
        "largest": found.largest,
    }
    less = "exists" if found.upper >= INFINITE else f"costs less than {found.upper}"
    where = " ".join([question.game, *question.history.texts])
    spread = "" if errors[0] is None else f" +- {errors[0]:,.0f}"
    lines = [
        f"{where}, {question.aim}: proof that no strategy {less}",
        f"{_short(found)} (seed {seed})",
        f"{nodes:,.0f} nodes{spread}",
    ]
    if found.draws > 1 and found.largest > _DOMINATED:
        lines.append(
            f"one draw is {found.largest:.0%} of the sum: the error may be far larger than stated; "
            "take more draws"
        )
    return opt.Outcome(record, lines, code)


def _short(found: Estimate) -> str:
    """Return one line: the time of the proof, its standard error and the number of draws."""
    error = "unknown" if found.error is None else _time(found.error[1])
    time = _time(found.work[1])
    draws = counted(found.draws, "draw")
    return f"{time} of processor time, standard error {error}, from {draws}"


def _time(seconds: float) -> str:
    for unit, name in ((3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.1f} {name}"
    return f"{seconds:.1f} s"
