"""The one guess of a turn with a rule; twins of the rules in `bullscows.strategies.rules`.

Of equal guesses the first candidate is taken, or else the first in `Problem.outside`.
"""

from __future__ import annotations

from bullscows.game.objective import INFINITE
from bullscows.kernels.arrays.problem import CRUSH, LOG_BITS, Problem
from bullscows.kernels.arrays.workspace import MEMBER, Node, Workspace
from bullscows.kernels.compiling.jit import Numbers, inlined, int64, kernel, uint64

_LEAST = 64
"""First entry of `Workspace.scratch` with the sorted sizes of the best guess so far."""

_LOG_SLACK = 1 << 20
"""More than the rounding error of a scaled sum of n log n."""


@kernel
def rule_batch(
    problem: Problem, work: Workspace, node: Node, inside: int
) -> tuple[int, int, int, int]:
    """Put the guess of the turn's rule into ``guesses[turn, 0]``; results as of `next_batch`.

    `inside` is what is left after `scan`: 0 after the first batch, which is the only one.
    """
    if inside == 0:
        return int64(INFINITE), int64(0), int64(0), int64(0)
    if problem.guessing[node.turn] == CRUSH:
        guess = _crush(problem, work, node)
    else:
        guess = _larmouth(problem, work, node)
    work.guesses[node.turn, 0] = guess
    return int64(0), int64(1), int64(0), int64(0)


@kernel
def _crush(problem: Problem, work: Workspace, node: Node) -> int:
    """Return the guess whose sizes of parts, in descending order, come first."""
    sizes = work.scratch
    sizes[_LEAST] = node.size + 1
    chosen = int64(-1)
    for step in range(node.size + problem.size):
        guess = _guess(problem, work, node, step)
        parts = _parts(work, node, guess)
        # k parts leave one of at least n/k.
        if (node.size + parts - 1) // parts > sizes[_LEAST]:
            continue
        if not _count(problem, work, node, guess, sizes[_LEAST]):
            continue
        _sort_descending(sizes, problem.answers)
        if _is_finer(sizes, problem.answers):
            for i in range(problem.answers):
                sizes[_LEAST + i] = sizes[i]
            chosen = guess
    return chosen


@kernel
def _larmouth(problem: Problem, work: Workspace, node: Node) -> int:
    """Return the guess with the least sum of n log n, less 2 log 2 for a candidate."""
    sizes, logarithms = work.scratch, problem.logarithms
    least = int64(INFINITE)
    chosen = int64(-1)
    for step in range(node.size + problem.size):
        guess = _guess(problem, work, node, step)
        score = int64(-2 << LOG_BITS) if step < node.size else int64(0)
        # n log n is convex, so k equal parts are the least that k parts can cost.
        parts = _parts(work, node, guess)
        each, more = node.size // parts, node.size % parts
        even = more * logarithms[each + 1] + (parts - more) * logarithms[each]
        if score + even > least + _LOG_SLACK:
            continue
        _count(problem, work, node, guess, node.size)
        for answer in range(problem.answers):
            score += logarithms[sizes[answer]]
        if score < least:
            least = score
            chosen = guess
    return chosen


@inlined
def _guess(problem: Problem, work: Workspace, node: Node, step: int) -> int:
    """Return the guess that is looked at in a step: the candidates first, then all codes."""
    if step < node.size:
        return int64(work.members[node.turn, node.start + step])
    return int64(problem.outside[step - node.size])


@inlined
def _parts(work: Workspace, node: Node, guess: int) -> int:
    """Return how many parts a guess makes, its own win among them."""
    parts = int64(work.parts[node.turn, guess])
    return parts - MEMBER if parts >= MEMBER else parts


@inlined
def _count(problem: Problem, work: Workspace, node: Node, guess: int, most: int) -> bool:
    """Count the parts by answer into `Workspace.scratch`; give up on one larger than `most`."""
    members, sizes = work.members[node.turn], work.scratch
    for answer in range(problem.answers):
        sizes[answer] = 0
    for i in range(node.start, node.start + node.size):
        place = uint64(members[i]) * uint64(problem.stride) + uint64(guess)
        answer = problem.responses[place]
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
def _is_finer(sizes: Numbers, count: int) -> bool:
    for i in range(count):
        if sizes[i] != sizes[_LEAST + i]:
            return bool(sizes[i] < sizes[_LEAST + i])
    return False
