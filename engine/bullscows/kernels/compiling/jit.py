"""Kernels: functions that are compiled for this machine, once.

This module does not load the compiler.  The machine code of a kernel that Python calls is kept in a
file, and the compiler (`bullscows.kernels.compiling.linking`) is loaded only if there is none.
Kernels are compiled into each other and with constants of other files, so the folder of these files
is named after the contents of all sources, the compiler, the system and the processor.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from ctypes import CFUNCTYPE, POINTER, c_int32, c_uint64
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from struct import unpack
from threading import RLock
from typing import Any, TypeAlias, TypeVar, cast

import llvmlite
import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from bullscows.kernels.compiling.structure import append_words

logger = logging.getLogger(__name__)

NOTICE = "compiling the search for this machine, which is done once and takes about 10 seconds"

CACHE = "NUMBA_CACHE_DIR"

Bytes: TypeAlias = NDArray[np.uint8]
Codes: TypeAlias = NDArray[np.uint32]
Numbers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

int64 = cast(Callable[[Any], int], np.int64)
uint64 = cast(Callable[[Any], int], np.uint64)
uint8 = cast(Callable[[Any], int], np.uint8)
int8 = cast(Callable[[Any], int], np.int8)

Function = TypeVar("Function", bound=Callable[..., Any])

_lock = RLock()
"""Held while a kernel is compiled or loaded."""

_compiler = find_spec("numba")
if _compiler is None:
    raise ImportError("no module numba", name="numba")
_version = Path(_compiler.origin or "").with_name("_version.py")


class Kernel:
    """A function that is compiled for Python, and into each kernel that calls it."""

    def __init__(self, function: Callable[..., Any], inline: bool, allocates: bool) -> None:
        self.function = function
        self.inline = inline
        self.allocates = allocates
        self._loaded: dict[str, Callable[[list[int]], Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code for such arguments, without the GIL."""
        words: list[int] = []
        kinds = ",".join([append_words(one, words) for one in arguments])
        if kinds not in self._loaded:
            with _lock:
                self._load(kinds, arguments)
        return self._loaded[kinds](words)

    def _load(self, kinds: str, arguments: tuple[Any, ...]) -> None:
        if kinds not in self._loaded:  # otherwise another thread was faster
            if self.allocates:
                self._dispatcher.targetctx.refresh()
            self._loaded[kinds] = _loaded(
                *self._object_file(kinds, arguments), MemoryError if self.allocates else SystemError
            )

    @cached_property
    def _dispatcher(self) -> Any:
        from bullscows.kernels.compiling.linking import dispatcher

        return dispatcher(self.function, self.inline, self.allocates)

    @property
    def _numba_type_(self) -> Any:
        """The function's type for the compiler."""
        return self._dispatcher._numba_type_

    def _object_file(self, kinds: str, arguments: tuple[Any, ...]) -> tuple[str, str, bytes]:
        """Read the file of the kernel, or compile it; return what `_loaded` takes."""
        source = Path(self.function.__code__.co_filename).read_bytes()
        name = f"{self.function.__qualname__}-{sha256(source + kinds.encode()).hexdigest()[:16]}"
        folder = None if "<locals>" in name else _folder()  # a closure may differ
        if folder is not None and (kept := _read(folder / name)):
            return kept
        from bullscows.kernels.compiling.linking import object_file

        _log_notice()
        symbol = f"{name}-{id(self)}"
        results, code = object_file(self._dispatcher, arguments, symbol)
        if folder is not None:
            _write(folder / name, f"{symbol}\n{results}\n".encode() + code)
        return symbol, results, code


def _read(path: Path) -> tuple[str, str, bytes] | None:
    """Read a file of machine code; None if there is none, or if it is damaged or unreadable."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if sha256(content[32:]).digest() != content[:32]:
        return None
    symbol, results, code = content[32:].split(b"\n", 2)
    return symbol.decode(), results.decode(), code


def _write(path: Path, content: bytes) -> None:
    """Write a file of machine code and its digest; a full disk only costs the next compilation."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        new.write_bytes(sha256(content).digest() + content)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)


@cache
def _log_notice() -> None:
    logger.info(NOTICE)


def _loaded(
    symbol: str, results: str, code: bytes, error: type[Exception]
) -> Callable[[list[int]], Any]:
    """Load machine code; return a function that calls `symbol`, and raises `error` if that fails.

    `results` has a letter for each result, q if it is signed, else Q; after a comma if they are a
    tuple.
    """
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    words = POINTER(c_uint64)
    call = CFUNCTYPE(c_int32, words, words)(engine.get_function_address(symbol))
    form = results.lstrip(",")
    is_tuple = results[:1] == ","

    def run(given: list[int]) -> Any:
        room = (c_uint64 * len(form))()
        if call((c_uint64 * len(given))(*given), room) != 0:
            advice = "; try a smaller game, or free memory" if error is MemoryError else ""
            raise error(f"the kernel {symbol.partition('-')[0]} failed{advice}")
        found = unpack(form, room)
        return found if is_tuple else found[0] if found else None

    return run


