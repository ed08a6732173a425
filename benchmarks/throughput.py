"""Measure the throughput of a worker relative to a bare FastAPI application.

Both servers have one process each.  `wrk` (one thread, 32 connections) loads them in turn, so that
both see the same machine: hello, ours, hello, ours.  Requests are for ten thousand different
positions of shuffled games.  A `rate` is the number of requests per second of the server's
processor time, ours divided by that of the preceding hello, median of the rounds; other programs
do not change it.  `p99` is the ratio of the 99th percentiles of the latency, which they do change.

`wrk` is Debian's package of that name.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.client import OURS, Served, server
from benchmarks.load import TREE, drawn, last_answer
from bullscows.tree.storage import default_folder
from bullscows_web.trees.library import Entry, Library

MANY = 10_000
HELLO = """
from fastapi import FastAPI
app = FastAPI()
@app.get("/")
async def hello() -> dict[str, str]:
    return {"hello": "world"}
"""
SCRIPT = """
local asked = {}
for line in io.lines("%(file)s") do asked[#asked + 1] = line end
local place = 0
request = function()
  place = place %% #asked + 1
  local path, body = asked[place]:match("^(%%S+) ?(.*)$")
  if body == "" then body = nil end
  return wrk.format(body and "POST" or "GET", path, %(headers)s, body)
end
done = function(summary, latency, requests)
  io.write(string.format("RESULT %%d %%f %%d %%d\\n", summary.requests,
    latency:percentile(99) / 1e3, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
"""


@dataclass(frozen=True)
class Kind:
    """A kind of requests."""

    name: str
    """Name of the row in the table."""
    lines: Sequence[str]
    """Addresses, each followed by a space and the body to post, if any."""
    headers: dict[str, str] = field(default_factory=dict)


def wrk(served: Served, kind: Kind, seconds: int) -> tuple[float, float]:
    """Send requests; return rate and p99 in ms; RuntimeError if a response fails."""
    headers = "{" + ",".join(f"[{json.dumps(k)}]={json.dumps(v)}" for k, v in kind.headers.items())
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder, "asked")
        asked.write_text("\n".join(kind.lines) + "\n")
        script = Path(folder, "ask.lua")
        script.write_text(SCRIPT % {"file": asked, "headers": headers + "}"})
        options = ["-t1", "-c32", f"-d{seconds}s", "-s", str(script), "--timeout", "30s"]
        before = served.seconds
        command = ["wrk", *options, f"http://127.0.0.1:{served.port}"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    taken = served.seconds - before
    found = re.search(r"^RESULT (\S+) (\S+) (\S+) (\S+)$", said, re.MULTILINE)
    assert found is not None, said
    count, p99, bad, lost = map(float, found.groups())
    if bad or lost:
        raise RuntimeError(f"{kind.name}: {bad:.0f} bad answers, {lost:.0f} lost requests")
    return count / taken, p99


# -- requests ----------------------------------------------------------------------------------


def kinds(entry: Entry) -> list[Kind]:
    """Return the kinds of requests, each with ten thousand addresses."""
    positions = drawn(entry, MANY)
    pages = [f"/play/{position.path}" for position in positions]
    sessions = [f"/api/v1/sessions/{position.id}" for position in positions]
    answers = [
        f"/api/v1/sessions/{position.before(len(position.answers)).id}/answers "
        f"{last_answer(position)}"
        for position in positions
    ]
    nodes = ["-".join(str(turn.answer) for turn in position.history) for position in positions]
    htmx = {"HX-Request": "true", "HX-Request-Type": "partial"}
    return [
        Kind("JSON answer", answers, {"Content-Type": "application/json"}),
        Kind("JSON session", sessions),
        Kind("304 of a page", pages, {"If-None-Match": "*"}),
        Kind("static file", ["/static/styles/site.css"]),
        Kind("JSON node", [f"/api/v1/trees/{entry.name}/nodes?answers={node}" for node in nodes]),
        Kind("fragment", pages, htmx),
        Kind("page", pages),
        Kind("guess page", [f"/guess/p4c10n/k{number}/0123-4567" for number in range(MANY)]),
        Kind("tree page", [f"/trees/{entry.name}/{node}" for node in nodes]),
    ]


# -- the table ---------------------------------------------------------------------------------


def row(ours: Served, hello: Served, kind: Kind, rounds: int) -> str:
    """Return the medians of the ratios of pairs of runs."""
    ratios = []
    for _ in range(rounds):
        bare = wrk(hello, Kind("hello", ["/"]), 2)
        mine = wrk(ours, kind, 2)
        ratios.append((mine[0] / bare[0], mine[1] / bare[1]))
    rates, latencies = zip(*ratios, strict=True)
    return f"| {kind.name} | {median(rates):.2f} | {median(latencies):.1f} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throughput", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="pairs of runs of each class")
    parser.add_argument("--only", default="", help="only classes whose name holds this text")
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("wrk is not installed: apt-get install wrk")
    entry = Library.open(default_folder()).tree(TREE)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "hello.py").write_text(HELLO)
        bare = [sys.executable, "-m", "uvicorn", "hello:app", "--app-dir", folder]
        with server(bare) as hello, server(OURS) as ours:
            print("| requests | rate | p99 |")
            print("| --- | ---: | ---: |")
            for kind in kinds(entry):
                if options.only in kind.name:
                    print(row(ours, hello, kind, options.rounds), flush=True)


if __name__ == "__main__":
    main()
