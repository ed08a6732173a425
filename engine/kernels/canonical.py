"""Symmetry inside the search: keys of sets up to isomorphism, and guesses that are worth trying.

Two things are done for a node.  Its table key is the hash of a relabelled image of its candidates,
so that reordered guesses and mirrored positions meet in one entry.  And of guesses that a symmetry
of the position carries into each other, only the lexicographically least is tried.  Two groups of
symmetries are known: those that fix every guess of the history, and swaps of symbols that map the
candidates to themselves.  The least guess of an orbit under both together is least under each, so
the two filters may be applied one after the other (docs/proof.md, "Symmetry").
"""

from __future__ import annotations

from engine.kernels.arrays.problem import USE_CANONICAL, Problem
from engine.kernels.arrays.transposition import mixed
from engine.kernels.arrays.workspace import STAB_TURNS, Workspace
from engine.kernels.compiling.jit import Bytes, Numbers, int8, int64, kernel, uint64

CANONICAL_SIZE = 6
"""Sets of so many candidates and more are relabelled before they are looked up."""


@kernel
def key_of(
    problem: Problem, work: Workspace, row: int, start: int, count: int, turn: int
) -> tuple[int, int]:
    """Return the two hashes by which the table knows a set at a turn."""
    if count >= CANONICAL_SIZE and problem.flags & USE_CANONICAL and problem.positions > 0:
        return canonical_key(problem, work, row, start, count, turn)
    return plain_key(problem, work, row, start, count, turn)


@kernel
def canonical_key(
    problem: Problem, work: Workspace, row: int, start: int, count: int, turn: int
) -> tuple[int, int]:
    """Return two hashes of an image of the candidates ``members[row, start:start + count]``.

    Positions and symbols are ordered by signatures that do not depend on their names, after the
    pinned ones, which keep theirs; ties are broken by index.  So equal keys mean isomorphic sets
    whatever the signatures are, and they only decide how often isomorphic sets get equal keys.
    """
    codes = problem.codes
    positions = problem.positions
    symbols = problem.symbols
    members = work.members[row]
    seen = work.scratch
    marks = work.signatures
    # Step 1: how often each symbol stands at each place.
    for i in range(symbols * positions):
        seen[i] = 0
    for i in range(start, start + count):
        base = uint64(members[i]) * uint64(positions)
        for j in range(positions):
            seen[uint64(codes[base + uint64(j)]) * uint64(positions) + uint64(j)] += 1
    # Step 2: signatures of places [0, 16) and symbols [16, 32) from these counts.
    for j in range(positions):
        total = uint64(0)
        for c in range(symbols):
            total += mixed(uint64(seen[c * positions + j] + 1))
        if j < problem.pinned:
            total += uint64(1)
        marks[j] = mixed(total)
        marks[32 + j] = uint64(0)
    for c in range(symbols):
        total = uint64(0)
        for j in range(positions):
            total += mixed(uint64(seen[c * positions + j]) * uint64(0xD6E8FEB86659FD93) + marks[j])
        if c < problem.pinned:
            total += uint64(1)
        marks[16 + c] = mixed(total)
        marks[48 + c] = uint64(0)
    # Step 3: finer signatures [32, 64) from the codes that they stand in.
    for i in range(start, start + count):
        base = uint64(members[i]) * uint64(positions)
        total = uint64(0)
        for j in range(positions):
            total += mixed(
                marks[j] + marks[uint64(16) + uint64(codes[base + uint64(j)])] * uint64(3)
            )
        total = mixed(total)
        for j in range(positions):
            symbol = uint64(codes[base + uint64(j)])
            marks[uint64(48) + symbol] += mixed(total + marks[j])
            marks[uint64(32) + uint64(j)] += mixed(total + marks[uint64(16) + symbol])
    # Step 4: the order of the places, and the rank of the symbols; pinned ones come first.
    for i in range(problem.pinned):
        marks[32 + i] = uint64(0)
        marks[48 + i] = uint64(0)
    for j in range(positions):
        rank = 0
        for i in range(positions):
            if marks[32 + i] < marks[32 + j] or (marks[32 + i] == marks[32 + j] and i < j):
                rank += 1
        seen[rank] = j
    for c in range(symbols):
        rank = 0
        for i in range(symbols):
            if marks[48 + i] < marks[48 + c] or (marks[48 + i] == marks[48 + c] and i < c):
                rank += 1
        seen[16 + c] = rank
    # Step 5: hash the image.
    place = uint64(turn) * uint64(0x9E3779B97F4A7C15)
    check = uint64(turn) * uint64(0xC2B2AE3D27D4EB4F)
    for i in range(start, start + count):
        base = uint64(members[i]) * uint64(positions)
        number = int64(0)
        for j in range(positions):
            symbol = uint64(codes[base + uint64(seen[j])])
            number += seen[uint64(16) + symbol] * problem.powers[j]
        word = uint64(problem.index_of[number]) * uint64(2)
        place ^= problem.hashes[word]
        check ^= problem.hashes[word + uint64(1)]
    return place, check


