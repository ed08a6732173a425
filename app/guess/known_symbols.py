"""What the answers so far tell of single symbols: which occur in no candidate, which in all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.language.words import symbols
from engine.game.rules import CodeIndex, Rules


@dataclass(frozen=True)
class KnownSymbols:
    """What is certain of symbols, whatever else the secret is."""

    excluded: frozenset[str]
    """Those that no candidate has."""
    certain: frozenset[str]
    """Those that all candidates have."""

    @classmethod
    def of(cls, rules: Rules, candidates: Iterable[CodeIndex]) -> KnownSymbols:
        """Look at the candidates, until nothing more can be told of any symbol."""
        excluded = certain = frozenset(symbols(rules))
        for code in candidates:
            used = frozenset(rules.text(code))
            excluded, certain = excluded - used, certain & used
            if not (excluded or certain):
                break
        return cls(excluded, certain)
