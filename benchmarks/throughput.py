"""Measure the processor time of a request of each kind, next to a bare FastAPI application.

Both servers have one process each.  `wrk` (one thread, 32 connections) loads one after the other.
Requests are for ten thousand different positions of shuffled games.  `ms` is the processor time of
the server per request in milliseconds, which other programs do not change; `p99` is the 99th
percentile of the latency in milliseconds, which they do change.  Both are medians of the rounds.

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
from collections.abc import Iterator, Sequence
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
    """Send requests; return ms of processor time and p99; RuntimeError if a response fails."""
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
    return 1000 * taken / count, p99


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


HELLO_ROW = Kind("bare FastAPI application", ["/"])


def rows(ours: Served, hello: Served, asked: Sequence[Kind], rounds: int) -> Iterator[str]:
    """Yield the medians of each kind, the bare application first."""
    for kind in (HELLO_ROW, *asked):
        served = hello if kind is HELLO_ROW else ours
        times, latencies = zip(*(wrk(served, kind, 2) for _ in range(rounds)), strict=True)
        yield f"| {kind.name} | {median(times):.2f} | {median(latencies):.1f} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throughput", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each class")
    parser.add_argument("--only", default="", help="only classes whose name holds this text")
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("wrk is not installed: apt-get install wrk")
    entry = Library.open(default_folder()).tree(TREE)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "hello.py").write_text(HELLO)
        bare = [sys.executable, "-m", "uvicorn", "hello:app", "--app-dir", folder]
        with server(bare) as hello, server(OURS) as ours:
            print("| requests | ms | p99 |")
            print("| --- | ---: | ---: |")
            asked = [kind for kind in kinds(entry) if options.only in kind.name]
            for row in rows(ours, hello, asked, options.rounds):
                print(row, flush=True)


if __name__ == "__main__":
    main()
