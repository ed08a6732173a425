"""Transformations of positions and symbols, and the equivalence classes of guesses.

Renaming symbols and reordering positions, of guesses and secret alike, changes no answer (paper,
2.2, lemma 1). After a history, the transformations that fix every guess made remain, and of the
guesses that they carry into each other one is enough (2.3, lemmas 4 and 5; docs/proof.md,
"Symmetry", for games without a leading 0). `representatives` returns the lexicographically least of
each class: for Bulls & Cows one first guess, 19 second guesses (and the repeat of the first), 7072
third guesses in all (2.4).

No group is ever listed. A position permutation that is compatible with the history forces the
images of the symbols that the history uses; the least image of a code gives the free symbols the
smallest free names in order of first appearance. So the least image under the whole group is the
least over the few compatible position permutations, computed for all codes at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game import arguments
from bullscows.game.arguments import ArgumentError
from bullscows.game.response_table import code_array, per_game
from bullscows.game.rules import AnswerIndex, Code, CodeIndex, Rules

IndexArray: TypeAlias = NDArray[np.int32]
"""Codes by number, int32."""
_Listed: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int64]]

_IMAGES_AT_ONCE = 1 << 16
"""Codes times permutations in one numpy step: large enough to be quick, small enough for cache."""


@dataclass(frozen=True)
class Transformation:
    """A reordering of positions with a renaming of symbols (paper, 2.2).

    The image y of a code x is ``y[i] = symbols[x[positions[i]]]``.

    Raises `ValueError` unless both are permutations of 0, 1, ...
    """

    positions: tuple[int, ...]
    """``positions[i]`` is the place that supplies place i of the image."""
    symbols: tuple[int, ...]
    """``symbols[s]`` is the new name of symbol s."""

    def __post_init__(self) -> None:
        for name, values in (("positions", self.positions), ("symbols", self.symbols)):
            if sorted(values) != list(range(len(values))):
                raise ValueError(f"{name} must be a permutation of 0, 1, ..., not {values}")

    def apply(self, code: Sequence[int]) -> Code:
        """Return the image of a code given by its symbols."""
        return tuple(self.symbols[code[place]] for place in self.positions)

    def apply_to_index(self, rules: Rules, index: CodeIndex) -> CodeIndex:
        """Return the number of the image of a code given by its number."""
        return rules.index(self.apply(rules.code(index)))

    def apply_to_all(self, rules: Rules, indices: IndexArray) -> IndexArray:
        """Return the numbers of the images of codes, (n,) int32 each: `apply_to_index`, in bulk."""
        codes, values = _codes(rules)
        images = np.array(self.symbols)[codes[indices][:, list(self.positions)]]
        return np.searchsorted(values, _values(images, rules.symbols)).astype(np.int32)

    def inverse(self) -> Transformation:
        """Return the transformation that undoes this one."""
        return Transformation(inverse(self.positions), inverse(self.symbols))


def completed(names: Mapping[int, int], count: int) -> tuple[int, ...]:
    """Return a permutation of 0, 1, ..., count - 1 that maps some of them as `names` does.

    Those without a name keep theirs where they can.

    >>> completed({0: 2, 3: 1}, 5)
    (2, 0, 3, 1, 4)
    """
    free = set(range(count)) - set(names.values())
    kept = {symbol: symbol for symbol in free if symbol not in names}
    known = {**kept, **names}
    rest = iter(sorted(free - set(kept)))
    return tuple(known[symbol] if symbol in known else next(rest) for symbol in range(count))


def inverse(permutation: tuple[int, ...]) -> tuple[int, ...]:
    """Return the permutation that undoes another."""
    return tuple(permutation.index(value) for value in range(len(permutation)))


def place_orders(rules: Rules) -> Iterator[tuple[int, ...]]:
    """Yield the orders of the positions that, with some renaming, make codes of all codes.

    The order as it is comes first, the others in lexicographic order.

    >>> list(place_orders(Rules.parse("p3c10z")))
    [(0, 1, 2), (0, 2, 1)]
    """
    pinned = tuple(range(rules.pinned))
    for order in permutations(range(rules.pinned, rules.positions)):
        yield pinned + order


@dataclass(frozen=True)
class EquivalenceClasses:
    """All codes of a game, sorted into classes of equal guesses; see `equivalence_classes`."""

    representatives: IndexArray
    """(classes,) int32, ascending: the least code of each class."""
    sizes: IndexArray
    """(classes,) int32: how many codes each class has."""
    labels: IndexArray
    """(size,) int32: the class, as a place in `representatives`, of each code."""

    def members(self, number: int) -> IndexArray:
        """Return the codes of one class, ascending."""
        return np.flatnonzero(self.labels == number).astype(np.int32)


def representatives(
    rules: Rules,
    guesses: Sequence[CodeIndex],
    *,
    answers: Sequence[AnswerIndex] | None = None,
    orders: Sequence[tuple[int, ...]] | None = None,
) -> IndexArray:
    """Return one guess of each class of guesses that are equivalent after `guesses`, in any order.

    If their answers are known, a transformation may also exchange guesses with the same answer
    (paper, 2.6.3, lemma 9): larger classes, for this history only.  `orders` are those of the
    places to consider, the order as it is first, by default all of `place_orders`.

    Returns an int32 array, ascending: the least code of each class, without the paper's (2.4)
    exclusion of guesses already made.  Raises `CodeError` if a guess is not a code of the game.
    """
    codes, values = _codes(rules)
    places = _orders(rules) if orders is None else np.array(orders)
    group = _Stabiliser.of(rules, guesses, answers, places)
    chosen = np.arange(rules.size)
    # Free names first: they leave some hundreds of codes for the permutations to sift.
    block = slice(0, 1)
    while block.start < len(group):
        least = group.least_images(codes[chosen], block)
        chosen = chosen[least >= values[chosen]]
        block = _next_block(block, len(chosen))
    return chosen.astype(np.int32)


def equivalence_classes(
    game: Rules | str,
    guesses: str | Sequence[CodeIndex | str],
    *,
    answers: Sequence[AnswerIndex] | None = None,
) -> EquivalenceClasses:
    """Return all classes of equivalent guesses after `guesses`, with their members.

    Examples
    --------
    >>> len(equivalence_classes("p4c10n", "0123").sizes)
    20

    Parameters
    ----------
    game
        The rules, or their text.
    guesses
        The guesses so far, as codes or as text with spaces between.
    answers
        Their answers, if they are known; then guesses that got the same answer may be exchanged
        as well (paper, 2.6.3, lemma 9), which gives larger classes.

    Returns
    -------
    EquivalenceClasses
        All classes, each with its guesses.

    Raises
    ------
    RulesError
        If the rules are not those of a game.
    CodeError
        If a guess is not a code of the game.
    """
    rules = Rules.of(game)
    guesses = rules.numbers(guesses)
    if answers is not None:
        allowed = "an answer to each guess, by number or text"
        given = arguments.listed("answers", answers, allowed)
        answers = [rules.answer_number(answer) for answer in given]
        if len(answers) != len(guesses):
            raise ArgumentError("answers", answers, allowed)
    codes, _ = _codes(rules)
    group = _Stabiliser.of(rules, guesses, answers, _orders(rules))
    chosen = representatives(rules, guesses, answers=answers)
    named, names = np.unique(group.least_images(codes, slice(0, 1)), return_inverse=True)
    # Every code under free names is an image of one representative.
    labels = np.empty(len(named), dtype=np.int32)
    block = slice(0, 1)
    while block.start < len(group):
        images = group.images(codes[chosen], block)
        labels[np.searchsorted(named, images)] = np.arange(len(chosen))
        block = _next_block(block, len(chosen))
    sizes = np.bincount(labels[names], minlength=len(chosen)).astype(np.int32)
    return EquivalenceClasses(chosen, sizes, labels[names])


def _next_block(block: slice, codes: int) -> slice:
    return slice(block.stop, block.stop + max(1, _IMAGES_AT_ONCE // codes))


@dataclass(frozen=True)
class _Stabiliser:
    """The transformations that fix a history, a row for each permutation of places; 0: identity."""

    positions: NDArray[np.intp]
    """(rows, p): where each place of an image comes from."""
    forced: NDArray[np.int64]
    """(rows, d): the image of each symbol of the history or pinned; -1 for the free symbols."""
    free: NDArray[np.int64]
    """The symbols that nothing holds, ascending, then one -1 as a pad."""

    def __len__(self) -> int:
        return len(self.positions)

    @classmethod
    def of(
        cls,
        rules: Rules,
        guesses: Sequence[CodeIndex],
        answers: Sequence[AnswerIndex] | None,
        orders: NDArray[np.intp],
    ) -> _Stabiliser:
        history = [rules.code(guess) for guess in guesses]
        rows = [
            _compatible(rules, orders, history, target) for target in _targets(history, answers)
        ]
        positions, forced = (np.concatenate(arrays) for arrays in zip(*rows, strict=True))
        used = {symbol for code in history for symbol in code} | set(range(rules.pinned))
        free = [symbol for symbol in range(rules.symbols) if symbol not in used]
        return cls(positions, forced, np.array([*free, -1]))

    def least_images(self, codes: NDArray[np.uint8], block: slice) -> NDArray[np.int64]:
        """Return the least of the images of each code, (n,); large games a slice at a time."""
        slices = np.array_split(codes, 1 + len(codes) // _IMAGES_AT_ONCE)
        return np.concatenate([self.images(some, block).min(axis=0) for some in slices])

    def images(self, codes: NDArray[np.uint8], block: slice) -> NDArray[np.int64]:
        """Return the least image of codes (n, p) under each row of `block`: (rows, n)."""
        sources = np.moveaxis(codes[:, self.positions[block]], 1, 0)
        rows = np.arange(len(sources))[:, None, None]
        images = self.forced[block][rows, sources]
        images = np.where(images < 0, self.free[_ranks(sources, images < 0)], images)
        return _values(images, self.forced.shape[1])


def _ranks(symbols: NDArray[np.uint8], free: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the rank of each free symbol by first appearance along the last axis, from 0.

    The ranks at other places are -1 or less than the number of free symbols, without a meaning.
    """
    places = range(symbols.shape[-1])
    first = free.copy()
    for place in places:
        for earlier in range(place):
            first[..., place] &= symbols[..., place] != symbols[..., earlier]
    ranks = np.cumsum(first, axis=-1) - 1
    for place in places:
        for earlier in range(place):
            same = symbols[..., place] == symbols[..., earlier]
            ranks[..., place] = np.where(same, ranks[..., earlier], ranks[..., place])
    return ranks


