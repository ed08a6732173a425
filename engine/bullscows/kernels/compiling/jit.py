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
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numba import config, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from bullscows.kernels.compiling import reference as reference  # numba knows structures by it
from bullscows.kernels.compiling.linking import Kernel, address_of, call_address

_PLAIN = bool(getattr(config, "DISABLE_JIT", False))

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
    named: str = getattr(config, "CACHE_DIR", "")  # numba sets it when it is imported
    if named:
        yield Path(named)
        return
    yield here / "__pycache__"
    users = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(users):
        yield Path(users) / "bullscows"


_FOLDER = _cache_folder()


def _kernel(function: Function, inline: bool = False, **options: Any) -> Function:
    """Make a kernel; what is kept of it goes to the folder of these sources."""
    if _PLAIN:
        return function
    made = Kernel(function, options, inline)
    if _FOLDER is not None:
        before = getattr(config, "CACHE_DIR", "")
        setattr(config, "CACHE_DIR", _FOLDER)  # noqa: B010 - mypy does not know the name
        made.enable_caching()
        setattr(config, "CACHE_DIR", before)  # noqa: B010
    return cast(Function, made)


def kernel(function: Function) -> Function:
    """Compile `function` with its callers, or by itself when Python calls it, without the GIL.

    Kernels allocate nothing, and their callers hold the arrays, so the code that would count
    references to them is left out.
    """
    return _kernel(function, _nrt=False)


def allocating(function: Function) -> Function:
    """Compile a kernel that makes arrays of its own, such as a sorted copy; else as `kernel`."""
    return _kernel(function)


def inlined(function: Function) -> Function:
    """Compile a kernel into each of its callers: a step of one kernel, or a few instructions."""
    return _kernel(function, inline=True, _nrt=False)


def pointer(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what `call` can call: a kernel as it is compiled for such arguments."""
    return function if _PLAIN else address_of(function, arguments)


def machine_code(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function that emits its machine code itself; without the compiler: `plain`."""
    return lambda generator: plain if _PLAIN else intrinsic(generator)


call = cast(
    Callable[[Any, tuple[Any, ...]], int],
    (lambda kernel, arguments: kernel(*arguments)) if _PLAIN else call_address,
)
"""Calls a `pointer` with the arguments it was made for.  The kernel becomes no part of the caller,
which would take as long again to compile."""


def _integer(bits: int) -> Any:
    from llvmlite import ir

    return ir.IntType(bits)


@machine_code(lambda word: type(word)(int(word).bit_count()))
def popcount(_context: Any, word: Any) -> Any:
    """Return the number of set bits of `word`, in the width of `word`."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), generate


@machine_code(lambda word: (int(word) & -int(word)).bit_length() - 1)
def lowest_bit(_context: Any, _word: Any) -> Any:
    """Return the number of the lowest set bit of a word that is not 0."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _integer(1)(1))

    return types.int64(types.uint64), generate


@machine_code(lambda one, other: max(one, other))
def larger8(_context: Any, _one: Any, _other: Any) -> Any:
    """Return the larger of two uint8, by compare and select, which LLVM vectorises."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        greater = builder.icmp_unsigned(">", arguments[0], arguments[1])
        return builder.select(greater, arguments[0], arguments[1])

    return types.uint8(types.uint8, types.uint8), generate


@machine_code(lambda number: number if number < 64 else np.uint8(0))
def below64(_context: Any, _number: Any) -> Any:
    """Return a uint8 if it is below 64, else 0, without a branch."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        byte = _integer(8)
        small = builder.icmp_unsigned("<", arguments[0], byte(64))
        return builder.select(small, arguments[0], byte(0))

    return types.uint8(types.uint8), generate
