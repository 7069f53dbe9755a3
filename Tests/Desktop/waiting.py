"""Waiting: the main loop in which the tests' own services live runs until something holds."""
import time
from collections.abc import Callable
from typing import Any

from gi.repository import GLib

# How long anything may take, on a machine whose cores are all busy with something else as well, and how many times as slow
# as usual a file manager is in a memory checker.
deadline_seconds = 90
patience = 1
# The same for a call on the bus, and for a program that ends by itself.
CALL_MILLISECONDS = 90_000
PROGRAM_SECONDS = 300


class Failure(Exception):
    """What a test found wrong, in words."""


def pump(seconds: float = 0.02) -> None:
    """Runs the main loop for so long."""
    over = []
    GLib.timeout_add(max(1, round(seconds * 1000)), lambda: over.append(True))
    while not over:
        GLib.MainContext.default().iteration(True)


def wait_for(what: str, condition: Callable[[], Any], seconds: float | None = None) -> Any:
    """Runs the main loop until the condition holds; its value. The condition is checked at least once."""
    allowed = seconds or deadline_seconds
    end = time.monotonic() + allowed
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"not within {allowed} s: {what}")
        pump()
