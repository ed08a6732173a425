"""The root of the engine's errors, below all rooms."""

from __future__ import annotations

import copyreg
from typing import Any


class EngineError(Exception):
    """What the engine says of a question or of data that can't be right.

    Every error that the engine defines for its users is one, and also the builtin that it
    resembles: a `CodeError` is a ValueError, a `StoreError` an OSError.

    >>> import bullscows
    >>> try:
    ...     bullscows.Rules.parse("p4c10n").parse_code("0120")
    ... except bullscows.EngineError as error:
    ...     print(error)
    invalid code '0120': symbols may not repeat in p4c10n
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes as message and attributes, whatever the constructor takes."""
        new = copyreg.__newobj__  # type: ignore[attr-defined]
        return new, (type(self), *self.args), {**vars(self), "args": self.args}
