"""Structures that kernels receive by reference: named arrays and numbers, behind one address.

numba passes a tuple of arrays as one argument for every word of every array, several hundred, and
compiles each call slowly.  A structure lays these words out in memory once: a number takes one, an
array its address and its shape.
"""

from __future__ import annotations

from collections.abc import Iterator
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

    def __post_init__(self) -> None:
        """Lay the words out."""
        held = {name: getattr(self, name) for name in self.names()}
        words = np.array(
            [word for value in held.values() for word in _words(value)], dtype=np.int64
        )
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "address", words.ctypes.data)
        layout = tuple((name, *_kind(name, value)) for name, value in held.items())
        object.__setattr__(self, "layout", layout)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the fields that are arrays, by name."""
        held = {name: getattr(self, name) for name in self.names()}
        return {name: value for name, value in held.items() if isinstance(value, np.ndarray)}

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the fields that kernels see."""
        return [each.name for each in fields(cls) if each.init]


def _words(value: Any) -> Iterator[int]:
    if isinstance(value, np.ndarray):
        yield value.ctypes.data
        yield from value.shape
    else:
        yield int(value)


def _kind(name: str, value: Any) -> tuple[str, int]:
    """Return the dtype and the dimensions of a field."""
    if not isinstance(value, np.ndarray):
        return ("bool" if isinstance(value, bool) else "int64"), 0
    if not value.flags.c_contiguous or not value.flags.aligned:
        raise TypeError(f"kernels read whole arrays only: make {name} contiguous")
    return str(value.dtype), value.ndim
