"""Compilation of kernels together with the kernels they call.

By default numba makes machine code of every function, and optimises its instructions again in each
caller.  Here a function that kernels call is a *part*, for which only LLVM instructions are
generated.  What Python calls is a *whole*: its parts are compiled together, and cached on disk.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any

import llvmlite.binding as llvm
from numba import typeof, types
from numba.core import cgutils
from numba.core import event as events
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic

logger = logging.getLogger(__name__)

NOTICE = "compiling the search for this machine, which is done once and takes about 20 seconds"

_dynfunc: Any = import_module("numba._dynfunc")  # machine code, which is not typed
passed = register_pass(mutates_CFG=True, analysis_only=False)


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The instructions of a part, of which each whole gets a copy; no machine code."""

    def _optimize_final_module(self) -> None:
        """Leave that to the whole."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class WholeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A whole: nothing else calls its parts, so they may be changed or inlined in place."""

    def _optimize_final_module(self) -> None:
        module = self._final_module
        for function in module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal
        manager, builder = self._codegen._module_pass_manager()
        manager.run(module, builder)


@passed
class PartLowering(NativeLowering):  # type: ignore[misc]
    """Generate the instructions of a part."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Generate them, and give callers a Python function without code as a handle."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        module, name = lowered.fndesc.lookup_module(), lowered.fndesc.qualname
        known_by = _dynfunc.make_function(module, name, "", 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(known_by, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=known_by)
        return True


@passed
class WholeLowering(NativeLowering):  # type: ignore[misc]
    """Make machine code that Python can call."""

    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        """Compile it, in a library of its own kind."""
        state.library = WholeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        done: bool = super().run_pass(state)
        return done


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles the parts."""

    lowering = PartLowering

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes, with a lowering of our own."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (self.lowering if each is NativeLowering else each, name)
            for each, name in manager.passes
        ]
        manager.finalize()
        return [manager]


class WholeCompiler(PartCompiler):
    """Compiles the wholes."""

    lowering = WholeLowering


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A function that is a whole for Python, and a part for other kernels."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], inline: bool) -> None:
        common = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True, "boundscheck": None}
        whole = {**common, **options}
        part = {**whole, "no_cpython_wrapper": True, "forceinline": inline}
        super().__init__(function, targetoptions=whole, pipeline_class=WholeCompiler)
        self.part = CPUDispatcher(function, targetoptions=part, pipeline_class=PartCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the type information of the part, for numba."""
        return self.part.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the part that a kernel calls."""
        return self.part.get_overload(sig)

    @property
    def is_compiling(self) -> bool:
        """Whether a call from a kernel is recursive."""
        return bool(self._compiling_counter) or bool(self.part.is_compiling)


class _Notice(events.Listener):  # type: ignore[misc]
    """Logs, once in a process, that kernels are compiled that were not on disk."""

    is_logged = False

    def on_start(self, event: Any) -> None:
        """Log, unless something other than a kernel is compiled."""
        if not self.is_logged and isinstance(event.data["dispatcher"], Kernel):
            self.is_logged = True
            logger.info(NOTICE)

    def on_end(self, event: Any) -> None:
        """Do nothing."""


events.register("numba:compile", _Notice())


def address_of(kernel: Any, arguments: tuple[Any, ...]) -> int:
    """Return the address of the machine code of a kernel for such arguments."""
    given = tuple(map(typeof, arguments))
    kernel.compile(given)
    made = kernel.overloads[given]
    address: int = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
    return address


@intrinsic
def call_address(_context: Any, address: Any, arguments: Any) -> Any:
    """Call the whole at an address, which returns an int64 and raises nothing."""
    signature = types.int64(address, arguments)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = list(signature.args[1])
        convention = context.call_conv
        function_type = convention.get_function_type(signature.return_type, kinds)
        function = builder.inttoptr(values[0], function_type.as_pointer())
        given = cgutils.unpack_tuple(builder, values[1])
        _, result = convention.call_function(builder, function, signature.return_type, kinds, given)
        return result

    return signature, generate
