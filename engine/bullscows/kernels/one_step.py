"""The guesses of a turn with a rule.

Crush takes the first candidate of equal guesses, or else the first guess, like its twin in
`bullscows.strategies.one_step`; `CRUSH_ALL` tries all of them. Larmouth's rule sums in plain
doubles, whose rounding breaks some ties, like the paper's program as far as its figures tell. Of
equal guesses `LARMOUTH` takes the first candidate, or else the last guess, as for Mastermind;
`LARMOUTH_LAST` the last, candidate or not, as for Bulls & Cows (docs/results.md, "Hybrids").
"""

from __future__ import annotations

from math import log

from bullscows.game.objective import INFINITE
from bullscows.kernels.compiling.jit import Numbers, inlined, int64, kernel
from bullscows.kernels.problem import CRUSH_ALL, LARMOUTH, LARMOUTH_LAST, Problem
from bullscows.kernels.symmetry import is_least
from bullscows.kernels.workspace import MEMBER, Node, Workspace

_LEAST = 64
"""First entry of `Workspace.scratch` with the sorted sizes of the best guess so far."""

_BONUS = 2 * log(2)
"""What Larmouth's rule takes off the sum of a candidate."""

_SLACK = 1e-6
"""More than the rounding error of a sum of n ln n."""


@kernel
def rule_batch(
    problem: Problem, work: Workspace, node: Node, inside: int
) -> tuple[int, int, int, int]:
    """Put the guesses of the turn's rule into ``guesses[turn]``; results as of `next_batch`.

    `inside` is what is left after `scan`: 0 after the first batch, which is the only one.
    """
    if inside == 0:
        return int64(INFINITE), int64(0), int64(0), int64(0)
    rule = problem.guessing[node.turn]
    taken = int64(1)
    if rule >= LARMOUTH:
        work.guesses[node.turn, 0] = _larmouth(problem, work, node)
    else:
        work.guesses[node.turn, 0] = _crush(problem, work, node)
    if rule == CRUSH_ALL:
        taken = _equals(problem, work, node)
    return int64(0), taken, int64(0), int64(0)


@kernel
def _crush(problem: Problem, work: Workspace, node: Node) -> int:
    """Return the guess whose sizes of parts, in descending order, come first."""
    sizes = work.scratch
    chosen = int64(-1)
    sizes[_LEAST] = node.size + 1
    members = work.members[node.turn]
    for step in range(node.size + problem.size):  # the candidates first, then all codes
        is_member = step < node.size
        guess = int64(members[node.start + step]) if is_member else int64(step - node.size)
        parts = _parts(work, node, guess)
        # k parts leave one of at least n/k.
        if (node.size + parts - 1) // parts > sizes[_LEAST]:
            continue
        if not _count(problem, work, node, guess, sizes[_LEAST]):
            continue
        _sort_descending(sizes, problem.answers)
        if _first_difference(sizes, problem.answers) < 0:
            for i in range(problem.answers):
                sizes[_LEAST + i] = sizes[i]
            chosen = guess
    return chosen


@kernel
def _equals(problem: Problem, work: Workspace, node: Node) -> int:
    """Put all guesses that crush rates like its own into ``guesses[turn]``; return how many."""
    sizes = work.scratch
    guesses = work.guesses[node.turn]
    is_member = work.parts[node.turn, guesses[0]] >= MEMBER
    taken = int64(0)
    for guess in range(problem.size):
        if (work.parts[node.turn, guess] >= MEMBER) != is_member:
            continue
        if not _count(problem, work, node, guess, sizes[_LEAST]):
            continue
        _sort_descending(sizes, problem.answers)
        if _first_difference(sizes, problem.answers) == 0:
            guesses[taken] = guess
            taken += 1
    return taken


@kernel
def _larmouth(problem: Problem, work: Workspace, node: Node) -> int:
    """Return a guess with the least sum of n ln n, less 2 ln 2 for a candidate.

    At the first turns only the least guess of each class counts.
    """
    is_last = problem.guessing[node.turn] == LARMOUTH_LAST
    sizes = work.scratch
    logarithms = problem.logarithms
    least = float(INFINITE)
    chosen = int64(-1)
    for guess in range(problem.size):
        bonus = _BONUS if work.parts[node.turn, guess] >= MEMBER else 0.0
        # n ln n is convex, so k equal parts are the least that k parts can cost.
        parts = _parts(work, node, guess)
        each = node.size // parts
        more = node.size % parts
        even = more * logarithms[each + 1] + (parts - more) * logarithms[each]
        if even - bonus > least + _SLACK:
            continue
        _count(problem, work, node, guess, node.size)
        score = 0.0
        for answer in range(problem.answers):
            score += logarithms[sizes[answer]]
        score -= bonus
        if score == least and not is_last and work.parts[node.turn, chosen] >= MEMBER:
            continue
        is_class_left_alone = node.turn > problem.orbit_turns
        if score <= least and (is_class_left_alone or is_least(problem, work, node.turn, guess)):
            least = score
            chosen = guess
    return chosen


@inlined
def _parts(work: Workspace, node: Node, guess: int) -> int:
    """Return how many parts a guess makes, its own win among them."""
    parts = int64(work.parts[node.turn, guess])
    return parts - MEMBER if parts >= MEMBER else parts


@inlined
def _count(problem: Problem, work: Workspace, node: Node, guess: int, most: int) -> bool:
    """Count the parts by answer into `Workspace.scratch`; give up on one larger than `most`."""
    members = work.members[node.turn]
    sizes = work.scratch
    for answer in range(problem.answers):
        sizes[answer] = 0
    for i in range(node.start, node.start + node.size):
        answer = problem.responses[members[i] * problem.stride + guess]
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
def _first_difference(sizes: Numbers, count: int) -> int:
    """Return whether the sorted sizes come before the best so far (below 0), or equal them (0)."""
    for i in range(count):
        if sizes[i] != sizes[_LEAST + i]:
            return int64(sizes[i] - sizes[_LEAST + i])
    return int64(0)
