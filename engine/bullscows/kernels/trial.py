"""The trial of a guess: bounds on its parts before any is searched, then their budgets.

`bullscows.kernels.splits` describes the arrays of parts.

Few guesses are nearly as good as the best.  To refute the others, a slightly better bound of each
part is enough, and far cheaper than the value of one (docs/proof.md, "Histogram").  So an open part
of a large set is first searched with twice its share, by size, of what the limit leaves.  A part
that exceeds it is searched again after the others, and shares are doubled after each round.
"""

from __future__ import annotations

from bullscows.game.objective import INFINITE
from bullscows.kernels import splits
from bullscows.kernels import workspace as ws
from bullscows.kernels.bounds import by_size, cap_after, fan_out, fill, scan
from bullscows.kernels.compiling.jit import Numbers, inlined, int64, kernel
from bullscows.kernels.members import Small, is_special, member_check, most_parts, reaches
from bullscows.kernels.problem import Problem
from bullscows.kernels.pruning import QUICK_TURNS, SMALL, Pruning
from bullscows.kernels.symmetry import extend_history
from bullscows.kernels.transposition import BOUND, EXACT, key_of, probe, store
from bullscows.kernels.workspace import LANES, NEAR

CUT = -1
"""Result of `try_guess` for a guess that costs too much, instead of a number of parts."""
WHOLE = -2
"""Result of `try_guess` for a guess without information, instead of a number of parts."""


@kernel
def try_guess(
    problem: Problem, work: ws.Workspace, node: ws.Node, guess: int, total: int, limit: int
) -> tuple[int, int]:
    """Split a set by a guess and bound the parts, the cheapest way first.

    `total` is the bound of the guess by the sizes of its parts.  Returns (total, left): a better
    bound, and the number of parts to be searched, whose answers are in ``part[turn, ORDER:]``;
    `CUT` if the cost exceeds `limit`, `WHOLE` if the guess leaves all candidates together.
    """
    # Step 10: split the candidates; order the parts that size does not settle.
    begin = splits.cached_answers(work, node, guess)
    if begin >= 0:
        left = splits.split_cached(problem, work, node, begin)
    else:
        left = splits.split(problem, work, node, guess)
    if left < 0:
        return total, int64(WHOLE)

    # Step 11: check the members of small parts, largest part first.
    total = check_parts(problem, work, node, guess, total, limit, left)
    if total > limit:
        work.counters[ws.CUT_MEMBERS] += 1
        return total, int64(CUT)
    if begin >= 0:
        splits.place_parts(problem, work, node, begin)
    if node.size <= ws.LOCAL_SIZE:
        splits.write_parts(work, node)

    # Step 12: look the open parts up.
    total, left = look_up(problem, work, node, total, limit, left)
    if total > limit:
        work.counters[ws.CUT_TABLE] += 1
        return total, int64(CUT)

    # Step 13: bound each open part by one scan before any is searched.
    if node.turn <= QUICK_TURNS and problem.flags & Pruning.QUICK.value:
        total = scan_parts(problem, work, node, total, limit, left)
        if total > limit:
            work.counters[ws.CUT_QUICK] += 1
            return total, int64(CUT)

    # The small ones are searched first if they raise the sum as well as the large ones.
    if left > 0 and problem.positions > 0:
        extend_history(problem, work, node.turn, int64(guess))
    if problem.flags & Pruning.PART_ORDER.value and not problem.small_first:
        reverse_order(work, node, left)
    return total, left


