"""Print how long a game's page takes while many clients ask for the dearest pages.

A real server runs in a process of its own, the clients in another, and one player here, who asks
for a game's page some fifty times a second: first alone, then while the clients ask for one address
after the other without a pause, whatever they get.  What counts is the ratio of the two, and the
99th percentile.  `python -m benchmarks.requests` measures what each request costs by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import multiprocessing
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from statistics import quantiles

TREE = "best-bulls-cows-5-of-10"
PLAYED = "/play/avg-bulls-cows/k3/0.1-1.1"
LINES = {
    "analysis": [f"/play/{TREE}/{token}/0.2-1.1?analysis=all" for token in range(50)],
    "exports": [f"/trees/{TREE}.{form}" for form in ("json", "text", "dot", "html")],
    "comparison": [f"/compare/{TREE}/{TREE}"],
    "trees": [f"/trees/{TREE}/{answer}?depth=99" for answer in ("0.2", "0.3", "1.2", "1.1")],
    "doctor": [f"/play/{TREE}/{token}/0.2-1.1/none" for token in range(50)],
    "review": [f"/guess/p5c10n/k{n}/{'-'.join(['01234'] * 30)}" for n in range(50)],
}
LINES["all"] = [lines[n % len(lines)] for n in range(50) for lines in LINES.values()]


OURS = [sys.executable, "-m", "bullscows", "serve"]
"""The command of our server; `--port` follows."""


@contextmanager
def server(command: Sequence[str] = OURS) -> Iterator[tuple[int, int]]:
    """Run a server on a free port; yield the port and the process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while process.poll() is None:
            try:
                ask(port, "/healthz")
                break
            except OSError:
                time.sleep(0.2)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def ask(port: int, path: str) -> int:
    """Get a page; return the status."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def play(port: int, seconds: float) -> list[float]:
    """Ask for the game's page for so long; return the milliseconds of each."""
    taken, end = [], time.perf_counter() + seconds
    while (started := time.perf_counter()) < end:
        if (status := ask(port, PLAYED)) != 200:
            raise SystemExit(f"{PLAYED} was answered {status}")
        taken.append(1000 * (time.perf_counter() - started))
        time.sleep(0.02)
    return taken


def hammer(port: int, paths: list[str], clients: int, seconds: float, told: Connection) -> None:
    """Ask as fast as so many clients can; tell how many answers of each status came."""
    statuses: Counter[str] = Counter()

    async def client(number: int, end: float) -> None:
        while time.perf_counter() < end:
            path = paths[number % len(paths)]
            number += 1
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n"
                "Connection: close\r\n\r\n".encode()
            )
            statuses[(await reader.read(12))[9:].decode()] += 1
            while await reader.read(1 << 18):
                pass
            writer.close()

    async def all_clients() -> None:
        end = time.perf_counter() + seconds
        await asyncio.gather(*(client(number, end) for number in range(clients)))

    asyncio.run(all_clients())
    told.send(statuses)


def figures(taken: list[float]) -> tuple[float, float, float]:
    """Return median, 99th percentile and the longest."""
    percentiles = quantiles(taken, n=100)
    return percentiles[49], percentiles[98], max(taken)


def peak(pid: int) -> int:
    """Return the most memory that a process has had, in MB; 0 where the system doesn't say."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("VmHWM"))
    except OSError:
        return 0
    return int(line.split()[1]) // 1024


def main() -> None:
    """Measure each line of addresses."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.requests.hammer", description=__doc__
    )
    parser.add_argument("--clients", type=int, default=50, help="how many hammer (50)")
    parser.add_argument("--seconds", type=float, default=15.0, help="for how long (15)")
    parser.add_argument("--only", choices=LINES, help="one line of addresses alone")
    options = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("| asked | p50 ms | p99 ms | longest | p99 / idle | answers | peak MB |")
    print("| --- | ---: | ---: | ---: | ---: | --- | ---: |")
    with server() as (port, pid):
        play(port, 2)
        idle = figures(play(port, options.seconds))
        row = " | ".join(f"{value:.1f}" for value in idle)
        print(f"| nothing | {row} | 1.0 | | {peak(pid)} |", flush=True)
        for name in [options.only] if options.only else LINES:
            here, there = multiprocessing.Pipe()
            arguments = (port, LINES[name], options.clients, options.seconds + 1, there)
            crowd = multiprocessing.Process(target=hammer, args=arguments)
            crowd.start()
            time.sleep(1)
            taken = figures(play(port, options.seconds))
            answers = " ".join(f"{count} x {status}" for status, count in here.recv().items())
            crowd.join()
            row = " | ".join(f"{value:.1f}" for value in taken)
            ratio = f"{taken[1] / idle[1]:.1f}"
            print(f"| {name} | {row} | {ratio} | {answers} | {peak(pid)} |", flush=True)


if __name__ == "__main__":
    main()
