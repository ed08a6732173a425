"""A local Dask scheduler, with workers that tests start and kill."""

import json
import subprocess
import sys
import time
from pathlib import Path

from tests.support.servers.processes import end_group, start


class Cluster:
    """A Dask scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        file = folder / "scheduler.json"
        place = ["--scheduler-file", str(file), "--no-dashboard"]
        self.scheduler = self._start("scheduler", *place, "--port", "0", "--host", "127.0.0.1")
        self.place = place
        self.workers: list[subprocess.Popen[str]] = []
        self.address = self._address_in(file)

    def employ(self, count: int) -> None:
        """Start workers until `count` are alive."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        options = ["--nthreads", "1", "--no-nanny", "--memory-limit", "0"]
        while len(self.workers) < count:
            self.workers.append(self._start("worker", *self.place, *options))

    def _start(self, role: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *words]
        return start(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _address_in(self, file: Path) -> str:
        deadline = time.monotonic() + 60
        while not file.exists() or not file.stat().st_size:
            if self.scheduler.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise TimeoutError("the scheduler did not write its address")
            time.sleep(0.05)
        return str(json.loads(file.read_text())["address"])

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            end_group(process)
