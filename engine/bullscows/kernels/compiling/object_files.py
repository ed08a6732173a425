"""Object files of kernels: where they are kept, how they are loaded, and how they are called.

A call of a kernel is a list of 64-bit words: a number takes one, an array its address and its
shape, a named tuple those of its fields.  A `Structure` holds many arrays and numbers; it lays
their words out in memory once, and takes one word in a call, the address of these.

Kernels are compiled into each other and with constants of other files, so the folder of the files
is named after the contents of all sources, the compiler, the system and the processor.  This
module does not load numba.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from ctypes import CFUNCTYPE, POINTER, c_int32, c_uint64
from dataclasses import dataclass, field, fields
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from struct import unpack
from typing import Any, NamedTuple, TypeAlias

import llvmlite
import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

logger = logging.getLogger(__name__)

NOTICE = "compiling the search for this machine, which is done once and takes about 10 seconds"

CACHE = "NUMBA_CACHE_DIR"

_UNUSED_SECONDS = 30 * 86400
"""Machine code of other versions is removed after this time."""

_compiler = find_spec("numba")
if _compiler is None:
    raise ImportError("no module numba", name="numba")
_version = Path(_compiler.origin or "").with_name("_version.py")


Layout: TypeAlias = tuple[tuple[str, str, int], ...]
"""Of each field the name, the dtype of its elements, and its dimensions; 0 for a number."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Structure:
    """Base class of the structures of kernels.

    Fields are C-contiguous arrays, int or bool.  Nothing can be assigned, so that kernels may
    rely on the addresses; the elements of the arrays may change.
    """

    words: NDArray[np.int64] = field(init=False, repr=False)
    """The words that kernels read."""
    address: int = field(init=False, repr=False)
    """The address of `words`."""
    layout: Layout = field(init=False, repr=False)
    kind: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay the words out."""
        held = {name: getattr(self, name) for name in self.names()}
        listed: list[int] = []
        layout = tuple((name, *_laid_out(name, value, listed)) for name, value in held.items())
        words = np.array(listed, dtype=np.int64)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "address", words.ctypes.data)
        object.__setattr__(self, "layout", layout)
        object.__setattr__(self, "kind", f"{type(self).__name__}{layout}")

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the fields that kernels see."""
        return [each.name for each in fields(cls) if each.init]


def append_words(value: Any, words: list[int]) -> str:
    """Append the words of an argument; return its kind, which decides how kernels read them."""
    if isinstance(value, Structure):
        words.append(value.address)
        return value.kind
    if isinstance(value, tuple):
        kinds = [append_words(one, words) for one in value]
        return f"{type(value).__name__}({','.join(kinds)})"
    dtype, dimensions = _laid_out("all arguments", value, words)
    return f"{dtype}{dimensions}"


def _laid_out(name: str, value: Any, words: list[int]) -> tuple[str, int]:
    """Append the words of an array or a number; return its dtype and its dimensions."""
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous or not value.flags.aligned:
            raise TypeError(f"kernels read whole arrays only: make {name} contiguous")
        words.append(value.__array_interface__["data"][0])
        words += value.shape
        return str(value.dtype), value.ndim
    words.append(int(value))
    if isinstance(value, np.generic):
        return str(value.dtype), 0
    return ("bool" if isinstance(value, bool) else "int64"), 0


class ObjectFile(NamedTuple):
    """The machine code of a kernel for certain types of arguments."""

    symbol: str
    """The name of its entry, which takes the addresses of the words given and of those found."""
    results: str
    """A letter for each result, q if it is signed, else Q; after a comma if they are a tuple."""
    code: bytes


def read(path: Path) -> ObjectFile | None:
    """Read a file of machine code; None if there is none, or if it is damaged or unreadable."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if sha256(content[32:]).digest() != content[:32]:
        return None
    symbol, results, code = content[32:].split(b"\n", 2)
    return ObjectFile(symbol.decode(), results.decode(), code)


def write(path: Path, file: ObjectFile) -> None:
    """Write a file of machine code and its digest; a full disk only costs the next compilation."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    content = f"{file.symbol}\n{file.results}\n".encode() + file.code
    try:
        new.write_bytes(sha256(content).digest() + content)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)


@cache
def log_notice() -> None:
    """Log once that kernels are compiled."""
    logger.info(NOTICE)


def load(file: ObjectFile) -> Callable[[list[int]], Any]:
    """Load machine code; return a function from words to results.

    It raises `SystemError` if the kernel fails.
    """
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(file.code))
    engine.finalize_object()
    words = POINTER(c_uint64)
    call = CFUNCTYPE(c_int32, words, words)(engine.get_function_address(file.symbol))
    form = file.results.lstrip(",")
    is_tuple = file.results[:1] == ","

    def run(given: list[int]) -> Any:
        room = (c_uint64 * len(form))()
        if call((c_uint64 * len(given))(*given), room) != 0:
            raise SystemError(f"the kernel {file.symbol.partition('-')[0]} failed")
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
    """Return the modules whose kernels and constants any kernel may use.

    A kernel of another module may use those of its own module as well: the name of an object file
    has a hash of it (`bullscows.kernels.compiling.jit`).
    """
    engine = Path(__file__).parents[2]
    return [engine / "game" / "objective.py", *sorted((engine / "kernels").rglob("*.py"))]


@cache
def cache_folder() -> Path | None:
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
            if folder.stat().st_mtime < time.time() - _UNUSED_SECONDS:
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
