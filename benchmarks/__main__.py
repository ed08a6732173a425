"""Print how long the exact search takes, as ratios that can be compared between machines.

Each row is the median of several runs in this process, machine code loaded.  The base of the
ratios is the Bulls & Cows average of the same run.  The peer's seconds, where known, are those of
the fastest public C++ solver, `mmstrat`, on a 2-core machine of the same kind.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from dataclasses import dataclass

from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.kernels.arrays.problem import ALL_PRUNING, Pruning
from bullscows.search.solver import solve
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder


@dataclass(frozen=True)
class Case:
    """One thing to prove, tree and all."""

    rules: str
    objective: str
    max_turns: int | None = None
    peer_seconds: float | None = None


BASE = Case("p4c10n", "average", None, 135.0)
CASES = (
    BASE,
    Case("p4c6r", "average", None, 0.14),
    Case("p4c7r", "average", None, 24.6),
    Case("p5c7n", "average", None, 80.0),
    Case("p4c10n", "last", 7),
    Case("p4c10n", "average,last", 7),
    Case("p4c10n", "movers", 7),
    Case("p4c10n", "last,average", 7),
)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each case (median; 3)")
    parser.add_argument("--jobs", type=int, default=1, help="threads of each search (1)")
    parser.add_argument("--trees", action="store_true", help="time reading the shipped trees")
    parser.add_argument("--ablation", action="store_true", help="switch techniques off one by one")
    options = parser.parse_args()
    if options.ablation:
        ablation()
    elif options.trees:
        read_trees(options.runs)
    else:
        compare(options.runs, options.jobs)


def compare(runs: int, jobs: int) -> None:
    """Print every case against the base and against the peer."""
    solve(ResponseTable.of(Rules.parse("p3c4r")), "average", threads=jobs).tree()
    heads = ("proof s", "tree s", "/ base", "peer /")
    print(f"{'game':8} {'objective':14} " + " ".join(f"{head:>8}" for head in heads) + "  value")
    base = 0.0
    for case in CASES:
        proof, tree, levels = measure(case, runs, jobs)
        base = base or proof + tree
        peer = "" if case.peer_seconds is None else f"{case.peer_seconds / (proof + tree):.0f}"
        print(
            f"{case.rules:8} {case.objective:14} {proof:8.3f} {tree:8.3f} "
            f"{(proof + tree) / base:8.2f} {peer:>8}  {levels}"
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def measure(case: Case, runs: int, jobs: int) -> tuple[float, float, dict[str, int]]:
    """Return the median seconds of proof and tree, and what was proven.

    With one thread the processor's seconds count, not the clock's, so that other programs on the
    machine disturb less.
    """
    table = ResponseTable.of(Rules.parse(case.rules))
    clock = time.process_time if jobs == 1 else time.perf_counter
    proofs, trees = [], []
    for _ in range(runs):
        started = clock()
        solution = solve(table, case.objective, max_turns=case.max_turns, threads=jobs)
        proven = clock()
        solution.tree()
        trees.append(clock() - proven)
        proofs.append(proven - started)
    return statistics.median(proofs), statistics.median(trees), solution.levels


def read_trees(runs: int) -> None:
    """Print how long the server takes to read, decode and replay all shipped trees."""
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        for file in sorted(default_folder().glob("*.json")):
            read_tree(file)
        seconds.append(time.process_time() - started)
    print(f"all trees read and replayed: {statistics.median(seconds):.2f} s")


def ablation() -> None:
    """Print what the Bulls & Cows and Mastermind averages cost without each technique."""
    print("| technique off | Mastermind nodes | s | Bulls & Cows nodes | s |")
    print("| --- | ---: | ---: | ---: | ---: |")
    tables = [ResponseTable.of(Rules.parse(text)) for text in ("p4c6r", "p4c10n")]
    solve(ResponseTable.of(Rules.parse("p3c4r")), "average")
    for off in (Pruning(0), *Pruning):
        cells = []
        for table in tables:
            started = time.process_time()
            solution = solve(table, "average", pruning=ALL_PRUNING & ~off)
            seconds = time.process_time() - started
            cells.append(f"{solution.counters.nodes} | {seconds:.2f}")
        print(f"| {(off.name or 'none').lower()} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
