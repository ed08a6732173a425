"""Compilation of kernels together with the kernels they call.

By default numba makes machine code of every function, and optimises its instructions again in each
caller.  Here only LLVM instructions are generated for each kernel.  They are optimised and become
machine code together, in the object file of the kernel that Python calls.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from importlib import import_module
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic

from bullscows.kernels.compiling.reference import read, type_of

_dynfunc: Any = import_module("numba._dynfunc")  # machine code, which is not typed
_typing: Any = cpu_target.typing_context
PASSES = (
    *("TranslateByteCode", "FixupArgs", "IRProcessing", "ReconstructSSA", "NopythonTypeInference"),
    *("PreLowerStripPhis", "AnnotateTypes", "NativeLowering", "NoPythonBackend"),
)
"""The passes of numba that kernels need: they have no closures and count no references."""

_INT = ir.IntType(32)
_WORD = ir.IntType(64)
_resolve = _typing.resolve_function_type
_resolved: dict[Any, Any] = {}


def _resolve_once(function: Any, arguments: Any, keywords: Any) -> Any:
    """Cache the types of calls: numba tries dozens of templates for every sum of two numbers."""
    if keywords or isinstance(function, str):  # "static_getitem": its index may be a slice
        return _resolve(function, arguments, keywords)
    key = function, tuple(arguments)
    found = _resolved.get(key) or _resolve(function, arguments, keywords)
    return found and _resolved.setdefault(key, found)


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
        """Generate them, and give callers a Python function without code as a handle."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        lowered = state["cr"]
        module = lowered.fndesc.lookup_module()
        name = lowered.fndesc.qualname
        known_by = _dynfunc.make_function(module, name, "", 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(known_by, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=known_by)
        return True


class Compiler(CompilerBase):  # type: ignore[misc]
    """Compiles the kernels."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes, with a lowering of our own."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (Lowering if each is NativeLowering else each, name)
            for each, name in manager.passes
            if each.__name__ in PASSES or self.state.flags.nrt
        ]
        manager.finalize()
        return [manager]


def dispatcher(function: Callable[..., Any], inline: bool, allocates: bool) -> Any:
    """Return numba's object that compiles a kernel, and that other kernels call."""
    options = dict.fromkeys(("nopython", "no_cfunc_wrapper", "no_cpython_wrapper"), True)
    options |= {"forceinline": inline, "_nrt": allocates}
    made = CPUDispatcher(function, targetoptions=options, pipeline_class=Compiler)
    made._compiler._customize_flags = _without_code
    return made


def _without_code(flags: Flags) -> Flags:
    flags.no_compile = True
    return flags


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

    _typing.refresh()
    made = intrinsic(typed)
    _typing.refresh()
    return _typing.resolve_value_type(made)


def object_file(kernel: Any, arguments: tuple[Any, ...], symbol: str) -> tuple[str, bytes]:
    """Compile a kernel for such arguments; return its kinds of results, and the machine code."""
    with global_compiler_lock, _fast_compilation():
        kinds = tuple(type_of(one, kernel.targetoptions["_nrt"]) for one in arguments)
        kernel.compile(kinds)
        made = kernel.overloads[kinds]
        library = WholeLibrary(made.target_context.codegen(), symbol)
        module = library.create_ir_module(symbol)
        with made.target_context.push_code_library(library):
            results = _write_entry(made, module, kinds)
        library.add_ir_module(module)
        library.add_linking_library(made.library)
        library.finalize()
        return results, library._codegen._tm.emit_object(library._final_module)


@contextmanager
def _fast_compilation() -> Iterator[None]:
    """Cache the types of calls, and collect no garbage, which took a seventh of the time."""
    restore = gc.enable if gc.isenabled() else gc.disable
    gc.disable()
    _typing.resolve_function_type = _resolve_once
    try:
        yield
    finally:
        del _typing.resolve_function_type
        _resolved.clear()
        restore()


def _write_entry(made: Any, module: ir.Module, kinds: tuple[Any, ...]) -> str:
    """Write the function that Python calls, named as the module; return its kinds of results."""
    context = made.target_context
    result = made.signature.return_type
    address = _WORD.as_pointer()
    kind_of_entry = ir.FunctionType(_INT, [address, address])
    builder = ir.IRBuilder(ir.Function(module, kind_of_entry, module.name).append_basic_block())
    words, results = builder.function.args
    given, _ = read(context, builder, types.containers.Tuple(kinds), words, 0)
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
