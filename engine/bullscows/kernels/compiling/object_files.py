"""Object files of kernels: where they are kept, and how they are loaded.

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
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from struct import unpack
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm

logger = logging.getLogger(__name__)

NOTICE = "compiling the search for this machine, which is done once and takes about 10 seconds"

CACHE = "NUMBA_CACHE_DIR"

_UNUSED_SECONDS = 30 * 86400
"""Machine code of other versions is removed after this time."""

_compiler = find_spec("numba")
if _compiler is None:
    raise ImportError("no module numba", name="numba")
_version = Path(_compiler.origin or "").with_name("_version.py")


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
    """Return the modules that have kernels, or constants of kernels."""
    engine = Path(__file__).parents[2]
    others = (engine / "strategies").rglob("*_kernels.py")
    kernels = (engine / "kernels").rglob("*.py")
    return sorted([engine / "game" / "objective.py", *others, *kernels])


@cache
def kept_folder() -> Path | None:
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
