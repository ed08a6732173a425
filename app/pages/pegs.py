"""A code that was chosen peg by peg: the fields `peg1`, `peg2`, ... of a form."""

from __future__ import annotations

from fastapi import Request

from engine.game.rules import Rules


def chosen(request: Request, rules: Rules) -> str | None:
    """Return the code that the request's query holds, `_` for a place without a peg.

    None if no place has one.
    """
    places = range(1, rules.positions + 1)
    pegs = [request.query_params.get(f"peg{place}", "")[:1] for place in places]
    return "".join(peg or "_" for peg in pegs) if any(pegs) else None
