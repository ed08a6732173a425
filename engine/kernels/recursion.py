"""The recursion: the least cost of a set of candidates, by branch and bound.

`solve` is one long function of numbered steps, because it calls itself; each step states which
rule lets it leave guesses out, and docs/proof.md proves the rules in the same order.
"""

from __future__ import annotations

from engine.game.objective import INFINITE
from engine.kernels.canonical import (
    extend_history,
    is_least,
    keeps_symbol_order,
    key_of,
    plain_key,
    symbol_classes,
)
from engine.kernels.jit import (
    inlined,
    int64,
    kernel,
    uint64,
)
from engine.kernels.parts import (
    count_sizes,
    fill,
    gather,
    largest,
    member_check,
    perfect_member,
    sort_guesses,
    swap,
)
from engine.kernels.scan import count_parts
from engine.kernels.thresholds import QUICK_TURNS, SHARED_TURNS, SMALL, TIED_SIZE
from engine.kernels.transposition import (
    BOUND,
    EXACT,
    is_busy,
    mark_busy,
    probe,
    release,
    store,
    word_of,
)
from engine.kernels.workspace import (
    BEYOND,
    CUT_HISTOGRAM,
    CUT_HISTORY,
    CUT_MEMBERS,
    CUT_PARTS,
    CUT_QUICK,
    CUT_SIZE,
    CUT_SUM,
    CUT_SYMBOLS,
    CUT_TABLE,
    GUESS,
    GUESSES,
    HITS,
    LOCAL,
    LOCAL_SIZE,
    MEMBER,
    MEMBERS,
    NODES,
    QUICK,
    SCANS,
    SIGNAL_BEST,
    SIGNAL_DONE,
    SIGNAL_GUESS,
    SIGNAL_JOBS,
    SIGNAL_STOP,
    SIGNAL_TURN,
    STAB_TURNS,
    TIES,
    TRIED,
    USE_CAP,
    USE_HISTORY,
    USE_MEMBERS,
    USE_ORDER,
    USE_PART_ORDER,
    USE_PARTS,
    USE_QUICK,
    USE_SLACK,
    USE_SYMBOLS,
    USE_TABLE,
    WAVES,
    Problem,
    Workspace,
)

BY_BOUND, BY_TIE, ALL = 0, 1, 2
"""Orders of guesses: best bound first, or candidates first and by number; and without an end."""

NOTHING = int(INFINITE)

# Columns of a row of `Workspace.part`, 64 entries each.
START, SIZE, LEAST, KNOWN, ORDER = 0, 64, 128, 192, 256


@inlined
def by_size(problem: Problem, turn: int, cap: int, count: int) -> int:
    """Return the bound by size of `count` candidates (see `engine.kernels.bounds`)."""
    if count <= problem.sizes:
        row = uint64(turn) * uint64(problem.answers + 1) + uint64(cap)
        return int64(problem.bounds[row * uint64(problem.sizes + 1) + uint64(count)])
    return fill(count, int64(1), turn, cap, problem.weights)


@kernel
def quick_bound(
    problem: Problem, work: Workspace, start: int, count: int, turn: int, cap: int
) -> int:
    """Bound the candidates ``members[turn, start:start + count]`` from below by one scan."""
    parts = work.parts[turn]
    count_parts(
        problem.responses,
        problem.stride,
        problem.answers,
        work.members[turn],
        start,
        count,
        work.masks,
        parts,
    )
    inside = int64(0)
    for i in range(start, start + count):
        guess = work.members[turn, i]
        inside = max(inside, int64(parts[guess]))
        parts[guess] = MEMBER
    outside = largest(parts, problem.size)
    if problem.flags & USE_CAP:
        cap = min(cap, max(inside - 1, outside))
    weights = problem.weights
    with_member = weights[turn] + fill(count - 1, inside - 1, turn + 1, cap, weights)
    return int64(min(with_member, fill(count, outside, turn + 1, cap, weights)))


@kernel
def stored_parts(problem: Problem, work: Workspace, turn: int, enough: int) -> int:
    """Count the parts of the guess under way at `turn` that are not special, up to `enough`."""
    part = work.part[turn]
    children = work.members[turn + 1]
    found = int64(0)
    for answer in range(problem.win):
        start, size = part[START + answer], part[SIZE + answer]
        if size > 2 and (
            size > problem.answers
            or perfect_member(problem.responses, problem.stride, children, start, size) < 0
        ):
            found += 1
            if found >= enough:
                break
    return found


