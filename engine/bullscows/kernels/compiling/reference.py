"""Types of the arguments of kernels, and how their words are read.

A structure is an address from which fields are loaded when they are used.  Its words never change,
and loads are marked invariant, so that they may leave loops.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype
from numba.core import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, models, register_model
from numba.np.arrayobj import populate_array

from bullscows.kernels.compiling.structure import Layout, Structure

_INDEX = ir.IntType(32)
_WORD = ir.IntType(64)


class Reference(types.Type):
    """The type of the structures of a class with a layout."""

    def __init__(self, name: str, layout: Layout) -> None:
        self.layout = layout
        self.places: dict[str, int] = {}
        self.types: dict[str, Any] = {}
        at = 0
        for field, dtype, dimensions in layout:
            self.places[field] = at
            self.types[field] = _type_of(np.dtype(dtype), dimensions)
            at += 1 + dimensions
        # The names of the machine code's functions contain it several times.
        super().__init__(name=f"{name}{sha256(repr(layout).encode()).hexdigest()[:8]}")


@register_model(Reference)
class _ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, structure: Reference) -> None:
        super().__init__(manager, structure, _WORD.as_pointer())


def type_of(value: Any) -> Any:
    """Return the type of an argument."""
    if isinstance(value, Structure):
        return Reference(type(value).__name__, value.layout)
    if isinstance(value, tuple):
        return types.containers.BaseTuple.from_types([type_of(one) for one in value], type(value))
    array = np.asarray(value)
    return _type_of(array.dtype, array.ndim)


def _type_of(dtype: np.dtype[Any], dimensions: int) -> Any:
    element = from_dtype(dtype)
    return types.Array(element, dimensions, "C") if dimensions else element


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = Reference

    def generic_resolve(self, structure: Reference, name: str) -> Any:
        return structure.types.get(name)


@lower_getattr_generic(Reference)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, structure: Reference, pointer: Any, name: str) -> Any:
    value, _ = read(context, builder, structure.types[name], pointer, structure.places[name])
    return value


def read(context: Any, builder: Any, kind: Any, pointer: Any, at: int) -> tuple[Any, int]:
    """Write how a value is read from the words from `at` on; return it, and the next place."""
    if isinstance(kind, types.containers.BaseTuple):
        values = []
        for element in kind:
            value, at = read(context, builder, element, pointer, at)
            values.append(value)
        return context.make_tuple(builder, kind, values), at
    word, after = _word(builder, pointer, at), at + 1
    if isinstance(kind, Reference):
        return builder.inttoptr(word, _WORD.as_pointer()), after
    if not isinstance(kind, types.Array):
        return context.cast(builder, word, types.int64, kind), after
    array = context.make_array(kind)(context, builder)
    place = builder.bitcast(builder.gep(pointer, [_INDEX(at)]), array.data.type.as_pointer())
    data = _invariant(builder, builder.load(place))
    after += kind.ndim
    shape = [_word(builder, pointer, axis) for axis in range(at + 1, after)]
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    step = _WORD(itemsize)
    strides: list[Any] = []
    for length in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, length)
    populate_array(array, data, shape, strides, itemsize, None)
    return array._getvalue(), after


def _word(builder: Any, pointer: Any, at: int) -> Any:
    return _invariant(builder, builder.load(builder.gep(pointer, [_INDEX(at)])))


def _invariant(builder: Any, load: Any) -> Any:
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load
