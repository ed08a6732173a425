"""A Dask scheduler of one machine, with workers that can be lost and found."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path


class Cluster:
    """A Dask scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        file = folder / "scheduler.json"
        place = ["--scheduler-file", str(file), "--no-dashboard"]
        self.scheduler = self._start("scheduler", *place, "--port", "0", "--host", "127.0.0.1")
        deadline = time.monotonic() + 60
        while not file.exists() or not file.stat().st_size:
            assert self.scheduler.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        self.place = place
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = json.loads(file.read_text())["address"]

    def employ(self, count: int) -> None:
        """Let so many workers be alive, or more."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        options = ["--nthreads", "1", "--no-nanny", "--memory-limit", "0"]
        while len(self.workers) < count:
            self.workers.append(self._start("worker", *self.place, *options))

    def _start(self, role: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *words]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
