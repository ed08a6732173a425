"""Choice among optimal guesses: one whose tree stores the fewest nodes.

A tree's string leaves out the nodes that are *special*
(`bullscows.tree.strategy_tree.special_guess`), so guesses that keep nodes special are preferred.
The number of nodes that the shortest optimal tree of a set stores is exact, over all optimal
guesses of all sets below: 0 for a special set, else one more than the least sum over the parts of
an optimal guess.  Values are looked up in the warm transposition table.

Larger sets take the first optimal guess: there to prove all ties costs more than it saves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bullscows.game.objective import INFINITE
from bullscows.kernels.arrays import workspace as ws
from bullscows.kernels.arrays.problem import Problem
from bullscows.kernels.arrays.transposition import BOUND, EXACT, probe, store
from bullscows.kernels.compiling.jit import Words, call, int64, kernel, pointer, uint64
from bullscows.kernels.members import is_special, perfect_member
from bullscows.kernels.recursion import solve
from bullscows.kernels.steps.splits import set_parts
from bullscows.kernels.steps.trial import stored_parts
from bullscows.kernels.symmetry.history import extend_history
from bullscows.kernels.symmetry.keys import key_of


def solver(problem: Problem, work: ws.Workspace) -> Any:
    """Return a pointer to `solve`, for `fewest_stored`."""
    node, word = ws.Node(0, 0, 1, 0, ws.BY_BOUND), np.uint64(0)
    return pointer(solve, problem, work, node, 0, word, word, 0)


@kernel
def fewest_stored(
    problem: Problem,
    work: ws.Workspace,
    search: Any,
    keys: Words,
    values: Words,
    start: int,
    count: int,
    turn: int,
    limit: int,
    known: int,
) -> int:
    """Count the nodes that the shortest optimal tree of a set stores.

    Parameters
    ----------
    search
        What `solver` returns.
    keys, values
        A transposition table of numbers of stored nodes, for this problem alone.
    start, count
        The set is ``members[turn, start:start + count]``; 3 <= count <= `TIED_SIZE`.
    limit
        The most that the caller can use.
    known
        1 if a number from the table will do; 0 if the guess is wanted as well.

    Returns
    -------
    int
        The number if it is at most `limit`, and then, if ``known == 0``, ``result[GUESS]`` is
        the first guess in the order of ties that leads to it; else a lower bound above `limit`.
        If the weights allow no strategy, ``result[GUESS]`` is -1.
    """
    # Step 1: special sets, and what the table knows.
    answers = problem.answers
    members = work.members[turn]
    if count <= answers:
        perfect = perfect_member(problem.responses, problem.stride, members, start, count)
        if perfect >= 0:
            work.result[ws.GUESS] = int64(members[start + perfect])
            return int64(0)
    place, check = key_of(problem, work, turn, start, count, turn)
    if known != 0:
        number, kind = probe(keys, values, place, check)
        if kind == EXACT or (kind == BOUND and number > limit):
            return number
    if limit < 1:
        return int64(1)

    # Step 2: the value, and the guesses that attain it.
    zero = int64(0)
    budget = int64(INFINITE) - 1
    node = ws.Node(start, count, turn, answers - 1, int64(ws.BY_BOUND))
    value = call(search, (problem, work, node, budget, place, check, zero))
    if value > budget:
        work.result[ws.GUESS] = int64(-1)
        return limit + 1
    node = ws.Node(start, count, turn, answers - 1, int64(ws.BY_TIE))
    call(search, (problem, work, node, value, place, check, zero))
    ties = int64(work.result[ws.TIES])
    guesses = work.guesses[turn]

    # Step 3: how many parts of each are not special; none is as good as can be.
    stored = work.guess_bound[turn]
    best = limit + 1
    chosen = int64(-1)
    most = int64(0)
    for i in range(ties):
        set_parts(problem, work, node, uint64(guesses[i]))
        stored[i] = stored_parts(problem, work, turn, answers)
        most = max(most, stored[i])
        if stored[i] == 0:
            best, chosen = int64(1), int64(i)

    # Step 4: sum the parts up, guesses with few of them first, as long as that can be better.
    part = work.part[turn]
    fewest = int64(1)
    while fewest <= most and 1 + fewest <= min(best, limit):
        for i in range(ties):
            allowed = min(limit, best if i < chosen else best - 1)
            total = 1 + fewest
            if stored[i] != fewest or total > allowed:
                continue
            set_parts(problem, work, node, uint64(guesses[i]))
            for answer in range(problem.win):
                begin, size = part[ws.START + answer], part[ws.SIZE + answer]
                if is_special(problem, work.members[turn + 1], begin, size):
                    continue
                if problem.positions > 0:
                    extend_history(problem, work, turn, int64(guesses[i]))
                left = allowed - total + 1
                total -= 1
                total += fewest_stored(
                    problem, work, search, keys, values, begin, size, turn + 1, left, int64(1)
                )
                if total > allowed:
                    break
            if total <= allowed:
                best, chosen = total, int64(i)
        fewest += 1

    # Step 5: report.
    if best <= limit:
        store(keys, values, place, check, best, int64(1), count)
        work.result[ws.GUESS] = int64(guesses[chosen])
        return best
    store(keys, values, place, check, limit + 1, int64(0), count)
    return limit + 1
