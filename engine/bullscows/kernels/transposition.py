"""The transposition table: what is proved of a set of candidates at a turn, by its canonical key.

An entry holds an exact value or a lower bound, and the size of the set.  When four slots are full,
a set replaces the smallest of four that is not larger than itself, because large sets took long to
search.  A position has two independent 64-bit hashes: the first is the place, the second is stored
and compared.  A wrong hit needs two positions with the same second hash among four slots: for q
look-ups the risk of one is at most 4 q / 2**64.  The proof for Bulls & Cows makes fewer than 2
million look-ups, a risk below 1e-12; a day of searching, below 1e-7.

Threads share a table without locks, and so do processes that map the same file: the key is stored
as ``hash ^ scrambled(value)``, so a slot with a word from another write, or a flipped bit, fails
the comparison and counts as empty.
"""

from __future__ import annotations

from bullscows.kernels.compiling.jit import Words, inlined, int64, kernel, uint64
from bullscows.kernels.problem import Problem
from bullscows.kernels.pruning import Pruning
from bullscows.kernels.workspace import CELLS, SUMS, Workspace

UNKNOWN, BOUND, EXACT = 0, 1, 2

_WAYS = 4

# A word is, from the lowest bit: is it exact?, the value, the logarithm of the set's size.
_SIZE_SHIFT = 60
_VALUE_MASK = (1 << 60) - 1
_LARGEST = 15


@inlined
def mixed(word: int) -> int:
    """Return a well-mixed image of a uint64: the finaliser of splitmix64, a bijection."""
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))


@inlined
def scrambled(word: int) -> int:
    """Return an image of a uint64 in which no few flipped bits make up for a flipped bit of it."""
    return word * uint64(0x9E3779B97F4A7C15)


@kernel
def probe(keys: Words, values: Words, place: int, check: int) -> tuple[int, int]:
    """Look a position up: return (value, `UNKNOWN`, `BOUND` or `EXACT`)."""
    mask = uint64(keys.shape[0] - 1)
    slot = place & mask
    for _ in range(_WAYS):
        word = values[slot]
        key = keys[slot]
        if key ^ scrambled(word) == check:
            value = (word & uint64(_VALUE_MASK)) >> uint64(1)
            return int64(value), BOUND + int64(word & uint64(1))
        if key == uint64(0):
            break
        slot = (slot + uint64(1)) & mask
    return int64(0), UNKNOWN


@kernel
def store(
    keys: Words, values: Words, place: int, check: int, value: int, exact: int, size: int
) -> None:
    """Store `value` for a position of `size` candidates, exact (1) or a lower bound (0).

    The value is not negative and has at most 59 bits.  It takes the slot of the same position,
    else a free one of four, else that of the smallest set if that is not larger, else the last.
    """
    mask = uint64(keys.shape[0] - 1)
    rank = uint64(0)
    while size > 1 and rank < uint64(_LARGEST):
        size >>= 1
        rank += uint64(1)
    word = uint64(value) * uint64(2) + uint64(exact) | rank << uint64(_SIZE_SHIFT)
    chosen = (place + uint64(_WAYS - 1)) & mask
    least = rank
    slot = place & mask
    for _ in range(_WAYS):
        key = keys[slot]
        held = values[slot]
        if key == uint64(0) or key ^ scrambled(held) == check:
            chosen = slot
            break
        if held >> uint64(_SIZE_SHIFT) <= least:
            least = held >> uint64(_SIZE_SHIFT)
            chosen = slot
        slot = (slot + uint64(1)) & mask
    values[chosen] = word
    keys[chosen] = check ^ scrambled(word)


# -- keys: isomorphic sets mostly have the same ----------------------------------------------------

CANONICAL_SIZE = 6
"""Sets of at least this number of candidates are relabelled before they are looked up."""


@kernel
def key_of(problem: Problem, work: Workspace, turn: int, start: int, count: int) -> tuple[int, int]:
    """Return the two hashes of ``members[turn, start:start + count]``."""
    is_used = problem.flags & Pruning.CANONICAL.value and problem.positions > 0
    if is_used and count >= CANONICAL_SIZE:
        return canonical_key(problem, work, turn, start, count)
    return plain_key(problem, work, turn, start, count)


