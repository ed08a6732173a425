"""Least totals of games of bulls only by another exhaustive search, for up to 1,000 codes.

It adds three things to `Exhaustive`. With repeats the symbols of each place may be renamed on their
own. Sets that some renaming makes equal are searched once: whatever order is chosen, the renamed
set is an equivalent one. And the number of codes with each answer is limited, which bounds the
total of any number of codes.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tests.support.exhaustive import NEVER, Exhaustive, _Code, _Set

_Marks = NDArray[np.uint64]


class BullsOnly(Exhaustive):
    """A game of kind ``rb``, ``nb`` or ``zb``."""

    def __init__(self, places: int, symbols: int, kind: str) -> None:
        super().__init__(places, symbols, kind)
        self.shape = (places, symbols)
        self.is_free = "r" in kind
        self.is_pinned = "z" in kind
        self.array = np.array(self.codes)
        self.weights = symbols ** np.arange(places)
        sizes = [
            (self.answers == value).sum(axis=1).max() for value in range(0, self.win, places + 1)
        ]
        self.most = sorted(int(size) for size in sizes)
        self.layers: dict[int, list[_Set]] = {}
        self.keys: dict[bytes, bytes] = {}

    def _key(self, members: _Set) -> bytes:
        """Return the codes, as numbers, with places and symbols sorted by the codes they are in."""
        plain = members.tobytes()
        if plain not in self.keys:
            places, names = self._marks(self.array[members])
            order = np.lexsort((places, self.is_pinned * np.arange(len(places)) > 0))
            pinned = np.broadcast_to(self.is_pinned * np.arange(self.shape[1]) > 0, self.shape)
            renamed = np.argsort(np.lexsort((names, pinned)), axis=1)
            codes = renamed[np.arange(len(places)), self.array[members]][:, order]
            self.keys[plain] = np.sort(codes @ self.weights).tobytes()
        return self.keys[plain]

    def _marks(self, codes: _Set) -> tuple[_Marks, _Marks]:
        """Return numbers of the places, and of each place's symbols, that no renaming changes.

        Twice, one of the places that look equal is marked, so that they differ.
        """
        places = np.zeros(self.shape[0], np.uint64)
        names = np.zeros(self.shape, np.uint64)
        cells = codes + self.shape[1] * np.arange(self.shape[0])
        for equal in (True, True, False):
            for _ in range(2):
                marks = _mixed(places[:, None] + names).ravel()
                of_codes = _mixed(marks[cells].sum(axis=1))
                sums = np.zeros_like(marks)
                np.add.at(sums, cells.ravel(), np.repeat(of_codes, self.shape[0]))
                names = _mixed(sums).reshape(self.shape)
                places = _mixed(names.sum(axis=1) + 3 * places)
                if not self.is_free:
                    names = np.broadcast_to(names.sum(axis=0), self.shape)
            order = np.sort(places)
            twins = order[1:][order[1:] == order[:-1]]
            if not len(twins) or not equal:
                break
            places[np.argmax(places == twins[0])] += np.uint64(1)
        return places, names

    def _distinct(self, guessed: list[_Code]) -> _Set:
        """Return the least guess of each class: in each place a used symbol or the next one."""
        if not self.is_free:
            return super()._distinct(guessed)
        columns = tuple(tuple(code[place] for code in guessed) for place in range(self.shape[0]))
        if columns not in self.distinct:
            least = (self.array <= [1 + max(column, default=-1) for column in columns]).all(axis=1)
            for i, j in combinations(range(self.shape[0]), 2):
                if columns[i] == columns[j]:
                    least &= self.array[:, i] <= self.array[:, j]
            self.distinct[columns] = np.flatnonzero(least)
        return self.distinct[columns]

    def _costs(self, turns: int, fan: int) -> _Set:
        """Return lower bounds on the total by number of codes, if guesses make `fan` parts."""
        if fan not in self.layers:
            nothing = np.where(np.arange(len(self.codes) + 1) == 0, 0, NEVER)
            self.layers[fan] = [nothing, self._longer(nothing, fan)]
        layers = self.layers[fan]
        while len(layers) <= turns and not np.array_equal(layers[-1], layers[-2]):
            layers.append(self._longer(layers[-1], fan))
        return layers[min(turns, len(layers) - 1)]

    def _longer(self, costs: _Set, fan: int) -> _Set:
        """Return the bounds with one more turn."""
        total = np.where(np.arange(len(costs)) == 0, 0, NEVER)
        for most in self.most[-fan:] if fan else ():
            total = np.min([_moved(total, size) + costs[size] for size in range(most + 1)], axis=0)
        with_secret = np.minimum(total, _moved(total, 1)) + np.arange(len(costs))
        return np.minimum(with_secret, NEVER)


def _moved(costs: _Set, by: int) -> _Set:
    return np.concatenate((np.full(by, NEVER), costs))[: len(costs)]


def _mixed(marks: _Marks) -> _Marks:
    """Return pseudorandom numbers, the same for the same numbers."""
    marks = (marks ^ (marks >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    return marks ^ (marks >> np.uint64(29))
