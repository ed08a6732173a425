"""Compilation of kernels together with the kernels they call.

By default numba makes machine code of every function, and optimises its instructions again in each
caller.  Here only LLVM instructions are generated for each kernel.  They are optimised and become
machine code together, in the object file of the kernel that Python calls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic

from bullscows.kernels.compiling.jit import ARRAY, Instructions, ObjectFile
from bullscows.kernels.compiling.reference import read, type_of

_dynfunc: Any = import_module("numba._dynfunc")  # machine code, which is not typed
_WORD = ir.IntType(64)


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The instructions of a kernel, of which each object file gets a copy; no machine code."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave that to the object file, but know the sizes of types."""
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Leave that to the object file."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class WholeLibrary(PartLibrary):
    """An object file: nothing else calls its parts, so they may be changed or inlined in place."""

    def _optimize_final_module(self) -> None:
        module = self._final_module
        for function in module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
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
        module, name = lowered.fndesc.lookup_module(), lowered.fndesc.qualname
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
            (Lowering if each is NativeLowering else each, name) for each, name in manager.passes
        ]
        manager.finalize()
        return [manager]


def dispatcher(function: Callable[..., Any], is_inlined: bool) -> Any:
    """Return what compiles a kernel, and what other kernels call."""
    options = {"nopython": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}
    options |= {"boundscheck": None, "forceinline": is_inlined, "_nrt": False}
    made = CPUDispatcher(function, targetoptions=options, pipeline_class=Compiler)
    made._compiler._customize_flags = _customized
    return made


def _customized(flags: Flags) -> Flags:
    flags.no_compile = True
    return flags


def type_of_instructions(instructions: Instructions) -> Any:
    """Return the type of a function that emits instructions."""
    kinds = [kind if kind is ARRAY else getattr(types, kind) for kind in instructions.kinds]

    @wraps(instructions.emit)  # numba looks at the signature
    def typed(_context: Any, *given: Any) -> Any:
        taken = [one if kind is ARRAY else kind for one, kind in zip(given, kinds, strict=True)]

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            values = list(arguments)
            for place, kind in enumerate(kinds):
                if kind is ARRAY:
                    proxy = cgutils.create_struct_proxy(signature.args[place])
                    values[place] = proxy(context, builder, value=values[place]).data
            made = instructions.emit(builder, *values)
            return context.get_dummy_value() if made is None else made

        return getattr(types, instructions.result)(*taken), generate

    context = cpu_target.typing_context
    context.refresh()
    made = intrinsic(typed)
    context.refresh()
    return context.resolve_value_type(made)


@global_compiler_lock
def object_file(kernel: Any, arguments: tuple[Any, ...], symbol: str) -> ObjectFile:
    """Compile a kernel for arguments of such types, as a function that reads them as words."""
    kinds = tuple(map(type_of, arguments))
    kernel.compile(kinds)
    made = kernel.overloads[kinds]
    context, result = made.target_context, made.signature.return_type
    library = WholeLibrary(context.codegen(), symbol)
    module = library.create_ir_module(symbol)
    address = _WORD.as_pointer()
    entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [address, address]), symbol)
    builder = ir.IRBuilder(entry.append_basic_block())
    at, given = 0, []
    for kind in kinds:
        value, at = read(context, builder, kind, entry.args[0], at)
        given.append(value)
    function = context.declare_function(module, made.fndesc)
    status, found = context.call_conv.call_function(builder, function, result, kinds, given)
    is_tuple = isinstance(result, types.BaseTuple)
    results = list(result) if is_tuple else [] if result == types.none else [result]
    letters = ""
    for place, kind in enumerate(map(types.unliteral, results)):
        value = builder.extract_value(found, place) if is_tuple else found
        letters += "?" if kind == types.boolean else "q" if kind.signed else "Q"
        word = context.cast(builder, value, kind, types.uint64 if letters[-1] == "Q" else types.int64)
        builder.store(word, builder.gep(entry.args[1], [_WORD(place)]))
    builder.ret(builder.select(status.is_ok, ir.IntType(32)(0), ir.IntType(32)(1)))
    library.add_ir_module(module)
    library.add_linking_library(made.library)
    library.finalize()
    code = library._codegen._tm.emit_object(library._final_module)
    return ObjectFile(symbol, "," * is_tuple + letters, code)
