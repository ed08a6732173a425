"""Guesses that split the candidates alike, of which one is enough (paper, 2.5.8).

Two guesses split alike if they make the same parts, whatever the answers, and are both candidates
or both not.  Parts are compared by 64-bit words, as positions are in the table of the search.
"""

from __future__ import annotations

from bullscows.kernels.compiling.jit import inlined, int64, uint64
from bullscows.strategies.hybrids.arrays import Codes, Game, Numbers, Scratch


@inlined
def split_word(
    game: Game, work: Scratch, members: Codes, start: int, count: int, guess: int
) -> int:
    """Return a word for the parts of a guess, whatever their answers."""
    words = work.splits[game.size :]
    for answer in range(game.answers):
        words[answer] = uint64(0)
    row = int64(guess) * game.stride
    for i in range(start, start + count):
        words[game.responses[row + members[i]]] ^= game.hashes[2 * members[i]]
    word = uint64(0)
    for answer in range(game.answers):
        part = words[answer]
        word += (part ^ (part >> uint64(29))) * uint64(0x9E3779B97F4A7C15)
    return word


@inlined
def first_of_equal_splits(work: Scratch, places: Numbers, kinds: Numbers) -> int:
    """Leave of `places` one for each split; `kinds` are equal where splits are.  Returns how many.

    Sorted by kind, places of one kind are neighbours.
    """
    kept = int64(0)
    for place in places:
        earlier = kept - 1
        while (
            earlier >= 0
            and kinds[places[earlier]] == kinds[place]
            and work.splits[places[earlier]] != work.splits[place]
        ):
            earlier -= 1
        if earlier < 0 or kinds[places[earlier]] != kinds[place]:
            places[kept] = place
            kept += 1
    return kept
