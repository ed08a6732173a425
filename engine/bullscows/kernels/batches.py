"""Batches of guesses with the same, best bound by parts: pruned, bounded and ordered."""

from __future__ import annotations

from bullscows.game.objective import INFINITE
from bullscows.kernels import workspace as ws
from bullscows.kernels.bounds import by_size, cap_after, inside_bound, outside_bound
from bullscows.kernels.compiling.jit import Bytes, Codes, Numbers, int64, kernel, uint64
from bullscows.kernels.instructions import lowest_bit
from bullscows.kernels.problem import Problem
from bullscows.kernels.pruning import Pruning
from bullscows.kernels.scan import CHUNK, within
from bullscows.kernels.splits import cache_answers, read_answers
from bullscows.kernels.symmetry import is_least, keeps_symbol_order

FAR = 1 << 25
"""Limit on differences of bounds in the sort key of guesses."""
ORDERS = 1 << 37
"""Limit on orders of guesses in the sort key of guesses."""


@kernel
def next_batch(
    problem: Problem, work: ws.Workspace, node: ws.Node, limit: int, inside: int, outside: int
) -> tuple[int, int, int, int]:
    """Gather the remaining guesses with the best bound by parts (docs/proof.md, "Parts").

    `inside` and `outside` are the most parts that remaining members and other guesses make.
    Returns (bound, taken, inside, outside): the bound of the batch ``guesses[turn, :taken]``, which
    is empty if the bound exceeds `limit`; and what remains after it.
    """
    of_members = inside_bound(problem, node, inside)
    of_others = outside_bound(problem, node, outside)
    bound = min(of_members, of_others)
    if bound > limit:
        return bound, int64(0), inside, outside
    lowest_inside = inside
    lowest_outside = outside
    if node.order != ws.BY_BOUND or not problem.flags & Pruning.PARTS.value:
        while lowest_inside > 2 and limit >= inside_bound(problem, node, lowest_inside - 1):
            lowest_inside -= 1
        while lowest_outside > 2 and limit >= outside_bound(problem, node, lowest_outside - 1):
            lowest_outside -= 1
    elif of_members != bound:
        lowest_inside = inside + 1
    elif of_others != bound:
        lowest_outside = outside + 1
    work.counters[ws.BATCHES] += 1
    parts = work.parts[node.turn]
    guesses = work.guesses[node.turn]
    members = work.members[node.turn]
    taken = int64(0)
    if of_members <= limit:
        for i in range(node.start, node.start + node.size):
            made = int64(parts[members[i]]) - ws.MEMBER
            if lowest_inside <= made <= inside:
                guesses[taken] = members[i]
                taken += 1
        inside = min(inside, lowest_inside - 1)
    if of_others <= limit:
        taken = gather(parts, problem.size, lowest_outside, outside, guesses, taken)
        outside = min(outside, lowest_outside - 1)
    return bound, taken, inside, outside


@kernel
def least_of_orbits(
    problem: Problem, work: ws.Workspace, node: ws.Node, higher: int, fixed: bool, taken: int
) -> int:
    """Keep the least guess of each orbit of the batch (docs/proof.md, "Symmetry").

    `higher` is the result of `symbol_classes` for the candidates, `fixed` whether transformations
    are known that fix the history.  Returns how many of ``guesses[turn, :taken]`` remain.
    """
    guesses = work.guesses[node.turn]
    classes = work.symbol_class[node.turn]
    left = int64(0)
    for i in range(taken):
        guess = int64(guesses[i])
        has_class = problem.symbol_sets[guess] & higher != 0
        if has_class and (problem.by_place or not keeps_symbol_order(problem, classes, guess)):
            work.counters[ws.CUT_SYMBOLS] += 1
        elif fixed and not is_least(problem, work, node.turn, guess):
            work.counters[ws.CUT_HISTORY] += 1
        else:
            guesses[left] = guess
            left += 1
    return left


