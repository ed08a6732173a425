"""The interface to numba: the decorator of every kernel, and the bit operations it needs.

Plain numba widens small integers to 64 bits, which costs the vector code three quarters of its
speed, so the few operations that must stay 8, 16 or 32 bits wide are written as intrinsics.
Nothing is compiled when this module is imported: a kernel is compiled, or loaded from its cache,
when it is first called.

numba keeps machine code for as long as the file of the function is the same, but kernels are
compiled into each other and with constants of other files.  So the code is kept in a folder that
is named after the contents of all these files, and none is ever used with another's constants.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic
from numpy.typing import NDArray

from bullscows.kernels.compiling import reference as reference  # numba knows structures by it
from bullscows.kernels.compiling.linking import Kernel, address_of, call_address

Bytes: TypeAlias = NDArray[np.uint8]
Codes: TypeAlias = NDArray[np.uint32]
Numbers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

int64 = cast(Callable[[Any], int], types.int64)
uint64 = cast(Callable[[Any], int], types.uint64)
uint8 = cast(Callable[[Any], int], types.uint8)
int8 = cast(Callable[[Any], int], types.int8)

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel_sources() -> list[Path]:
    """Return the modules that have kernels, or constants of kernels."""
    engine = Path(__file__).parents[2]
    others = (engine / "strategies").rglob("*_kernels.py")
    kernels = (engine / "kernels").rglob("*.py")
    return sorted([engine / "game" / "objective.py", *others, *kernels])


def _cache_folder() -> str | None:
    """Return where to keep the machine code of these very sources; None: it can't be kept."""
    digest = sha256()
    for source in kernel_sources():
        digest.update(source.read_bytes())
    for place in _places(Path(__file__).parents[1]):
        folder = place / f"kernels-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except OSError:
            continue
    return None


def _places(here: Path) -> Iterator[Path]:
    """Yield the folders to try: NUMBA_CACHE_DIR, else next to the sources, or that of the user."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
        return
    yield here / "__pycache__"
    users = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(users):
        yield Path(users) / "bullscows"


_FOLDER = _cache_folder()


def _kernel(function: Function, inline: bool = False, **options: Any) -> Function:
    """Make a kernel; what is kept of it goes to the folder of these sources."""
    made = Kernel(function, options, inline)
    if _FOLDER is not None:
        before, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
        made.enable_caching()
        config.CACHE_DIR = before
    return cast(Function, made)


def kernel(function: Function) -> Function:
    """Compile `function` with its callers, or by itself when Python calls it, without the GIL.

    Kernels allocate nothing, and their callers hold the arrays: no references are counted.
    """
    return _kernel(function, _nrt=False)


def allocating(function: Function) -> Function:
    """Compile a kernel that makes arrays of its own, such as a sorted copy; else as `kernel`."""
    return _kernel(function)


def inlined(function: Function) -> Function:
    """Compile a kernel into each of its callers: a step of one kernel, or a few instructions."""
    return _kernel(function, inline=True, _nrt=False)


pointer = address_of
"""Returns what `call` can call: a kernel as it is compiled for such arguments."""

call = cast(Callable[[Any, tuple[Any, ...]], int], call_address)
"""Calls a `pointer` with the arguments it was made for.  The kernel becomes no part of the caller,
which would take as long again to compile."""

ARRAY, NUMBER = None, types.int64
"""Types of the arguments of `machine_code`: an array of any type, an int64."""


def machine_code(result: Any, *kinds: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function that emits the machine code of a kernel.

    It gets the builder and the arguments, of an array the address; it returns the result, if any.
    """

    def decorated(emit: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(emit)  # numba looks at the signature
        def typed(_context: Any, *given: Any) -> Any:
            taken = [one if kind is ARRAY else kind for one, kind in zip(given, kinds, strict=True)]

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                values = list(arguments)
                for place, kind in enumerate(kinds):
                    if kind is ARRAY:
                        proxy = cgutils.create_struct_proxy(signature.args[place])
                        values[place] = proxy(context, builder, value=values[place]).data
                made = emit(builder, *values)
                return context.get_dummy_value() if made is None else made

            return result(*taken), generate

        return cast(Callable[..., Any], intrinsic(typed))

    return decorated


@machine_code(types.uint64, types.uint64)
def popcount(builder: Any, word: Any) -> Any:
    """Return the number of set bits of a word."""
    return builder.ctpop(word)


@machine_code(types.int64, types.uint64)
def lowest_bit(builder: Any, word: Any) -> Any:
    """Return the number of the lowest set bit of a word that is not 0."""
    return builder.cttz(word, ir.IntType(1)(1))


@machine_code(types.uint8, types.uint8, types.uint8)
def larger8(builder: Any, one: Any, other: Any) -> Any:
    """Return the larger of two uint8, by compare and select, which LLVM vectorises."""
    return builder.select(builder.icmp_unsigned(">", one, other), one, other)


@machine_code(types.uint8, types.uint8)
def below64(builder: Any, number: Any) -> Any:
    """Return a uint8 if it is below 64, else 0, without a branch."""
    small = builder.icmp_unsigned("<", number, number.type(64))
    return builder.select(small, number, number.type(0))
