"""``bullscows classes``: the guesses that positions and symbols make equal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from bullscows.cli.options import AsJson, RulesText, emit
from bullscows.game.candidates import candidates
from bullscows.game.cycles import cycles_of, diagram
from bullscows.game.history import History, InconsistentError
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.game.symmetry import equivalence_classes


def classes(
    rules: RulesText,
    history: Annotated[
        str, typer.Option(help='Guesses so far, for example "0123 1245", or turns: "0123:0.1".')
    ] = "",
    show_cycles: Annotated[
        bool, typer.Option("--cycles", help="Show how each moves the symbols of the one guess.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the classes of guesses that positions and symbols make equal (paper, 2.3 and 2.4).

    With answers, guesses that got the same answer may also change places (2.6.3), which makes fewer
    and larger classes.  Like the paper's equivalence sets, the list leaves out the guesses made.
    """
    game = Rules.parse(rules)
    guesses, answers = _made(game, history)
    if show_cycles and len(guesses) != 1:
        raise typer.BadParameter(f"--cycles needs one guess in --history, not {len(guesses)}")
    rows = list(_rows(game, guesses, answers, show_cycles))
    value = {"rules": str(game), "history": history.split(), "count": len(rows), "classes": rows}
    lines = [f"{row['guess']} {row['size']} {row.get('diagram', '')}".rstrip() for row in rows]
    emit(value, lines, as_json)


def _made(game: Rules, text: str) -> tuple[tuple[CodeIndex, ...], list[AnswerIndex] | None]:
    """Read the guesses made, and their answers if they are given."""
    if ":" not in text:
        return tuple(game.numbers(text)), None
    history = History.parse(game, text)
    if not len(candidates(game, history)):
        raise InconsistentError(history, game)
    return history.guesses, [answer for _, answer in history]


def _rows(
    game: Rules,
    guesses: tuple[CodeIndex, ...],
    answers: list[AnswerIndex] | None,
    show_cycles: bool,
) -> Iterator[dict[str, Any]]:
    found = equivalence_classes(game, guesses, answers=answers)
    for guess, size in zip(found.representatives.tolist(), found.sizes.tolist(), strict=True):
        if guess in guesses:
            continue
        row: dict[str, Any] = {"guess": game.text(guess), "size": size}
        if show_cycles:
            followed = cycles_of(game, guesses[0], guess)
            row["diagram"] = diagram(followed)
            row["cycles"] = [{"places": cycle.places, "open": cycle.is_open} for cycle in followed]
        yield row
