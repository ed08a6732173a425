"""``bullscows solve``: the least cost of a game or of a position, proved; or of many in a batch."""

from __future__ import annotations

from typing import Annotated

import typer

from bullscows.cli.answer import Asked, answered
from bullscows.cli.batch import batch
from bullscows.cli.options import DONE, AsJson, Threads, emit


def solve(
    rules: Annotated[
        str,
        typer.Argument(
            metavar="RULES", help="A game, as in p4c10n; z for n: no leading 0.", show_default=False
        ),
    ] = "",
    objective: Annotated[
        str,
        typer.Option(help="average, last, movers, worst, or several with commas; or weights:..."),
    ] = "average",
    max_turns: Annotated[int | None, typer.Option(help="The last allowed turn.")] = None,
    first: Annotated[str | None, typer.Option(help="Consider this next guess only.")] = None,
    price: Annotated[
        str, typer.Option(help="Say what these guesses cost as well, as in 0987,1456.")
    ] = "",
    candidates_only: Annotated[
        bool, typer.Option("--candidates-only", help="Each guess must be a candidate.")
    ] = False,
    history: Annotated[str, typer.Option(help='Turns so far, as in "0123:0.1 1245:0.2".')] = "",
    jobs: Threads = 1,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds.")] = None,
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
    Prices have the time limit once more, for all of them together.

    With --batch each line of standard input is a JSON object whose keys are the arguments and
    options here, as in {"rules": "p4c10n", "history": "0123:0.1"}; what a line leaves out, the
    command line says. One line answers each at once: the object of --json, or {"error": ...}.
    """
    asked = Asked(
        rules, objective, max_turns, first, price, candidates_only, history, jobs, time_limit
    )
    if is_batch:
        raise typer.Exit(batch(asked))
    if not rules:
        raise typer.BadParameter("say which game, as in p4c10n", param_hint="RULES")
    answer = answered(asked)
    emit(answer.record, answer.lines, as_json)
    if answer.code != DONE:
        raise typer.Exit(answer.code)
