"""``bullscows jobs estimate``: what a proof would cost, from random tasks of it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bullscows.cli.options import (
    INTERRUPTED,
    UNPROVED,
    AsJson,
    Cluster,
    Nice,
    emit,
    started_pool,
)
from bullscows.cli.progress import text_shown
from bullscows.errors import EngineError
from bullscows.game.history import InconsistentError
from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.game.responses import table_bytes
from bullscows.jobs.store.lines import Line

if TYPE_CHECKING:
    from bullscows.jobs.estimate.estimate import Estimate, Proof

_DOMINATED = 1 / 3
"""A draw with such a share of the sum makes the error doubtful."""

_MINUTE, _HOUR = 60.0, 3600.0


def estimate(
    proof: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help='What to prove: "p5c8n average", with the last turn and answers if need be, '
            'as in "p4c10n average,last 7 0123:0.1"; or a line of a job, "solve ...".',
        ),
    ],
    time_limit: Annotated[
        float, typer.Option(min=0.0, help="Seconds after which the estimate is printed.")
    ] = 60.0,
    draws: Annotated[
        int | None, typer.Option(min=1, help="Draws at most.", show_default="as time allows")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the draws: the same seed, the same draws.")] = 1,
    upper: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=INFINITE - 1,
            help="Cost of a known strategy: estimate the proof that none costs less.",
            show_default="what a beam finds",
        ),
    ] = None,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Worker processes.")] = 1,
    cluster: Cluster = None,
    nice: Nice = 10,
    slice_seconds: Annotated[
        float | None,
        typer.Option(
            "--slice",
            min=0.01,
            help="Seconds of the processor after which a task of a draw is split.",
            show_default="a tenth of the time, at most 5",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Predict the processor time of a proof, with its error.

    When the time is over, or at Ctrl-C, the estimate from the draws made by then is printed. Draws
    under way are left out. Exits with 3 if no draw has ended.
    """
    started = time.monotonic()
    from bullscows.jobs.estimate.estimate import Proof
    from bullscows.jobs.estimate.estimate import estimate as estimated

    question, limit = _asked(proof)
    longest = slice_seconds or max(min(time_limit / 10, 5.0), 0.01)
    wanted = Proof(str(question), upper or limit, seed, slice_seconds=longest)
    with started_pool(processes, cluster, nice) as pool, text_shown(proof) as tell:
        if tell is not None:
            tell("the first draw is under way")
        progress = None if tell is None else lambda known: tell(_short(known))
        left = max(time_limit - (time.monotonic() - started), 0.0)
        found = estimated(wanted, pool, seconds=left, draws=draws, progress=progress)
    if found is None:
        is_over = time.monotonic() - started >= time_limit
        reason = f"no draw had ended after {time_limit:g} s: raise --time-limit"
        typer.echo(
            f"bullscows: {reason if is_over else 'interrupted before the first draw had ended'}",
            err=True,
        )
        raise typer.Exit(UNPROVED if is_over else INTERRUPTED)
    emit(_values(wanted, found), _sentences(wanted, found), as_json)
    if found.is_interrupted:
        raise typer.Exit(INTERRUPTED)


def _asked(text: str) -> tuple[Question, int | None]:
    """Return the question, and the cost below which a job's line wants its value."""
    try:
        if text.split(" ")[0] in ("solve", "taken", "done", "failed"):
            line = Line.parse(text)
            question, upper = line.question, line.beta
        else:
            question, upper = _question(text), None
        table_bytes(question.rules, question.rules.size)
        if question.first is not None:
            raise typer.BadParameter("it is estimated for all first guesses: name none")
        left = len(question.candidates)
    except (EngineError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    if not left:
        raise InconsistentError(question.history, question.rules)
    return question, upper


def _question(text: str) -> Question:
    """Read a question; objective and last turn may be left out at the end."""
    words = text.split()
    if not words:
        raise typer.BadParameter('name a game, as in "p5c8n average"')
    words += ["average", "-"][len(words) - 1 :]
    if words[2] != "-" and not (words[2].isascii() and words[2].isdigit()):
        raise typer.BadParameter(
            f"{words[2]!r} is no last turn; it comes before the answers, - for none"
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


def _finite(upper: int) -> int | None:
    return upper if upper < INFINITE else None


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
            f"one draw is {found.largest:.0%} of the sum: the error may be far larger than said; "
            "take more draws"
        )
    if found.left_out:
        lines.append(
            f"draws under way when the time was over and left out: {found.left_out}; the estimate "
            "may be too small"
        )
    return lines


def _short(found: Estimate) -> str:
    """Return one line: the time of the proof, its error, and from how many draws."""
    error = "unknown" if found.error is None else _time(found.error.seconds)
    plural = "" if found.draws == 1 else "s"
    line = (
        f"{_time(found.work.seconds)} of processor time, standard error {error}, "
        f"from {found.draws} draw{plural}"
    )
    return line + (f", {found.seconds_left:.0f} s left" if found.seconds_left else "")


def _time(seconds: float) -> str:
    for unit, name in ((_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.1f} {name}"
    return f"{seconds:.1f} s"
