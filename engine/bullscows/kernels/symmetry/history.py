"""Transformations that fix every guess of a history, and the guesses that are least under them."""

from __future__ import annotations

from bullscows.kernels.arrays.problem import Problem
from bullscows.kernels.arrays.workspace import STAB_TURNS, Workspace
from bullscows.kernels.compiling.jit import int8, int64, kernel

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
    _keep_free(problem, work, turn)


@kernel
def extend_history(problem: Problem, work: Workspace, turn: int, guess: int) -> None:
    """Keep, for turn + 1, the transformations of `turn` that fix `guess` too.

    An order of the positions is compatible if the images of the guessed symbols that it forces are
    a bijection; all other symbols stay free.  Beyond `STAB_TURNS` nothing is kept, nor is one
    order alone, if symmetry is used where it pays.
    """
    by_class = problem.by_class
    if (
        turn >= STAB_TURNS
        or work.stab_count[turn] <= int64(by_class == 0)
        or (by_class > 0 and turn >= by_class)
    ):
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
