"""Compilation of kernels together with the kernels they call, by inner parts of numba.

By default numba makes machine code of every function, and optimises its instructions again in each
caller.  Here only LLVM instructions are generated for each kernel.  They are optimised and become
machine code together, in the object file of the kernel that Python calls.

Kernels have types of their own.  A structure is an address from which fields are loaded when they
are used; its words never change, and loads are marked invariant, so that they may leave loops.  An
array is an address and a shape; indices must not be negative.  With numba's own arrays the search
takes 1.7 times as long.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import from_dtype, njit
from numba.core import cgutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    make_attribute_wrapper,
    models,
    register_model,
    type_callable,
)

from bullscows.kernels.compiling.object_files import Layout, ObjectFile, Structure

_INT = ir.IntType(32)
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
            self.types[field] = _type_of_array(np.dtype(dtype), dimensions)
            at += 1 + dimensions
        # The names of the machine code's functions contain it several times.
        super().__init__(name=f"{name}{sha256(repr(layout).encode()).hexdigest()[:8]}")


@register_model(Reference)
class _ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, structure: Reference) -> None:
        super().__init__(manager, structure, _WORD.as_pointer())


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = Reference

    def generic_resolve(self, structure: Reference, name: str) -> Any:
        return structure.types.get(name)


@lower_getattr_generic(Reference)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, structure: Reference, pointer: Any, name: str) -> Any:
    value, _ = _read(context, builder, structure.types[name], pointer, structure.places[name])
    return value


def _type_of(value: Any) -> Any:
    """Return the type of an argument of a kernel."""
    if isinstance(value, Structure):
        return Reference(type(value).__name__, value.layout)
    if isinstance(value, tuple):
        return types.containers.BaseTuple.from_types([_type_of(one) for one in value], type(value))
    array = np.asarray(value)
    return _type_of_array(array.dtype, array.ndim)


def _type_of_array(dtype: np.dtype[Any], dimensions: int) -> Any:
    element = from_dtype(dtype)
    return View(element, dimensions) if dimensions else element


def _read(context: Any, builder: Any, kind: Any, pointer: Any, at: int) -> tuple[Any, int]:
    """Write how a value is read from the words from `at` on; return it, and the next place."""
    if isinstance(kind, types.containers.BaseTuple):
        values = []
        for element in kind:
            value, at = _read(context, builder, element, pointer, at)
            values.append(value)
        return context.make_tuple(builder, kind, values), at
    word = _word(builder, pointer, at)
    after = at + 1
    if isinstance(kind, Reference):
        return builder.inttoptr(word, _WORD.as_pointer()), after
    if not isinstance(kind, View):
        return context.cast(builder, word, types.int64, kind), after
    after += kind.ndim
    pointers = context.get_data_type(kind.dtype).as_pointer().as_pointer()
    data = _invariant(builder, builder.load(builder.bitcast(word.operands[0], pointers)))
    shape = [_word(builder, pointer, axis) for axis in range(at + 1, after)]
    return _view(context, builder, kind, data, shape), after


def _word(builder: Any, pointer: Any, at: int) -> Any:
    return _invariant(builder, builder.load(builder.gep(pointer, [_INT(at)])))


def _invariant(builder: Any, load: Any) -> Any:
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load


@cache
def type_of_instructions(emit: Callable[..., Any], result: str, *names: str | None) -> Any:
    """Return the type of a function that emits instructions; None: an array of any type."""
    kinds = [name and getattr(types, name) for name in names]

    @wraps(emit)  # numba looks at the signature
    def typed(_context: Any, *given: Any) -> Any:
        taken = [one if kind is None else kind for one, kind in zip(given, kinds, strict=True)]

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            pairs = zip(arguments, kinds, strict=True)
            values = [one if kind else builder.extract_value(one, 0) for one, kind in pairs]
            made = emit(builder, *values)
            return context.get_dummy_value() if made is None else made

        return getattr(types, result)(*taken), generate

    made = intrinsic(typed)
    typing: Any = cpu_target.typing_context
    typing.refresh()  # it does not know new intrinsics yet
    return typing.resolve_value_type(made)


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The instructions of a kernel, of which each object file gets a copy; no machine code."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave that to the object file, but know the sizes of types."""
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Do nothing more: the object file does the rest."""
        self._finalized = True


class WholeLibrary(PartLibrary):
    """An object file: nothing else calls its parts, so they may be changed or inlined in place."""

    def finalize(self) -> None:
        """Link all parts, and optimise them together."""
        module = self._final_module
        parts = list(dict.fromkeys(self._linking_libraries))
        for part in parts:
            parts += dict.fromkeys(each for each in part._linking_libraries if each not in parts)
            module.link_in(part._get_module_for_linking(), preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.name != self.name:
                function.linkage = llvm.Linkage.internal
        manager, builder = self._codegen._module_pass_manager()
        manager.run(module, builder)


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(NativeLowering):  # type: ignore[misc]
    """Generate the instructions of a kernel."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        """Generate them, and give callers a handle: a built-in function that is never called."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        lowered = state["cr"]
        handle = [].append  # type: ignore[var-annotated]  # one of its own for each kernel
        state.targetctx.insert_user_function(handle, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=handle)
        return True


