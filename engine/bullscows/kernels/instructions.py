"""Kernels written as LLVM instructions, and building blocks of those that work on vectors.

The vector kernels are loops over codes that gather answers as bits.  Each lane is a guess.  One
code after the other says what it answers to all lanes; the answers that a lane sees become bits of
its accumulators, and the number of bits is that of the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from llvmlite import ir

from bullscows.kernels.compiling.object_files import features

BYTE, WORD, LONG = (ir.IntType(bits) for bits in (8, 32, 64))

Values: TypeAlias = list[Any]
"""Vectors of the program that is written: the accumulators, or the bits of one code."""


ARRAY: None = None
"""Type of an argument of `machine_code`: an array of any type."""
NUMBER = "int64"
"""Type of an argument of `machine_code`: an int64."""


@dataclass(frozen=True)
class Instructions:
    """A function that emits the machine code of a kernel; see `machine_code`."""

    emit: Callable[..., Any]
    result: str
    kinds: tuple[str | None, ...]

    @property
    def _numba_type_(self) -> Any:
        """The function's type for the compiler."""
        from bullscows.kernels.compiling.compiler import type_of_instructions

        return type_of_instructions(self.emit, self.result, *self.kinds)


def machine_code(
    result: str, *kinds: str | None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function that emits the machine code of a kernel; types by their names.

    It gets the builder and the arguments, of an array the address; it returns the result, if any.
    """

    def decorated(emit: Callable[..., Any]) -> Callable[..., Any]:
        return cast(Callable[..., Any], Instructions(emit, result, kinds))

    return decorated


@machine_code("uint64", "uint64")
def popcount(builder: Any, word: Any) -> Any:
    """Return the number of set bits of a word."""
    return builder.ctpop(word)


@machine_code("int64", "uint64")
def lowest_bit(builder: Any, word: Any) -> Any:
    """Return the number of the lowest set bit of a word that is not 0."""
    return builder.cttz(word, ir.IntType(1)(1))


@machine_code("uint8", "uint8", "uint8")
def larger8(builder: Any, one: Any, other: Any) -> Any:
    """Return the larger of two uint8; the second counts as 0 from 64 on.  LLVM vectorises it."""
    small = builder.icmp_unsigned("<", other, other.type(64))
    counted = builder.select(small, other, other.type(0))
    return builder.select(builder.icmp_unsigned(">", one, counted), one, counted)


def has(feature: str) -> bool:
    """Return whether kernels are compiled for a processor that is known to have a feature."""
    return f"+{feature}" in features().split(",")


def vector(element: Any, lanes: int, value: int | Sequence[int]) -> Any:
    """Return a constant vector, of one value or of one for each lane."""
    values = [value] * lanes if isinstance(value, int) else value
    return ir.Constant(ir.VectorType(element, lanes), [element(each) for each in values])


def spread(builder: Any, value: Any, lanes: int) -> Any:
    """Return a vector that has a value in each lane."""
    kind = ir.VectorType(value.type, lanes)
    single = builder.insert_element(ir.Constant(kind, ir.Undefined), value, WORD(0))
    return builder.shuffle_vector(single, single, vector(WORD, lanes, 0))


def load(builder: Any, place: Any, lanes: int) -> Any:
    """Load a vector of bytes from a place of any alignment."""
    kind = ir.VectorType(BYTE, lanes).as_pointer()
    return builder.load(builder.bitcast(place, kind), align=1)


def store(builder: Any, place: Any, parts: Any, lanes: int) -> None:
    """Store a vector of bytes at a place of any alignment."""
    kind = ir.VectorType(BYTE, lanes).as_pointer()
    builder.store(parts, builder.bitcast(place, kind), align=1)


def instruction(builder: Any, name: str, result: Any, arguments: Values) -> Any:
    """Call an instruction by its LLVM name."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    known = builder.module.globals.get(name)
    return builder.call(known or ir.Function(builder.module, kind, name), arguments)


def ones(builder: Any, words: Any) -> Any:
    """Return the number of bits that are set in each lane, as bytes."""
    kind = words.type
    lanes = words.type.count
    count = instruction(builder, f"llvm.ctpop.v{lanes}i{kind.element.width}", kind, [words])
    narrow = ir.VectorType(BYTE, lanes)
    return count if kind == narrow else builder.trunc(count, narrow)


def loop(builder: Any, count: Any, start: Values, step: Callable[[Any, Values], Values]) -> Values:
    """Write a loop from 0 to `count`, at least 1; return the result of its steps from `start` on.

    A step gets the number of its round, and what the rounds before have made.
    """
    before, body, after = builder.block, *(builder.append_basic_block() for _ in range(2))
    builder.branch(body)
    builder.position_at_end(body)
    at = builder.phi(LONG)
    values = [builder.phi(value.type) for value in start]
    made = step(at, values)
    following = builder.add(at, LONG(1))
    at.add_incoming(LONG(0), before)
    at.add_incoming(following, body)
    for value, first, next_one in zip(values, start, made, strict=True):
        value.add_incoming(first, before)
        value.add_incoming(next_one, body)
    builder.cbranch(builder.icmp_signed("<", following, count), body, after)
    builder.position_at_end(after)
    return made
