"""Small sets, settled by their members alone (paper, 2.5.6; docs/proof.md, "Members")."""

from __future__ import annotations

from engine.game.objective import INFINITE
from engine.kernels.arrays.problem import Problem
from engine.kernels.arrays.workspace import Node, Workspace
from engine.kernels.compiling.jit import (
    Bytes,
    Codes,
    Numbers,
    inlined,
    int64,
    kernel,
    popcount,
    uint64,
)
from engine.kernels.parts import fill, times


@kernel
def perfect_member(responses: Bytes, stride: int, places: Codes, start: int, count: int) -> int:
    """Return the first member that splits a set into parts of one, as an offset, or -1.

    Arguments as of `member_check`.  Leaves a member at the first answer that comes twice.
    """
    for i in range(count):
        row = uint64(places[start + i]) * uint64(stride)
        once = uint64(0)
        apart = True
        for j in range(uint64(start), uint64(start + count)):
            bit = uint64(1) << uint64(responses[row + uint64(places[j])])
            if once & bit != 0:
                apart = False
                break
            once |= bit
        if apart:
            return int64(i)
    return int64(-1)


@inlined
def is_special(problem: Problem, members: Codes, start: int, count: int) -> bool:
    """Return whether ``members[start:start + count]`` are a special node (paper, 6.2)."""
    if count <= 2:
        return True
    if count > problem.answers:
        return False
    return perfect_member(problem.responses, problem.stride, members, start, count) >= 0


@kernel
def member_check(
    responses: Bytes,
    stride: int,
    places: Codes,
    start: int,
    count: int,
    turn: int,
    fan_out: int,
    weights: Numbers,
    allowed: int,
) -> tuple[int, int, int]:
    """Try only the members of a small set as guesses, and only those that settle it at once.

    Parameters
    ----------
    responses, stride
        ``responses[a * stride + b]`` is the answer of a to b.
    places
        ``places[start:start + count]`` are the members, count >= 3, as numbers for `responses`.
    allowed
        The most the caller can use: once the bound exceeds it, nothing more is looked for.

    Returns
    -------
    (value, bound, member)
        The least cost with a member that leaves pairs at most, `INFINITE` if there is none, and
        the first such member as an offset from `start`; a lower bound for any first guess.
        ``value == bound`` proves both exact (docs/proof.md, "Members").
    """
    here = weights[turn]
    perfect = int64(-1)
    if count - 1 <= fan_out:
        perfect = perfect_member(responses, stride, places, start, count)
    if perfect >= 0:
        value = min(here + times(count - 1, weights[turn + 1]), int64(INFINITE))
        return value, value, perfect
    outside = fill(count, min(count, fan_out), turn + 1, fan_out, weights)
    room = min(count - 2, fan_out)
    bound = min(here + fill(count - 1, room, turn + 1, fan_out, weights), outside)
    if bound > allowed:
        return int64(INFINITE), bound, int64(-1)
    most = int64(0)
    value = int64(INFINITE)
    member = int64(-1)
    for i in range(count):
        row = uint64(places[start + i]) * uint64(stride)
        once = uint64(0)
        twice = uint64(0)
        thrice = uint64(0)
        for j in range(count):
            bit = uint64(1) << uint64(responses[row + uint64(places[start + j])])
            thrice |= twice & bit
            twice |= once & bit
            once |= bit
        parts = int64(popcount(once))
        most = max(most, parts)
        if thrice == 0:
            cost = here + times(parts - 1, weights[turn + 1])
            cost += times(count - parts, weights[turn + 2])
            if cost < value:
                value = cost
                member = int64(i)
                if cost <= bound:
                    return value, value, member
    inside = here + fill(count - 1, most - 1, turn + 1, fan_out, weights)
    return value, min(inside, outside), member


@kernel
def check_members(
    problem: Problem, work: Workspace, node: Node, allowed: int
) -> tuple[int, int, int]:
    """Try the members of a node; as `member_check`, but for the whole node.

    Returns
    -------
    (value, bound, guess)
        The guess by its number, or -1 if there is none.
    """
    members = work.members[node.turn]
    value, bound, member = member_check(
        problem.responses,
        problem.stride,
        members,
        node.start,
        node.size,
        node.turn,
        node.cap,
        problem.weights,
        allowed,
    )
    return value, bound, int64(members[node.start + member]) if member >= 0 else int64(-1)
