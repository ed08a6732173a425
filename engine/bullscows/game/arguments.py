"""Checks of arguments where users call the library, each with a message that names the argument.

Inner functions rely on them.  A wrong type is an `ArgumentTypeError`, a wrong value an
`ArgumentError`; what no game has (`RulesError`, `CodeError`, ...) says its own module.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeVar

from bullscows.errors import EngineError

_Type = TypeVar("_Type")

MAX_THREADS = 256
"""The most threads of a search."""

MAX_SECONDS = 1e9
"""The longest time limit, 30 years."""


class ArgumentError(EngineError, ValueError):
    """An argument that a function of the library does not accept."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(f"{name} must be {allowed}, not {shown(value)}")
        self.name = name
        """The parameter."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument of a type that a function of the library does not accept."""


def shown(value: object) -> str:
    """Return a value as a message shows it: short, and whatever its `repr` does.

    >>> shown("0123"), shown(object) == repr(object)
    ("'0123'", True)
    """
    try:
        text = repr(value)
    except Exception:  # a class of the caller's
        text = f"a {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def instance(name: str, value: object, kinds: type[_Type], allowed: str) -> _Type:
    """Return a value of a type; `allowed` describes it."""
    if not isinstance(value, kinds):
        raise ArgumentTypeError(name, value, allowed)
    return value


def whole(name: str, value: object, allowed: str = "an integer") -> int:
    """Return an integer; True and False are none."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise ArgumentTypeError(name, value, allowed)
    return int(value)


def integer(name: str, value: object, least: int, most: int) -> int:
    """Return an integer between bounds."""
    allowed = f"an integer from {least} to {most}"
    number = whole(name, value, allowed)
    if not least <= number <= most:
        raise ArgumentError(name, value, allowed)
    return number


def seconds(name: str, value: object) -> float | None:
    """Return a time limit in seconds; None: no limit."""
    if value is None:
        return None
    allowed = f"seconds from 0 to {MAX_SECONDS:.0f}, or None for no limit"
    if not isinstance(value, Real) or isinstance(value, bool):
        raise ArgumentTypeError(name, value, allowed)
    try:
        number = float(value)
    except OverflowError:
        raise ArgumentError(name, value, allowed) from None
    if not 0 <= number <= MAX_SECONDS:  # NaN is not
        raise ArgumentError(name, value, allowed)
    return number


def threads(value: object) -> int:
    """Return a number of threads."""
    return integer("threads", value, 1, MAX_THREADS)


def function(name: str, value: object, *, is_optional: bool = False) -> None:
    """Check that a value is a function; or None, if it is optional."""
    if not callable(value) and not (is_optional and value is None):
        raise ArgumentTypeError(name, value, "a function, or None" if is_optional else "a function")


def text(name: str, value: object, example: str) -> str:
    """Return a text; `example` shows one."""
    return instance(name, value, str, f"a text such as {example!r}")


def choice(name: str, value: object, allowed: Collection[str]) -> str:
    """Return one of some words."""
    words = f"one of {', '.join(map(repr, allowed))}"
    if not isinstance(value, str):
        raise ArgumentTypeError(name, value, words)
    if value not in allowed:
        raise ArgumentError(name, value, words)
    return value


def path(name: str, value: object) -> Path:
    """Return a path given as a path or as text."""
    if not isinstance(value, str | Path):
        raise ArgumentTypeError(name, value, "a path")
    if not str(value) or "\0" in str(value):
        raise ArgumentError(name, value, "a path")
    return Path(value)


def listed(name: str, value: Any, allowed: str) -> list[Any]:
    """Return the items of an iterable that is no text; `allowed` describes it."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ArgumentTypeError(name, value, allowed)
    return list(value)


def words(name: str, value: Any, allowed: str) -> list[Any]:
    """Return the words of a text, or the items of another iterable."""
    return value.split() if isinstance(value, str) else listed(name, value, allowed)
