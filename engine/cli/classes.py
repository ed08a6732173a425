"""``bullscows classes``: the guesses that positions and symbols make equal."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import AsJson, RulesText, emit
from engine.game.rules import Rules
from engine.game.symmetry import equivalence_classes


def classes(
    rules: RulesText,
    after: Annotated[str, typer.Option(help='Guesses made, as in "0123 1245".')] = "",
    as_json: AsJson = False,
) -> None:
    """List the classes of guesses that positions and symbols make equal (paper, 2.3 and 2.4).

    Like the paper's equivalence sets, the list leaves out the guesses made.
    """
    game = Rules.parse(rules)
    guesses = game.numbers(after)
    found = equivalence_classes(game, guesses)
    rows = [
        {"guess": game.text(guess), "size": size}
        for guess, size in zip(found.representatives.tolist(), found.sizes.tolist(), strict=True)
        if guess not in guesses
    ]
    value = {"rules": rules, "after": after.split(), "count": len(rows), "classes": rows}
    emit(value, [f"{row['guess']} {row['size']}" for row in rows], as_json)
