"""The bounds by size and by parts: lower bounds on a set from how finely a guess splits it.

Each kernel has a plain twin in ``tests/support/naive.py``.
"""

from __future__ import annotations

from bullscows.game.objective import INFINITE
from bullscows.kernels.compiling.jit import Bytes, inlined, int64, kernel, uint8
from bullscows.kernels.instructions import larger8
from bullscows.kernels.parts import count_parts
from bullscows.kernels.problem import CANDIDATE, Problem
from bullscows.kernels.pruning import Pruning
from bullscows.kernels.workspace import MEMBER, Node, Workspace


@inlined
def largest(parts: Bytes, count: int) -> int:
    """Return the largest of ``parts[:count]`` below 64, which are the unmarked ones; 0 if none."""
    most = uint8(0)
    for guess in range(count):
        most = larger8(most, parts[guess])
    return int64(most)


@inlined
def times(count: int, weight: int) -> int:
    """Return ``count * weight``, which is `INFINITE` if `weight` is and `count` is not 0."""
    if count == 0:
        return int64(0)
    if weight >= INFINITE:
        return int64(INFINITE)
    return int64(count) * weight


@kernel
def fill(problem: Problem, count: int, slots: int, turn: int, cap: int) -> int:
    """Return the least cost of `count` secrets after a guess of `slots` parts; `turn` is the next.

    The bound by parts (docs/proof.md, "Parts"): a guess that makes k parts leaves slots for k
    secrets next turn, or k - 1 if one of the parts is its own win.  The next guesses make at most
    `cap` parts each, and all together at most `Problem.pairs`.  The result is at most `INFINITE`.
    """
    weights = problem.weights
    row = cap * (problem.answers + 1)
    last = weights.shape[0] - 1
    total = int64(0)
    pair = problem.pairs[row + cap]
    later = problem.pairs[row + slots]
    while count > 0:
        placed = min(count, slots)
        if placed <= 0 or weights[min(turn, last)] >= INFINITE:
            return int64(INFINITE)
        if turn >= last:
            return int64(total + count * weights[last])
        total += placed * weights[turn]
        count -= placed
        slots, later = later, min(later * cap, slots * pair)
        turn += 1
    return total


@inlined
def by_size(problem: Problem, turn: int, cap: int, count: int) -> int:
    """Return the bound by size of `count` candidates (see `bullscows.kernels.caps`)."""
    if count <= problem.sizes:
        row = turn * (problem.answers + 1) + cap
        return int64(problem.bounds[row * (problem.sizes + 1) + count])
    here = problem.weights[min(turn, problem.weights.shape[0] - 1)]
    return int64(min(here + fill(problem, count - 1, cap, turn + 1, cap), INFINITE))


@inlined
def cap_after(problem: Problem, cap: int, guess: int, answer: int) -> int:
    """Return the cap of the candidates left after an answer to a guess, at most `cap`."""
    row = problem.kinds[guess] * problem.answers
    return min(cap, int64(problem.answer_caps[row + answer]))


@kernel
def scan(problem: Problem, work: Workspace, start: int, count: int, turn: int) -> tuple[int, int]:
    """Count the parts that each guess makes of ``members[turn, start:start + count]``.

    Writes them into ``parts[turn]``, with `MEMBER` added for a member.  Returns the most parts that
    a member makes, and that another makes; 0 if all guesses must be candidates, now and later.
    """
    members = work.members[turn]
    parts = work.parts[turn]
    count_parts(problem.responses, problem.stride, problem.answers, members, start, count, parts)
    inside = int64(0)
    for i in range(start, start + count):
        guess = members[i]
        inside = max(inside, int64(parts[guess]))
        parts[guess] += MEMBER
    if problem.guessing[turn] == CANDIDATE and problem.orbit_turns == 0:
        return inside, int64(0)
    return inside, largest(parts, problem.size)


@inlined
def fan_out(problem: Problem, cap: int, inside: int, outside: int) -> int:
    """Return the most parts without its own win that any guess makes, `cap` at most."""
    if problem.flags & Pruning.CAP.value:
        return min(cap, max(inside - 1, outside))
    return cap


@inlined
def inside_bound(problem: Problem, node: Node, made: int) -> int:
    """Bound the guesses that are members and make at most `made` parts; `INFINITE` below two."""
    if made < 2:
        return int64(INFINITE)
    later = fill(problem, node.size - 1, made - 1, node.turn + 1, node.cap)
    return int64(problem.weights[node.turn] + later)


@inlined
def outside_bound(problem: Problem, node: Node, made: int) -> int:
    """Bound the guesses that are no members and make at most `made` parts."""
    if made < 2:
        return int64(INFINITE)
    return fill(problem, node.size, made, node.turn + 1, node.cap)
