"""Print what every kind of request costs the server: processor time, and memory beyond what lasts.

Every route is asked for every tree that ships, at the nodes where it has most to do: the node with
the most candidates of each turn.  Each request goes to the application in this process, without a
socket, for the first time (`first`) and once more (`again`).  A kind's line is its dearest request.
No request may take more than `MILLISECONDS` or `MEGABYTES`, but two kinds: those about a position
of any game (`analysis`), which may take as much as `ANALYSIS` allows, and those that make a file,
the figures of a whole tree or the page of all results, once in the life of the server (`once`),
whose repetition may not.  Those of the analysis come last, for a search goes on while others are
asked.

Routes to which no request came are named; `benchmarks.requests.asked` says which one needs none.

`python -m benchmarks.requests.hammer` measures what visitors notice of many such requests at once.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from benchmarks.requests.survey import Cost, survey

MILLISECONDS = 100
MEGABYTES = 20
ANALYSIS = 2000, 200
"""The milliseconds and megabytes of a request about one position of any game."""


def lines(times: list[Cost], memories: list[Cost]) -> Iterator[str]:
    """Yield a line for each kind of request: its dearest, by time and by memory."""
    kinds: defaultdict[str, list[tuple[Cost, Cost]]] = defaultdict(list)
    for pair in zip(times, memories, strict=True):
        kinds[pair[0].asked.kind].append(pair)
    yield "| request | asked | ms first | ms again | MB first | MB again | the dearest |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for kind, pairs in kinds.items():
        slow = max((time for time, _ in pairs), key=lambda cost: cost.first)
        figures = [
            max(getattr(pair[place], name) for pair in pairs)
            for place in (0, 1)
            for name in ("first", "again")
        ]
        mark = f" ({slow.asked.sort})" if slow.asked.sort else ""
        cells = " | ".join(f"{figure:.1f}" for figure in figures)
        shown = f"{slow.status} {slow.asked.path}"
        yield f"| {kind}{mark} | {len(pairs)} | {cells} | {shown} |"


def over_limit(costs: list[Cost], limit: float, of_analysis: float) -> list[str]:
    """Return the requests that cost more than they may."""
    return [
        f"{cost.first:.1f}, {cost.again:.1f}: {cost.asked.path}"
        for cost in costs
        if max(cost.again, 0 if cost.asked.sort == "once" else cost.first)
        > (of_analysis if cost.asked.sort == "analysis" else limit)
    ]


def main() -> None:
    """Measure, print, and fail if a request is dearer than it may be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.requests", description=__doc__)
    parser.add_argument("--only", default="", help="only addresses that hold this text")
    options = parser.parse_args()
    found = []
    for what in ("time", "memory"):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:  # nothing is warm
            found.append(process.submit(survey, what, options.only).result())
    (times, missing), (memories, _) = found
    print("\n".join(lines(times, memories)))
    over = [f"ms {line}" for line in over_limit(times, MILLISECONDS, ANALYSIS[0])]
    over += [f"MB {line}" for line in over_limit(memories, MEGABYTES, ANALYSIS[1])]
    for line in islice(over, 200):
        print(line)
    for path in missing:
        print(f"no request came to {path}")
    if over or missing:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
