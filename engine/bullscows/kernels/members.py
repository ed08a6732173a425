"""Small sets, settled by their members alone (paper, 2.5.6; docs/proof.md, "Members")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import ir

from bullscows.game.objective import INFINITE
from bullscows.kernels import instructions as vec
from bullscows.kernels.bounds import fill, times
from bullscows.kernels.compiling.jit import Bytes, Codes, inlined, int64, kernel, uint64
from bullscows.kernels.instructions import (
    ARRAY,
    BYTE,
    LONG,
    NUMBER,
    WORD,
    lowest_bit,
    machine_code,
    popcount,
)
from bullscows.kernels.problem import CRUSH, Problem
from bullscows.kernels.workspace import LANES, NEAR, PARTS, Workspace

ASKED = 12
"""Members of a set that `reaches` checks."""


class Small(NamedTuple):
    """A small set, and a table of the responses to each other."""

    responses: Bytes
    """``responses[secret * stride + guess]`` is an answer."""
    stride: int
    is_near: bool
    """Whether the table is a node's own: rows of at most `NEAR` bytes, with as many to spare; then
    `LANES` places are to spare behind the set, too."""
    places: Codes
    """``places[start:start + size]`` are the members, as numbers for `responses`."""
    start: int
    size: int


@kernel
def perfect_member(responses: Bytes, stride: int, places: Codes, start: int, count: int) -> int:
    """Return the first member that splits a set into parts of one, as an offset, or -1.

    Arguments as of `Small`.
    """
    for i in range(count):
        guess = places[start + i]
        once = uint64(0)
        apart = True
        for j in range(start, start + count):
            bit = uint64(1) << uint64(responses[places[j] * stride + guess])
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
    problem: Problem, work: Workspace, small: Small, turn: int, fan_out: int, allowed: int
) -> tuple[int, int, int]:
    """Try only the members of a set of 3 to `LANES` as guesses, and only those that settle it.

    Once the bound exceeds `allowed`, the most that the caller can use, nothing more is looked for.
    Returns (value, bound, member): the least cost with a member that leaves at most pairs, which a
    rule need not take, `INFINITE` if there is none; a lower bound for any first guess; and the
    first such member as an offset.  ``value == bound`` proves both (docs/proof.md, "Members").
    """
    count = small.size
    weights = problem.weights
    square = work.square
    here = weights[turn]
    is_counted = count - 1 <= fan_out  # else no member makes parts of one
    single = uint64(0)
    paired = uint64(0)
    if is_counted:
        single, paired = member_parts(small, problem.answers, square)
        if single != 0:
            value = min(here + times(count - 1, weights[turn + 1]), int64(INFINITE))
            return value, value, lowest_bit(single)
    outside = fill(problem, count, min(count, fan_out), turn + 1, fan_out)
    room = min(count - 2, fan_out)
    bound = min(here + fill(problem, count - 1, room, turn + 1, fan_out), outside)
    if bound > allowed:
        return int64(INFINITE), bound, int64(-1)
    if not is_counted:
        single, paired = member_parts(small, problem.answers, square)
    has_choice = problem.guessing[turn] < CRUSH
    most = int64(0)
    value = int64(INFINITE)
    member = int64(-1)
    for i in range(count):
        parts = int64(square[PARTS + i])
        most = max(most, parts)
        if has_choice and (paired >> uint64(i)) & uint64(1) != 0:
            cost = here + times(parts - 1, weights[turn + 1])
            cost += times(count - parts, weights[turn + 2])
            if cost < value:
                value = cost
                member = int64(i)
                if cost <= bound:
                    return value, value, member
    inside = here + fill(problem, count - 1, most - 1, turn + 1, fan_out)
    return value, min(inside, outside), member


@kernel
def member_parts(small: Small, answers: int, square: Bytes) -> tuple[int, int]:
    """Let each member of a small set split it.

    Writes the number of parts that each makes into ``square[PARTS:PARTS + count]``.  Returns, as
    bits, the members that make parts of one, and those that make parts of at most two.
    """
    responses, stride, is_near, places, start, count = small
    valid = (uint64(1) << uint64(count)) - uint64(1)
    # numba leaves out the branch on other processors, but not of "PICKS and is_near".
    if PICKS:  # noqa: SIM102
        if is_near and answers <= 32:
            both = pick_members(responses, int64(stride), places, start, count, square)
            return both & valid, (both >> uint64(32)) & valid
    for secret in range(count):
        row = places[start + secret] * stride
        for guess in range(count):
            square[secret * LANES + guess] = responses[row + places[start + guess]]
    if answers <= 32:
        both = sum_up_few(square, int64(count))
    else:
        both = sum_up_many(square, int64(count))
    return both & valid, (both >> uint64(32)) & valid


@inlined
def _response(small: Small, secret: int, guess: int) -> int:
    """Return the answer of a member to another as guess."""
    row = small.places[small.start + secret] * small.stride
    return int64(small.responses[row + small.places[small.start + guess]])


@inlined
def most_parts(small: Small, answers: int, square: Bytes) -> int:
    """Return the most parts that a member makes."""
    member_parts(small, answers, square)
    most = int64(0)
    for i in range(small.size):
        most = max(most, int64(square[PARTS + i]))
    return most


@kernel
def reaches(problem: Problem, small: Small, turn: int, fan_out: int, known: int) -> bool:
    """Return whether one of the first members makes parts enough for a bound of at most `known`.

    For sets of any size.  Checking all would cost a large part of the scan that this saves.
    """
    most = int64(1)
    count = small.size
    weights = problem.weights
    for i in range(min(count, ASKED)):
        seen = uint64(0)
        for j in range(count):
            seen |= uint64(1) << uint64(_response(small, j, i))
        made = int64(popcount(seen))
        if made > most:
            most = made
            if weights[turn] + fill(problem, count - 1, most - 1, turn + 1, fan_out) <= known:
                return True
    return False


# -- all members at once, a lane for each ----------------------------------------------------------

# The answers that a member sees are bits of its lane's word, like those of a scan, of 32 bits if
# that is enough; three words hold which answers came once, twice and three times.  So one pass over
# the members finds those that split the set into parts of one, and into parts of at most two.

PICKS = vec.has("avx512vbmi")
"""Whether the processor picks bytes from rows of `NEAR` by one shuffle."""


def _loop(builder: Any, count: Any, word: Any, read: Callable[[Any], Any], square: Any) -> Any:
    """Write the pass over the members; `read` loads the answers of one to all lanes."""
    none, one, most = (vec.vector(word, LANES, value) for value in (0, 1, word.width - 1))

    def step(member: Any, before: vec.Values) -> vec.Values:
        once, twice, thrice = before
        # Lanes that are no member's may hold anything, but no shift may be too far.
        answers = builder.and_(builder.zext(read(member), none.type), most)
        bits = builder.shl(one, answers)
        thrice = builder.or_(thrice, builder.and_(twice, bits))
        twice = builder.or_(twice, builder.and_(once, bits))
        return [builder.or_(once, bits), twice, thrice]

    once, twice, thrice = vec.loop(builder, count, [none] * 3, step)
    vec.store(builder, builder.gep(square, [LONG(PARTS)]), vec.ones(builder, once), LANES)
    mask = ir.IntType(LANES)
    single, paired = (
        builder.zext(builder.bitcast(builder.icmp_unsigned("==", answers, none), mask), LONG)
        for answers in (twice, thrice)
    )
    return builder.or_(single, builder.shl(paired, LONG(32)))


def _of_square(word: Any) -> Callable[..., Any]:
    """Return the pass over a square, for as many answers as a word has bits."""

    @machine_code("uint64", ARRAY, NUMBER)
    def summed_up(builder: Any, square: Any, count: Any) -> Any:
        def read(member: Any) -> Any:
            row = builder.gep(square, [builder.mul(member, LONG(LANES))])
            return vec.load(builder, row, LANES)

        return _loop(builder, count, word, read, square)

    return summed_up


sum_up_few = _of_square(WORD)
sum_up_many = _of_square(LONG)


@machine_code("uint64", ARRAY, NUMBER, ARRAY, NUMBER, NUMBER, ARRAY)
def pick_members(
    builder: Any, table: Any, stride: Any, places: Any, start: Any, count: Any, square: Any
) -> Any:
    """Make the pass over rows of `NEAR` bytes of a table, picked by a shuffle."""
    offsets = builder.gep(places, [start])
    wide = ir.VectorType(WORD, LANES).as_pointer()
    columns = builder.load(builder.bitcast(offsets, wide), align=1)
    index = _resized(builder, builder.trunc(columns, ir.VectorType(BYTE, LANES)), NEAR // 2)

    def read(member: Any) -> Any:
        place = builder.zext(builder.load(builder.gep(offsets, [member])), LONG)
        row = builder.gep(table, [builder.mul(place, stride)])
        low = vec.load(builder, row, NEAR // 2)
        high = vec.load(builder, builder.gep(row, [LONG(NEAR // 2)]), NEAR // 2)
        name = "llvm.x86.avx512.vpermi2var.qi.512"
        found = vec.instruction(builder, name, low.type, [low, index, high])
        return _resized(builder, found, LANES)

    return _loop(builder, count, WORD, read, square)


def _resized(builder: Any, bytes_: Any, lanes: int) -> Any:
    """Return the first lanes of a vector, repeated if it has fewer."""
    order = [lane % bytes_.type.count for lane in range(lanes)]
    return builder.shuffle_vector(bytes_, bytes_, vec.vector(WORD, lanes, order))
