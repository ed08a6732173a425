"""Partition of a small set by each of its members: all members at once, a lane for each.

The answers that a member sees are bits of its lane's word, like those of a scan; three words keep
which answers came once, twice and three times.  So one pass over the members, with a few operations
for all lanes together, finds the members that split the set into parts of one, and into parts of at
most two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from bullscows.kernels.compiling.jit import Bytes, Codes, machine_code
from bullscows.kernels.vectors.instructions import (
    BYTE,
    LONG,
    Values,
    address,
    gathered,
    has,
    instruction,
    keep,
    load,
    ones,
    vector,
)
from bullscows.kernels.vectors.sizes import LANES, NEAR, PARTS

PICKS = has("avx512vbmi")
"""Whether the processor picks bytes from rows of `NEAR` by one shuffle."""

WORD_BITS = 32
"""The most answers, which are the bits of a word."""

_WORD = ir.IntType(32)


def _summed_up(rows: Any, square: Bytes) -> int:
    """Count the parts of each lane, as the machine code does; `rows` (members, lanes)."""
    lanes = rows.shape[1]
    seen = [np.bincount(rows[:, lane], minlength=WORD_BITS) for lane in range(lanes)]
    square[PARTS : PARTS + lanes] = [np.count_nonzero(one) for one in seen]
    single = sum(int(one.max() <= 1) << lane for lane, one in enumerate(seen))
    paired = sum(int(one.max() <= 2) << lane for lane, one in enumerate(seen))
    return single | paired << 32


def _square_plainly(lanes: int) -> Callable[[Bytes, int], int]:
    def summed_up(square: Bytes, count: int) -> int:
        rows = np.asarray(square[: count * lanes], dtype=np.int64).reshape(count, lanes)
        return _summed_up(rows, square)

    return summed_up


def _table_plainly(lanes: int) -> Callable[[Bytes, int, Codes, int, int, Bytes], int]:
    def summed_up(
        table: Bytes, stride: int, places: Codes, start: int, count: int, square: Bytes
    ) -> int:
        rows = places[start : start + count].astype(np.int64)[:, None] * stride
        columns = places[start : start + lanes].astype(np.int64) % NEAR
        return _summed_up(table[rows + columns].astype(np.int64), square)

    return summed_up


def _loop(builder: Any, count: Any, lanes: int, read: Callable[[Any], Any], square: Any) -> Any:
    """Write the pass over the members; `read` loads the answers of one to all lanes."""
    none, one, most = (vector(_WORD, lanes, value) for value in (0, 1, WORD_BITS - 1))

    def step(member: Any, before: Values) -> Values:
        once, twice, thrice = before
        # Lanes that are no member's may hold anything, but no shift may be too far.
        answers = builder.and_(builder.zext(read(member), none.type), most)
        bits = builder.shl(one, answers)
        thrice = builder.or_(thrice, builder.and_(twice, bits))
        twice = builder.or_(twice, builder.and_(once, bits))
        return [builder.or_(once, bits), twice, thrice]

    once, twice, thrice = gathered(builder, count, [none] * 3, step)
    keep(builder, builder.gep(square, [LONG(PARTS)]), ones(builder, once), lanes)
    mask = ir.IntType(lanes)
    single, paired = (
        builder.zext(builder.bitcast(builder.icmp_unsigned("==", answers, none), mask), LONG)
        for answers in (twice, thrice)
    )
    return builder.or_(single, builder.shl(paired, LONG(32)))


def _of_square(lanes: int) -> Callable[..., Any]:
    """Return what writes the pass over a square of this number of lanes."""

    def summed_up(_context: Any, square: Any, _count: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = address(context, builder, signature, arguments, 0)

            def read(member: Any) -> Any:
                return load(builder, builder.gep(data, [builder.mul(member, LONG(lanes))]), lanes)

            return _loop(builder, arguments[1], lanes, read, data)

        return types.uint64(square, types.int64), generate

    return summed_up


def _of_table(lanes: int) -> Callable[..., Any]:
    """Return what writes the pass over rows of `NEAR` bytes of a table, picked by a shuffle."""

    def summed_up(
        _context: Any, table: Any, _stride: Any, places: Any, _start: Any, _count: Any, square: Any
    ) -> Any:
        number = types.int64
        signature = types.uint64(table, number, places, number, number, square)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data, offsets, kept = (
                address(context, builder, signature, arguments, which) for which in (0, 2, 5)
            )
            stride, start, count = (arguments[which] for which in (1, 3, 4))
            offsets = builder.gep(offsets, [start])
            wide = ir.VectorType(_WORD, lanes).as_pointer()
            columns = builder.load(builder.bitcast(offsets, wide), align=1)
            columns = builder.trunc(columns, ir.VectorType(BYTE, lanes))
            index = _resized(builder, columns, NEAR // 2)

            def read(member: Any) -> Any:
                place = builder.zext(builder.load(builder.gep(offsets, [member])), LONG)
                row = builder.gep(data, [builder.mul(place, stride)])
                low = load(builder, row, NEAR // 2)
                high = load(builder, builder.gep(row, [LONG(NEAR // 2)]), NEAR // 2)
                name = "llvm.x86.avx512.vpermi2var.qi.512"
                found = instruction(builder, name, low.type, [low, index, high])
                return _resized(builder, found, lanes)

            return _loop(builder, count, lanes, read, kept)

        return signature, generate

    return summed_up


def _resized(builder: Any, bytes_: Any, lanes: int) -> Any:
    """Return the first lanes of a vector, repeated if it has fewer."""
    order = [lane % bytes_.type.count for lane in range(lanes)]
    return builder.shuffle_vector(bytes_, bytes_, vector(_WORD, lanes, order))


sum_up_half = machine_code(_square_plainly(LANES // 2))(_of_square(LANES // 2))
sum_up_all = machine_code(_square_plainly(LANES))(_of_square(LANES))
pick_half = machine_code(_table_plainly(LANES // 2))(_of_table(LANES // 2))
pick_all = machine_code(_table_plainly(LANES))(_of_table(LANES))