@cache
def _engine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def kernel_sources() -> list[Path]:
    """Return the modules that have kernels, or constants of kernels."""
    engine = Path(__file__).parents[2]
    others = (engine / "strategies").rglob("*_kernels.py")
    kernels = (engine / "kernels").rglob("*.py")
    return sorted([engine / "game" / "objective.py", *others, *kernels])


@cache
def _folder() -> Path | None:
    """Return where to keep the machine code of these very sources; None: it can't be kept."""
    settings = sorted((n, v) for n, v in os.environ.items() if n[:6] == "NUMBA_" and n != CACHE)
    name = os.environ.get("NUMBA_CPU_NAME") or llvm.get_host_cpu_name()
    machine = llvm.get_default_triple(), name, features(), llvmlite.__version__, settings
    digest = sha256(repr(machine).encode())
    for source in (*kernel_sources(), *filter(Path.exists, [_version])):
        digest.update(source.read_bytes())
    for place in _places(Path(__file__).parents[1]):
        folder = place / f"kernels-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                _remove_unused(folder)
                return folder
        except OSError:
            continue
    return None


def _remove_unused(used: Path) -> None:
    """Remove machine code of other versions that no process has started with for a month."""
    os.utime(used)
    for folder in used.parent.glob("kernels-" + 16 * "[0-9a-f]"):
        with suppress(OSError):  # another process is removing it
            if folder.stat().st_mtime < time.time() - 30 * 86400:
                rmtree(folder)


def _places(here: Path) -> Iterator[Path]:
    """Yield the folders to try: NUMBA_CACHE_DIR, else next to the sources, or that of the user."""
    if given := os.environ.get(CACHE):
        yield Path(given)
        return
    yield here / "__pycache__"
    users = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(users):
        yield Path(users) / "bullscows"


@cache
def features() -> str:
    """Return the known features of the processor that kernels are compiled for, with commas."""
    given = os.environ.get("NUMBA_CPU_FEATURES")
    if given is not None or os.environ.get("NUMBA_CPU_NAME"):
        return given or ""
    found = llvm.get_host_cpu_features()
    if os.environ.get("NUMBA_ENABLE_AVX") == "0":
        found = {name: has and not name.startswith("avx") for name, has in found.items()}
    return ",".join(f"+{name}" for name, has in found.items() if has)


def kernel(function: Function) -> Function:
    """Compile `function` with its callers, or by itself when Python calls it, without the GIL.

    Kernels allocate nothing, and their callers hold the arrays: no references are counted.
    """
    return cast(Function, Kernel(function, inline=False, allocates=False))


def allocating(function: Function) -> Function:
    """Compile a kernel that makes arrays of its own, such as a sorted copy; it loads numba."""
    return cast(Function, Kernel(function, inline=False, allocates=True))


def inlined(function: Function) -> Function:
    """Compile a kernel into each of its callers: a step of one kernel, or a few instructions."""
    return cast(Function, Kernel(function, inline=True, allocates=False))


ARRAY, NUMBER = None, "int64"
"""Types of the arguments of `machine_code`: an array of any type, an int64."""


@dataclass(frozen=True)
class Instructions:
    """A function that emits the machine code of a kernel; see `machine_code`."""

    emit: Callable[..., Any]
    result: str
    kinds: tuple[str | None, ...]

    @property
    def _numba_type_(self) -> Any:
        """The function's type for the compiler."""
        from bullscows.kernels.compiling.linking import type_of_instructions

        return type_of_instructions(self.emit, self.result, *self.kinds)


def machine_code(
    result: str, *kinds: str | None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function that emits the machine code of a kernel; types by their names.

    It gets the builder and the arguments, of an array the address; it returns the result, if any.
    """

    def decorated(emit: Callable[..., Any]) -> Callable[..., Any]:
        return cast(Callable[..., Any], Instructions(emit, result, kinds))

    return decorated


@machine_code("uint64", "uint64")
def popcount(builder: Any, word: Any) -> Any:
    """Return the number of set bits of a word."""
    return builder.ctpop(word)


@machine_code("int64", "uint64")
def lowest_bit(builder: Any, word: Any) -> Any:
    """Return the number of the lowest set bit of a word that is not 0."""
    return builder.cttz(word, ir.IntType(1)(1))


@machine_code("uint8", "uint8", "uint8")
def larger8(builder: Any, one: Any, other: Any) -> Any:
    """Return the larger of two uint8; the second counts as 0 from 64 on.  LLVM vectorises it."""
    small = builder.icmp_unsigned("<", other, other.type(64))
    counted = builder.select(small, other, other.type(0))
    return builder.select(builder.icmp_unsigned(">", one, counted), one, counted)
