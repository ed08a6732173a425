"""The kernel that Python calls to search a set: one, so that the steps of all are compiled once.

Of optimal guesses it chooses one whose tree stores the fewest nodes.  A tree's string leaves out
the nodes that are *special* (`bullscows.tree.strategy_tree.special_guess`), so guesses that keep
nodes special are preferred.  The number of nodes that the shortest optimal tree of a set stores is
exact, over all optimal guesses of all sets below: 0 for a special set, else one more than the least
sum over the parts of an optimal guess.  Values are looked up in the warm transposition table.

Larger sets take the first optimal guess: to prove all ties costs more than it saves there.
"""

from __future__ import annotations

from bullscows.game.objective import INFINITE
from bullscows.kernels import workspace as ws
from bullscows.kernels.compiling.jit import Numbers, int64, kernel
from bullscows.kernels.members import is_special, perfect_member
from bullscows.kernels.problem import Problem
from bullscows.kernels.recursion import part_of, solve
from bullscows.kernels.splits import set_parts
from bullscows.kernels.symmetry import extend_history, start_history
from bullscows.kernels.transposition import BOUND, EXACT, key_of, probe, store
from bullscows.kernels.trial import stored_parts


@kernel
def search(
    problem: Problem,
    work: ws.Workspace,
    tables: ws.Tables,
    guesses: Numbers,
    turns: int,
    node: ws.Node,
    budget: int,
) -> int:
    """Search a node at the beginning of its row, without a key: the one entry for Python.

    It uses the symmetry that the guesses of the history leave: ``guesses[:turns]``, or no symmetry
    if `turns` is -1.  If the order of the node is `FEWEST`, this is `fewest_stored` with `tables`
    and the limit `budget`, otherwise `solve`.
    """
    work.result[ws.TOO_DEEP] = 0
    for turn in range(work.stab_count.shape[0]):
        work.stab_count[turn] = 0
    if turns >= 0:
        start_history(problem, work, int64(1))
        for turn in range(1, turns + 1):
            extend_history(problem, work, turn, guesses[turn - 1])
    turn = node.turn
    zero = int64(0)
    place, check = key_of(problem, work, turn, zero, node.size)
    keyed = ws.Node(zero, node.size, turn, node.cap, node.order, place, check)
    if node.order == ws.FEWEST:
        return fewest_stored(problem, work, tables, keyed, budget, zero)
    return solve(problem, work, keyed, budget, zero)


@kernel
def fewest_stored(
    problem: Problem,
    work: ws.Workspace,
    tables: ws.Tables,
    node: ws.Node,
    limit: int,
    only_number: int,
) -> int:
    """Return the number of nodes that the shortest optimal tree of a set stores.

    Above `limit`, the most that the caller can use: a lower bound that is, too.  `tables` is a
    transposition table of such numbers for this problem alone.  The set has 3 to `TIED_SIZE`
    candidates.  If `only_number` is 0, ``result[GUESS]`` is the first guess in the order of ties
    that leads to the number, or -1 if the weights allow no strategy.  If it is 1, no guess is
    wanted, so the number may come from the table.
    """
    # Step 1: special sets, and what the table knows.
    answers = problem.answers
    turn = node.turn
    count = node.size
    members = work.members[turn]
    if count <= answers:
        perfect = perfect_member(problem.responses, problem.stride, members, node.start, count)
        if perfect >= 0:
            work.result[ws.GUESS] = int64(members[node.start + perfect])
            return int64(0)
    place, check = key_of(problem, work, turn, node.start, count)
    if only_number != 0:
        number, kind = probe(tables[0], tables[1], place, check)
        if kind == EXACT or (kind == BOUND and number > limit):
            return number
    if limit < 1:
        return int64(1)

    # Step 2: the value, and the guesses that attain it.
    zero = int64(0)
    budget = int64(INFINITE) - 1
    node = ws.Node(node.start, count, turn, answers - 1, int64(ws.BY_BOUND), place, check)
    value = solve(problem, work, node, budget, zero)
    if value > budget:
        work.result[ws.GUESS] = int64(-1)
        return limit + 1
    node = ws.Node(node.start, count, turn, answers - 1, int64(ws.BY_TIE), place, check)
    solve(problem, work, node, value, zero)
    ties = int64(work.result[ws.TIES])
    guesses = work.guesses[turn]

    # Step 3: how many parts of each are not special; none is as good as can be.
    stored = work.guess_bound[turn]
    best = limit + 1
    chosen = int64(-1)
    most = int64(0)
    for i in range(ties):
        set_parts(problem, work, node, int64(guesses[i]))
        stored[i] = stored_parts(problem, work, turn, answers)
        most = max(most, stored[i])
        if stored[i] == 0:
            best = int64(1)
            chosen = int64(i)

    # Step 4: sum the parts up, guesses with few of them first, as long as that can be better.
    part = work.part[turn]
    fewest = int64(1)
    while fewest <= most and 1 + fewest <= min(best, limit):
        for i in range(ties):
            allowed = min(limit, best if i < chosen else best - 1)
            total = 1 + fewest
            if stored[i] != fewest or total > allowed:
                continue
            set_parts(problem, work, node, int64(guesses[i]))
            for answer in range(problem.win):
                after = part_of(node, part, work.part_hash[turn], answer)
                if is_special(problem, work.members[turn + 1], after.start, after.size):
                    continue
                if problem.positions > 0:
                    extend_history(problem, work, turn, int64(guesses[i]))
                left = allowed - total + 1
                total -= 1
                total += fewest_stored(problem, work, tables, after, left, int64(1))
                if total > allowed:
                    break
            if total <= allowed:
                best = total
                chosen = int64(i)
        fewest += 1

    # Step 5: report.
    if best <= limit:
        store(tables[0], tables[1], place, check, best, int64(1), count)
        work.result[ws.GUESS] = int64(guesses[chosen])
        return best
    store(tables[0], tables[1], place, check, limit + 1, int64(0), count)
    return limit + 1
