"""``bullscows solve``: the least cost of a game or of a position, proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli.options import CLAIM_FAILS, INTERRUPTED, AsJson, RulesText, Threads, emit
from engine.cli.progress import search_shown
from engine.game.rules import Rules

if TYPE_CHECKING:
    from engine.search.solution import Solution


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
            game,
            objective,
            history=history,
            first=first,
            max_turns=max_turns,
            jobs=jobs,
            progress=tell,
            time_limit=time_limit,
        )
    value = solution_record(game, solution)
    emit(value, solution_lines(solution, value), as_json)
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
        "guess": solution.guess_text,
        "secrets": solution.secrets,
        "total": None,
        "depth": None,
        "turns": None,
        "optimal": solution.optimal,
        "feasible": solution.feasible,
        "nodes": solution.counters.nodes,
        "seconds": round(solution.seconds, 3),
        "statistics": solution.counters.counts,
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


def solution_lines(solution: Solution, record: dict[str, Any]) -> list[str]:
    """Return a solution and its record as sentences."""
    lines = [f"{solution.claim} ({record['nodes']} nodes, {record['seconds']} s)"]
    if solution.optimal:
        turns = "/".join(map(str, record["turns"]))
        lines.append(
            f"guess {record['guess']}; {record['secrets']} secrets, total {record['total']}, "
            f"turns {turns}"
        )
    return lines
