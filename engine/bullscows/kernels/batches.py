"""Batches of guesses: those with the same, best bound by parts, or those of a rule.

They are pruned, bounded and ordered.

Crush takes the first candidate of equal guesses, or else the first guess, like its twin in
`bullscows.strategies.one_step`; `CRUSH_ALL` tries all of them. Larmouth's rule sums in plain
doubles, whose rounding breaks some ties, like the paper's program as far as its figures tell. Of
equal guesses `LARMOUTH` takes the first candidate, or else the last guess, as for Mastermind;
`LARMOUTH_LAST` the last, candidate or not, as for Bulls & Cows (docs/results.md, "Hybrids").
"""

from __future__ import annotations

from math import log

from bullscows.game.objective import INFINITE
from bullscows.kernels import workspace as ws
from bullscows.kernels.bounds import by_size, cap_after, inside_bound, outside_bound
from bullscows.kernels.compiling.jit import Bytes, Codes, Numbers, inlined, int64, kernel, uint64
from bullscows.kernels.instructions import lowest_bit
from bullscows.kernels.parts import CHUNK, within
from bullscows.kernels.problem import CRUSH_ALL, LARMOUTH, LARMOUTH_LAST, Problem
from bullscows.kernels.pruning import Pruning
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


# -- the guesses of a rule -------------------------------------------------------------------------

_LEAST = 64
"""First entry of `Workspace.scratch` with the sorted sizes of the best guess so far."""

_BONUS = 2 * log(2)
"""What Larmouth's rule takes off the sum of a candidate."""

_SLACK = 1e-6
"""More than the rounding error of a sum of n ln n."""


@kernel
def rule_batch(
    problem: Problem, work: ws.Workspace, node: ws.Node, inside: int
) -> tuple[int, int, int, int]:
    """Put the guesses of the turn's rule into ``guesses[turn]``; results as of `next_batch`.

    `inside` is what is left after `scan`: 0 after the first batch, which is the only one.
    """
    if inside == 0:
        return int64(INFINITE), int64(0), int64(0), int64(0)
    rule = problem.guessing[node.turn]
    taken = int64(1)
    if rule >= LARMOUTH:
        work.guesses[node.turn, 0] = _larmouth(problem, work, node)
    else:
        work.guesses[node.turn, 0] = _crush(problem, work, node)
    if rule == CRUSH_ALL:
        taken = _equals(problem, work, node)
    return int64(0), taken, int64(0), int64(0)


@kernel
def _crush(problem: Problem, work: ws.Workspace, node: ws.Node) -> int:
    """Return the guess whose sizes of parts, in descending order, come first."""
    sizes = work.scratch
    chosen = int64(-1)
    sizes[_LEAST] = node.size + 1
    members = work.members[node.turn]
    for step in range(node.size + problem.size):  # the candidates first, then all codes
        is_member = step < node.size
        guess = int64(members[node.start + step]) if is_member else int64(step - node.size)
        parts = _parts(work, node, guess)
        # k parts leave one of at least n/k.
        if (node.size + parts - 1) // parts > sizes[_LEAST]:
            continue
        if not _count(problem, work, node, guess, sizes[_LEAST]):
            continue
        _sort_descending(sizes, problem.answers)
        if _first_difference(sizes, problem.answers) < 0:
            for i in range(problem.answers):
                sizes[_LEAST + i] = sizes[i]
            chosen = guess
    return chosen


@kernel
def _equals(problem: Problem, work: ws.Workspace, node: ws.Node) -> int:
    """Put all guesses that crush rates like its own into ``guesses[turn]``; return how many."""
    sizes = work.scratch
    guesses = work.guesses[node.turn]
    is_member = work.parts[node.turn, guesses[0]] >= ws.MEMBER
    taken = int64(0)
    for guess in range(problem.size):
        if (work.parts[node.turn, guess] >= ws.MEMBER) != is_member:
            continue
        if not _count(problem, work, node, guess, sizes[_LEAST]):
            continue
        _sort_descending(sizes, problem.answers)
        if _first_difference(sizes, problem.answers) == 0:
            guesses[taken] = guess
            taken += 1
    return taken


@kernel
def _larmouth(problem: Problem, work: ws.Workspace, node: ws.Node) -> int:
    """Return a guess with the least sum of n ln n, less 2 ln 2 for a candidate.

    At the first turns only the least guess of each class counts.
    """
    is_last = problem.guessing[node.turn] == LARMOUTH_LAST
    sizes = work.scratch
    logarithms = problem.logarithms
    least = float(INFINITE)
    chosen = int64(-1)
    for guess in range(problem.size):
        bonus = _BONUS if work.parts[node.turn, guess] >= ws.MEMBER else 0.0
        # n ln n is convex, so k equal parts are the least that k parts can cost.
        parts = _parts(work, node, guess)
        each = node.size // parts
        more = node.size % parts
        even = more * logarithms[each + 1] + (parts - more) * logarithms[each]
        if even - bonus > least + _SLACK:
            continue
        _count(problem, work, node, guess, node.size)
        score = 0.0
        for answer in range(problem.answers):
            score += logarithms[sizes[answer]]
        score -= bonus
        if score == least and not is_last and work.parts[node.turn, chosen] >= ws.MEMBER:
            continue
        is_class_left_alone = node.turn > problem.orbit_turns
        if score <= least and (is_class_left_alone or is_least(problem, work, node.turn, guess)):
            least = score
            chosen = guess
    return chosen


@inlined
def _parts(work: ws.Workspace, node: ws.Node, guess: int) -> int:
    """Return how many parts a guess makes, its own win among them."""
    parts = int64(work.parts[node.turn, guess])
    return parts - ws.MEMBER if parts >= ws.MEMBER else parts


@inlined
def _count(problem: Problem, work: ws.Workspace, node: ws.Node, guess: int, most: int) -> bool:
    """Count the parts by answer into `Workspace.scratch`; give up on one larger than `most`."""
    members = work.members[node.turn]
    sizes = work.scratch
    for answer in range(problem.answers):
        sizes[answer] = 0
    for i in range(node.start, node.start + node.size):
        answer = problem.responses[members[i] * problem.stride + guess]
        sizes[answer] += 1
        if sizes[answer] > most:
            return False
    return True


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
def _first_difference(sizes: Numbers, count: int) -> int:
    """Return whether the sorted sizes come before the best so far (below 0), or equal them (0)."""
    for i in range(count):
        if sizes[i] != sizes[_LEAST + i]:
            return int64(sizes[i] - sizes[_LEAST + i])
    return int64(0)
