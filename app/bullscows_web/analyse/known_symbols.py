"""Symbols that no candidate has, or all have, and places where no candidate has a symbol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from bullscows.game.responses import code_array
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows_web.language.words import symbols


@dataclass(frozen=True)
class KnownSymbols:
    """Symbols that are certain or excluded, whichever candidate is the secret."""

    excluded: frozenset[str]
    """Those that no candidate has."""
    certain: frozenset[str]
    """Those that all candidates have."""

    @classmethod
    def of(cls, rules: Rules, candidates: Sequence[CodeIndex] | IndexArray) -> KnownSymbols:
        """Look at the candidates, of which there is one at least."""
        codes = _codes(rules)[np.asarray(candidates)]
        has = (codes[:, :, None] == np.arange(rules.symbols, dtype=np.uint8)).any(axis=1)
        excluded = compress(symbols(rules), ~has.any(axis=0))
        return cls(frozenset(excluded), frozenset(compress(symbols(rules), has.all(axis=0))))


def impossible_places(
    rules: Rules, candidates: Sequence[CodeIndex] | IndexArray, code: CodeIndex
) -> list[int]:
    """Return the places, 1 for the first, where no candidate has the symbol that a code has."""
    codes = _codes(rules)
    fits = (codes[np.asarray(candidates)] == codes[code]).any(axis=0)
    return [int(place) + 1 for place in np.flatnonzero(~fits)]


@lru_cache(maxsize=8)
def _codes(rules: Rules) -> NDArray[np.uint8]:
    return code_array(rules)
