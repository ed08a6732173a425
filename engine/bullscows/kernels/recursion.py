"""The recursion: the least cost of a set of candidates, by branch and bound.

`solve` is a sequence of numbered steps, because it calls itself; each step is a kernel of its own
or a few lines, and names the pruning rule that it uses.  docs/proof.md proves the rules in the same
order.  Steps 10 to 13 are in `bullscows.kernels.trial`.
"""

from __future__ import annotations

from bullscows.game.objective import INFINITE
from bullscows.kernels import log, sharing
from bullscows.kernels import workspace as ws
from bullscows.kernels.batches import bound_batch, least_of_orbits, next_batch, rule_batch
from bullscows.kernels.bounds import by_size, fan_out, inside_bound, outside_bound, scan
from bullscows.kernels.compiling.jit import Numbers, Words, inlined, int64, kernel, uint64
from bullscows.kernels.members import Small, member_check
from bullscows.kernels.problem import ANY, CANDIDATE, CRUSH, Problem
from bullscows.kernels.pruning import SMALL, TIED_SIZE, Pruning
from bullscows.kernels.sharing import is_busy, mark_busy
from bullscows.kernels.splits import write_local
from bullscows.kernels.symmetry import symbol_classes
from bullscows.kernels.transposition import BOUND, EXACT, probe, store
from bullscows.kernels.trial import (
    CUT,
    QUEUE,
    open_sizes,
    part_budget,
    put_back,
    raise_least,
    stored_parts,
    try_guess,
)