def _compatible(
    rules: Rules, positions: NDArray[np.intp], history: Sequence[Code], target: Sequence[Code]
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return those of `positions`, permutations, that can carry each of `history` to its target.

    With each comes the renaming that it forces: images of used symbols, -1 for the others.
    """
    rows = np.arange(len(positions))
    forced = np.full((len(positions), rules.symbols), -1)
    forced[:, : rules.pinned] = np.arange(rules.pinned)
    possible = np.ones(len(positions), dtype=bool)
    for code, image in zip(history, target, strict=True):
        for place, symbol in enumerate(image):
            source = np.array(code)[positions[:, place]]
            # One image for each symbol is enough: all symbols of the same guesses are images.
            possible &= (forced[rows, source] == -1) | (forced[rows, source] == symbol)
            forced[rows, source] = symbol
    return positions[possible], forced[possible]


def _targets(
    history: Sequence[Code], answers: Sequence[AnswerIndex] | None
) -> Iterator[list[Code]]:
    """Yield each order of the guesses that exchanges only guesses with the same answer.

    The order given comes first.  Without answers it is the only one.
    """
    places = range(len(history))
    if answers is None:
        answers = places
    for order in permutations(places):
        if all(answers[place] == answers[order[place]] for place in places):
            yield [history[other] for other in order]


@lru_cache(maxsize=8)
def _orders(rules: Rules) -> NDArray[np.intp]:
    return np.array(list(place_orders(rules)), dtype=np.intp)


@per_game
def _codes(rules: Rules) -> _Listed:
    """Return all codes, (size, p), and their values as numbers in base d, which ascend."""
    codes = code_array(rules)
    return codes, _values(codes, rules.symbols)


def _values(codes: NDArray[np.uint8] | NDArray[np.int64], symbols: int) -> NDArray[np.int64]:
    value = np.zeros(codes.shape[:-1], dtype=np.int64)
    for place in range(codes.shape[-1]):
        value = value * symbols + codes[..., place]
    return value
