"""``bullscows solve``: the least cost of a game or of a position, proved; or of many in a batch."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from bullscows.cli.answer import Asked, answered, rechecked
from bullscows.cli.batch import batch
from bullscows.cli.options import (
    DONE,
    RULES_HELP,
    AsJson,
    NextGuess,
    Threads,
    TimeLimit,
    Turns,
    emit,
    terminable,
)


def solve(
    rules: Annotated[
        str, typer.Argument(metavar="RULES", help=RULES_HELP, show_default=False)
    ] = "",
    objective: Annotated[
        str,
        typer.Option(
            help="average, last, movers, worst, from:K, or several with commas; or weights:..."
        ),
    ] = "average",
    max_turns: Annotated[int | None, typer.Option(help="The last allowed turn.")] = None,
    guess: NextGuess = None,
    evaluate: Annotated[
        str, typer.Option(help="Evaluate these guesses as well, for example 0987,1456.")
    ] = "",
    candidates_only: Annotated[
        bool, typer.Option("--candidates-only", help="Each guess must be a candidate.")
    ] = False,
    history: Turns = "",
    threads: Threads = 1,
    time_limit: TimeLimit = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            help="Continue from this file of proven bounds, and keep it up to date.",
            show_default=False,
        ),
    ] = None,
    known: Annotated[
        str | None,
        typer.Option(
            help="With a checkpoint: start from what this tree costs.", show_default=False
        ),
    ] = None,
    recheck: Annotated[
        int | None,
        typer.Option(min=1, help="Only search N random positions of the checkpoint again."),
    ] = None,
    is_batch: Annotated[
        bool,
        typer.Option("--batch", help="Read positions as JSON lines, and write answers so."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Prove the least cost of a game or of a position.

    Exits with 1 if no strategy exists or no code fits the history, with 3 if the time limit ends
    the search before the proof.

    Besides codes there is the game of one place, where the answer is smaller, equal or greater:
    number:16 has the numbers 0 to 15, and its history is written "7:> 11:<".

    Value is the cost by the strongest criterion, levels the cost by each, from strongest to
    weakest.  Total, mean and distribution count turns from the first turn of the game.  When a time
    limit or Ctrl-C ends the search, the bounds proven by then are printed.
    The evaluations together get the time limit a second time.

    A checkpoint holds the proven bounds of the positions that took longest. The search writes it
    every five minutes at least, and when it ends, also by Ctrl-C or SIGTERM (exit code 130); the
    same command continues from it, on any machine. --recheck tests the bounds in a file: 1 if one
    is wrong.

    With --batch each line of standard input is a JSON object whose keys are the arguments and
    options here, as in {"rules": "p4c10n", "history": "0123:0.1"}; what a line leaves out, the
    command line says. One line answers each at once: the object of --json, or {"error": ...}.
    """
    asked = Asked(
        rules,
        objective,
        max_turns,
        guess,
        evaluate,
        candidates_only,
        history,
        threads,
        time_limit,
        checkpoint,
        known,
    )
    if checkpoint is None and (known is not None or recheck is not None):
        raise typer.BadParameter("--known and --recheck need a --checkpoint")
    if is_batch and checkpoint is not None:
        raise typer.BadParameter("a checkpoint belongs to one question, not to a batch")
    if is_batch:
        raise typer.Exit(batch(asked))
    if not rules:
        raise typer.BadParameter("say which game, as in p4c10n", param_hint="RULES")
    with terminable() if checkpoint else nullcontext():
        answer = answered(asked) if recheck is None else rechecked(asked, recheck)
    emit(answer.record, answer.lines, as_json)
    if answer.code != DONE:
        raise typer.Exit(answer.code)
