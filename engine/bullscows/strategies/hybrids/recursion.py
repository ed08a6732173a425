"""The recursion behind the hybrids: exact search on some turns, one rule's guess on the others.

A plain branch and bound with a table of positions, kept apart from `bullscows.search.solver`, whose
cuts hold only where every turn is searched.  Flat arrays and explicit offsets, as in
`bullscows.kernels.parts`.
"""

from __future__ import annotations

from bullscows.game.objective import INFINITE
from bullscows.kernels.arrays.transposition import (
    EXACT,
    UNKNOWN,
    probe,
    store,
)
from bullscows.kernels.compiling.jit import (
    allocating,
    inlined,
    int64,
    uint64,
)
from bullscows.kernels.members import perfect_member
from bullscows.strategies.hybrids.arrays import POSSIBLE, Codes, Game, Scratch
from bullscows.strategies.hybrids.guesses import count_by_answer, list_guesses, scan

_FAR = 1 << 40
"""Stands for `INFINITE` in the table, where a value shares a word with its guess."""

_GUESS_BITS = 16


@allocating
def _partition(game: Game, work: Scratch, turn: int, start: int, count: int, guess: int) -> int:
    """Write the parts of `guess` into row turn + 1 of `members`, but the win; smallest first.

    Start and size of each go into row `turn` of `part`.  Returns the number of parts.
    """
    members = work.members[turn]
    sizes = work.sizes[0]
    count_by_answer(game, members, start, count, guess, count, sizes)
    part = work.part[turn]
    parts = int64(0)
    for answer in range(game.answers):
        if sizes[answer] == 0 or answer == game.win:
            continue
        place = parts
        while place > 0 and part[2 * place - 1] > sizes[answer]:
            part[2 * place] = part[2 * place - 2]
            part[2 * place + 1] = part[2 * place - 1]
            place -= 1
        part[2 * place] = answer
        part[2 * place + 1] = sizes[answer]
        parts += 1
    offset = int64(0)
    for place in range(parts):
        sizes[part[2 * place]] = offset
        part[2 * place] = offset
        offset += part[2 * place + 1]
    row = int64(guess) * game.stride
    for i in range(start, start + count):
        answer = game.responses[row + members[i]]
        if answer != game.win:
            work.members[turn + 1, sizes[answer]] = members[i]
            sizes[answer] += 1
    return parts


@inlined
def _key(
    game: Game, members: Codes, start: int, count: int, turn: int, listed: Codes
) -> tuple[int, int]:
    """Return two hashes of a set of candidates, a turn, and a list of guesses that is not all."""
    place = uint64(turn) * uint64(0x9E3779B97F4A7C15)
    check = uint64(turn) * uint64(0xC2B2AE3D27D4EB4F)
    for i in range(start, start + count):
        place ^= game.hashes[2 * members[i]]
        check ^= game.hashes[2 * members[i] + 1]
    if listed.shape[0] != game.size:
        for guess in listed:
            # The words change places, or a guess would cancel against the same candidate.
            place ^= game.hashes[2 * guess + 1]
            check ^= game.hashes[2 * guess]
    return place, check


@allocating
def known_guess(game: Game, work: Scratch, turn: int, count: int, listed: Codes) -> int:
    """Return the guess kept for ``members[turn, :count]`` by an exact `solve`, or -1."""
    place, check = _key(game, work.members[turn], 0, count, turn, listed)
    word, status = probe(game.keys, game.values, place, check)
    if status != EXACT or word >> _GUESS_BITS >= _FAR:
        return int64(-1)
    return int64(word & ((1 << _GUESS_BITS) - 1))


@allocating
def splitting_guess(game: Game, work: Scratch, turn: int, start: int, count: int) -> int:
    """Return the first guess that leaves all of ``members[turn]`` apart, or -1."""
    if count > game.answers:
        return int64(-1)
    scan(game, work, work.members[turn], start, count)
    for guess in range(game.size):
        if work.parts[guess] == count:
            return int64(guess)
    return int64(-1)


@allocating
def solve(
    game: Game, work: Scratch, turn: int, start: int, count: int, budget: int, listed: Codes
) -> int:
    """Return the cost of ``members[turn, start:start + count]`` under the plan.

    Parameters
    ----------
    turn
        The turn about to be played, from 1.
    budget
        Exact: the result is the cost if that is less.  Otherwise the result is a lower bound that
        is at least `budget`, and `INFINITE` if the plan cannot find all candidates in time.
    listed
        The guesses of this turn, if it tries all; later turns try every code.
    """
    weights = game.weights
    # Step 1: sizes that settle the matter.
    if count == 1:
        return int64(weights[turn])
    if turn >= game.last:
        return int64(INFINITE)
    if game.bounds[turn, count] >= budget:
        return int64(game.bounds[turn, count])
    members = work.members[turn]
    # Step 2: special positions, where every manner of guessing does the same.
    apart = -1
    if count <= game.answers:
        apart = perfect_member(game.responses, game.stride, members, start, count)
    if apart >= 0:
        return int64(weights[turn] + (count - 1) * weights[turn + 1])
    # Step 3: the last turn but one is exact, except that candidates only means candidates only.
    if turn == game.last - 1:
        if game.manners[turn] != POSSIBLE and splitting_guess(game, work, turn, start, count) >= 0:
            return int64(count * weights[turn + 1])
        return int64(INFINITE)
    # Step 4: what is known already.
    place, check = _key(game, members, start, count, turn, listed)
    word, status = probe(game.keys, game.values, place, check)
    known = word >> _GUESS_BITS
    if status != UNKNOWN and (status == EXACT or known >= budget):
        return int64(INFINITE) if known >= _FAR else known
    # Step 5: the guesses of this turn, each left as soon as it cannot beat the best.
    chosen = int64(0)
    limit = budget
    for i in range(list_guesses(game, work, turn, start, count, budget, listed)):
        rank = work.order[turn, i]
        guess = int64(work.guesses[turn, rank])
        if work.floors[turn, rank] >= limit:
            continue
        parts = _partition(game, work, turn, start, count, guess)
        part = work.part[turn]
        found = count
        rest = int64(0)
        for p in range(parts):
            found -= part[2 * p + 1]
            rest += game.bounds[turn + 1, part[2 * p + 1]]
        total = found * weights[turn]
        for p in range(parts):
            size = part[2 * p + 1]
            rest -= game.bounds[turn + 1, size]
            if total + rest >= limit:
                break
            slack = limit - total - rest
            total += solve(game, work, turn + 1, part[2 * p], size, slack, game.every)
        if total + rest < limit:
            limit = total
            chosen = guess
    # Step 6: keep the result; without a guess below the budget, the budget is a bound.
    exact = limit < budget or budget >= INFINITE
    packed = (min(limit, _FAR) << _GUESS_BITS) | chosen
    store(game.keys, game.values, place, check, packed, int64(exact), count)
    return int64(limit)
