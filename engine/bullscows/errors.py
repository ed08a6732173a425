"""Base class of the engine's errors, and words of messages; imports no other part of the engine."""

from __future__ import annotations

import copyreg
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class EngineError(Exception):
    """Base class of errors about invalid questions and invalid data.

    Every public error of the engine derives from this class and from the builtin that it
    resembles: `CodeError` is a ValueError, `ClusterError` an OSError.

    Examples
    --------
    >>> import bullscows
    >>> try:
    ...     bullscows.Rules.parse("p4c10n").parse_code("0120")
    ... except bullscows.EngineError as error:
    ...     print(error)
    invalid code '0120': symbols may not repeat in p4c10n
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the attributes, so that any constructor signature works."""
        new = copyreg.__newobj__  # type: ignore[attr-defined]
        return new, (type(self), *self.args), {**vars(self), "args": self.args}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question that names the known words closest to a misspelt one; empty if none is.

    >>> did_you_mean("mastermnd", ["mastermind", "bulls-cows"])
    ': did you mean mastermind?'
    """
    close = get_close_matches(word.lower(), known, n=3)
    *first, last = close or [""]
    either = f"{', '.join(first)} or {last}" if first else last
    return f": did you mean {either}?" if close else ""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "guess", "guesses"), counted(2, "guess", "guesses"), counted(0, "secret")
    ('1 guess', '2 guesses', '0 secrets')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
