"""The kernel that Python calls to search a set: one, so that the steps of all are compiled once."""

from __future__ import annotations

from bullscows.kernels import workspace as ws
from bullscows.kernels.compiling.jit import Numbers, int64, kernel
from bullscows.kernels.problem import Problem
from bullscows.kernels.recursion import solve
from bullscows.kernels.symmetry import extend_history, start_history
from bullscows.kernels.ties import fewest_stored
from bullscows.kernels.transposition import key_of


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
