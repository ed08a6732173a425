"""``bullscows front``: the Pareto front of two criteria, proved."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import CLAIM_FAILS, AsJson, RulesText, emit
from engine.cli.progress import text_shown


def front(
    rules: RulesText,
    objective: Annotated[
        str, typer.Option(help="Two of average, last and the like, with a comma.")
    ] = "average,last",
    max_turns: Annotated[int | None, typer.Option(help="The last allowed turn.")] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the Pareto front of two criteria: all costs that no strategy betters in both."""
    from engine.search.fronts import pareto_front

    with text_shown(f"{rules} {objective}") as tell:
        points = pareto_front(rules, objective, max_turns=max_turns, progress=tell)
    value = {
        "rules": rules,
        "objective": objective,
        "max_turns": max_turns,
        "points": [list(point) for point in points],
    }
    lines = [f"{point.first} {point.second}" for point in points]
    emit(value, lines or ["no strategy guesses every secret in time: proven"], as_json)
    if not points:
        raise typer.Exit(CLAIM_FAILS)
