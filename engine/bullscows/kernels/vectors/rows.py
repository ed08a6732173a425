"""Rows of answers: the answer of each candidate of a small set to a guess, a byte for each.

A row is three vectors long.  Compared with an answer it gives a bit for each candidate: how many
there are is the size of the part, and where they stand says who is in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from bullscows.kernels.compiling.jit import Bytes, Codes, machine_code
from bullscows.kernels.vectors.instructions import (
    BYTE,
    LONG,
    address,
    gathered,
    has,
    instruction,
    load,
    spread,
    vector,
)
from bullscows.kernels.vectors.sizes import ROW

_LANES = 64
_WORD = ir.IntType(32)

COMPRESSES = has("avx512vbmi2")
"""Whether the processor compresses chosen bytes by one instruction."""


def _matches(builder: Any, row: Any, answer: Any) -> Any:
    """Return which bytes of a vector are an answer, as a word of bits."""
    equal = builder.icmp_unsigned("==", row, spread(builder, answer, _LANES))
    return builder.bitcast(equal, LONG)


def _part_sizes_plainly(rows: Bytes, at: int, answers: int, sizes: Any, to: int) -> None:
    row = rows[at : at + ROW]
    sizes[to : to + answers] = [np.count_nonzero(row == answer) for answer in range(answers)]


@machine_code(_part_sizes_plainly)
def part_sizes(_context: Any, rows: Any, _at: Any, _answers: Any, sizes: Any, _to: Any) -> Any:
    """Write how often each answer occurs in the row that begins at `at` into `sizes`, int32.

    The first is written at `to`.
    """
    number = types.int64
    signature = types.none(rows, number, number, sizes, number)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        begin = builder.gep(address(context, builder, signature, arguments, 0), [arguments[1]])
        found = builder.gep(address(context, builder, signature, arguments, 3), [arguments[4]])
        row = [
            load(builder, builder.gep(begin, [LONG(place)]), _LANES)
            for place in range(0, ROW, _LANES)
        ]

        def step(answer: Any, _before: Any) -> Any:
            total = LONG(0)
            for bytes_ in row:
                bits = _matches(builder, bytes_, builder.trunc(answer, BYTE))
                total = builder.add(total, builder.ctpop(bits))
            builder.store(builder.trunc(total, _WORD), builder.gep(found, [answer]))
            return []

        gathered(builder, arguments[2], [], step)
        return context.get_dummy_value()

    return signature, generate


def _place_plainly(rows: Bytes, at: int, answer: int, places: Codes, to: int) -> None:
    found = np.flatnonzero(rows[at : at + ROW] == answer)
    places[to : to + len(found)] = found


@machine_code(_place_plainly)
def place_at_once(_context: Any, rows: Any, _at: Any, _answer: Any, places: Any, _to: Any) -> Any:
    """Write the indices of an answer in the row that begins at `at` into `places`, from `to` on.

    Writes on for `BEHIND` entries at most.
    """
    number = types.int64
    signature = types.none(rows, number, number, places, number)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        begin = builder.gep(address(context, builder, signature, arguments, 0), [arguments[1]])
        found = builder.gep(address(context, builder, signature, arguments, 3), [arguments[4]])
        answer = builder.trunc(arguments[2], BYTE)
        bytes_, wide = ir.VectorType(BYTE, _LANES), ir.VectorType(_WORD, _LANES)
        end = LONG(0)
        for place in range(0, ROW, _LANES):
            row = load(builder, builder.gep(begin, [LONG(place)]), _LANES)
            bits = _matches(builder, row, answer)
            mask = builder.bitcast(bits, ir.VectorType(ir.IntType(1), _LANES))
            numbers = vector(BYTE, _LANES, list(range(place, place + _LANES)))
            name = "llvm.x86.avx512.mask.compress.v64i8"
            chosen = instruction(builder, name, bytes_, [numbers, vector(BYTE, _LANES, 0), mask])
            into = builder.bitcast(builder.gep(found, [end]), wide.as_pointer())
            builder.store(builder.zext(chosen, wide), into, align=1)
            end = builder.add(end, builder.ctpop(bits))
        return context.get_dummy_value()

    return signature, generate