@inlined
def check_parts(
    problem: Problem,
    work: ws.Workspace,
    node: ws.Node,
    guess: int,
    total: int,
    limit: int,
    left: int,
) -> int:
    """Bound the parts by their members; return the new total, above `limit` if too much.

    A part that its members settle gets -1 as its bound.
    """
    part = work.part[node.turn]
    turn = node.turn + 1
    begin = splits.cached_answers(work, node, guess)
    for i in range(left - 1, -1, -1):
        answer = part[ws.ORDER + i]
        size = part[ws.SIZE + answer]
        cap = cap_after(problem, node.cap, guess, answer)
        bound = by_size(problem, turn, cap, size)
        value = int64(0)
        part[ws.CAP + answer] = cap
        part[ws.LEAST + answer] = bound
        if size <= SMALL and problem.flags & Pruning.MEMBERS.value:
            work.counters[ws.MEMBERS] += 1
            allowed = bound + limit - total
            if begin >= 0:
                splits.place_part(work, node, begin, answer)
            small = part_as_set(problem, work, node, answer)
            value, settled, _ = member_check(problem, work, small, turn, cap, allowed)
            settled = max(settled, bound)
            total += min(value, settled) - bound
            part[ws.LEAST + answer] = -1 if value <= settled else settled
        part[ws.KNOWN + answer] = value
        if total > limit:
            break
    return total


@inlined
def part_as_set(problem: Problem, work: ws.Workspace, node: ws.Node, answer: int) -> Small:
    """Return a part for `bullscows.kernels.members`, with the table of a small node."""
    part = work.part[node.turn]
    is_near = node.size <= NEAR
    table = problem.responses
    stride = problem.stride
    places = work.members[node.turn + 1]
    if node.size <= ws.LOCAL_SIZE:
        table = work.local[node.turn]
        stride = node.size
        places = work.places[node.turn]
    start = part[ws.START + answer]
    size = part[ws.SIZE + answer]
    return Small(table, stride, is_near, places, start, size)


@inlined
def look_up(
    problem: Problem, work: ws.Workspace, node: ws.Node, total: int, limit: int, left: int
) -> tuple[int, int]:
    """Look the parts up in the table; return the new total and the number of open parts."""
    part = work.part[node.turn]
    part_hash = work.part_hash[node.turn]
    turn = node.turn + 1
    open_parts = int64(0)
    for i in range(left):
        answer = part[ws.ORDER + i]
        if part[ws.LEAST + answer] < 0:
            continue
        if total <= limit and problem.flags & Pruning.TABLE.value:
            start = part[ws.START + answer]
            size = part[ws.SIZE + answer]
            place, check = key_of(problem, work, turn, start, size)
            part_hash[2 * answer] = place
            part_hash[2 * answer + 1] = check
            value, kind = probe(work.keys, work.values, place, check)
            if kind == EXACT:
                total += value - part[ws.LEAST + answer]
                continue
            if kind == BOUND and value > part[ws.LEAST + answer]:
                total += value - part[ws.LEAST + answer]
                part[ws.LEAST + answer] = value
        part[ws.ORDER + open_parts] = answer
        open_parts += 1
    return total, open_parts


@inlined
def scan_parts(
    problem: Problem, work: ws.Workspace, node: ws.Node, total: int, limit: int, left: int
) -> int:
    """Bound the open parts by a scan each, the last first; return the new total."""
    part = work.part[node.turn]
    part_hash = work.part_hash[node.turn]
    for i in range(left - 1, -1, -1):
        answer = part[ws.ORDER + i]
        work.counters[ws.QUICK] += 1
        bound = quick_bound(problem, work, node, answer)
        if bound > part[ws.LEAST + answer]:
            total += bound - part[ws.LEAST + answer]
            part[ws.LEAST + answer] = bound
            if problem.flags & Pruning.TABLE.value:
                place = part_hash[2 * answer]
                check = part_hash[2 * answer + 1]
                known = min(bound, int64(INFINITE))
                store(work.keys, work.values, place, check, known, int64(0), part[ws.SIZE + answer])
        if total > limit:
            break
    return total


