"""Types of the arguments of kernels, and how their words are read.

A structure is an address from which fields are loaded when they are used.  Its words never change,
and loads are marked invariant, so that they may leave loops.

An array is an address and a shape.  numba's own arrays need several times as many instructions,
which take longer to compile.  Indices must not be negative.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    make_attribute_wrapper,
    models,
    register_model,
    type_callable,
)
from numba.np.arrayobj import populate_array

from bullscows.kernels.compiling.structure import Layout, Structure

_INDEX = ir.IntType(32)
_WORD = ir.IntType(64)


class View(types.Type):
    """The type of the C-contiguous arrays of a dtype with a number of dimensions."""

    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype = dtype
        self.ndim = ndim
        super().__init__(name=f"View{ndim}{dtype}")

    def after(self, axes: int) -> Any:
        """Return the type of an element or a row after a number of indices."""
        return View(self.dtype, self.ndim - axes) if axes < self.ndim else self.dtype


@register_model(View)
class _ViewModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, view: View) -> None:
        shape = types.containers.UniTuple(types.int64, view.ndim)
        super().__init__(
            manager, view, [("data", types.misc.CPointer(view.dtype)), ("shape", shape)]
        )


make_attribute_wrapper(View, "shape", "shape")


@type_callable(operator.getitem)
def _type_of_element(_context: Any) -> Callable[..., Any]:
    return lambda view, index: view.after(len(_axes(index))) if _takes(view, index) else None


@type_callable(operator.setitem)
def _type_of_assignment(_context: Any) -> Callable[..., Any]:
    return lambda view, index, _value: (
        types.none if _takes(view, index) and len(_axes(index)) == view.ndim else None
    )


def _takes(view: Any, index: Any) -> bool:
    """Return whether a value is a view with an axis for each index, all whole numbers."""
    is_whole = all(isinstance(axis, types.Integer) for axis in _axes(index))
    return is_whole and isinstance(view, View) and len(_axes(index)) <= view.ndim


def _axes(index: Any) -> Any:
    """Return the types of the indices."""
    return index.types if isinstance(index, types.containers.BaseTuple) else (index,)


def _place(context: Any, builder: Any, kinds: Any, values: Any) -> tuple[Any, list[Any]]:
    """Return the address of an element or of a row, and the shape of the row."""
    shape = builder.extract_value(values[0], 1)
    axes = _axes(kinds[1])
    offset = _WORD(0)
    lengths = [builder.extract_value(shape, axis) for axis in range(kinds[0].ndim)]
    for axis, length in enumerate(lengths):
        offset = builder.mul(offset, length)
        if axis < len(axes):
            is_tuple = axes[0] is not kinds[1]
            at = builder.extract_value(values[1], axis) if is_tuple else values[1]
            at = context.cast(builder, at, axes[axis], types.int64)
            if context.enable_boundscheck:
                cgutils.do_boundscheck(context, builder, at, length, axis)
            offset = builder.add(offset, at)
    return builder.gep(builder.extract_value(values[0], 0), [offset]), lengths[len(axes) :]


@lower_builtin(operator.getitem, View, types.Any)  # type: ignore[untyped-decorator]
def _get(context: Any, builder: Any, called: Any, values: Any) -> Any:
    place, shape = _place(context, builder, called.args, values)
    if shape:
        return _view(context, builder, called.return_type, place, shape)
    return context.unpack_value(builder, called.return_type, place)


@lower_builtin(operator.setitem, View, types.Any, types.Any)  # type: ignore[untyped-decorator]
def _set(context: Any, builder: Any, called: Any, values: Any) -> Any:
    place, _ = _place(context, builder, called.args, values)
    element = called.args[0].dtype
    value = context.cast(builder, values[2], called.args[2], element)
    context.pack_value(builder, element, value, place)
    return context.get_dummy_value()


def _view(context: Any, builder: Any, view: View, data: Any, shape: list[Any]) -> Any:
    value = ir.Constant(context.get_value_type(view), ir.Undefined)
    value = builder.insert_value(value, data, 0)
    for axis, length in enumerate(shape):
        value = builder.insert_value(value, length, (1, axis))
    return value


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


def type_of(value: Any, as_numba_array: bool) -> Any:
    """Return the type of an argument: for arrays numba's own if `as_numba_array`, else `View`."""
    if isinstance(value, Structure):
        return Reference(type(value).__name__, value.layout)
    if isinstance(value, tuple):
        kinds = [type_of(one, as_numba_array) for one in value]
        return types.containers.BaseTuple.from_types(kinds, type(value))
    array = np.asarray(value)
    view = _type_of(array.dtype, array.ndim)
    return types.Array(view.dtype, view.ndim, "C") if as_numba_array and array.ndim else view


def _type_of(dtype: np.dtype[Any], dimensions: int) -> Any:
    element = from_dtype(dtype)
    return View(element, dimensions) if dimensions else element


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
    word = _word(builder, pointer, at)
    after = at + 1
    if isinstance(kind, Reference):
        return builder.inttoptr(word, _WORD.as_pointer()), after
    if not isinstance(kind, (types.Array, View)):
        return context.cast(builder, word, types.int64, kind), after
    after += kind.ndim
    pointers = context.get_data_type(kind.dtype).as_pointer().as_pointer()
    data = _invariant(builder, builder.load(builder.bitcast(word.operands[0], pointers)))
    shape = [_word(builder, pointer, axis) for axis in range(at + 1, after)]
    if isinstance(kind, View):
        return _view(context, builder, kind, data, shape), after
    array = context.make_array(kind)(context, builder)
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
