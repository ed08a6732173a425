"""Measure the exact search, as ratios that can be compared between machines.

Each row is the median of several runs in this process with compiled kernels.  Ratios are relative
to the Bulls & Cows average of the same run.  The peer is the fastest public C++ solver, `mmstrat`,
on a 2-core machine of the same kind.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Mapping

from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.kernels.pruning import ALL_PRUNING, Pruning
from bullscows.library import solve

CASES = (
    ("p4c10n", "average", None, 135.0),
    ("p4c6r", "average", None, 0.14),
    ("p4c7r", "average", None, 24.6),
    ("p5c7n", "average", None, 80.0),
    ("p4c10n", "last", 7, None),
    ("p4c10n", "average,last", 7, None),
    ("p4c10n", "movers", 7, None),
    ("p4c10n", "last,average", 7, None),
)
"""Game, objective, last turn and the seconds of the peer; the first is the base of the ratios."""


def main() -> None:
    """Run the measurement that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each case (median; 3)")
    parser.add_argument("--threads", type=int, default=1, help="threads of each search (1)")
    parser.add_argument(
        "--ablation", action="store_true", help="leave pruning rules out one by one"
    )
    options = parser.parse_args()
    if options.ablation:
        ablation()
    else:
        compare(options.runs, options.threads)


def compare(runs: int, threads: int) -> None:
    """Print every case relative to the base and to the peer."""
    solve(ResponseTable.of(Rules.parse("p3c4r")), "average", threads=threads).tree()
    heads = ("proof s", "tree s", "/ base", "peer /")
    print(f"{'game':8} {'objective':14} " + " ".join(f"{head:>8}" for head in heads) + "  value")
    base = 0.0
    for rules, objective, max_turns, peer_seconds in CASES:
        proof, tree, levels = measure(rules, objective, max_turns, runs, threads)
        base = base or proof + tree
        peer = "" if peer_seconds is None else f"{peer_seconds / (proof + tree):.0f}"
        print(
            f"{rules:8} {objective:14} {proof:8.3f} {tree:8.3f} "
            f"{(proof + tree) / base:8.2f} {peer:>8}  {levels}"
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def measure(
    rules: str, objective: str, max_turns: int | None, runs: int, threads: int
) -> tuple[float, float, Mapping[str, int]]:
    """Return the median seconds of proof and tree, and the proved value by criterion.

    With one thread these are processor seconds, which other programs disturb less.
    """
    table = ResponseTable.of(Rules.parse(rules))
    clock = time.process_time if threads == 1 else time.perf_counter
    proofs = []
    trees = []
    for _ in range(runs):
        started = clock()
        solution = solve(table, objective, max_turns=max_turns, threads=threads)
        proven = clock()
        solution.tree()
        trees.append(clock() - proven)
        proofs.append(proven - started)
    return statistics.median(proofs), statistics.median(trees), solution.levels


def ablation() -> None:
    """Print the cost of the Mastermind and Bulls & Cows averages without each pruning rule."""
    print("| pruning rule off | Mastermind nodes | s | Bulls & Cows nodes | s |")
    print("| --- | ---: | ---: | ---: | ---: |")
    tables = [ResponseTable.of(Rules.parse(text)) for text in ("p4c6r", "p4c10n")]
    solve(ResponseTable.of(Rules.parse("p3c4r")), "average")
    for off in (Pruning(0), *Pruning):
        cells = []
        for table in tables:
            started = time.process_time()
            solution = solve(table, "average", pruning=ALL_PRUNING & ~off)
            seconds = time.process_time() - started
            cells.append(f"{solution.counters['nodes']} | {seconds:.2f}")
        print(f"| {(off.name or 'none').lower()} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
