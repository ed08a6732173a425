"""Number of parts that every guess makes of a set: the innermost loop of the search.

Each candidate contributes one row of the response table, and each guess, a lane, collects the
answers seen as bits.  Bits are kept in planes of eight answers, a byte for each guess: a shuffle of
a table of powers of two turns all answers of a chunk into their bits at once.  If a processor
shuffles tables of 64 bytes (AVX-512 VBMI) a plane takes one such instruction for 64 guesses; with
AVX2 one for 32, whose tables have 16 answers; other processors shift a word for each guess, which
takes several times as long.  The counts do not depend on which.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

from llvmlite import ir

from bullscows.kernels import instructions as vec
from bullscows.kernels.compiling.jit import Bytes, Codes, kernel
from bullscows.kernels.instructions import ARRAY, BYTE, LONG, NUMBER, Values, machine_code

_PLANE = 8
CHUNK = 64
"""Guesses whose parts are compared at once: a row of the response table is a multiple of them."""

PLANES = 2, 3, 6
"""Chunks are read for this number of planes: games have up to 16, 24 or 48 answers."""


def _shuffled512(builder: Any, answers: Any, planes: int) -> Values:
    """Return the bits of the answers, plane by plane, by shuffles of tables of 64 bytes."""
    tables = [vec.vector(BYTE, 64, _powers(plane * _PLANE, 64)) for plane in range(planes)]
    name = "llvm.x86.avx512.permvar.qi.512"
    return [vec.instruction(builder, name, answers.type, [table, answers]) for table in tables]


def _shuffled256(builder: Any, answers: Any, planes: int) -> Values:
    """Return the bits of the answers, plane by plane, by shuffles of tables of 16 bytes.

    An index with its top bit set gives 0.  The 16 answers of two planes are brought to 112 to 127
    or 0 to 15, of which a shuffle sees the last four bits; all others get their top bit set.
    """
    found = []
    for plane in range(planes):
        shift = 112 if plane < 2 else -16 * (plane // 2) % 256
        index = builder.add(answers, vec.vector(BYTE, 32, shift))
        if plane // 2 == 1 and planes > 4:  # answers above 31 would pass for others
            small = builder.icmp_unsigned("<", answers, vec.vector(BYTE, 32, 32))
            index = builder.select(small, index, vec.vector(BYTE, 32, 128))
        table = vec.vector(BYTE, 32, _powers(plane % 2 * _PLANE, 16) * 2)
        found.append(
            vec.instruction(builder, "llvm.x86.avx2.pshuf.b", answers.type, [table, index])
        )
    return found


def _shifted(builder: Any, answers: Any, _planes: int) -> Values:
    """Return the bits of the answers in one word for each guess, on any processor."""
    wide = builder.zext(answers, ir.VectorType(LONG, 16))
    return [builder.shl(vec.vector(LONG, 16, 1), wide)]


class Way(NamedTuple):
    """How the answers of a row become bits."""

    needs: str
    """The feature of processors that it needs, if any."""
    lanes: int
    element: Any
    """A byte for each guess and plane, or a word for all planes of a guess."""
    bits: Callable[[Any, Any, int], Values]


WAYS = (
    Way("avx512vbmi", 64, BYTE, _shuffled512),
    Way("avx2", 32, BYTE, _shuffled256),
    Way("", 16, LONG, _shifted),
)


def _powers(first: int, length: int) -> list[int]:
    """Return the table that maps an answer ``first <= a < first + 8`` to its bit, others to 0."""
    return [1 << (a - first) if first <= a < first + _PLANE else 0 for a in range(length)]


def chunk_counter(way: Way, planes: int) -> Any:
    """Return what counts the parts that a chunk of guesses makes, in one of the ways.

    Its arguments are those of `count_parts` without `answers`, and the first guess of the chunk.
    """
    lanes = way.lanes

    @machine_code("none", ARRAY, NUMBER, ARRAY, NUMBER, NUMBER, ARRAY, NUMBER)
    def counted(
        builder: Any, rows: Any, width: Any, codes: Any, first: Any, size: Any, parts: Any, at: Any
    ) -> None:
        members = builder.gep(codes, [first])
        table = builder.gep(rows, [at])

        def step(turn: Any, before: Values) -> Values:
            code = builder.zext(builder.load(builder.gep(members, [turn])), LONG)
            answers = vec.load(builder, builder.gep(table, [builder.mul(code, width)]), lanes)
            bits = way.bits(builder, answers, planes)
            return [builder.or_(*both) for both in zip(before, bits, strict=True)]

        start = [vec.vector(way.element, lanes, 0)] * (planes if way.element == BYTE else 1)
        seen = vec.loop(builder, size, start, step)
        total = reduce(builder.add, [vec.ones(builder, plane) for plane in seen])
        vec.store(builder, builder.gep(parts, [at]), total, lanes)

    return counted


_WAY = next(way for way in WAYS if not way.needs or vec.has(way.needs))
_LANES = _WAY.lanes
_count_few, _count_some, _count_many = (chunk_counter(_WAY, planes) for planes in PLANES)


@kernel
def count_parts(
    responses: Bytes, stride: int, answers: int, codes: Codes, start: int, count: int, parts: Bytes
) -> None:
    """Write into `parts`, (stride,), how many parts each guess makes of a set.

    The set is ``codes[start:start + count]``, count >= 1.  The flat response table has rows of
    `stride` bytes, a multiple of 64, and at most 48 answers.
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


@machine_code("uint64", ARRAY, NUMBER, NUMBER, NUMBER)
def within(builder: Any, parts: Any, at: Any, low: Any, high: Any) -> Any:
    """Return which of 64 guesses from `at` on make `low` to `high` parts, as bits; 0 <= low."""
    made = vec.load(builder, builder.gep(parts, [at]), CHUNK)
    low, high = (vec.spread(builder, builder.trunc(one, BYTE), CHUNK) for one in (low, high))
    least = builder.icmp_unsigned(">=", made, low)
    return builder.bitcast(builder.and_(least, builder.icmp_unsigned("<=", made, high)), LONG)
