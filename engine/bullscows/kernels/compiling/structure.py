"""Arguments of kernels as words, and structures, which are passed by reference.

A call of a kernel is a list of 64-bit words: a number takes one, an array its address and its
shape, a named tuple those of its fields.  A structure holds many arrays and numbers; it lays their
words out in memory once, and takes one word in a call, the address of these.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Layout: TypeAlias = tuple[tuple[str, str, int], ...]
"""Of each field the name, the dtype of its elements, and its dimensions; 0 for a number."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Structure:
    """Base class of the structures of kernels.

    Fields are C-contiguous arrays, int or bool.  Nothing can be assigned, so that kernels may
    rely on the addresses; the elements of the arrays may change.
    """

    words: NDArray[np.int64] = field(init=False, repr=False)
    """The words that kernels read."""
    address: int = field(init=False, repr=False)
    """The address of `words`."""
    layout: Layout = field(init=False, repr=False)
    kind: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay the words out."""
        held = {name: getattr(self, name) for name in self.names()}
        listed: list[int] = []
        layout = tuple((name, *_laid_out(name, value, listed)) for name, value in held.items())
        words = np.array(listed, dtype=np.int64)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "address", words.ctypes.data)
        object.__setattr__(self, "layout", layout)
        object.__setattr__(self, "kind", f"{type(self).__name__}{layout}")

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the fields that kernels see."""
        return [each.name for each in fields(cls) if each.init]


def append_words(value: Any, words: list[int]) -> str:
    """Append the words of an argument; return its kind, which decides how kernels read them."""
    if isinstance(value, Structure):
        words.append(value.address)
        return value.kind
    if isinstance(value, tuple):
        kinds = [append_words(one, words) for one in value]
        return f"{type(value).__name__}({','.join(kinds)})"
    dtype, dimensions = _laid_out("all arguments", value, words)
    return f"{dtype}{dimensions}"


def _laid_out(name: str, value: Any, words: list[int]) -> tuple[str, int]:
    """Append the words of an array or a number; return its dtype and its dimensions."""
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous or not value.flags.aligned:
            raise TypeError(f"kernels read whole arrays only: make {name} contiguous")
        words.append(value.__array_interface__["data"][0])
        words += value.shape
        return str(value.dtype), value.ndim
    words.append(int(value))
    if isinstance(value, np.generic):
        return str(value.dtype), 0
    return ("bool" if isinstance(value, bool) else "int64"), 0
