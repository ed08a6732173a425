"""Least totals by another exhaustive search, which shares no code with the engine.

Plain branch and bound on sets of codes. Its only bounds are the most parts that a guess makes of a
set, and so of its subsets, and what a guess leaves. Its only symmetry: symbols that no guess has
used are interchangeable, and so are places that had the same symbol in every guess; of guesses that
are equal by these the least counts.
"""

from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

NEVER = 10**9
"""The cost of what can't be done in time."""

_Code = tuple[int, ...]
_Set = NDArray[np.intp]


class Exhaustive:
    """A game of one kind: ``r``, ``n`` or ``z``, and ``b`` after it for bulls only."""

    def __init__(self, places: int, symbols: int, kind: str) -> None:
        every = range(symbols)
        codes = product(every, repeat=places) if "r" in kind else permutations(every, places)
        self.codes = [code for code in codes if "z" not in kind or code[0] != 0]
        self.start = [(0,) + (-1,) * (places - 1)] if "z" in kind else []
        """As if a guess had distinguished symbol 0 and the first place from the others."""
        self.win = places * (places + 1)
        answer = _bulls if "b" in kind else _answer
        self.answers = np.array([[answer(a, b) for b in self.codes] for a in self.codes])
        self.fan_out = len(np.unique(self.answers)) - 1
        self.known: dict[tuple[bytes, int], tuple[int, bool]] = {}
        self.distinct: dict[object, _Set] = {}
        self.costs: dict[tuple[int, int], _Set] = {}

    def least_total(self, turns: int, first: int | None = None) -> int:
        """Return the least total of all codes within some turns; NEVER if there is none."""
        everything = np.arange(len(self.codes))
        if first is not None and len(everything) > 2:
            return self._after(first, everything, self.start, turns, NEVER - 1, self.fan_out)
        return self._least(everything, self.start, turns, NEVER - 1, self.fan_out)

    def distinct_first(self) -> list[int]:
        """Return the least first guess of each class, and some others."""
        return [int(guess) for guess in self._distinct(self.start)]

    def _least(self, members: _Set, guessed: list[_Code], turns: int, budget: int, fan: int) -> int:
        """Return the least total if it is at most `budget`, else a bound above it."""
        count = len(members)
        if count <= 2:
            return (1, 3)[count - 1] if turns >= count else NEVER
        if (bound := int(self._costs(turns, fan)[count])) > budget:
            return bound
        key = self._key(members), turns
        value, is_exact = self.known.get(key, (0, False))
        if is_exact or value > budget:
            return value
        best = budget + 1
        for bound, guess, most in self._guesses(members, guessed, turns):
            if bound >= best:
                break
            best = min(best, self._after(guess, members, guessed, turns, best - 1, most))
        self.known[key] = best, best <= budget or best >= NEVER
        return best

    def _key(self, members: _Set) -> bytes:
        """Return a text that only equivalent sets have in common."""
        return members.tobytes()

    def _after(
        self, guess: int, members: _Set, guessed: list[_Code], turns: int, budget: int, fan: int
    ) -> int:
        """Return the cost of a guess if it is at most `budget`, else a bound above it."""
        answers = self.answers[guess, members]
        counts = np.bincount(answers)[: self.win].tolist()
        parts = sorted((count, value) for value, count in enumerate(counts) if count)
        costs = self._costs(turns - 1, fan)
        bounds = [int(costs[count]) for count, _ in parts]
        cost = len(members) + sum(bounds)
        for (_, value), bound in zip(parts, bounds, strict=True):
            if cost > budget:
                break
            after = [*guessed, self.codes[guess]]
            left = budget - cost + bound
            cost += self._least(members[answers == value], after, turns - 1, left, fan) - bound
        return min(cost, NEVER)

    def _guesses(
        self, members: _Set, guessed: list[_Code], turns: int
    ) -> Iterator[tuple[int, int, int]]:
        """Yield bounds and guesses, least bounds first, and the most parts that any guess makes.

        Guesses that tell nothing are left out.
        """
        guesses = self._distinct(guessed)
        width = self.win + 1
        table = self.answers[np.ix_(guesses, members)] + width * np.arange(len(guesses))[:, None]
        sizes = np.bincount(table.ravel(), minlength=width * len(guesses)).reshape(-1, width)
        most = int(np.count_nonzero(sizes[:, : self.win], axis=1).max())
        costs = self._costs(turns - 1, most)
        bounds = len(members) + costs[sizes[:, : self.win]].sum(axis=1)
        order = np.lexsort(((sizes**2).sum(axis=1), bounds))
        for place in order[sizes.max(axis=1)[order] < len(members)].tolist():
            yield int(bounds[place]), int(guesses[place]), most

    def _distinct(self, guessed: list[_Code]) -> _Set:
        """Return the least guess of each class, and some others."""
        columns = [tuple(code[place] for code in guessed) for place in range(len(self.codes[0]))]
        used = 1 + max((symbol for code in guessed for symbol in code), default=-1)
        alike = tuple(
            (i, j) for i, j in combinations(range(len(columns)), 2) if columns[i] == columns[j]
        )
        if (used, alike) not in self.distinct:
            least = [n for n, code in enumerate(self.codes) if _is_least(code, used, alike)]
            self.distinct[used, alike] = np.array(least)
        return self.distinct[used, alike]

    def _costs(self, turns: int, fan: int) -> _Set:
        """Return what `_fewest` does, for every number of codes."""
        if (turns, fan) not in self.costs:
            counts = range(len(self.codes) + 1)
            self.costs[turns, fan] = np.array([_fewest(count, turns, fan) for count in counts])
        return self.costs[turns, fan]


def _fewest(count: int, turns: int, fan: int) -> int:
    """Return the least total of this many codes, if each guess made this many parts."""
    total, room = 0, 1
    for turn in range(1, turns + 1):
        found = min(room, count)
        total = total + turn * found
        count = count - found
        room = room * fan
        if count == 0:
            return total
    return NEVER if count else 0


def _answer(guess: tuple[int, ...], secret: tuple[int, ...]) -> int:
    bulls = sum(a == b for a, b in zip(guess, secret, strict=True))
    left = list(secret)
    for symbol in guess:
        if symbol in left:
            left.remove(symbol)
    return bulls * (len(guess) + 1) + len(secret) - len(left) - bulls


def _bulls(guess: tuple[int, ...], secret: tuple[int, ...]) -> int:
    return (len(guess) + 1) * sum(a == b for a, b in zip(guess, secret, strict=True))


def _is_least(code: _Code, used: int, alike: tuple[tuple[int, int], ...]) -> bool:
    """Whether exchanging two places, or naming unused symbols in order, gives no lesser code."""
    exchanged = [code]
    for i, j in alike:
        other = list(code)
        other[i] = code[j]
        other[j] = code[i]
        exchanged.append(tuple(other))
    return all(code <= _named(other, used) for other in exchanged)


def _named(code: _Code, used: int) -> _Code:
    names: dict[int, int] = {}
    return tuple(
        symbol if symbol < used else names.setdefault(symbol, used + len(names)) for symbol in code
    )
