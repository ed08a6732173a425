"""Kernels: functions that are compiled for this machine, once.

This module does not load the compiler.  The machine code of a kernel that Python calls is kept in
an object file, and the compiler (`bullscows.kernels.compiling.compiler`) is loaded only if there is
none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from bullscows.kernels.compiling import object_files
from bullscows.kernels.compiling.object_files import ObjectFile, append_words

Bytes: TypeAlias = NDArray[np.uint8]
Codes: TypeAlias = NDArray[np.uint32]
Numbers: TypeAlias = NDArray[np.int64]
"""Rows of 64-bit numbers."""
Words: TypeAlias = NDArray[np.uint64]

int64 = cast(Callable[[Any], int], np.int64)
"""Type of a constant that a kernel passes on, ``int64(0)``: for a plain 0 the compiler makes
another version of the kernel called.  An `int64` and a `uint64` in one variable make a float."""
uint64 = cast(Callable[[Any], int], np.uint64)
uint8 = cast(Callable[[Any], int], np.uint8)
int8 = cast(Callable[[Any], int], np.int8)

Function = TypeVar("Function", bound=Callable[..., Any])

_lock = RLock()
"""Held while a kernel is compiled or loaded."""


class Kernel:
    """A function that is compiled for Python, and into each kernel that calls it."""

    def __init__(self, function: Callable[..., Any], inline: bool) -> None:
        self.function = function
        self.inline = inline
        self._loaded: dict[str, Callable[[list[int]], Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code for such arguments, without the GIL."""
        words: list[int] = []
        kinds = ",".join([append_words(one, words) for one in arguments])
        if kinds not in self._loaded:
            with _lock:
                if kinds not in self._loaded:  # otherwise another thread was faster
                    file = self._object_file(kinds, arguments)
                    self._loaded[kinds] = object_files.load(file)
        return self._loaded[kinds](words)

    @property
    def is_compiled(self) -> bool:
        """Whether there is machine code, in memory or in a file, for arguments of some types."""
        folder = object_files.cache_folder()
        name = f"{self.function.__qualname__}-*"
        return bool(self._loaded) or (folder is not None and any(folder.glob(name)))

    @cached_property
    def _dispatcher(self) -> Any:
        from bullscows.kernels.compiling.compiler import dispatcher

        return dispatcher(self.function, self.inline)

    @property
    def _numba_type_(self) -> Any:
        """The function's type for the compiler."""
        return self._dispatcher._numba_type_

    def _object_file(self, kinds: str, arguments: tuple[Any, ...]) -> ObjectFile:
        """Read the object file of the kernel, or compile it."""
        source = Path(self.function.__code__.co_filename).read_bytes()
        name = f"{self.function.__qualname__}-{sha256(source + kinds.encode()).hexdigest()[:16]}"
        is_closure = "<locals>" in name  # others of the same name may differ
        folder = None if is_closure else object_files.cache_folder()
        if folder is not None and (cached := object_files.read(folder / name)):
            return cached
        from bullscows.kernels.compiling.compiler import compiled

        object_files.log_notice()
        file = compiled(self._dispatcher, arguments, f"{name}-{id(self)}")
        if folder is not None:
            object_files.write(folder / name, file)
        return file


def kernel(function: Function) -> Function:
    """Compile `function` with its callers, or by itself when Python calls it, without the GIL.

    Kernels allocate nothing, and their callers hold the arrays: no references are counted.  They
    use kernels and constants of this package and of their own module only, because the machine
    code is compiled again if one of these files changes.
    """
    return cast(Function, Kernel(function, inline=False))


def inlined(function: Function) -> Function:
    """Compile a kernel into each of its callers: a step of one kernel, or a few instructions."""
    return cast(Function, Kernel(function, inline=True))


def plain_njit(function: Function) -> Function:
    """Compile a function that makes arrays of its own, such as a sorted copy, by numba's `njit`.

    Importing its module loads numba.  numba keeps the machine code until the file of the function
    changes, so the function must not use constants and functions of other files that may change.
    """
    from numba import njit

    try:
        return cast(Function, njit(nogil=True, cache=True)(function))
    except RuntimeError:  # there is no folder to keep it in: the file system is read-only
        return cast(Function, njit(nogil=True)(function))
