"""Number of parts that every guess makes of a set: the innermost loop of the search.

Each candidate contributes one row of the response table, and each guess, a lane, collects the
answers seen as bits.  Bits are kept in planes of eight answers, a byte for each guess: a shuffle of
a table of powers of two turns all answers of a chunk into their bits at once.  If a processor
shuffles tables of 64 bytes (AVX-512 VBMI) a plane takes one such instruction for 64 guesses; with
AVX2 one for 32, whose tables have 16 answers; other processors shift a word for each guess, which
takes several times as long.  The counts do not depend on which.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from bullscows.kernels.compiling.jit import Bytes, Codes, kernel, machine_code
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
    spread,
    vector,
)

_PLANE = 8
CHUNK = 64
"""Guesses whose parts are compared at once: a row of the response table is a multiple of them."""

PLANES = 2, 3, 6
"""Chunks are read for this number of planes: games have up to 16, 24 or 48 answers."""


class _Shuffled:
    """Bits in planes of bytes, by shuffles."""

    lanes: int

    @classmethod
    def start(cls, planes: int) -> Values:
        """Return the planes without any bit."""
        return [vector(BYTE, cls.lanes, 0)] * planes


class Shuffled512(_Shuffled):
    """Bits by shuffles of tables of 64 bytes."""

    lanes = 64
    needs = "avx512vbmi"

    @staticmethod
    def bits(builder: Any, answers: Any, planes: int) -> Values:
        """Return the bits of the answers of a row, plane by plane."""
        tables = [vector(BYTE, 64, _powers(plane * _PLANE, 64)) for plane in range(planes)]
        name = "llvm.x86.avx512.permvar.qi.512"
        return [instruction(builder, name, answers.type, [table, answers]) for table in tables]


class Shuffled256(_Shuffled):
    """Bits by shuffles of tables of 16 bytes; an index with its top bit set gives 0."""

    lanes = 32
    needs = "avx2"

    @staticmethod
    def bits(builder: Any, answers: Any, planes: int) -> Values:
        """Return the bits of the answers of a row, plane by plane.

        The 16 answers of two planes are brought to 112 to 127 or 0 to 15, of which a shuffle sees
        the last four bits; all others have to get their top bit set.
        """
        found = []
        for plane in range(planes):
            shift = 112 if plane < 2 else -16 * (plane // 2) % 256
            index = builder.add(answers, vector(BYTE, 32, shift))
            if plane // 2 == 1 and planes > 4:  # answers above 31 would pass for others
                small = builder.icmp_unsigned("<", answers, vector(BYTE, 32, 32))
                index = builder.select(small, index, vector(BYTE, 32, 128))
            table = vector(BYTE, 32, _powers(plane % 2 * _PLANE, 16) * 2)
            name = "llvm.x86.avx2.pshuf.b"
            found.append(instruction(builder, name, answers.type, [table, index]))
        return found


class Shifted:
    """Bits by shifts of a word for each guess, on any processor."""

    lanes = 16
    needs = ""

    @staticmethod
    def start(planes: int) -> Values:  # noqa: ARG004 - a word holds all planes
        """Return the words without any bit."""
        return [vector(LONG, 16, 0)]

    @staticmethod
    def bits(builder: Any, answers: Any, planes: int) -> Values:  # noqa: ARG004
        """Return the bits of the answers of a row."""
        wide = builder.zext(answers, ir.VectorType(LONG, 16))
        return [builder.shl(vector(LONG, 16, 1), wide)]


WAYS = (Shuffled512, Shuffled256, Shifted)
Way = type[Shuffled512] | type[Shuffled256] | type[Shifted]


def _powers(first: int, length: int) -> list[int]:
    """Return the table that maps an answer ``first <= a < first + 8`` to its bit, others to 0."""
    return [1 << (a - first) if first <= a < first + _PLANE else 0 for a in range(length)]


def chunk_counter(way: Way, planes: int) -> Any:
    """Return what counts the parts that a chunk of guesses makes, in one of the ways.

    Its arguments are those of `count_parts` without `answers`, and the first guess of the chunk.
    """
    lanes = way.lanes

    def plainly(
        responses: Bytes, stride: int, codes: Codes, start: int, count: int, parts: Bytes, at: int
    ) -> None:
        rows = codes[start : start + count].astype(np.int64) * stride
        seen = np.sort(responses[rows[:, None] + np.arange(at, at + lanes)], axis=0)
        parts[at : at + lanes] = 1 + (seen[1:] != seen[:-1]).sum(axis=0)

    def counted(
        _context: Any,
        responses: Any,
        _stride: Any,
        codes: Any,
        _start: Any,
        _count: Any,
        parts: Any,
        _at: Any,
    ) -> Any:
        number = types.int64
        signature = types.none(responses, number, codes, number, number, parts, number)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            table, members, found = (
                address(context, builder, signature, arguments, which) for which in (0, 2, 5)
            )
            stride, start, count, at = (arguments[which] for which in (1, 3, 4, 6))
            members = builder.gep(members, [start])
            table = builder.gep(table, [at])

            def step(turn: Any, planes_before: Values) -> Values:
                code = builder.zext(builder.load(builder.gep(members, [turn])), LONG)
                answers = load(builder, builder.gep(table, [builder.mul(code, stride)]), lanes)
                bits = way.bits(builder, answers, planes)
                return [builder.or_(*both) for both in zip(planes_before, bits, strict=True)]

            first, *others = [
                ones(builder, plane) for plane in gathered(builder, count, way.start(planes), step)
            ]
            for other in others:
                first = builder.add(first, other)
            keep(builder, builder.gep(found, [at]), first, lanes)
            return context.get_dummy_value()

        return signature, generate

    return machine_code(plainly)(counted)


_WAY: Way = next(way for way in WAYS if not way.needs or has(way.needs))
_LANES = _WAY.lanes
_count_few, _count_some, _count_many = (chunk_counter(_WAY, planes) for planes in PLANES)


@kernel
def count_parts(
    responses: Bytes, stride: int, answers: int, codes: Codes, start: int, count: int, parts: Bytes
) -> None:
    """Write into `parts` how many parts every guess makes of ``codes[start:start + count]``.

    Parameters
    ----------
    responses
        The flat response table, uint8, rows of `stride` bytes; stride is a multiple of 64.
    answers
        The number of answers, at most 48.
    codes
        uint32; count >= 1.
    parts
        (stride,) uint8, written.
    """
    if answers <= 16:
        for at in range(0, stride, _LANES):
            _count_few(responses, stride, codes, start, count, parts, at)
    elif answers <= 24:
        for at in range(0, stride, _LANES):
            _count_some(responses, stride, codes, start, count, parts, at)
    else:
        for at in range(0, stride, _LANES):
            _count_many(responses, stride, codes, start, count, parts, at)


def _within_plainly(parts: Bytes, at: int, low: int, high: int) -> int:
    chunk = parts[at : at + CHUNK].tolist()
    return sum(int(low <= made <= high) << lane for lane, made in enumerate(chunk))


@machine_code(_within_plainly)
def within(_context: Any, parts: Any, _at: Any, _low: Any, _high: Any) -> Any:
    """Return which of 64 guesses from `at` on make `low` to `high` parts, as bits; 0 <= low."""
    signature = types.uint64(parts, *[types.int64] * 3)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        begin = address(context, builder, signature, arguments, 0)
        made = load(builder, builder.gep(begin, [arguments[1]]), CHUNK)
        low, high = (spread(builder, builder.trunc(each, BYTE), CHUNK) for each in arguments[2:])
        least = builder.icmp_unsigned(">=", made, low)
        fits = builder.and_(least, builder.icmp_unsigned("<=", made, high))
        return builder.bitcast(fits, LONG)

    return signature, generate
