"""Processes that tests start, interrupt and end, wherever the suite itself runs.

A shell starts what goes to the background (``make test &``) with SIGINT ignored, and so does
whatever is started from there: a signal that is ignored stays so through fork and exec.

Each process leads a group, which `end_group` ends as a whole: workers that outlived their test
would take the time of others, and an unclosed pipe would fail whichever comes next.
"""

import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any


def interruptible() -> AbstractContextManager[None]:
    """Handle SIGINT like a foreground process: here, and in processes started meanwhile."""
    return _taking(signal.default_int_handler)


def background() -> AbstractContextManager[None]:
    """Ignore SIGINT as a shell's background does: here, and in what is started meanwhile."""
    return _taking(signal.SIG_IGN)


@contextmanager
def _taking(handler: Any) -> Iterator[None]:
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_meanwhile: list[list[subprocess.Popen[Any]]] = []
"""Processes started since each `ending` that is still open began."""


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[str]:
    """Start a process that SIGINT reaches; the options are those of `subprocess.Popen`."""
    with interruptible():
        process = subprocess.Popen(command, text=True, start_new_session=True, **options)
    if _meanwhile:
        _meanwhile[-1].append(process)
    return process


def run_bullscows(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own; the options are those of `subprocess.run`."""
    command = [sys.executable, "-m", "bullscows", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, **options)


def megabytes(process: int, name: str) -> int:
    """Return a size in the status of a process, such as `VmRSS` or its peak `VmHWM`, rounded up."""
    status = Path(f"/proc/{process}/status").read_text()
    return math.ceil(int(status.partition(f"{name}:")[2].split()[0]) / 1024)


def processor_seconds(process: int) -> float:
    """Return the processor time of a process so far; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def end_group(process: subprocess.Popen[Any], seconds: float = 0) -> None:
    """End a process that leads its group, with all that it has started.

    One that has `seconds` is asked to, and `subprocess.TimeoutExpired` says that it did not.
    """
    try:
        if seconds:
            process.terminate()
            process.wait(seconds)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            pipe.close()


@contextmanager
def ending() -> Iterator[None]:
    """End whatever `start` starts meanwhile."""
    _meanwhile.append([])
    try:
        yield
    finally:
        for process in _meanwhile.pop():
            end_group(process)


def is_running(number: int) -> bool:
    """Return whether there is a process of a number."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def descendants(number: int) -> set[int]:
    """Return the processes below one."""
    parents: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = file.read_text().rpartition(")")[2].split()[:2]
        except OSError:  # it has ended meanwhile
            continue
        if state != "Z":
            parents[int(file.parent.name)] = int(parent)
    found = {number}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {number}
