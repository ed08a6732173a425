"""Symmetry of guesses: one of each class is tried.

Of guesses that a symmetry of the position maps to each other, only the lexicographically least is
tried: under symmetries that fix every guess of the history, and under swaps of symbols that map the
candidates to themselves, one after the other (docs/proof.md, "Symmetry").
"""

from __future__ import annotations

from bullscows.kernels.compiling.jit import Numbers, int8, int64, kernel, uint64
from bullscows.kernels.problem import Problem
from bullscows.kernels.workspace import STAB_TURNS, Node, Workspace

# -- symbols that can be swapped without changing a set --------------------------------------------


@kernel
def symbol_classes(problem: Problem, work: Workspace, node: Node) -> int:
    """Find the classes of interchangeable symbols of the candidates of a node.

    Two symbols are interchangeable if swapping them maps the candidates to themselves, and codes
    to codes: so pinned symbols are alone.  Writes into ``symbol_class[turn]`` the least symbol of
    each symbol's class [0, 32), its rank in the class [32, 64), and how often it occurs [64, 96).
    Returns the symbols of rank above 0, as bits: a guess without them passes `keeps_symbol_order`.
    If `Problem.by_place`, the cells of rank above 0: a guess with one of them is not the least.
    """
    positions = problem.positions
    codes = problem.codes
    turn = node.turn
    classes = work.symbol_class[node.turn]
    seen = work.scratch
    for i in range(problem.symbols * positions):
        seen[i] = 0
    for i in range(node.start, node.start + node.size):
        base = work.members[turn, i] * positions
        for j in range(positions):
            seen[int64(codes[base + j]) * positions + j] += 1
    if problem.by_place:
        return cells_with_lesser(problem, work, node)
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
                same &= seen[c * positions + j] == seen[d * positions + j]
            if same and total > 0:
                if not marked:
                    marked = True
                    for i in range(node.start, node.start + node.size):
                        work.mark[work.members[turn, i]] = 1
                same = _swap_fixes(problem, work, node, c, d, 0, positions)
            if same:
                classes[c] = d
                for e in range(c):
                    if classes[e] == d:
                        classes[32 + c] += 1
                higher |= uint64(1) << uint64(c)
                break
    if marked:
        for i in range(node.start, node.start + node.size):
            work.mark[work.members[turn, i]] = 0
    return higher


@kernel
def cells_with_lesser(problem: Problem, work: Workspace, node: Node) -> int:
    """Return the cells, as bits, with a symbol that can be swapped with a lesser one at the place.

    ``scratch`` says how many candidates hold each cell.
    """
    turn = node.turn
    positions = problem.positions
    seen = work.scratch
    for i in range(node.start, node.start + node.size):
        work.mark[work.members[turn, i]] = 1
    higher = uint64(0)
    for j in range(positions):
        for c in range(problem.symbols):
            cell = c * positions + j
            for d in range(c):
                other = d * positions + j
                is_least = (higher >> uint64(other)) & uint64(1) == 0
                if (
                    is_least
                    and seen[other] == seen[cell]
                    and (seen[cell] == 0 or _swap_fixes(problem, work, node, c, d, j, j + 1))
                ):
                    higher |= uint64(1) << uint64(cell)
                    break
    for i in range(node.start, node.start + node.size):
        work.mark[work.members[turn, i]] = 0
    return higher


@kernel
def _swap_fixes(
    problem: Problem, work: Workspace, node: Node, c: int, d: int, first: int, end: int
) -> bool:
    """Return whether swapping symbols c and d maps the (marked) candidates to themselves.

    They are swapped at the places from `first` to `end` - 1.
    """
    for i in range(node.start, node.start + node.size):
        base = work.members[node.turn, i] * problem.positions
        number = int64(0)
        changed = False
        for j in range(problem.positions):
            symbol = int64(problem.codes[base + j])
            if first <= j < end and symbol in (c, d):
                symbol = c + d - symbol
                changed = True
            number += symbol * problem.powers[j]
        if changed and work.mark[problem.index_of[number]] == 0:
            return False
    return True