@kernel
def solve(problem: Problem, work: ws.Workspace, node: ws.Node, budget: int, known: int) -> int:
    """Find the least cost of a set of three candidates or more, from its turn on.

    Returns the exact value if it is at most `budget`, the most that the caller can use, below
    `INFINITE`; then ``result[GUESS]`` is a guess that attains it, or -1 if the value came from the
    table.  Otherwise the result is a proved lower bound above `budget`, or, if `signal` is set
    meanwhile, maybe within it.  `known` is a cost that some member is known to reach; 0: members
    have not been checked.

    If the order of the node is `BY_TIE`, `budget` is the value, and the guesses that attain it are
    left in ``guesses[turn, :result[TIES]]``, candidates first and by number, one of each class
    under the known symmetry.  The list ends with the first guess after which all parts are special,
    or with the first of all if there are more than `TIED_SIZE` candidates; ``result[GUESS]`` is its
    last.  `ALL`: the same, but all guesses that cost at most `budget`.
    """
    turn = node.turn
    counters = work.counters
    result = work.result
    place = node.place
    check = node.check
    counters[ws.NODES] += 1
    result[ws.GUESS] = -1

    # Steps 1 to 3: by size, by the members of a small set, by the table.
    settled, value, best, least = settle(problem, work, node, budget, known)
    if settled:
        return value
    best_guess = int64(result[ws.GUESS])
    limit = min(budget, best - 1)

    # Step 4: scan all guesses for the number of parts they make; cap the fan-out.
    counters[ws.SCANS] += 1
    inside, outside = scan(problem, work, node.start, node.size, turn)
    cap = fan_out(problem, node.cap, inside, outside)
    node = ws.Node(node.start, node.size, turn, cap, node.order, place, check)
    outside = int64(0) if problem.guessing[turn] == CANDIDATE else outside

    # Step 5: what symmetry there is, and whether threads share the guesses.
    higher, fixed = symmetry(problem, work, node)
    shared = sharing.is_shared(problem, work, node)
    claims = sharing.no_claims(problem, work, node, shared)

    part = work.part[turn]
    part_hash = work.part_hash[turn]
    guesses = work.guesses[turn]
    guess_bound = work.guess_bound[turn]
    failing = int64(INFINITE)
    tries = int64(0)
    ties = int64(0)
    total = int64(0)
    done = False
    while not done:
        # Step 6: the next batch, of guesses with the same, best bound by parts; or a rule's guess.
        if problem.guessing[turn] < CRUSH:
            bound, taken, inside, outside = next_batch(problem, work, node, limit, inside, outside)
        else:
            bound, taken, inside, outside = rule_batch(problem, work, node, inside)
        if bound > limit:
            failing = min(failing, bound)
            counters[ws.CUT_PARTS] += 1
            break

        # Step 7: of equivalent guesses only the least.
        if higher != 0 or fixed:
            taken = least_of_orbits(problem, work, node, higher, fixed, taken)

        # Step 8: bound each guess by the sizes of its parts.
        taken, bound = bound_batch(problem, work, node, limit, taken)
        failing = min(failing, bound)

        tried = int64(0)
        while tried < taken and not done:
            # Step 9: the most promising guess left; what its bound forbids is left out.
            if (tries == problem.width and tries > 0) or work.signal[ws.SIGNAL_STOP] != 0:
                done = True
                break
            if shared:
                claims = sharing.unclaim(work, node, claims, total)
                sharing.choose_free(work, node, claims, tries, tried, taken)
            guess = int64(guesses[tried])
            total = guess_bound[tried]
            tried += 1
            bound = max(total, sharing.shared_bound(work, claims, guess)) if shared else total
            if bound > limit:
                failing = min(failing, bound)
                continue
            tries += 1
            begin(problem, work, node, guess, tries)
            if shared:
                value, kind = probe(work.keys, work.values, place, check)
                if kind == EXACT or (kind == BOUND and value > budget):
                    result[ws.GUESS] = -1
                    return value
                claims = sharing.claim(work, claims, guess)

            # Steps 10 to 13: split the candidates, and bound the parts without a search.
            total, left = try_guess(problem, work, node, guess, total, limit)
            if left < 0:
                failing = min(failing, total) if left == CUT else failing
                continue

            # Step 14: search the open parts, each with a share of the remaining budget.
            at = int64(0)
            end = left
            sizes = open_sizes(part, left)
            while at < end and total <= limit and work.signal[ws.SIGNAL_STOP] == 0:
                answer = part[ws.ORDER + at % QUEUE]
                at += 1
                after = part_of(node, part, part_hash, answer)
                if shared and tries <= 1 and at <= left and is_busy(work.busy, after.check):
                    end = put_back(part, answer, end)
                    continue
                rounds = at // left
                given, most = part_budget(problem, node, part, answer, limit - total, sizes, rounds)
                if shared:
                    mark_busy(work.busy, after.check, True)
                work.path[turn] = guess * int64(log.ANSWERS) + answer
                effort = counters[ws.TRIED]
                value = solve(problem, work, after, given, part[ws.KNOWN + answer])
                log.log_part(work, after, value, given, counters[ws.TRIED] - effort)
                if shared:
                    mark_busy(work.busy, after.check, False)
                total += raise_least(part, answer, value)
                if given < value and given < most:
                    end = put_back(part, answer, end)
                else:
                    sizes -= part[ws.SIZE + answer]
            if total > limit or work.signal[ws.SIGNAL_STOP] != 0:
                failing = min(failing, total)
                done = work.signal[ws.SIGNAL_STOP] != 0
                counters[ws.CUT_SUM] += 1
                continue
            best = min(best, total)
            best_guess = guess
            if turn == work.signal[ws.SIGNAL_TURN]:
                result[ws.BEST] = total
                result[ws.BEST_GUESS] = guess
            if node.order == ws.BY_BOUND:
                limit = total - 1
                continue
            # All guesses within the limit are in one batch: those tried leave space for the list.
            guesses[ties] = guess
            ties += 1
            # No later guess can be preferred to one after which all parts are special.
            is_last = node.size > TIED_SIZE or stored_parts(problem, work, turn, int64(1)) == 0
            done = node.order == ws.BY_TIE and is_last
        if shared:
            claims = sharing.unclaim(work, node, claims, total)

        # Step 15: guesses of the batch that were never tried bound the value of failure.
        for i in range(tried, taken):
            failing = min(failing, guess_bound[i])
    if done and node.order == ws.BY_BOUND:
        later = inside_bound(problem, node, inside), outside_bound(problem, node, outside)
        failing = min(failing, later[0], later[1])

    # Step 16: report.
    result[ws.GUESS] = best_guess
    result[ws.TIES] = ties
    return report(problem, work, node, budget, max(least, min(best, failing)), best)


