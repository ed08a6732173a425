"""Which guesses a turn of a hybrid tries: the one of its rule, or all that may cost little enough.

The two rules are the fast twins of those in `bullscows.strategies.rules.one_step`; the tests
compare them.
"""

from __future__ import annotations

import numpy as np

from bullscows.game.objective import INFINITE
from bullscows.kernels.compiling.jit import allocating, inlined, int64
from bullscows.kernels.parts import fill
from bullscows.kernels.vectors.scan import count_parts
from bullscows.strategies.hybrids.arrays import (
    CRUSH,
    LOG_BITS,
    POSSIBLE,
    Codes,
    Game,
    Numbers,
    Scratch,
)
from bullscows.strategies.hybrids.splits import first_of_equal_splits, split_word

_LOG_SLACK = 1 << 20
"""More than rounding can add to a scaled sum of n log n."""


# -- counting --------------------------------------------------------------------------------------


@inlined
def count_by_answer(
    game: Game, members: Codes, start: int, count: int, guess: int, most: int, sizes: Numbers
) -> bool:
    """Count the parts of `guess` into `sizes`; give up, returning False, on one above `most`."""
    for answer in range(game.answers):
        sizes[answer] = 0
    row = int64(guess) * game.stride
    for i in range(start, start + count):
        answer = game.responses[row + members[i]]
        sizes[answer] += 1
        if sizes[answer] > most:
            return False
    return True


@inlined
def scan(game: Game, work: Scratch, members: Codes, start: int, count: int) -> None:
    """Count the parts of every guess into `work.parts`."""
    count_parts(game.responses, game.stride, game.answers, members, start, count, work.parts)


# -- the rules -------------------------------------------------------------------------------------


@inlined
def _sort_descending(sizes: Numbers, count: int) -> None:
    for i in range(1, count):
        size = sizes[i]
        place = i
        while place > 0 and sizes[place - 1] < size:
            sizes[place] = sizes[place - 1]
            place -= 1
        sizes[place] = size


@inlined
def _is_finer(sizes: Numbers, best: Numbers, count: int) -> bool:
    for i in range(count):
        if sizes[i] != best[i]:
            return bool(sizes[i] < best[i])
    return False


@allocating
def _crush(game: Game, work: Scratch, members: Codes, start: int, count: int) -> int:
    """Return the guess of `rules.one_step.crush`: candidates first, then `game.outside`."""
    scan(game, work, members, start, count)
    sizes = work.sizes[0]
    best = work.sizes[1]
    best[0] = count + 1
    chosen = int64(-1)
    for step in range(count + game.size):
        guess = int64(members[start + step] if step < count else game.outside[step - count])
        parts = int64(work.parts[guess])
        # k parts leave one of at least n/k.
        if (count + parts - 1) // parts > best[0]:
            continue
        if not count_by_answer(game, members, start, count, guess, best[0], sizes):
            continue
        _sort_descending(sizes, game.answers)
        if _is_finer(sizes, best, game.answers):
            best[: game.answers] = sizes[: game.answers]
            chosen = guess
    return chosen


@allocating
def _larmouth(game: Game, work: Scratch, members: Codes, start: int, count: int) -> int:
    """Return the guess of `one_step.larmouth`: candidates first, then `game.outside`."""
    scan(game, work, members, start, count)
    sizes = work.sizes[0]
    least = int64(INFINITE)
    chosen = int64(-1)
    for step in range(count + game.size):
        inside = step < count
        guess = int64(members[start + step] if inside else game.outside[step - count])
        bonus = int64(2 << LOG_BITS) if inside else int64(0)
        # n log n is convex, so k equal parts are the least that k parts can cost.
        each, more = divmod(count, int64(work.parts[guess]))
        even = more * game.logs[each + 1] + (work.parts[guess] - more) * game.logs[each]
        if even - bonus > least + _LOG_SLACK:
            continue
        count_by_answer(game, members, start, count, guess, count, sizes)
        score = -bonus
        for answer in range(game.answers):
            score += game.logs[sizes[answer]]
        if score < least:
            least = score
            chosen = guess
    return chosen


@allocating
def rule_guess(game: Game, work: Scratch, turn: int, start: int, count: int) -> int:
    """Return the guess of this turn's rule for ``members[turn, start:start + count]``."""
    if game.manners[turn] == CRUSH:
        return _crush(game, work, work.members[turn], start, count)
    return _larmouth(game, work, work.members[turn], start, count)


# -- all guesses -----------------------------------------------------------------------------------


@inlined
def _floor(
    game: Game, work: Scratch, turn: int, start: int, count: int, guess: int, budget: int
) -> tuple[int, int]:
    """Return what a guess costs at least, and the sum of squares of the sizes of its parts.

    By the number of parts, and if that leaves less than `budget`, by their sizes; `INFINITE` if
    it tells nothing.  `work.parts` and `work.is_member` are those of the candidates.
    """
    inside, parts = int64(work.is_member[guess]), int64(work.parts[guess])
    here = inside * game.weights[turn]
    floor = here + fill(count - inside, parts - inside, turn + 1, game.answers - 1, game.weights)
    if parts == 1:
        floor = int64(INFINITE)
    if floor >= budget:
        return floor, int64(0)
    sizes = work.sizes[0]
    count_by_answer(game, work.members[turn], start, count, guess, count, sizes)
    floor, spread = here, int64(0)
    for answer in range(game.answers):
        spread += sizes[answer] * sizes[answer]
        if answer != game.win:
            floor += game.bounds[turn + 1, sizes[answer]]
    return floor, spread


@allocating
def list_guesses(
    game: Game, work: Scratch, turn: int, start: int, count: int, budget: int, listed: Codes
) -> int:
    """List the guesses that may cost less than `budget`, and the order to try them in.

    Writes row `turn` of `guesses`, `floors` (bounds by the sizes of the parts) and `order`: small
    parts first, measured by the sum of squares, candidates before others.  Returns how many.
    """
    guesses = work.guesses[turn]
    if game.manners[turn] >= CRUSH:
        guesses[0] = rule_guess(game, work, turn, start, count)
        work.floors[turn, 0] = 0
        work.order[turn, 0] = 0
        return int64(1)
    members = work.members[turn]
    if game.manners[turn] == POSSIBLE:
        listed = members[start : start + count]
    for i in range(start, start + count):
        work.is_member[members[i]] = 1
    scan(game, work, members, start, count)
    kept = 0
    for i in range(listed.shape[0]):
        guess = int64(listed[i])
        floor, spread = _floor(game, work, turn, start, count, guess, budget)
        if floor >= budget:
            continue
        guesses[kept] = guess
        work.floors[turn, kept] = floor
        outside = 1 - int64(work.is_member[guess])
        work.order[turn, kept] = (2 * spread + outside) * game.size + guess
        if game.drops_equal_splits:
            work.splits[kept] = split_word(game, work, members, start, count, guess)
        kept += 1
    for i in range(start, start + count):
        work.is_member[members[i]] = 0
    places = np.argsort(work.order[turn, :kept])
    if game.drops_equal_splits:
        kept = first_of_equal_splits(work, places, work.order[turn, :kept] // game.size)
    work.order[turn, :kept] = places[:kept]
    return int64(kept)
