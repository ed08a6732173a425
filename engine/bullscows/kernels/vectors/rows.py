"""Rows of answers: the answer of each candidate of a small set to a guess, a byte for each.

A row is three vectors long.  Compared with an answer it gives a bit for each candidate: how many
there are is the size of the part, and where they stand says who is in it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from bullscows.kernels.thresholds import ROW
from bullscows.kernels.vectors import instructions as vec
from bullscows.kernels.vectors.instructions import ARRAY, BYTE, LONG, NUMBER, WORD, machine_code

_LANES = 64

COMPRESSES = vec.has("avx512vbmi2")
"""Whether the processor compresses chosen bytes by one instruction."""


def _matches(builder: Any, row: Any, answer: Any) -> Any:
    """Return which bytes of a vector are an answer, as a word of bits."""
    equal = builder.icmp_unsigned("==", row, vec.spread(builder, answer, _LANES))
    return builder.bitcast(equal, LONG)


@machine_code("none", ARRAY, NUMBER, NUMBER, ARRAY, NUMBER)
def part_sizes(builder: Any, rows: Any, at: Any, answers: Any, sizes: Any, to: Any) -> None:
    """Write how often each answer occurs in the row that begins at `at` into `sizes`, int32.

    The first is written at `to`.
    """
    found = builder.gep(sizes, [to])
    row = [
        vec.load(builder, builder.gep(rows, [builder.add(at, LONG(place))]), _LANES)
        for place in range(0, ROW, _LANES)
    ]

    def step(answer: Any, _before: Any) -> Any:
        total = LONG(0)
        for bytes_ in row:
            bits = _matches(builder, bytes_, builder.trunc(answer, BYTE))
            total = builder.add(total, builder.ctpop(bits))
        builder.store(builder.trunc(total, WORD), builder.gep(found, [answer]))
        return []

    vec.gathered(builder, answers, [], step)


@machine_code("none", ARRAY, NUMBER, NUMBER, ARRAY, NUMBER)
def place_at_once(builder: Any, rows: Any, at: Any, answer: Any, places: Any, to: Any) -> None:
    """Write the indices of an answer in the row that begins at `at` into `places`, from `to` on.

    Writes on for `BEHIND` entries at most.
    """
    answer = builder.trunc(answer, BYTE)
    end = to
    bytes_ = ir.VectorType(BYTE, _LANES)
    wide = ir.VectorType(WORD, _LANES)
    for place in range(0, ROW, _LANES):
        row = vec.load(builder, builder.gep(rows, [builder.add(at, LONG(place))]), _LANES)
        bits = _matches(builder, row, answer)
        mask = builder.bitcast(bits, ir.VectorType(ir.IntType(1), _LANES))
        numbers = vec.vector(BYTE, _LANES, list(range(place, place + _LANES)))
        name = "llvm.x86.avx512.mask.compress.v64i8"
        none = vec.vector(BYTE, _LANES, 0)
        chosen = vec.instruction(builder, name, bytes_, [numbers, none, mask])
        into = builder.bitcast(builder.gep(places, [end]), wide.as_pointer())
        builder.store(builder.zext(chosen, wide), into, align=1)
        end = builder.add(end, builder.ctpop(bits))
