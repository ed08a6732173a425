"""A history that no code fits, and the answers that may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bullscows.game.candidates import Correction, corrections
from bullscows.game.history import History, InconsistentError


def contradiction(error: InconsistentError) -> tuple[dict[str, Any], list[str]]:
    """Return a contradiction as JSON-ready values and as lines of text.

    ``corrections`` lists single answers that may be wrong, most plausible first, as the API does.
    It is empty if at least two answers are wrong, and missing for games without rules.
    """
    if error.rules is None:
        return {"error": str(error)}, [str(error)]
    found = corrections(History(error.rules, error.turns))
    value = {"error": str(error), "corrections": [_record(one) for one in found]}
    return value, _lines(str(error), found)


def _record(found: Correction) -> dict[str, Any]:
    return {
        "turn": found.turn,
        "guess": found.guess,
        "given": str(found.given),
        "instead": str(found.instead),
        "mistake": found.mistake,
        "remaining": found.remaining,
    }


def _lines(reason: str, found: Sequence[Correction]) -> list[str]:
    if not found:
        return [f"{reason}, and changing one answer is not enough: at least two are wrong"]
    return [
        f"{reason}; one of these may be wrong:",
        *(
            f"  turn {one.turn}, {one.guess}: {one.instead} instead of {one.given} "
            f"(then {one.remaining} left)"
            for one in found
        ),
    ]