@kernel
def keeps_symbol_order(problem: Problem, classes: Numbers, guess: int) -> bool:
    """Return whether `guess` is the least of its images under swaps of interchangeable symbols.

    It is if the symbols of each class appear for the first time in ascending order: a symbol of
    rank r > 0 comes somewhere after the one of rank r - 1.  If symbols repeat, all symbols that no
    candidate contains are one: only the least of them may be used.
    """
    codes = problem.codes
    positions = problem.positions
    base = guess * positions
    for j in range(positions):
        symbol = codes[base + j]
        rank = classes[32 + symbol]
        if rank == 0:
            continue
        if problem.repeats and classes[64 + symbol] == 0:
            return False
        least = classes[symbol]
        before = False
        for i in range(j):
            other = codes[base + i]
            if classes[other] == least and classes[32 + other] >= rank - 1:
                before = True
                break
        if not before:
            return False
    return True


# -- transformations that fix every guess of a history ---------------------------------------------

_NAMES = 480
"""First entry of `Workspace.scratch` with the names of the symbols in an image."""


@kernel
def start_history(problem: Problem, work: Workspace, turn: int) -> None:
    """Let every order of the positions be compatible with the empty history before `turn`."""
    orders = problem.permutations.shape[0] // problem.positions
    for q in range(orders):
        work.stab_order[turn, q] = q
        for c in range(problem.symbols):
            work.stab_image[turn, q * problem.symbols + c] = c if c < problem.pinned else -1
    work.stab_count[turn] = orders
    _list_free_symbols(problem, work, turn)


@kernel
def extend_history(problem: Problem, work: Workspace, turn: int, guess: int) -> None:
    """Keep, for turn + 1, the transformations of `turn` that fix `guess` too.

    An order of the positions is compatible if the images of the guessed symbols that it forces are
    a bijection; all other symbols stay free.  Beyond `STAB_TURNS` nothing is kept, nor is one
    order alone, if symmetry is used where it pays.
    """
    orbit_turns = problem.orbit_turns
    if (
        turn >= STAB_TURNS
        or work.stab_count[turn] <= int64(orbit_turns == 0)
        or (orbit_turns > 0 and turn >= orbit_turns)
    ):
        work.stab_count[turn + 1] = 0
        return
    symbols = problem.symbols
    positions = problem.positions
    base = guess * positions
    found = 0
    images = work.stab_image[turn + 1]
    for q in range(work.stab_count[turn]):
        order = work.stab_order[turn, q]
        fits = True
        for c in range(symbols):
            images[found * symbols + c] = work.stab_image[turn, q * symbols + c]
        for j in range(positions):
            moved = int64(problem.permutations[order * positions + j])
            source = int64(problem.codes[base + moved])
            target = int8(problem.codes[base + j])
            image = images[found * symbols + source]
            if image == target:
                continue
            if image >= 0:
                fits = False
                break
            for c in range(symbols):
                if images[found * symbols + c] == target:
                    fits = False
            images[found * symbols + source] = target
        if fits:
            work.stab_order[turn + 1, found] = order
            found += 1
    work.stab_count[turn + 1] = found
    _list_free_symbols(problem, work, turn + 1)


@kernel
def _list_free_symbols(problem: Problem, work: Workspace, turn: int) -> None:
    """List the symbols that no transformation kept for `turn` fixes."""
    free = 0
    for c in range(problem.symbols):
        if work.stab_image[turn, c] < 0:
            work.free_symbols[turn, free] = c
            free += 1


@kernel
def is_least(problem: Problem, work: Workspace, turn: int, guess: int) -> bool:
    """Return whether `guess` is the least of its images under what fixes the history at `turn`.

    Free symbols take the smallest free names in order of first appearance, which is least.
    """
    row = min(turn, int64(STAB_TURNS))
    orders = work.stab_order[row]
    images = work.stab_image[row]
    free_symbols = work.free_symbols[row]
    names = work.scratch
    codes = problem.codes
    permutations = problem.permutations
    positions = problem.positions
    symbols = problem.symbols
    base = guess * positions
    count = work.stab_count[turn]
    for q in range(count):
        order = orders[q] * positions
        for c in range(symbols):
            names[_NAMES + c] = images[q * symbols + c]
        free = 0
        for j in range(positions):
            symbol = int64(codes[base + int64(permutations[order + j])])
            if names[_NAMES + symbol] < 0:
                names[_NAMES + symbol] = free_symbols[free]
                free += 1
            own = int64(codes[base + j])
            if names[_NAMES + symbol] < own:
                return False
            if names[_NAMES + symbol] > own:
                break
    return True
