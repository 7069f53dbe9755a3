"""Plays jobs beside one another, as many as the machine takes at once."""
import concurrent.futures
import os
import pathlib
import signal
import subprocess
import threading
from collections.abc import Iterator

import job as jobs
from job import Ended, Job


class Schedule:
    """What waits and what runs. A group of jobs begins when the builds that it needs have succeeded."""

    def __init__(self, root: pathlib.Path, logs: pathlib.Path) -> None:
        self._root = root
        self._logs = logs
        self._capacity = jobs.PROCESSOR * (os.cpu_count() or 1)
        self._waiting: list[Job] = []
        self._running: dict[concurrent.futures.Future[Ended], Job] = {}
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._pool = concurrent.futures.ThreadPoolExecutor(max_workers=64)

    def add(self, some: list[Job]) -> None:
        """Jobs that may start at once."""
        self._waiting = sorted(self._waiting + some, key=lambda job: -job.expected)

    def ended(self) -> Iterator[tuple[Job, Ended]]:
        """Each job when it has ended; more may be added meanwhile."""
        while self._waiting or self._running:
            self._start_what_fits()
            done, _ = concurrent.futures.wait(self._running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                yield self._running.pop(future), future.result()

    def stop(self) -> None:
        """Ends what runs; nothing more is started."""
        self._waiting = []
        with self._lock:
            for process in self._processes:
                jobs.kill(process, signal.SIGKILL)
        self._pool.shutdown()

    def _start_what_fits(self) -> None:
        load = sum(job.load for job in self._running.values())
        for job in list(self._waiting):
            # A job that is larger than the machine has it for itself.
            if load + job.load <= self._capacity or load == 0:
                self._waiting.remove(job)
                load += job.load
                self._running[self._pool.submit(self._run, job)] = job

    def _run(self, job: Job) -> Ended:
        started: list[subprocess.Popen[bytes]] = []

        def begun(process: "subprocess.Popen[bytes]") -> None:
            started.append(process)
            with self._lock:
                self._processes.add(process)

        try:
            return jobs.run(job, self._logs, self._root, begun)
        finally:
            with self._lock:
                self._processes.difference_update(started)