class Compiler(CompilerBase):  # type: ignore[misc]
    """Compiles the kernels."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes, with a lowering of our own."""
        flags = self.state.flags
        flags.no_compile = True
        flags.no_cfunc_wrapper = True
        flags.no_cpython_wrapper = True
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (Lowering if each is NativeLowering else each, name) for each, name in manager.passes
        ]
        manager.finalize()
        return [manager]


def dispatcher(function: Callable[..., Any], inline: bool) -> Any:
    """Return numba's object that compiles a kernel, and that other kernels call."""
    return njit(forceinline=inline, pipeline_class=Compiler)(function)


def compiled(kernel: Any, arguments: tuple[Any, ...], symbol: str) -> ObjectFile:
    """Compile a dispatcher's kernel for such arguments; `symbol` names its entry."""
    with global_compiler_lock:
        kinds = tuple(_type_of(one) for one in arguments)
        kernel.compile(kinds)
        made = kernel.overloads[kinds]
        library = WholeLibrary(made.target_context.codegen(), symbol)
        module = library.create_ir_module(symbol)
        with made.target_context.push_code_library(library):
            results = _write_entry(made, module, kinds)
        library.add_ir_module(module)
        library.add_linking_library(made.library)
        library.finalize()
        code = library._codegen._tm.emit_object(library._final_module)
    return ObjectFile(symbol, results, code)


def _write_entry(made: Any, module: ir.Module, kinds: tuple[Any, ...]) -> str:
    """Write the function that Python calls, named as the module; return its kinds of results."""
    context = made.target_context
    result = made.signature.return_type
    address = _WORD.as_pointer()
    kind_of_entry = ir.FunctionType(_INT, [address, address])
    builder = ir.IRBuilder(ir.Function(module, kind_of_entry, module.name).append_basic_block())
    words, results = builder.function.args
    given, _ = _read(context, builder, types.containers.Tuple(kinds), words, 0)
    values = [builder.extract_value(given, place) for place in range(len(kinds))]
    function = context.declare_function(module, made.fndesc)
    status, found = context.call_conv.call_function(builder, function, result, kinds, values)
    is_tuple = hasattr(result, "types")
    letters = ""
    for place, kind in enumerate(result if is_tuple else [result] * (result != types.none)):
        value = builder.extract_value(found, place) if is_tuple else found
        is_signed = getattr(kind, "signed", False)
        letters += "q" if is_signed else "Q"
        word = context.cast(builder, value, kind, types.int64 if is_signed else types.uint64)
        builder.store(word, builder.gep(results, [_WORD(place)]))
    builder.ret(builder.select(status.is_ok, _INT(0), _INT(1)))
    return "," * is_tuple + letters
