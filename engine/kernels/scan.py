"""How many parts every guess makes of a set: the innermost loop of the search.

Each candidate contributes one row of the response table, and each guess collects the answers seen
as bits.  Bits are kept in planes of eight answers, one byte per guess.  With AVX2 one shuffle of a
table of powers of two turns 32 answers into their bits, two planes at a time; on other processors
the compiler's own vector code does the same a third as fast.  The counts do not depend on which.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils as untyped_cgutils
from numba.core import config as untyped_config

from engine.kernels.compiling.jit import (
    Bytes,
    Codes,
    add8,
    int64,
    kernel,
    machine_code,
    or8,
    plane_bit,
    popcount8,
    uint8,
)

cgutils: Any = untyped_cgutils
config: Any = untyped_config

_LANES = 32
_BYTE = ir.IntType(8)
_VECTOR = ir.VectorType(_BYTE, _LANES)

_TABLE_ANSWERS = 16
"""A shuffle looks up a table of 16 bytes; an index with its top bit set gives 0."""


def _has_avx2() -> bool:
    """Return whether numba compiles for this very processor, and it shuffles 32 bytes at once."""
    chosen = config.CPU_NAME or config.CPU_FEATURES or config.DISABLE_JIT
    return not chosen and bool(llvm.get_host_cpu_features().get("avx2"))


def _powers(first: int) -> ir.Constant:
    """Return the table that maps an answer ``first <= a < first + 8`` to its bit, others to 0."""
    entries = [1 << (a - first) if first <= a < first + 8 else 0 for a in range(_TABLE_ANSWERS)]
    return ir.Constant(_VECTOR, [_BYTE(entry) for entry in entries * 2])


def _mark_chunk_plainly(
    low: Bytes, high: Bytes, responses: Bytes, at: int, *rows_and_shift: int
) -> None:
    *rows, shift = rows_and_shift
    for row in rows:
        index = (responses[row + at : row + at + _LANES].astype(np.int64) + shift) % 256
        for plane, first in ((low, 0), (high, 8)):
            bits = np.where(index < 128, 1 << (index % _TABLE_ANSWERS - first) % 16, 0) % 256
            plane[at : at + _LANES] |= bits.astype(np.uint8)


@machine_code(_mark_chunk_plainly)
def _mark_chunk(
    _context: Any,
    low: Any,
    high: Any,
    responses: Any,
    _at: Any,
    _first: Any,
    _second: Any,
    _third: Any,
    _fourth: Any,
    _shift: Any,
) -> Any:
    """Or the bits of 32 guesses from `at` on, in four rows, into the planes `low` and `high`.

    `shift` is added to the answers, so that the 16 answers of the two planes become 112 to 127 or
    0 to 15, of which a shuffle sees the last four bits, and all others get their top bit set.
    """
    number = types.int64
    signature = types.none(low, high, responses, *[number] * 6)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def chunk(array: int, offset: Any) -> Any:
            proxy = cgutils.create_struct_proxy(signature.args[array])
            data = proxy(context, builder, value=arguments[array]).data
            return builder.bitcast(builder.gep(data, [offset]), _VECTOR.as_pointer())

        shuffle = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR]), "llvm.x86.avx2.pshuf.b"
        )
        at = arguments[3]
        planes = [chunk(0, at), chunk(1, at)]
        tables = [_powers(0), _powers(8)]
        masks = [builder.load(plane, align=1) for plane in planes]
        shift = _splat(builder, builder.trunc(arguments[8], _BYTE))
        for row in arguments[4:8]:
            answers = builder.load(chunk(2, builder.add(row, at)), align=1)
            index = builder.add(answers, shift)
            bits = [builder.call(shuffle, [table, index]) for table in tables]
            masks = [builder.or_(mask, bit) for mask, bit in zip(masks, bits, strict=True)]
        for mask, plane in zip(masks, planes, strict=True):
            builder.store(mask, plane, align=1)
        return context.get_dummy_value()

    return signature, generate


def _splat(builder: Any, byte: Any) -> Any:
    zero = ir.Constant(ir.VectorType(ir.IntType(32), _LANES), [ir.IntType(32)(0)] * _LANES)
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    single = builder.insert_element(undefined, byte, ir.IntType(32)(0))
    return builder.shuffle_vector(single, undefined, zero)


@kernel
def _mark_pair_shuffled(
    responses: Bytes,
    stride: int,
    codes: Codes,
    start: int,
    count: int,
    pair: int,
    low: Bytes,
    high: Bytes,
) -> None:
    last = start + count - 1
    shift = int64(112) if pair == 0 else int64(-16 * pair)
    for i in range(start, start + count, 4):
        first = int64(codes[i]) * stride
        second = int64(codes[min(i + 1, last)]) * stride
        third = int64(codes[min(i + 2, last)]) * stride
        fourth = int64(codes[min(i + 3, last)]) * stride
        for at in range(0, stride, 32):
            _mark_chunk(low, high, responses, at, first, second, third, fourth, shift)


@kernel
def _mark_plane(
    responses: Bytes, stride: int, codes: Codes, start: int, count: int, base: int, plane: Bytes
) -> None:
    lowest = uint8(base)
    for i in range(start, start + count):
        row = int64(codes[i]) * stride
        answers = responses[row : row + stride]
        for guess in range(stride):
            plane[guess] = or8(plane[guess], plane_bit(answers[guess], lowest))


@kernel
def _mark_pair_plainly(
    responses: Bytes,
    stride: int,
    codes: Codes,
    start: int,
    count: int,
    pair: int,
    low: Bytes,
    high: Bytes,
) -> None:
    _mark_plane(responses, stride, codes, start, count, 16 * pair, low)
    _mark_plane(responses, stride, codes, start, count, 16 * pair + 8, high)


_mark_pair: Callable[..., None] = _mark_pair_shuffled if _has_avx2() else _mark_pair_plainly


@kernel
def count_parts(
    responses: Bytes,
    stride: int,
    answers: int,
    codes: Codes,
    start: int,
    count: int,
    masks: Bytes,
    parts: Bytes,
) -> None:
    """Write into `parts` how many parts every guess makes of ``codes[start:start + count]``.

    Parameters
    ----------
    responses
        The flat response table, uint8, rows of `stride` bytes; stride is a multiple of 32.
    answers
        The number of answers, at most 48.
    codes
        uint32; count >= 1.
    masks
        (2 * stride,) uint8, scratch.
    parts
        (stride,) uint8, written.
    """
    low = masks[:stride]
    high = masks[stride : 2 * stride]
    for pair in range((answers + 15) // 16):
        for guess in range(2 * stride):
            masks[guess] = 0
        if pair == 1 and answers > 32:  # a shuffle leaves out the answers on one side only
            _mark_pair_plainly(responses, stride, codes, start, count, pair, low, high)
        else:
            _mark_pair(responses, stride, codes, start, count, pair, low, high)
        if pair == 0:
            for guess in range(stride):
                parts[guess] = add8(popcount8(low[guess]), popcount8(high[guess]))
        else:
            for guess in range(stride):
                more: int = add8(popcount8(low[guess]), popcount8(high[guess]))
                parts[guess] = add8(parts[guess], more)
