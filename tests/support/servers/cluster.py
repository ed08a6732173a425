"""A local Dask scheduler, with workers that tests start and kill."""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.servers.processes import end_group, start
from tests.support.servers.serving import wait_until


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
        try:
            wait_until(lambda: file.exists() and file.stat().st_size > 0)
            return str(json.loads(file.read_text())["address"])
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            end_group(process)