@kernel
def plain_key(
    problem: Problem, work: Workspace, row: int, start: int, count: int, turn: int
) -> tuple[int, int]:
    """Return two hashes of the candidates ``members[row, start:start + count]`` as they are."""
    place = uint64(turn) * uint64(0x9E3779B97F4A7C15)
    check = uint64(turn) * uint64(0xC2B2AE3D27D4EB4F)
    for i in range(start, start + count):
        word = uint64(work.members[row, i]) * uint64(2)
        place ^= problem.hashes[word]
        check ^= problem.hashes[word + uint64(1)]
    return place, check


@kernel
def symbol_classes(problem: Problem, work: Workspace, start: int, count: int, turn: int) -> int:
    """Find the classes of interchangeable symbols of ``members[turn, start:start + count]``.

    Two symbols are interchangeable if swapping them maps the candidates to themselves, and codes
    to codes: so pinned symbols are alone.  Writes
    into ``symbol_class[turn]`` the least symbol of each symbol's class [0, 32), its rank in the
    class [32, 64), and how often it occurs [64, 96).

    Returns
    -------
    int
        The symbols of rank above 0, as bits: a guess without them passes `keeps_symbol_order`.
    """
    positions = problem.positions
    classes = work.symbol_class[turn]
    seen = work.scratch
    codes = problem.codes
    for i in range(problem.symbols * positions):
        seen[i] = 0
    for i in range(start, start + count):
        base = uint64(work.members[turn, i]) * uint64(positions)
        for j in range(positions):
            seen[int64(codes[base + uint64(j)]) * positions + j] += 1
    higher = uint64(0)
    marked = False
    for c in range(problem.symbols):
        classes[c] = c
        classes[32 + c] = 0
        total = int64(0)
        for j in range(positions):
            total += seen[c * positions + j]
        classes[64 + c] = total
        for d in range(problem.pinned, c):
            if classes[d] != d:
                continue
            same = True
            for j in range(positions):
                if seen[c * positions + j] != seen[d * positions + j]:
                    same = False
                    break
            if same and total > 0:
                if not marked:
                    marked = True
                    for i in range(start, start + count):
                        work.mark[work.members[turn, i]] = 1
                same = _swap_fixes(problem, work, start, count, turn, c, d)
            if same:
                classes[c] = d
                for e in range(c):
                    if classes[e] == d:
                        classes[32 + c] += 1
                higher |= uint64(1) << uint64(c)
                break
    if marked:
        for i in range(start, start + count):
            work.mark[work.members[turn, i]] = 0
    return higher


@kernel
def _swap_fixes(
    problem: Problem, work: Workspace, start: int, count: int, turn: int, c: int, d: int
) -> bool:
    """Return whether swapping symbols c and d carries every (marked) candidate to another."""
    for i in range(start, start + count):
        base = uint64(work.members[turn, i]) * uint64(problem.positions)
        number = int64(0)
        changed = False
        for j in range(problem.positions):
            symbol = int64(problem.codes[base + uint64(j)])
            if symbol == c:
                symbol = d
                changed = True
            elif symbol == d:
                symbol = c
                changed = True
            number += symbol * problem.powers[j]
        if changed and work.mark[problem.index_of[number]] == 0:
            return False
    return True


@kernel
def keeps_symbol_order(
    codes: Bytes, positions: int, repeats: bool, classes: Numbers, guess: int
) -> bool:
    """Return whether `guess` is the least that interchangeable symbols make of it.

    `codes` is flat, `classes` what `symbol_classes` wrote.  The guess is the least if the symbols
    of each class appear for the first time in ascending order, that is, if a symbol of rank r > 0
    stands somewhere after the one of rank r - 1.  Where symbols repeat, all symbols that no
    candidate holds are one: only the least of them may be used.
    """
    base = uint64(guess) * uint64(positions)
    for j in range(positions):
        symbol = uint64(codes[base + uint64(j)])
        rank = classes[uint64(32) + symbol]
        if rank == 0:
            continue
        if repeats and classes[uint64(64) + symbol] == 0:
            return False
        least = classes[symbol]
        before = False
        for i in range(j):
            other = uint64(codes[base + uint64(i)])
            if classes[other] == least and classes[uint64(32) + other] >= rank - 1:
                before = True
                break
        if not before:
            return False
    return True


