"""Messages for people about values that Pydantic rejects, of requests and of settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import SecretStr

SHOWN = 40
"""Maximum number of characters of a value that a message quotes."""

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "string": "a text",
    "list": "a list",
    "tuple": "a list",
    "dict": "an object",
    "model": "an object",
    "date": "a date such as 2026-11-21",
    "datetime": "a time such as 2026-11-21T12:00:00Z",
    "uuid": "a UUID",
    "path": "a path",
}
"""Requirement of a value, by the first word of the type of the error."""

_LIMITS = {
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "multiple_of": "a multiple of {multiple_of}",
}

_LENGTHS = {
    "string_too_short": "at least {min_length}",
    "string_too_long": "at most {max_length}",
    "too_short": "at least {min_length}",
    "too_long": "at most {max_length}",
}


def complaint(error: Mapping[str, Any]) -> str:
    """Return the message about one of the errors of a `ValidationError`.

    It says what the value is and what is allowed.  Lengths do not quote the value, which may be a
    secret.
    """
    kind: str = error["type"]
    context = {name: _plain(limit) for name, limit in error.get("ctx", {}).items()}
    value = error["input"]
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "is unknown: leave it out"
    if kind == "value_error":
        return str(context["error"])
    if kind in _LENGTHS:
        parts = "characters" if isinstance(value, str | SecretStr) else "items"
        return f"must have {_LENGTHS[kind].format(**context)} {parts}, not {len(value)}"
    if kind in _LIMITS:
        return f"must be {_LIMITS[kind].format(**context)}, not {shown(value)}"
    if kind in ("literal_error", "enum"):
        return f"must be {context['expected'].replace(chr(39), '')}, not {shown(value)}"
    wanted = _KINDS.get(kind.partition("_")[0])
    if wanted is None or kind == "string_pattern_mismatch":
        return str(error["msg"])
    return f"must be {wanted}, not {shown(value)}"


def _plain(limit: Any) -> Any:
    """Return a limit without a fraction of zero."""
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit


def shown(value: object) -> str:
    """Return a value as JSON, cut if it is long; of a list, an object or a secret its kind."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**SHOWN:
        return "a large number"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return repr(value[:SHOWN])
    if isinstance(value, SecretStr):
        return "a secret"
    return "an object" if isinstance(value, Mapping) else "a list"