@inlined
def quick_bound(problem: Problem, work: ws.Workspace, node: ws.Node, answer: int) -> int:
    """Bound a part from below by one scan, unless its members show that it is of little use.

    If the bound of a member alone is no more than the known bound of the part, that remains
    (docs/proof.md, "Histogram").  A scan might still find a smaller fan-out, which is forgone.
    """
    part = work.part[node.turn]
    start = part[ws.START + answer]
    size = part[ws.SIZE + answer]
    cap = part[ws.CAP + answer]
    turn = node.turn + 1
    weights = problem.weights
    least = part[ws.LEAST + answer]
    small = part_as_set(problem, work, node, answer)
    if node.size > ws.LOCAL_SIZE or size > LANES:
        is_reached = reaches(problem, small, turn, cap, least)
    else:
        most = most_parts(small, problem.answers, work.square)
        cost = weights[turn] + fill(problem, size - 1, most - 1, turn + 1, cap)
        is_reached = bool(cost <= least)
    if is_reached:
        return int64(least)
    inside, outside = scan(problem, work, start, size, turn)
    cap = fan_out(problem, cap, inside, outside)
    with_member = weights[turn] + fill(problem, size - 1, inside - 1, turn + 1, cap)
    return int64(min(with_member, fill(problem, size, outside, turn + 1, cap)))


@inlined
def reverse_order(work: ws.Workspace, node: ws.Node, left: int) -> None:
    """Reverse the order of the open parts."""
    part = work.part[node.turn]
    for i in range(left // 2):
        one = ws.ORDER + i
        other = ws.ORDER + left - 1 - i
        part[one], part[other] = part[other], part[one]


@kernel
def stored_parts(problem: Problem, work: ws.Workspace, turn: int, enough: int) -> int:
    """Count the parts of the guess under way at `turn` that are not special, up to `enough`."""
    part = work.part[turn]
    children = work.members[turn + 1]
    found = int64(0)
    for answer in range(problem.win):
        if not is_special(problem, children, part[ws.START + answer], part[ws.SIZE + answer]):
            found += 1
            if found >= enough:
                break
    return found


# -- budgets of the open parts ---------------------------------------------------------------------

QUEUE = 64
"""Room for the answers of open parts, which wait in a ring from `ORDER` on."""

FAR = 1 << 40
"""Limit on the remaining budget; it prevents overflow."""
MOST_DOUBLINGS = 20
"""Limit on the number of doublings; it prevents overflow."""


@inlined
def open_sizes(part: Numbers, left: int) -> int:
    """Return the number of candidates of the `left` open parts together."""
    total = int64(0)
    for i in range(left):
        total += part[ws.SIZE + part[ws.ORDER + i]]
    return total


@inlined
def part_budget(
    problem: Problem, node: ws.Node, part: Numbers, answer: int, spare: int, sizes: int, rounds: int
) -> tuple[int, int]:
    """Return the budget of a part, and the most that it may cost if the others cost their bounds.

    `spare` is the limit minus the bounds of all parts, `sizes` the candidates of all open parts,
    and `rounds` the number of searches, this one included, divided by that of open parts at first.
    """
    if not problem.flags & Pruning.SLACK.value:
        return int64(INFINITE) - 1, int64(INFINITE) - 1
    least = part[ws.LEAST + answer]
    size = part[ws.SIZE + answer]
    most = least + spare
    if node.size < problem.budgeted or node.order != ws.BY_BOUND or size >= sizes:
        return int64(most), int64(most)
    times = int64(2) << min(rounds, int64(MOST_DOUBLINGS))
    grown = min(spare, int64(FAR)) * times
    share = grown // sizes * size + grown % sizes * size // sizes
    return int64(least + min(spare, share)), int64(most)


@inlined
def put_back(part: Numbers, answer: int, end: int) -> int:
    """Put a part at the end of the ring; return the new end."""
    part[ws.ORDER + end % QUEUE] = answer
    return end + 1


@inlined
def raise_least(part: Numbers, answer: int, value: int) -> int:
    """Take over a better bound of a part; return the gain."""
    gain = max(value - part[ws.LEAST + answer], int64(0))
    part[ws.LEAST + answer] += gain
    return int64(gain)
