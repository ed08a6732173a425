"""Which of several optimal guesses: the one whose tree stores the fewest nodes.

A tree's string leaves out the nodes that are *special* (`engine.tree.strategy_tree.special_guess`),
so among equally good guesses those are preferred that keep nodes special.  How many nodes the
shortest optimal tree of a set stores is counted exactly, from the leaves up, over all optimal
guesses of all sets that they lead to: 0 for a special set, else one more than the least sum over
the parts of an optimal guess.  Values are looked up in the table that the search has left warm.

Larger sets take the first optimal guess: there to prove all ties costs more than it saves.
"""

from __future__ import annotations

from engine.kernels.canonical import extend_history, key_of
from engine.kernels.jit import (
    Words,
    int64,
    kernel,
    uint64,
)
from engine.kernels.parts import perfect_member
from engine.kernels.recursion import (
    BY_BOUND,
    BY_TIE,
    NOTHING,
    SIZE,
    START,
    solve,
    stored_parts,
)
from engine.kernels.transposition import (
    BOUND,
    EXACT,
    probe,
    store,
)
from engine.kernels.workspace import (
    GUESS,
    TIES,
    Problem,
    Workspace,
)


@kernel
def fewest_stored(
    problem: Problem,
    work: Workspace,
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
        The number if it is at most `limit`, and then, if ``known == 0``, ``counters[GUESS]`` is
        the first guess in the order of ties that leads to it; else a lower bound above `limit`.
        If the weights allow no strategy, ``counters[GUESS]`` is -1.
    """
    # Step 1: special sets, and what the table knows.
    answers = problem.answers
    responses = problem.responses
    members = work.members[turn]
    if count <= answers:
        perfect = perfect_member(responses, problem.stride, members, start, count)
        if perfect >= 0:
            work.counters[GUESS] = int64(members[start + perfect])
            return int64(0)
    place, check = key_of(problem, work, turn, start, count, turn)
    if known != 0:
        number, kind = probe(keys, values, place, check)
        if kind == EXACT or (kind == BOUND and number > limit):
            return number
    if limit < 1:
        return int64(1)

    # Step 2: the value, and the guesses that attain it.
    cap = answers - 1
    zero = int64(0)
    budget = int64(NOTHING) - 1
    value = solve(
        problem, work, start, count, turn, budget, cap, place, check, zero, int64(BY_BOUND)
    )
    if value > budget:
        work.counters[GUESS] = int64(-1)
        return limit + 1
    solve(problem, work, start, count, turn, value, cap, place, check, zero, int64(BY_TIE))
    ties = int64(work.counters[TIES])
    guesses = work.guesses[turn]

    # Step 3: how many parts of each are not special; none is as good as can be.
    stored = work.guess_bound[turn]
    best = limit + 1
    chosen = int64(-1)
    most = int64(0)
    for i in range(ties):
        split(problem, work, start, count, turn, int64(guesses[i]))
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
            split(problem, work, start, count, turn, int64(guesses[i]))
            for answer in range(problem.win):
                size = part[SIZE + answer]
                if size <= 2:
                    continue
                begin = part[START + answer]
                if size <= answers and (
                    perfect_member(responses, problem.stride, work.members[turn + 1], begin, size)
                    >= 0
                ):
                    continue
                if problem.positions > 0:
                    extend_history(problem, work, turn, int64(guesses[i]))
                left = allowed - total + 1
                total -= 1
                total += fewest_stored(
                    problem, work, keys, values, begin, size, turn + 1, left, int64(1)
                )
                if total > allowed:
                    break
            if total <= allowed:
                best, chosen = total, int64(i)
        fewest += 1

    # Step 5: report.
    if best <= limit:
        store(keys, values, place, check, best, int64(1), count)
        work.counters[GUESS] = int64(guesses[chosen])
        return best
    store(keys, values, place, check, limit + 1, int64(0), count)
    return limit + 1


@kernel
def split(problem: Problem, work: Workspace, start: int, count: int, turn: int, guess: int) -> None:
    """Write the parts that `guess` makes of a set into ``members[turn + 1]``, sizes into `part`."""
    members = work.members[turn]
    children = work.members[turn + 1]
    part = work.part[turn]
    responses = problem.responses
    stride = uint64(problem.stride)
    for answer in range(problem.answers):
        part[SIZE + answer] = 0
    for i in range(start, start + count):
        part[SIZE + int64(responses[uint64(members[i]) * stride + uint64(guess)])] += 1
    end = int64(0)
    for answer in range(problem.answers):
        part[START + answer] = end
        end += part[SIZE + answer]
    for i in range(start, start + count):
        answer = int64(responses[uint64(members[i]) * stride + uint64(guess)])
        children[part[START + answer]] = members[i]
        part[START + answer] += 1
    for answer in range(problem.answers):
        part[START + answer] -= part[SIZE + answer]
