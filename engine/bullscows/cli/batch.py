"""Positions as JSON lines in, answers as JSON lines out: what `bullscows solve --batch` does.

Each line in has one line out, in the same order and written before the next is read, so that a
program on the other side of a pipe may ask on by what it was told.  A blank line asks nothing.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from types import NoneType
from typing import Any

from bullscows.cli.answer import Answered, Asked, answered
from bullscows.cli.contradictions import contradiction
from bullscows.cli.options import CLAIM_FAILS, DONE, INTERRUPTED, UNPROVED, emit
from bullscows.errors import EngineError
from bullscows.game.history import InconsistentError


class LineError(EngineError, ValueError):
    """A line that is no position."""


def batch(usual: Asked) -> int:
    """Answer every line of standard input; return the exit code.

    Parameters
    ----------
    usual
        What holds for whatever a line doesn't say.

    Returns
    -------
    int
        130 after Ctrl-C, which ends the batch with the bounds of the search that was under way.
        Otherwise 1 if a line was answered by an error or has no strategy, 3 if the time limit
        ended a search, 0 if all is proved.
    """
    codes = {DONE}
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        answer = _answer(line, usual)
        emit(answer.record, (), as_json=True)
        codes.add(answer.code)
        if answer.code == INTERRUPTED:
            break
    return next(code for code in (INTERRUPTED, CLAIM_FAILS, UNPROVED, DONE) if code in codes)


def _answer(line: bytes, usual: Asked) -> Answered:
    try:
        return answered(_asked(line, usual))
    except InconsistentError as error:
        return Answered(contradiction(error)[0], [], CLAIM_FAILS)
    except EngineError as error:
        return _refused(str(error))
    except MemoryError as error:
        return _refused(f"not enough memory: {error}")


def _refused(reason: str) -> Answered:
    return Answered({"error": reason}, [], CLAIM_FAILS)


def _asked(line: bytes, usual: Asked) -> Asked:
    """Return what a line asks for."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError(f"no JSON: {error}") from None
    if not isinstance(fields, dict):
        raise LineError('no JSON object, as in {"rules": "p4c10n"}')
    asked = replace(usual, **{name: _value(name, fields[name]) for name in fields})
    if not asked.rules:
        raise LineError('rules are missing, as in "rules": "p4c10n"')
    return asked


def _value(name: str, value: Any) -> Any:
    """Return the value of a field, which has the type of the option of its name."""
    if name not in FIELDS:
        raise LineError(f"unknown field {name!r}; known are {', '.join(FIELDS)}")
    if type(value) not in FIELDS[name] or (name == "time_limit" and not _is_time(value)):
        raise LineError(f"field {name!r} can't be {json.dumps(value)[:40]}")
    return value


def _is_time(value: float | None) -> bool:
    """Tell whether a value is a time limit; JSON as Python reads it has NaN and infinity too."""
    return value is None or 0 <= value <= MOST_SECONDS


MOST_SECONDS = 1e9

FIELDS: dict[str, tuple[type, ...]] = {
    "rules": (str,),
    "objective": (str,),
    "max_turns": (int, NoneType),
    "guess": (str, NoneType),
    "evaluate": (str,),
    "candidates_only": (bool,),
    "history": (str,),
    "time_limit": (int, float, NoneType),
}
"""The types of what a line may say; the number of threads is the command's."""