@kernel
def settle(
    problem: Problem, work: ws.Workspace, node: ws.Node, budget: int, known: int
) -> tuple[bool, int, int, int]:
    """Try what needs no scan; arguments as of `solve`.

    Returns (settled, value, best, least): whether `value` is the result; else the cost of the guess
    ``result[GUESS]``, or `INFINITE` and -1; and a lower bound on every guess.
    """
    counters = work.counters
    result = work.result
    flags = problem.flags
    best = int64(known) if known > 0 else int64(INFINITE)
    zero = int64(0)

    # Step 1: by size alone.
    least = by_size(problem, node.turn, node.cap, node.size)
    if least > budget:
        counters[ws.CUT_SIZE] += 1
        return True, least, zero, zero
    if node.turn > problem.turns:
        result[ws.TOO_DEEP] = 1
        work.signal[ws.SIGNAL_STOP] = 1
        return True, least, zero, zero

    # Step 2: by the members of a small set.
    if known <= 0 and node.size <= SMALL and flags & Pruning.MEMBERS.value:
        members = work.members[node.turn]
        small = Small(problem.responses, problem.stride, False, members, node.start, node.size)
        best, bound, member = member_check(problem, work, small, node.turn, node.cap, budget)
        result[ws.GUESS] = members[node.start + member] if member >= 0 else -1
        least = max(least, bound)
        if best <= least and node.order == ws.BY_BOUND:
            return True, best, zero, zero
        if least > budget:
            counters[ws.CUT_MEMBERS] += 1
            result[ws.GUESS] = -1
            return True, least, zero, zero

    # Step 3: by the table.
    if node.order != ws.BY_BOUND:
        return False, zero, int64(INFINITE), least
    if flags & Pruning.TABLE.value:
        value, kind = probe(work.keys, work.values, node.place, node.check)
        if kind == EXACT or (kind == BOUND and value > budget):
            counters[ws.HITS] += 1
            result[ws.GUESS] = -1
            return True, value, zero, zero
    return False, zero, best, least


@inlined
def symmetry(problem: Problem, work: ws.Workspace, node: ws.Node) -> tuple[int, bool]:
    """Return the result of `symbol_classes`, and whether the history has known symmetries.

    In a game with named turns only those that may guess anything try one guess of each class.
    """
    higher = uint64(0)
    if problem.orbit_turns > 0 and problem.guessing[node.turn] != ANY:
        return higher, False
    if problem.flags & Pruning.SYMBOLS.value and problem.positions > 0:
        higher = uint64(symbol_classes(problem, work, node))
    least = int64(problem.orbit_turns == 0)
    return higher, problem.flags & Pruning.HISTORY.value != 0 and work.stab_count[node.turn] > least


@inlined
def begin(problem: Problem, work: ws.Workspace, node: ws.Node, guess: int, tries: int) -> None:
    """Count a guess that is tried, report it, and make the table of a small set's members."""
    work.counters[ws.TRIED] += 1
    if node.turn == work.signal[ws.SIGNAL_TURN]:
        work.signal[ws.SIGNAL_GUESS] = int64(guess) + 1
        work.signal[ws.SIGNAL_DONE] += 1
    if tries == 1 and node.size <= ws.LOCAL_SIZE:
        write_local(problem, work, node)


@inlined
def part_of(node: ws.Node, part: Numbers, part_hash: Words, answer: int) -> ws.Node:
    """Return the part of a guess with an answer, as a node."""
    start = part[ws.START + answer]
    size = part[ws.SIZE + answer]
    cap = part[ws.CAP + answer]
    place = part_hash[2 * answer]
    check = part_hash[2 * answer + 1]
    return ws.Node(start, size, node.turn + 1, cap, int64(ws.BY_BOUND), place, check)


@kernel
def report(
    problem: Problem, work: ws.Workspace, node: ws.Node, budget: int, bound: int, best: int
) -> int:
    """Return and store the result, which is exact only if nothing stopped the search.

    `best` is the cost of the best guess tried, `bound` a lower bound on every guess.
    """
    if work.signal[ws.SIGNAL_STOP] != 0:
        work.result[ws.GUESS] = -1
        return bound
    is_exact = best <= budget
    value = best if is_exact else max(bound, budget + 1)
    if not is_exact:
        work.result[ws.GUESS] = -1
    if problem.flags & Pruning.TABLE.value and node.turn > problem.orbit_turns:
        place = node.place
        check = node.check
        store(work.keys, work.values, place, check, value, int64(is_exact), node.size)
    return value
