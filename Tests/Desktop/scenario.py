"""Runs one scenario with one file manager. Started by `run` inside the prepared namespace."""
import argparse
import sys

import gi

gi.require_version("Gio", "2.0")

import desktop
from emblem_scenario import EmblemScenario
from file_manager import FILE_MANAGERS, FileManager
from provider import ProvidedService
from stand_in import StandIn
from synced_folder_scenario import SyncedFolderScenario


def explain(failure, scenario, file_manager):
    name = file_manager.name
    print(f"FAIL {name}: {failure}")
    file_manager.shoot("failure")
    print("  observations:", file_manager.desktop.observations()[-12:])
    for line in scenario.explain():
        print(" ", line)
    for line in file_manager.desktop.last_lines(name):
        print("  |", line)


def choose_scenario(arguments, file_manager):
    place = file_manager.desktop
    if arguments.services:
        return SyncedFolderScenario(file_manager)
    service = ProvidedService(place, arguments.roundeld) if arguments.roundeld else StandIn(place.address)
    return EmblemScenario(file_manager, service)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=FILE_MANAGERS)
    parser.add_argument("work")
    parser.add_argument("--services")
    parser.add_argument("--roundeld")
    parser.add_argument("--valgrind", action="store_true")
    arguments = parser.parse_args()
    if arguments.valgrind:
        desktop.deadline_seconds *= 10
    place = desktop.Desktop(arguments.work, arguments.services)
    try:
        place.install_test_icons()
        place.start()
        file_manager = FileManager(arguments.name, place, arguments.valgrind)
        scenario = choose_scenario(arguments, file_manager)
        try:
            scenario.run()
        except desktop.Failure as failure:
            explain(failure, scenario, file_manager)
            return 1
        print(f"PASS {arguments.name}", flush=True)
        return 0
    finally:
        place.end()


sys.exit(main())