@kernel
def solve(
    problem: Problem,
    work: Workspace,
    start: int,
    count: int,
    turn: int,
    budget: int,
    cap: int,
    place: int,
    check: int,
    known: int,
    manner: int,
) -> int:
    """Find the least cost of ``members[turn, start:start + count]``, count >= 3, from `turn` on.

    Parameters
    ----------
    budget
        The most the caller can use, below `INFINITE`.
    cap
        No guess makes more than this many parts besides its own win, here or further down.
    place, check
        The table key.
    known
        A cost that some member is known to reach; 0: members have not been checked.
    manner
        `BY_BOUND`, or `BY_TIE`: `budget` is then the value, and the guesses that attain it are
        left in ``guesses[turn, :counters[TIES]]``, candidates first and by number, one of each
        class under the known symmetry.  The list ends with the first guess after which all parts
        are special, or with the first of all if there are more than `TIED_SIZE` candidates.
        `ALL`: as `BY_TIE`, but the list is of all guesses that cost at most `budget`.

    Returns
    -------
    int
        The exact value if it is at most `budget`, and then ``counters[GUESS]`` is a guess that
        reaches it (the last of the list for `BY_TIE`), or -1 if the value came from the table;
        else a proven lower bound above `budget`.  If `signal` is set meanwhile: a proven lower
        bound, maybe within `budget`.
    """
    flags = problem.flags
    weights = problem.weights
    counters = work.counters
    counters[NODES] += 1
    counters[GUESS] = -1

    # Step 1: by size alone.
    least = by_size(problem, turn, cap, count)
    if least > budget:
        counters[CUT_SIZE] += 1
        return least
    if turn > problem.turns:
        counters[BEYOND] = 1
        work.signal[SIGNAL_STOP] = 1
        return least
    members = work.members[turn]
    best = int64(NOTHING)
    best_guess = int64(-1)
    limit = budget

    # Step 2: by the members of a small set.
    if known > 0:
        best = known
    elif count <= SMALL and flags & USE_MEMBERS:
        best, bound, member = member_check(
            problem.responses,
            problem.stride,
            members,
            start,
            count,
            turn,
            cap,
            weights,
            budget,
        )
        least = max(least, bound)
        if member >= 0:
            best_guess = int64(members[start + member])
        if best <= least and manner == BY_BOUND:
            counters[GUESS] = best_guess
            return best
        if least > budget:
            counters[CUT_MEMBERS] += 1
            return least
    if manner != BY_BOUND:
        best = int64(NOTHING)
    elif best <= limit:
        limit = best - 1

    # Step 3: by the table.
    if flags & USE_TABLE and manner == BY_BOUND:
        value, kind = probe(work.keys, work.values, place, check)
        if kind == EXACT or (kind == BOUND and value > budget):
            counters[HITS] += 1
            return value

    # Step 4: scan all guesses for the number of parts they make; cap the fan-out.
    parts = work.parts[turn]
    counters[SCANS] += 1
    count_parts(
        problem.responses,
        problem.stride,
        problem.answers,
        members,
        start,
        count,
        work.masks,
        parts,
    )
    inside = int64(0)
    for i in range(start, start + count):
        guess = members[i]
        inside = max(inside, int64(parts[guess]))
        parts[guess] += MEMBER
    outside = largest(parts, problem.size)
    if flags & USE_CAP:
        cap = min(cap, max(inside - 1, outside))

    # Step 5: what symmetry there is.
    higher = uint64(0)
    if flags & USE_SYMBOLS and problem.positions > 0:
        higher = uint64(symbol_classes(problem, work, start, count, turn))
    fixed = flags & USE_HISTORY != 0 and work.stab_count[turn] > 1

    classes = work.symbol_class[turn]
    history_row = min(turn, int64(STAB_TURNS))
    stab_order = work.stab_order[history_row]
    stab_image = work.stab_image[history_row]
    free_symbols = work.free_symbols[history_row]
    responses = problem.responses
    stride = uint64(problem.stride)
    answers = problem.answers
    win = problem.win
    guesses = work.guesses[turn]
    guess_bound = work.guess_bound[turn]
    guess_order = work.guess_order[turn]
    answer_of = work.answer_of
    sizes = work.sizes
    local = work.local[turn]
    places = work.places[turn]
    part = work.part[turn]
    part_hash = work.part_hash[turn]
    children = work.members[turn + 1]
    has_local = False
    shared = turn <= SHARED_TURNS and work.signal[SIGNAL_JOBS] > 1 and flags & USE_TABLE != 0
    shared = shared and manner == BY_BOUND
    small = count <= LOCAL_SIZE
    failing = int64(NOTHING)
    tries = int64(0)
    claim = uint64(0)
    own_place, own_check = uint64(0), uint64(0)
    if shared:
        # Not the canonical key: a guess means something else in an image of the set.
        own_place, own_check = plain_key(problem, work, turn, start, count, turn)
    total = int64(0)
    done = False
    ties = int64(0)
    while not done:
        # Step 6: the next wave, of guesses with the same, best bound by parts.
        inside_bound = int64(NOTHING)
        outside_bound = int64(NOTHING)
        if inside >= 2:
            inside_bound = weights[turn] + fill(count - 1, inside - 1, turn + 1, cap, weights)
        if outside >= 2:
            outside_bound = fill(count, outside, turn + 1, cap, weights)
        wave_bound = min(inside_bound, outside_bound)
        if wave_bound > limit:
            failing = min(failing, wave_bound)
            counters[CUT_PARTS] += 1
            break
        inside_from = inside
        outside_from = outside
        if manner != BY_BOUND or not flags & USE_PARTS:
            while inside_from > 2 and limit >= weights[turn] + fill(
                count - 1, inside_from - 2, turn + 1, cap, weights
            ):
                inside_from -= 1
            while outside_from > 2 and limit >= fill(
                count, outside_from - 1, turn + 1, cap, weights
            ):
                outside_from -= 1
        elif inside_bound != wave_bound:
            inside_from = inside + 1
        elif outside_bound != wave_bound:
            outside_from = outside + 1
        counters[WAVES] += 1
        taken = int64(0)
        if inside_bound <= limit:
            for i in range(start, start + count):
                guess = members[i]
                made = int64(parts[guess]) - MEMBER
                if inside_from <= made <= inside:
                    guesses[taken] = guess
                    taken += 1
            inside = min(inside, inside_from - 1)
        if outside_bound <= limit:
            taken = gather(parts, problem.size, outside_from, outside, guesses, taken)
            outside = min(outside, outside_from - 1)

        # Step 7: of equivalent guesses only the least.
        if higher != 0 or fixed:
            kept = int64(0)
            for i in range(taken):
                guess = guesses[i]
                if problem.symbol_sets[guess] & higher != 0 and not keeps_symbol_order(
                    problem.codes, problem.positions, problem.repeats, classes, guess
                ):
                    counters[CUT_SYMBOLS] += 1
                elif fixed and not is_least(
                    problem.codes,
                    problem.positions,
                    problem.symbols,
                    problem.permutations,
                    work.stab_count[turn],
                    stab_order,
                    stab_image,
                    free_symbols,
                    int64(guess),
                ):
                    counters[CUT_HISTORY] += 1
                else:
                    guesses[kept] = guess
                    kept += 1
            taken = kept

        # Step 8: bound each guess by the sizes of its parts.
        counters[GUESSES] += taken
        bounds = problem.bounds
        bounds_row = uint64(turn + 1) * uint64(answers + 1) + uint64(cap)
        bounds_row *= uint64(problem.sizes + 1)
        kept = int64(0)
        for i in range(taken):
            guess = uint64(guesses[i])
            count_sizes(responses, stride, members, start, count, guess, answers, sizes)
            bound = int64(0)
            if sizes[win] > 0:
                bound = weights[turn]
            if count <= problem.sizes:
                for answer in range(win):
                    bound += bounds[bounds_row + uint64(sizes[answer])]
            else:
                for answer in range(win):
                    bound += by_size(problem, turn + 1, cap, sizes[answer])
            if bound <= limit:
                order = int64(0) if sizes[win] == 0 else int64(-1)
                for answer in range(win):
                    order += problem.entropy[sizes[answer]]
                guesses[kept] = guess
                guess_bound[kept] = bound
                guess_order[kept] = order
                kept += 1
            else:
                failing = min(failing, bound)
                counters[CUT_HISTOGRAM] += 1
        taken = kept
        if manner == BY_BOUND and flags & USE_ORDER:
            sort_guesses(guesses, guess_bound, guess_order, taken)

        tried = int64(0)
        while tried < taken:
            # Step 9: the most promising guess left; what its bound forbids is left out.
            if tries == problem.width and tries > 0:
                done = True
                break
            if shared:
                if claim != 0:
                    release(
                        work.keys,
                        work.values,
                        work.busy,
                        own_place ^ claim,
                        own_check ^ claim,
                        total,
                        count,
                    )
                    claim = uint64(0)
                at = tried
                while (
                    tries > 0
                    and at < taken
                    and is_busy(work.busy, own_check ^ word_of(guesses[at]))
                ):
                    at += 1
                if tried < at < taken:
                    swap(guesses, guess_bound, tried, at)
            guess = uint64(guesses[tried])
            total = guess_bound[tried]
            tried += 1
            if shared and total <= limit:
                word = word_of(guess)
                value, kind = probe(work.keys, work.values, own_place ^ word, own_check ^ word)
                if kind == BOUND and value > limit:
                    failing = min(failing, value)
                    continue
            if total > limit:
                failing = min(failing, total)
                continue
            counters[TRIED] += 1
            tries += 1
            if turn == work.signal[SIGNAL_TURN]:
                work.signal[SIGNAL_GUESS] = int64(guess) + 1
                work.signal[SIGNAL_DONE] += 1

            if shared:
                value, kind = probe(work.keys, work.values, place, check)
                if kind == EXACT or (kind == BOUND and value > budget):
                    counters[GUESS] = -1
                    return value
                claim = word_of(guess)
                mark_busy(work.busy, own_check ^ claim, True)

            # Step 10: split the candidates; order the parts that size does not settle.
            for answer in range(answers):
                part[SIZE + answer] = 0
            for i in range(count):
                answer = int64(responses[uint64(members[start + i]) * stride + guess])
                answer_of[i] = answer
                part[SIZE + answer] += 1
            end = int64(0)
            whole = False
            for answer in range(answers):
                part[START + answer] = end
                end += part[SIZE + answer]
                if part[SIZE + answer] == count:
                    whole = True
            if whole:
                continue
            for i in range(count):
                answer = answer_of[i]
                at = part[START + answer]
                places[at] = i
                part[START + answer] = at + 1
            open_parts = int64(0)
            for answer in range(win):
                size = part[SIZE + answer]
                part[START + answer] -= size
                if size <= 2:
                    continue
                at = open_parts
                if flags & USE_PART_ORDER:
                    while at > 0 and part[SIZE + part[ORDER + at - 1]] > size:
                        part[ORDER + at] = part[ORDER + at - 1]
                        at -= 1
                part[ORDER + at] = answer
                open_parts += 1

            if not small:
                for i in range(count):
                    children[i] = members[start + int64(places[i])]

            # Step 11: check the members of small parts, largest part first.
            if small and not has_local:
                has_local = True
                counters[LOCAL] += 1
                for i in range(count):
                    row = uint64(members[start + i]) * stride
                    for j in range(count):
                        local[i * count + j] = responses[row + uint64(members[start + j])]
            for i in range(open_parts - 1, -1, -1):
                answer = part[ORDER + i]
                size = part[SIZE + answer]
                bound = by_size(problem, turn + 1, cap, size)
                value = int64(0)
                part[LEAST + answer] = bound
                if size <= SMALL and flags & USE_MEMBERS:
                    counters[MEMBERS] += 1
                    if small:
                        value, settled, _ = member_check(
                            local,
                            count,
                            places,
                            part[START + answer],
                            size,
                            turn + 1,
                            cap,
                            weights,
                            bound + limit - total,
                        )
                    else:
                        value, settled, _ = member_check(
                            responses,
                            problem.stride,
                            children,
                            part[START + answer],
                            size,
                            turn + 1,
                            cap,
                            weights,
                            bound + limit - total,
                        )
                    settled = max(settled, bound)
                    total += min(value, settled) - bound
                    part[LEAST + answer] = -1 if value <= settled else settled
                part[KNOWN + answer] = value
                if total > limit:
                    break
            if total > limit:
                failing = min(failing, total)
                counters[CUT_MEMBERS] += 1
                continue
            if small:
                for i in range(count):
                    children[i] = members[start + int64(places[i])]

            # Step 12: look the open parts up.
            left = int64(0)
            for i in range(open_parts):
                answer = part[ORDER + i]
                if part[LEAST + answer] < 0:
                    continue
                if total <= limit and flags & USE_TABLE:
                    place_of, check_of = key_of(
                        problem, work, turn + 1, part[START + answer], part[SIZE + answer], turn + 1
                    )
                    part_hash[2 * answer] = place_of
                    part_hash[2 * answer + 1] = check_of
                    value, kind = probe(work.keys, work.values, place_of, check_of)
                    if kind == EXACT:
                        total += value - part[LEAST + answer]
                        continue
                    if kind == BOUND and value > part[LEAST + answer]:
                        total += value - part[LEAST + answer]
                        part[LEAST + answer] = value
                part[ORDER + left] = answer
                left += 1
            if total > limit:
                failing = min(failing, total)
                counters[CUT_TABLE] += 1
                continue

            # Step 13: bound each open part by one scan before any is searched.
            if turn <= QUICK_TURNS and flags & USE_QUICK:
                for i in range(left - 1, -1, -1):
                    answer = part[ORDER + i]
                    counters[QUICK] += 1
                    bound = quick_bound(
                        problem, work, part[START + answer], part[SIZE + answer], turn + 1, cap
                    )
                    if bound > part[LEAST + answer]:
                        total += bound - part[LEAST + answer]
                        part[LEAST + answer] = bound
                        if flags & USE_TABLE:
                            store(
                                work.keys,
                                work.values,
                                part_hash[2 * answer],
                                part_hash[2 * answer + 1],
                                min(bound, int64(NOTHING)),
                                int64(0),
                                part[SIZE + answer],
                            )
                    if total > limit:
                        break
                if total > limit:
                    failing = min(failing, total)
                    counters[CUT_QUICK] += 1
                    continue

            # Step 14: search the open parts, each with what the others leave of the limit; the
            # small ones first if they raise the sum as well as the large ones.
            if left > 0 and problem.positions > 0:
                extend_history(problem, work, turn, int64(guess))
            if flags & USE_PART_ORDER and not problem.small_first:
                for i in range(left // 2):
                    answer = part[ORDER + i]
                    part[ORDER + i] = part[ORDER + left - 1 - i]
                    part[ORDER + left - 1 - i] = answer
            deferred = int64(0)
            at = int64(0)
            while at < left + deferred:
                if at < left:
                    answer = part[ORDER + at]
                    if shared and tries <= 1 and is_busy(work.busy, part_hash[2 * answer + 1]):
                        part[ORDER + left + deferred] = answer
                        deferred += 1
                        at += 1
                        continue
                else:
                    answer = part[ORDER + at]
                at += 1
                allowed = limit - (total - part[LEAST + answer])
                if not flags & USE_SLACK:
                    allowed = int64(NOTHING) - 1
                if shared:
                    mark_busy(work.busy, part_hash[2 * answer + 1], True)
                value = solve(
                    problem,
                    work,
                    part[START + answer],
                    part[SIZE + answer],
                    turn + 1,
                    allowed,
                    cap,
                    part_hash[2 * answer],
                    part_hash[2 * answer + 1],
                    part[KNOWN + answer],
                    int64(BY_BOUND),
                )
                if shared:
                    mark_busy(work.busy, part_hash[2 * answer + 1], False)
                total += max(value, part[LEAST + answer]) - part[LEAST + answer]
                if work.signal[SIGNAL_STOP] != 0 or total > limit:
                    break
            if work.signal[SIGNAL_STOP] != 0:
                failing = min(failing, total)
                done = True
                break
            if total > limit:
                failing = min(failing, total)
                counters[CUT_SUM] += 1
                continue
            best = min(best, total)
            best_guess = int64(guess)
            if turn == work.signal[SIGNAL_TURN]:
                work.signal[SIGNAL_BEST] = total + 1
            if manner == BY_BOUND:
                limit = total - 1
                continue
            # All guesses within the limit are in one wave: those tried leave room for the list.
            guesses[ties] = guess
            ties += 1
            if manner == BY_TIE and (
                count > TIED_SIZE or stored_parts(problem, work, turn, 1) == 0
            ):
                done = True
                break
        if claim != 0:
            release(
                work.keys,
                work.values,
                work.busy,
                own_place ^ claim,
                own_check ^ claim,
                total,
                count,
            )
            claim = uint64(0)
        # Step 15: guesses of the wave that were never tried bound the value of failure.
        for i in range(tried, taken):
            failing = min(failing, guess_bound[i])
        if done and manner == BY_BOUND:
            if inside >= 2:
                failing = min(
                    failing, weights[turn] + fill(count - 1, inside - 1, turn + 1, cap, weights)
                )
            if outside >= 2:
                failing = min(failing, fill(count, outside, turn + 1, cap, weights))

    # Step 16: report; a value is exact only if nothing stopped the search.
    counters[TIES] = ties
    best = min(best, int64(NOTHING))
    if work.signal[SIGNAL_STOP] != 0:
        return max(least, min(best, failing))
    if best <= budget:
        counters[GUESS] = best_guess
        if flags & USE_TABLE:
            store(work.keys, work.values, place, check, best, int64(1), count)
        return best
    failing = max(min(best, failing), budget + 1)
    if flags & USE_TABLE:
        store(work.keys, work.values, place, check, failing, int64(0), count)
    return failing
