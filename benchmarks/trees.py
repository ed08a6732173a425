"""Print how long a server takes to read, decode and replay the paper's five trees at its start.

Run as ``python -m benchmarks.trees``; the aim is less than a second for all five.
"""

from __future__ import annotations

import statistics
import time

from bullscows.tree.files import read_tree
from bullscows.tree.folder import default_folder

FIVE = (
    "avg-bulls-cows",
    "crush-bulls-cows",
    "avg-mastermind",
    "avg-mastermind-5",
    "crush-mastermind",
)


def seconds() -> float:
    """Return the processor seconds that reading the five trees takes."""
    started = time.process_time()
    for name in FIVE:
        read_tree(default_folder() / f"{name}.json")
    return time.process_time() - started


def main(runs: int = 5) -> None:
    """Print the median of several readings."""
    median = statistics.median(seconds() for _ in range(runs))
    print(f"five trees read and replayed: {median:.2f} s")


if __name__ == "__main__":
    main()
