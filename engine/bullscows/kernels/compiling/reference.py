"""The numba type of a `Structure`: an address from which fields are loaded when they are used.

The words of a structure never change, and loads are marked invariant, so that they may leave loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype
from numba.core import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
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
            element = from_dtype(np.dtype(dtype))
            self.places[field] = at
            self.types[field] = types.Array(element, dimensions, "C") if dimensions else element
            at += 1 + dimensions
        super().__init__(name=f"Reference({name}, {layout})")


@register_model(Reference)
class _ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, structure: Reference) -> None:
        super().__init__(manager, structure, _WORD.as_pointer())


_references: dict[Layout, Reference] = {}


@typeof_impl.register(Structure)  # type: ignore[untyped-decorator]
def _typeof(structure: Structure, _context: Any) -> Reference:
    layout = structure.layout
    if layout not in _references:
        _references[layout] = Reference(type(structure).__name__, layout)
    return _references[layout]


@unbox(Reference)  # type: ignore[untyped-decorator]
def _unbox(_structure: Reference, boxed: Any, context: Any) -> Any:
    address = context.pyapi.object_getattr_string(boxed, "address")
    number = context.pyapi.long_as_ulonglong(address)
    context.pyapi.decref(address)
    return NativeValue(context.builder.inttoptr(number, _WORD.as_pointer()))


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = Reference

    def generic_resolve(self, structure: Reference, name: str) -> Any:
        return structure.types.get(name)


@lower_getattr_generic(Reference)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, structure: Reference, pointer: Any, name: str) -> Any:
    field = structure.types[name]
    at = structure.places[name]
    if not isinstance(field, types.Array):
        word = _word(builder, pointer, at)
        return context.cast(builder, word, types.int64, field)
    array = context.make_array(field)(context, builder)
    place = builder.bitcast(builder.gep(pointer, [_INDEX(at)]), array.data.type.as_pointer())
    data = _invariant(builder, builder.load(place))
    shape = [_word(builder, pointer, at + 1 + axis) for axis in range(field.ndim)]
    itemsize = context.get_abi_sizeof(context.get_data_type(field.dtype))
    step = _WORD(itemsize)
    strides: list[Any] = []
    for length in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, length)
    populate_array(array, data, shape, strides, itemsize, None)
    return array._getvalue()


def _word(builder: Any, pointer: Any, at: int) -> Any:
    return _invariant(builder, builder.load(builder.gep(pointer, [_INDEX(at)])))


def _invariant(builder: Any, load: Any) -> Any:
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load
