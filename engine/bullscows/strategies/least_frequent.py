"""The strategies of Goel and Garg for people: guess the symbols that occur least (5.3 and 5.4).

Their text orders digits "by frequency as they occur in the pruned set" and guesses those that occur
least. It leaves open what a record counts, a digit or a digit at its place; which of equally
frequent ones goes first; and whether special nodes of the paper are played as such. A `Reading` is
one choice of each. The extended strategy first looks for a guess that leaves all candidates apart.
A guess that would split nothing is replaced by the first candidate.

To the letter, digits are counted, a record is made at first sight, and the sort is stable; no
special guess is made: `goel-garg-human-met-worded`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from bullscows.game.response_table import all_codes, code_array, first_apart, responses_between
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import special_guess

_codes = lru_cache(maxsize=4)(code_array)

Records: TypeAlias = Literal["digit", "place"]
Ties: TypeAlias = Literal["smaller", "met"]


@dataclass(frozen=True)
class Reading:
    """One interpretation of the text."""

    records: Records = "digit"
    """Count symbols, or symbols at a place; the order of rarity makes the guess."""
    ties: Ties = "smaller"
    """Which of equally frequent ones goes first: the smaller, or the one met first, codes in
    ascending order and each from left to right."""
    special: bool = True
    """Whether a candidate that leaves all candidates apart is guessed."""

    def __str__(self) -> str:
        played = "special positions played" if self.special else "as worded"
        return f"by {self.records}, ties {self.ties} first, {played}"

    @property
    def suffix(self) -> str:
        """The suffix of the strategy's name; empty for the default reading."""
        chosen = {"place": self.records == "place", "met": self.ties == "met"}
        chosen["worded"] = not self.special
        return "".join(f"-{word}" for word, is_chosen in chosen.items() if is_chosen)


_RECORDS: tuple[Records, ...] = get_args(Records)
_TIES: tuple[Ties, ...] = get_args(Ties)

READINGS = tuple(Reading(*choices) for choices in product(_RECORDS, _TIES, (True, False)))
"""All of them."""


@dataclass(frozen=True)
class LeastFrequent:
    """A strategy that guesses the symbols that occur least."""

    reading: Reading = Reading()
    """The reading of the text."""
    unique_first: bool = False
    """The extended strategy (5.4): the first guess that leaves all candidates apart, candidate or
    not, goes before the rarest symbols."""

    def choose(self, rules: Rules, candidates: Candidates, _path: Turns) -> CodeIndex:
        """Return the guess for a position of the game, whatever the path to it."""
        if len(candidates) == 1:
            return candidates[0]
        special = special_guess(rules, candidates) if self.reading.special else None
        if special is not None:
            return special
        if self.unique_first and len(candidates) <= len(rules.answers):
            members = np.array(candidates, dtype=np.int32)
            every = all_codes(rules)
            unique = first_apart(responses_between(rules, members, every))
            if unique is not None:
                return unique
        guess = rarest_symbols(rules, candidates, self.reading)
        return guess if rules.splits(guess, candidates) else candidates[0]


def symbol_counts(rules: Rules, candidates: Candidates) -> NDArray[np.int64]:
    """Return (positions, symbols) int64: how many candidates have each symbol at each place.

    >>> symbol_counts(Rules.parse("p2c3n"), (0, 1, 3)).tolist()  # 01 02 12
    [[2, 1, 0], [0, 1, 2]]
    """
    codes = _codes(rules)[list(candidates)]
    places = [np.bincount(column, minlength=rules.symbols) for column in codes.T]
    return np.array(places, dtype=np.int64)


def rarest_symbols(rules: Rules, candidates: Candidates, reading: Reading) -> CodeIndex:
    """Return the guess of the symbols that occur least among the candidates, rarest first."""
    cells = _codes(rules)[list(candidates)].astype(np.intp)
    places = rules.positions if reading.records == "place" else 1
    cells = cells * places + np.arange(rules.positions) % places
    records, met, counts = np.unique(cells, return_index=True, return_counts=True)
    order = np.lexsort((met if reading.ties == "met" else records, counts))
    ranked = list(dict.fromkeys((records[order] // places).tolist()))
    # With repeats there can be fewer symbols than places.
    rarest = (ranked * rules.positions)[: rules.positions]
    if not rules.leading_zero and rarest[0] == 0:
        rarest[:2] = rarest[1], rarest[0]
    return rules.index(rarest)


LEAST_FREQUENT: Mapping[str, LeastFrequent] = MappingProxyType(
    {
        f"goel-garg-{name}{reading.suffix}": LeastFrequent(reading, name == "unique")
        for name, reading in product(("human", "unique"), READINGS)
    }
)
"""Both strategies in all readings by name, for example ``goel-garg-human-met-worded``."""
