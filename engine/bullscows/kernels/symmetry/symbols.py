"""Symbols that can be swapped without changing a set, and guesses that are least under swaps."""

from __future__ import annotations

from bullscows.kernels.arrays.problem import Problem
from bullscows.kernels.arrays.workspace import Node, Workspace
from bullscows.kernels.compiling.jit import Numbers, int64, kernel, uint64


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