@kernel
def start_history(problem: Problem, work: Workspace, turn: int) -> None:
    """Let every order of the positions be compatible with the (empty) history before `turn`."""
    orders = problem.permutations.shape[0] // problem.positions
    for q in range(orders):
        work.stab_order[turn, q] = q
        for c in range(problem.symbols):
            work.stab_image[turn, q * problem.symbols + c] = c if c < problem.pinned else -1
    work.stab_count[turn] = orders
    _keep_free(problem, work, turn)


@kernel
def extend_history(problem: Problem, work: Workspace, turn: int, guess: int) -> None:
    """Keep, for turn + 1, the transformations of `turn` that fix `guess` too.

    An order of the positions is compatible if the images of the called symbols that it forces are
    a bijection; all other symbols stay free.  Beyond `STAB_TURNS` nothing is kept.
    """
    if turn >= STAB_TURNS or work.stab_count[turn] <= 1:
        work.stab_count[turn + 1] = 0
        return
    symbols = problem.symbols
    positions = problem.positions
    base = guess * positions
    kept = 0
    images = work.stab_image[turn + 1]
    for q in range(work.stab_count[turn]):
        order = work.stab_order[turn, q]
        fits = True
        for c in range(symbols):
            images[kept * symbols + c] = work.stab_image[turn, q * symbols + c]
        for j in range(positions):
            moved = int64(problem.permutations[order * positions + j])
            source = int64(problem.codes[base + moved])
            target = int8(problem.codes[base + j])
            image = images[kept * symbols + source]
            if image == target:
                continue
            if image >= 0:
                fits = False
                break
            for c in range(symbols):
                if images[kept * symbols + c] == target:
                    fits = False
            images[kept * symbols + source] = target
        if fits:
            work.stab_order[turn + 1, kept] = order
            kept += 1
    work.stab_count[turn + 1] = kept
    _keep_free(problem, work, turn + 1)


@kernel
def _keep_free(problem: Problem, work: Workspace, turn: int) -> None:
    """List the symbols that no transformation kept for `turn` holds."""
    free = 0
    for c in range(problem.symbols):
        if work.stab_image[turn, c] < 0:
            work.free_symbols[turn, free] = c
            free += 1


@kernel
def is_least(
    codes: Bytes,
    positions: int,
    symbols: int,
    permutations: Bytes,
    count: int,
    orders: Numbers,
    images: Numbers,
    free_symbols: Numbers,
    guess: int,
) -> bool:
    """Return whether `guess` is the least of its images under what fixes the history.

    The first `count` entries of `orders` and `images` are the compatible orders of the positions
    and the images of the symbols that they force.  Free symbols take the smallest free names in
    order of first appearance, which gives the least image for each order of the positions.
    """
    base = guess * positions
    for q in range(count):
        order = orders[q] * positions
        free = 0
        for j in range(positions):
            symbol = int64(codes[base + int64(permutations[order + j])])
            image = int64(images[q * symbols + symbol])
            if image < 0:
                first = j
                for i in range(j):
                    if codes[base + int64(permutations[order + i])] == symbol:
                        first = i
                        break
                name = free
                if first < j:
                    name = 0
                    for i in range(first):
                        earlier = int64(codes[base + int64(permutations[order + i])])
                        if images[q * symbols + earlier] < 0 and _appears_first(
                            codes, base, permutations, order, i
                        ):
                            name += 1
                else:
                    free += 1
                image = free_symbols[name]
            own = int64(codes[base + j])
            if image < own:
                return False
            if image > own:
                break
    return True


@kernel
def _appears_first(codes: Bytes, base: int, permutations: Bytes, order: int, place: int) -> bool:
    """Return whether the symbol at `place` of the reordered code does not stand before."""
    symbol = codes[base + int64(permutations[order + place])]
    for i in range(place):  # noqa: SIM110 - a kernel has no generators
        if codes[base + int64(permutations[order + i])] == symbol:
            return False
    return True
