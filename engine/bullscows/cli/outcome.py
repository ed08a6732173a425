"""Outcomes of commands: exit codes, output as text or JSON, and the ``--json`` option."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any

import typer

from bullscows.errors import EngineError
from bullscows.game.candidates import Correction, corrections
from bullscows.game.history import History, InconsistentError

DONE, CLAIM_FAILS, USAGE, UNPROVED, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141
"""Exit codes; `UNPROVED`: a limit stopped a search before its result was proved."""

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


class UsageError(EngineError, ValueError):
    """An invalid argument or option, or options that exclude each other."""


@dataclass(frozen=True)
class Outcome:
    """Result of a command: JSON-ready values, the same as lines of text, and the exit code."""

    record: dict[str, Any]
    lines: Sequence[str]
    code: int = DONE


def command(function: Callable[..., Outcome]) -> Callable[..., None]:
    """Return a Typer command that prints the outcome of a function and exits with its code.

    The command has the function's options and ``--json``.  If no code fits a history, it prints
    the answers that might be wrong and exits with `CLAIM_FAILS`.
    """
    signature = inspect.signature(function, eval_str=True)

    @wraps(function)
    def run(*, as_json: bool, **options: Any) -> None:
        is_error = False
        try:
            outcome = function(**options)
        except InconsistentError as error:
            outcome, is_error = contradiction(error), not as_json
        if as_json:
            print_json(outcome.record)
        elif outcome.lines:
            typer.echo("\n".join(outcome.lines), err=is_error)
        if outcome.code != DONE:
            raise typer.Exit(outcome.code)

    own = inspect.Parameter(
        "as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson
    )
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), own], return_annotation=None
    )
    return run


def print_json(record: dict[str, Any]) -> None:
    """Print a JSON object on one line, with DEL (base-92 digit 91) escaped."""
    typer.echo(json.dumps(record).replace("\x7f", "\\u007f"))


def contradiction(error: InconsistentError) -> Outcome:
    """Return the outcome of a history that no code fits.

    ``corrections`` lists the answers that might be wrong, most plausible first, like the API.  It
    is empty if at least two answers are wrong, and missing for games without rules.
    """
    reason = f"bullscows: {error}"
    if error.rules is None:
        return Outcome({"error": str(error)}, [reason], CLAIM_FAILS)
    found = corrections(History(error.rules, error.turns))
    record = {"error": str(error), "corrections": [_record(one) for one in found]}
    if not found:
        reason += ", and changing one answer is not enough: at least two are wrong"
        return Outcome(record, [reason], CLAIM_FAILS)
    return Outcome(
        record, [f"{reason}; one of these may be wrong:", *map(_line, found)], CLAIM_FAILS
    )


def _record(found: Correction) -> dict[str, Any]:
    return {
        "turn": found.turn,
        "guess": found.guess,
        "given": str(found.given),
        "instead": str(found.instead),
        "mistake": found.mistake,
        "remaining": found.remaining,
    }


def _line(found: Correction) -> str:
    return (
        f"  turn {found.turn}, {found.guess}: {found.instead} instead of {found.given} "
        f"(then {found.remaining} left)"
    )
