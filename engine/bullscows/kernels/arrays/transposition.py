"""The transposition table: what is proved of a set of candidates at a turn.

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


@kernel
def is_busy(busy: Words, check: int) -> bool:
    """Return whether some thread is searching the set with this hash."""
    return bool(busy[check & uint64(busy.shape[0] - 1)] == check)


@kernel
def mark_busy(busy: Words, check: int, begins: bool) -> None:
    """Tell the other threads that this one begins or ends to search a set."""
    slot = check & uint64(busy.shape[0] - 1)
    if begins:
        busy[slot] = check
    elif busy[slot] == check:
        busy[slot] = uint64(0)
