"""Plays one scenario of the table. Started by `run` inside the prepared namespace."""
import argparse
import importlib
import sys
import traceback
from typing import Any

import gi
from scenarios import Entry

gi.require_version("Gio", "2.0")

import checker
import scenarios
import traces
import waiting
from desktop import Desktop
from file_manager import FileManager


def load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def explain(failure: Exception, scenario: Any, service: Any, file_manager: FileManager | None, desktop: Desktop) -> None:
    print(f"FAIL {desktop.name}: {failure}")
    desktop.shoot("failure")
    print("  observations:", desktop.observations()[-12:])
    for report in file_manager.checker.complaints() if file_manager and file_manager.checker else []:
        print(report)
    for speaker in (scenario, service):
        for line in speaker.explain() if hasattr(speaker, "explain") else []:
            print(" ", line)
    for name in desktop.logs:
        if name != "bus":
            for line in desktop.last_lines(name):
                print(f"  {name} | {line}")


def make_desktop(arguments: argparse.Namespace, entry: Entry) -> Desktop:
    filling = {"stage": f"{arguments.work}/stage/own", "home": f"{arguments.work}/home"}
    environment = {name: value.format(**filling) for name, value in entry.environment.items()}
    services = arguments.services if entry.service == scenarios.INSTALLED else None
    desktop = Desktop(arguments.name, arguments.work, services, environment)
    if entry.service == scenarios.PLAYED:
        desktop.environment["PATH"] = f"{arguments.services}/bin:{desktop.environment['PATH']}"
    return desktop


def play(arguments: Any) -> int:
    entry = {**scenarios.SCENARIOS, **scenarios.MEASUREMENTS}[arguments.name]
    desktop = make_desktop(arguments, entry)
    try:
        desktop.install_test_icons()
        desktop.start()
        service = load(entry.service)(desktop) if entry.service else None
        watcher = checker.Valgrind if arguments.valgrind else checker.Sanitizer if entry.is_sanitized else None
        waiting.patience = watcher.patience if watcher else 1
        waiting.deadline_seconds *= waiting.patience
        if entry.service == scenarios.INSTALLED:
            # The worker waits for quiet and tries again after a while; on a busy machine that adds up.
            waiting.deadline_seconds = max(waiting.deadline_seconds, 180)
        file_manager = FileManager(entry.file_manager, desktop, watcher and watcher(desktop)) if entry.file_manager else None
        scenario = load(entry.scenario)(desktop, service, file_manager)
        try:
            scenario.run()
        except Exception as failure:  # without the window of a file manager that has died, anything can fail
            if not isinstance(failure, waiting.Failure):
                traceback.print_exc(file=sys.stdout)
            explain(failure, scenario, service, file_manager, desktop)
            return 1
    finally:
        desktop.end()
    try:
        traces.none_are_left(desktop)
    except waiting.Failure as failure:
        print(f"FAIL {desktop.name}: {failure}")
        return 1
    print(f"PASS {arguments.name}", flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("work")
    parser.add_argument("--services")
    parser.add_argument("--valgrind", action="store_true")
    arguments = parser.parse_args()
    return play(arguments)


sys.exit(main())