@kernel
def bound_batch(
    problem: Problem, work: ws.Workspace, node: ws.Node, limit: int, taken: int
) -> tuple[int, int]:
    """Bound each guess of the batch by the sizes of its parts, and sort the best first.

    Returns (left, failing): how many of ``guesses[turn, :taken]`` may cost at most `limit`, with
    bounds in ``guess_bound[turn]``; the least bound of the others, or `INFINITE`.
    """
    turn = node.turn
    count = node.size
    sizes = work.sizes
    win = problem.win
    guesses = work.guesses[turn]
    bounds = work.guess_bound[turn]
    orders = work.guess_order[turn]
    work.counters[ws.GUESSES] += taken
    row = (turn + 1) * (problem.answers + 1)
    width = problem.sizes + 1
    failing = int64(INFINITE)
    left = int64(0)
    at = int64(0)
    for i in range(taken):
        if i % ws.BLOCK == 0:
            at = min(left, int64(ws.CACHED))
            if count <= ws.LOCAL_SIZE:
                read_answers(problem, work, node, i, min(i + ws.BLOCK, taken), at)
            else:
                count_sizes(problem, work, node, i, min(i + ws.BLOCK, taken))
        guess = int64(guesses[i])
        first = i % ws.BLOCK * problem.answers
        is_member = sizes[first + win] > 0
        bound = problem.weights[turn] if is_member else int64(0)
        if count <= problem.sizes:
            for answer in range(win):
                cap = cap_after(problem, node.cap, guess, answer)
                bound += problem.bounds[(row + cap) * width + sizes[first + answer]]
        else:
            for answer in range(win):
                cap = cap_after(problem, node.cap, guess, answer)
                bound += by_size(problem, turn + 1, cap, int64(sizes[first + answer]))
        if bound > limit:
            failing = min(failing, bound)
            work.counters[ws.CUT_HISTOGRAM] += 1
            continue
        order = int64(-1) if is_member else int64(0)
        for answer in range(win):
            order += problem.entropy[sizes[first + answer]]
        if count <= ws.LOCAL_SIZE:
            place = int64(i % ws.BLOCK)
            cache_answers(problem, work, node, guess, place, at + place, left)
        guesses[left] = guess
        bounds[left] = bound
        orders[left] = order
        left += 1
    if node.order == ws.BY_BOUND and problem.flags & Pruning.ORDER.value:
        sort_guesses(guesses, bounds, orders, left)
    return left, failing


@kernel
def gather(parts: Bytes, size: int, low: int, high: int, found: Codes, taken: int) -> int:
    """Append to ``found[:taken]`` the guesses with `low` to `high` parts; return the new length.

    `parts` is (stride,); entries behind its first `size` are ignored.
    """
    for at in range(0, size, CHUNK):
        fits = within(parts, at, low, high)
        if size - at < CHUNK:
            fits &= (uint64(1) << uint64(size - at)) - uint64(1)
        while fits != 0:
            found[taken] = at + lowest_bit(fits)
            taken += 1
            fits &= fits - uint64(1)
    return taken


@kernel
def count_sizes(problem: Problem, work: ws.Workspace, node: ws.Node, begin: int, end: int) -> None:
    """Write the sizes of the parts that each guess ``guesses[turn, begin:end]`` makes of a node.

    They go into `Workspace.sizes`, at most `BLOCK` rows with a size by answer.  Candidates are
    counted for all guesses at once: the table is read in order, and no count waits for another.
    """
    members = work.members[node.turn]
    guesses = work.guesses[node.turn]
    sizes = work.sizes
    responses = problem.responses
    answers = problem.answers
    for i in range((end - begin) * answers):
        sizes[i] = 0
    for i in range(node.start, node.start + node.size):
        row = members[i] * problem.stride
        at = int64(0)
        for j in range(begin, end):
            sizes[at + responses[row + guesses[j]]] += 1
            at += answers


@kernel
def sort_guesses(guesses: Codes, bounds: Numbers, orders: Numbers, count: int) -> None:
    """Sort ``guesses[:count]`` by bound, then by order, then by number; shell sort, in place.

    Bound and order make one number in `orders`; bounds far above the least compare as equal.
    """
    least = int64(INFINITE)
    for i in range(count):
        least = min(least, bounds[i])
    for i in range(count):
        above = min(bounds[i] - least, int64(FAR))
        orders[i] = above * int64(ORDERS) + min(orders[i] + 1, int64(ORDERS) - 1)
    gap = int64(1)
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            guess = guesses[i]
            bound = bounds[i]
            order = orders[i]
            j = i
            while j >= gap and (
                orders[j - gap] > order or (orders[j - gap] == order and guesses[j - gap] > guess)
            ):
                guesses[j] = guesses[j - gap]
                bounds[j] = bounds[j - gap]
                orders[j] = orders[j - gap]
                j -= gap
            guesses[j] = guess
            bounds[j] = bound
            orders[j] = order
        gap //= 3
