"""Measure what proving each tree again costs: ``python -m benchmarks.pages.builds [TREE...]``.

Each is built from nothing by one process, in a folder of its own, and has to be the shipped file
byte for byte.  Processor seconds, so that what else runs beside it counts for little; the start of
the command with its compiled kernels is a part of them.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bullscows.tree.storage import default_folder


def seconds(tree: str) -> float:
    """Return the processor seconds that building a tree takes; RuntimeError if it differs."""
    with TemporaryDirectory() as folder:
        before = _used()
        words = ["build", tree, "--threads", "1", "--trees", folder]
        subprocess.run([sys.executable, "-m", "bullscows", *words], check=True, capture_output=True)
        used = _used() - before
        if (Path(folder) / f"{tree}.json").read_bytes() != shipped(tree).read_bytes():
            raise RuntimeError(f"{tree} is not what ships")
    return used


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def shipped(tree: str) -> Path:
    """Return the file of a tree that ships."""
    return default_folder() / f"{tree}.json"


def main() -> None:
    """Print a line for each tree."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages.builds", description=__doc__)
    parser.add_argument("trees", nargs="+", metavar="TREE")
    for tree in parser.parse_args().trees:
        print(f"{tree}: {seconds(tree):.0f} s", flush=True)


if __name__ == "__main__":
    main()
