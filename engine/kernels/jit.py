"""The one door to numba: the decorator of every kernel, and the bit operations it needs.

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

from numpy.typing import NDArray

try:
    from numba import config, njit, types
    from numba.extending import intrinsic
except ImportError as error:  # pragma: no cover - the test environment has the extra
    raise ImportError(
        "the exact search needs numba: install bulls-and-cows-solved with its extra 'engine'"
    ) from error

Bytes: TypeAlias = NDArray[Any]
"""uint8.  Elements are Any for the type checker: a kernel's integers are numba's, not numpy's."""
Codes: TypeAlias = NDArray[Any]
"""uint32: code indices."""
Numbers: TypeAlias = NDArray[Any]
"""int64."""
Words: TypeAlias = NDArray[Any]
"""uint64."""

int64 = cast(Callable[[Any], int], types.int64)
uint64 = cast(Callable[[Any], int], types.uint64)
uint8 = cast(Callable[[Any], int], types.uint8)
int8 = cast(Callable[[Any], int], types.int8)

emitted = cast(Callable[[Callable[..., Any]], Callable[..., Any]], intrinsic)
"""Decorator of functions that emit their machine code themselves."""

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel_sources() -> list[Path]:
    """Return the modules that have kernels, or constants of kernels."""
    engine = Path(__file__).parents[1]
    hybrids = (engine / "strategies").glob("hybrid_*.py")
    kernels = (engine / "kernels").glob("*.py")
    return sorted([engine / "game" / "objective.py", *hybrids, *kernels])


def _cache_folder() -> str | None:
    """Return where to keep the machine code of these very sources; None: it can't be kept."""
    digest = sha256()
    for source in kernel_sources():
        digest.update(source.read_bytes())
    for place in _places(Path(__file__).parent):
        folder = place / f"kernels-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except OSError:
            continue
    return None


def _places(here: Path) -> Iterator[Path]:
    """Yield the folders to try: the one that NUMBA_CACHE_DIR names, else beside the sources."""
    named: str = getattr(config, "CACHE_DIR", "")  # numba sets it when it is imported
    if named:
        yield Path(named)
        return
    yield here / "__pycache__"
    users = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(users):
        yield Path(users) / "bullscows"


_FOLDER = _cache_folder()
_OPTIONS: dict[str, Any] = {"cache": _FOLDER is not None, "nogil": True}


def _compiled(function: Function, **options: Any) -> Function:
    """Decorate with numba's ``njit``; what it keeps goes to the folder of these sources."""
    before = getattr(config, "CACHE_DIR", "")
    setattr(config, "CACHE_DIR", _FOLDER or before)  # noqa: B010 - mypy does not know the name
    try:
        return cast(Function, njit(**_OPTIONS, **options)(function))
    finally:
        setattr(config, "CACHE_DIR", before)  # noqa: B010


def kernel(function: Function) -> Function:
    """Compile `function` on its first call, keep the machine code on disk, release the GIL.

    Kernels allocate nothing, and their callers hold the arrays, so the code that would count
    references to them is left out.
    """
    return _compiled(function, _nrt=False)


def allocating(function: Function) -> Function:
    """Compile a kernel that makes arrays of its own, such as a sorted copy; else as `kernel`."""
    return _compiled(function)


def step(function: Function) -> Function:
    """Compile a kernel that only other kernels call.

    Python's way in would be half of its compilation: it takes the arrays out of their tuples.  So
    Python must not call a step; what it calls, tests included, is a `kernel`.
    """
    return _compiled(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined_step(function: Function) -> Function:
    """Compile a step of a kernel into its callers, which are kernels."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return _compiled(function, _nrt=False, inline="never", forceinline=True, **options)


def inlined(function: Function) -> Function:
    """Compile `function` into its callers: for helpers of a few instructions."""
    return _compiled(function, _nrt=False, inline="never", forceinline=True)


def _integer(bits: int) -> Any:
    from llvmlite import ir

    return ir.IntType(bits)


@emitted
def popcount(_context: Any, word: Any) -> Any:
    """Return the number of set bits of `word`, in the width of `word`."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), generate


@emitted
def popcount8(_context: Any, word: Any) -> Any:
    """Return the number of set bits of `word` as a uint8."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.trunc(builder.ctpop(arguments[0]), _integer(8))

    return types.uint8(word), generate


@emitted
def plane_bit(_context: Any, _answer: Any, _lowest: Any) -> Any:
    """Return ``1 << (answer - lowest)`` if that fits a byte, else 0; all uint8."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        byte = _integer(8)
        shift = builder.sub(arguments[0], arguments[1])
        fits = builder.icmp_unsigned("<", shift, byte(8))
        bit = builder.shl(byte(1), builder.and_(shift, byte(7)))
        return builder.select(fits, bit, byte(0))

    return types.uint8(types.uint8, types.uint8), generate


@emitted
def or8(_context: Any, _one: Any, _other: Any) -> Any:
    """Return the bitwise or of two uint8 as a uint8."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.or_(arguments[0], arguments[1])

    return types.uint8(types.uint8, types.uint8), generate


@emitted
def add8(_context: Any, _one: Any, _other: Any) -> Any:
    """Return the sum of two uint8 as a uint8."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.add(arguments[0], arguments[1])

    return types.uint8(types.uint8, types.uint8), generate


@emitted
def larger8(_context: Any, _one: Any, _other: Any) -> Any:
    """Return the larger of two uint8, by compare and select, which LLVM vectorises."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        greater = builder.icmp_unsigned(">", arguments[0], arguments[1])
        return builder.select(greater, arguments[0], arguments[1])

    return types.uint8(types.uint8, types.uint8), generate


@emitted
def below64(_context: Any, _number: Any) -> Any:
    """Return a uint8 if it is below 64, else 0, without a branch."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        byte = _integer(8)
        small = builder.icmp_unsigned("<", arguments[0], byte(64))
        return builder.select(small, arguments[0], byte(0))

    return types.uint8(types.uint8), generate
