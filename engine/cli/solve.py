"""``bullscows solve``: the least cost of a game or of a position, proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli.options import CLAIM_FAILS, INTERRUPTED, AsJson, RulesText, Threads, emit
from engine.cli.progress import search_shown
from engine.game.history import parse_history
from engine.game.responses import ResponseTable
from engine.game.rules import Rules

if TYPE_CHECKING:
    from engine.search.solver import Solution


def solve(
    rules: RulesText,
    objective: Annotated[
        str,
        typer.Option(help="average, last, movers, worst, or several with commas; or weights:..."),
    ] = "average",
    max_turns: Annotated[int | None, typer.Option(help="The last allowed turn.")] = None,
    first: Annotated[str | None, typer.Option(help="Consider this next guess only.")] = None,
    history: Annotated[str, typer.Option(help='Turns so far, as in "0123:0.1 1245:0.2".')] = "",
    jobs: Threads = 1,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds.")] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the least cost of a game or of a position; 1 if no strategy exists.

    Value is what the strongest criterion attains, levels what each does, from strongest to
    weakest.  When a time limit or Ctrl-C ends the search, the bounds proven by then are printed.
    """
    from engine.search.solver import solve as search

    game = Rules.parse(rules)
    with search_shown(game, f"{rules} {objective}") as tell:
        solution = search(
            ResponseTable.of(game),
            objective,
            history=parse_history(game, history),
            first=None if first is None else game.parse_code(first),
            max_turns=max_turns,
            jobs=jobs,
            progress=tell,
            time_limit=time_limit,
        )
    value = solution_record(game, solution)
    emit(value, solution_lines(value), as_json)
    if solution.feasible is False:
        raise typer.Exit(CLAIM_FAILS)
    if solution.interrupted and not solution.optimal:
        raise typer.Exit(INTERRUPTED)


def solution_record(rules: Rules, solution: Solution) -> dict[str, Any]:
    """Return what the search found as JSON-ready values.

    ``value`` is what the strongest criterion attains; ``levels`` names all of them.  Without a
    proof both are null, and ``bounds`` has the proven ones for the combined cost.
    """
    record: dict[str, Any] = {
        "rules": str(rules),
        "objective": str(solution.objective),
        "max_turns": solution.max_turns,
        "value": None,
        "levels": None,
        "guess": None if solution.guess is None else rules.text(solution.guess),
        "secrets": solution.secrets,
        "total": None,
        "depth": None,
        "turns": None,
        "optimal": solution.optimal,
        "feasible": solution.feasible,
        "nodes": solution.statistics.nodes,
        "seconds": round(solution.seconds, 3),
        "statistics": solution.statistics.counts,
    }
    if solution.optimal:
        tree = solution.tree()
        levels = solution.levels
        record |= {
            "value": next(iter(levels.values())),
            "levels": levels,
            "total": tree.total,
            "depth": tree.depth,
            "turns": list(tree.histogram),
        }
    elif solution.feasible is not False:
        record["bounds"] = [solution.lower, solution.upper]
    return record


def solution_lines(record: dict[str, Any]) -> list[str]:
    """Return the record of a solution as sentences."""
    name = f"{record['rules']}, {record['objective']}"
    if record["max_turns"] is not None:
        name += f", at most {record['max_turns']} turns"
    spent = f"{record['nodes']} nodes, {record['seconds']} s"
    if record["feasible"] is False:
        return [f"{name}: no strategy guesses every secret in time: proven ({spent})"]
    if not record["optimal"]:
        lower, upper = record["bounds"]
        known = "no strategy found yet" if upper is None else f"at most {upper}"
        return [f"{name}: not finished: at least {lower}, {known} ({spent})"]
    levels = ", ".join(f"{level} {cost}" for level, cost in record["levels"].items())
    turns = "/".join(map(str, record["turns"]))
    return [
        f"{name}: {levels}: proven optimal ({spent})",
        f"guess {record['guess']}; {record['secrets']} secrets, total {record['total']}, "
        f"turns {turns}",
    ]