@kernel
def canonical_key(
    problem: Problem, work: Workspace, turn: int, start: int, count: int
) -> tuple[int, int]:
    """Return two hashes of an image of ``members[turn, start:start + count]``.

    Positions and symbols are ordered by signatures that do not depend on their names, after the
    pinned ones, which keep theirs; ties are broken by index.  So equal keys mean isomorphic sets;
    the signatures only decide how often isomorphic sets get equal keys.  If `Problem.by_place`, the
    symbols of each place have an order of their own.
    """
    cells = problem.cells
    words = problem.hashes
    positions = problem.positions
    symbols = problem.symbols
    members = work.members[turn]
    seen = work.scratch
    marks = work.signatures
    # Step 1: how often each symbol occurs at each place.
    for i in range(symbols * positions):
        seen[i] = 0
    for i in range(start, start + count):
        base = members[i] * positions
        for j in range(positions):
            seen[cells[base + j]] += 1
    # Step 2: signatures of places [0, 16) and symbols [16, 32) from these counts.
    for j in range(positions):
        total = uint64(j < problem.pinned)
        for c in range(symbols):
            total += words[seen[c * positions + j]]
        marks[j] = mixed(total)
        marks[32 + j] = uint64(0)
    for c in range(symbols):
        total = uint64(c < problem.pinned)
        for j in range(positions):
            often = words[seen[c * positions + j]]
            total += often * (marks[j] | uint64(1))
        marks[16 + c] = mixed(total)
        marks[48 + c] = uint64(0)
    # Step 3: finer signatures [32, 64) from the codes with them: of each symbol at each
    # place the sum of hashes of its codes.
    for c in range(symbols):
        for j in range(positions):
            at = c * positions + j
            sign = mixed(words[seen[at]]) if problem.by_place else marks[16 + c]
            marks[CELLS + at] = marks[j] * (sign | uint64(1))
            marks[SUMS + at] = uint64(0)
    for i in range(start, start + count):
        base = members[i] * positions
        total = uint64(0)
        for j in range(positions):
            total += marks[CELLS + cells[base + j]]
        total = mixed(total)
        for j in range(positions):
            marks[SUMS + cells[base + j]] += total
    for c in range(symbols):
        for j in range(positions):
            total = marks[SUMS + c * positions + j]
            marks[48 + c] += total * (marks[j] | uint64(1))
            sign = mixed(total) if problem.by_place else marks[16 + c]
            marks[32 + j] += total * (sign | uint64(1))
    # Step 4: the order of the places, and the rank of the symbols; pinned ones come first.
    for i in range(problem.pinned):
        marks[32 + i] = uint64(0)
        marks[48 + i] = uint64(0)
    for j in range(positions):
        seen[j] = problem.powers[rank_of(marks, 32, positions, j)]
    for c in range(symbols):
        rank = rank_of(marks, 48, symbols, c)
        for j in range(positions):
            marks[CELLS + c * positions + j] = rank * uint64(seen[j])
    if problem.by_place:
        for j in range(positions):
            for c in range(symbols):
                marks[48 + c] = marks[SUMS + c * positions + j]
            for c in range(symbols):
                rank = rank_of(marks, 48, symbols, c)
                marks[CELLS + c * positions + j] = rank * uint64(seen[j])
    # Step 5: hash the image.
    place = uint64(turn) * uint64(0x9E3779B97F4A7C15)
    check = uint64(turn) * uint64(0xC2B2AE3D27D4EB4F)
    for i in range(start, start + count):
        base = members[i] * positions
        number = uint64(0)
        for j in range(positions):
            number += marks[CELLS + cells[base + j]]
        word = 2 * problem.index_of[number]
        place ^= words[word]
        check ^= words[word + 1]
    return place, check


@inlined
def rank_of(marks: Words, first: int, count: int, which: int) -> int:
    """Return the rank of one among ``marks[first:first + count]``; equal ones by number.

    Without branches, which processors predict badly here.
    """
    own = marks[first + which]
    rank = uint64(0)
    for i in range(count):
        mark = marks[first + i]
        rank += uint64(mark < own) | (uint64(mark == own) & uint64(i < which))
    return rank


@kernel
def plain_key(
    problem: Problem, work: Workspace, turn: int, start: int, count: int
) -> tuple[int, int]:
    """Return two hashes of ``members[turn, start:start + count]`` as it is."""
    place = uint64(turn) * uint64(0x9E3779B97F4A7C15)
    check = uint64(turn) * uint64(0xC2B2AE3D27D4EB4F)
    for i in range(start, start + count):
        word = 2 * work.members[turn, i]
        place ^= problem.hashes[word]
        check ^= problem.hashes[word + 1]
    return place, check
