"""``bullscows nonadaptive``: guesses that are all made before any answer."""

from __future__ import annotations

from typing import Annotated

import typer

from bullscows.cli.options import INTERRUPTED, UNPROVED, AsJson, RulesText, emit
from bullscows.cli.progress import text_shown


def nonadaptive(
    rules: RulesText,
    time_limit: Annotated[float, typer.Option(min=0, help="Limit of the search in seconds.")] = 60,
    as_json: AsJson = False,
) -> None:
    """Find the fewest guesses, all made before any answer, that tell all codes apart.

    Naming the code that they identify takes one guess more. When the time is up, or at Ctrl-C, the
    best set found is printed with the proven bound. Exits with 3 if that proves nothing.
    """
    from bullscows.strategies.static_game import static_set

    with text_shown(f"{rules} nonadaptive") as tell:
        found = static_set(rules, time_limit=time_limit, tell=tell)
    value = {
        "rules": str(found.rules),
        "guesses": found.texts,
        "size": len(found.guesses),
        "lower": found.lower,
        "proved": found.proved,
    }
    proof = "no fewer do: proven" if found.proved else f"no fewer than {found.lower} do: proven"
    line = f"{found.rules}: {len(found.guesses)} guesses tell all {found.rules.size} codes apart"
    emit(value, [f"{line}; {proof}", " ".join(found.texts)], as_json)
    if not found.proved:
        raise typer.Exit(INTERRUPTED if found.interrupted else UNPROVED)
