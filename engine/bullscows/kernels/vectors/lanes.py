"""Partition of a small set by each of its members: all members at once, a lane for each.

The answers that a member sees are bits of its lane's word, like those of a scan; three words keep
which answers came once, twice and three times.  So one pass over the members finds those that split
the set into parts of one, and into parts of at most two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from bullscows.kernels.thresholds import LANES, NEAR, PARTS
from bullscows.kernels.vectors import instructions as vec
from bullscows.kernels.vectors.instructions import ARRAY, BYTE, LONG, NUMBER, WORD, machine_code

PICKS = vec.has("avx512vbmi")
"""Whether the processor picks bytes from rows of `NEAR` by one shuffle."""

WORD_BITS = 32
"""The most answers, which are the bits of a word."""


def _loop(builder: Any, count: Any, lanes: int, read: Callable[[Any], Any], square: Any) -> Any:
    """Write the pass over the members; `read` loads the answers of one to all lanes."""
    none, one, most = (vec.vector(WORD, lanes, value) for value in (0, 1, WORD_BITS - 1))

    def step(member: Any, before: vec.Values) -> vec.Values:
        once, twice, thrice = before
        # Lanes that are no member's may hold anything, but no shift may be too far.
        answers = builder.and_(builder.zext(read(member), none.type), most)
        bits = builder.shl(one, answers)
        thrice = builder.or_(thrice, builder.and_(twice, bits))
        twice = builder.or_(twice, builder.and_(once, bits))
        return [builder.or_(once, bits), twice, thrice]

    once, twice, thrice = vec.gathered(builder, count, [none] * 3, step)
    vec.keep(builder, builder.gep(square, [LONG(PARTS)]), vec.ones(builder, once), lanes)
    mask = ir.IntType(lanes)
    single, paired = (
        builder.zext(builder.bitcast(builder.icmp_unsigned("==", answers, none), mask), LONG)
        for answers in (twice, thrice)
    )
    return builder.or_(single, builder.shl(paired, LONG(32)))


def _of_square(lanes: int) -> Callable[..., Any]:
    """Return the pass over a square of this number of lanes."""

    @machine_code("uint64", ARRAY, NUMBER)
    def summed_up(builder: Any, square: Any, count: Any) -> Any:
        def read(member: Any) -> Any:
            row = builder.gep(square, [builder.mul(member, LONG(lanes))])
            return vec.load(builder, row, lanes)

        return _loop(builder, count, lanes, read, square)

    return summed_up


def _of_table(lanes: int) -> Callable[..., Any]:
    """Return the pass over rows of `NEAR` bytes of a table, picked by a shuffle."""

    @machine_code("uint64", ARRAY, NUMBER, ARRAY, NUMBER, NUMBER, ARRAY)
    def summed_up(
        builder: Any, table: Any, stride: Any, places: Any, start: Any, count: Any, square: Any
    ) -> Any:
        offsets = builder.gep(places, [start])
        wide = ir.VectorType(WORD, lanes).as_pointer()
        columns = builder.load(builder.bitcast(offsets, wide), align=1)
        index = _resized(builder, builder.trunc(columns, ir.VectorType(BYTE, lanes)), NEAR // 2)

        def read(member: Any) -> Any:
            place = builder.zext(builder.load(builder.gep(offsets, [member])), LONG)
            row = builder.gep(table, [builder.mul(place, stride)])
            low = vec.load(builder, row, NEAR // 2)
            high = vec.load(builder, builder.gep(row, [LONG(NEAR // 2)]), NEAR // 2)
            name = "llvm.x86.avx512.vpermi2var.qi.512"
            found = vec.instruction(builder, name, low.type, [low, index, high])
            return _resized(builder, found, lanes)

        return _loop(builder, count, lanes, read, square)

    return summed_up


def _resized(builder: Any, bytes_: Any, lanes: int) -> Any:
    """Return the first lanes of a vector, repeated if it has fewer."""
    order = [lane % bytes_.type.count for lane in range(lanes)]
    return builder.shuffle_vector(bytes_, bytes_, vec.vector(WORD, lanes, order))


sum_up_half = _of_square(LANES // 2)
sum_up_all = _of_square(LANES)
pick_half = _of_table(LANES // 2)
pick_all = _of_table(LANES)
