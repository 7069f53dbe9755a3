"""Plays one entry of `plays.py` on its desktop. Started by `run` inside the prepared namespace."""
import argparse
import importlib
import pathlib
import sys
import traceback
from typing import Any

import gi

gi.require_version("Gio", "2.0")

import plays
import waiting
from file_manager import FileManager
from installed import InstalledServices
from picture_desktop import PictureDesktop

PATIENCE = 90  # seconds for anything


def load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def explain(desktop: PictureDesktop, service: InstalledServices, failure: Exception) -> None:
    if not isinstance(failure, waiting.Failure):
        traceback.print_exc(file=sys.stdout)
    print(f"FAIL {desktop.name}: {str(failure).splitlines()[0]}")
    desktop.screen.grab().save(desktop.work / "failure.png")
    for line in service.explain():
        print(" ", line)
    for name in desktop.logs:
        for line in desktop.last_lines(name):
            print(f"  {name} | {line}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("services", type=pathlib.Path)
    arguments = parser.parse_args()
    play = plays.PLAYS[arguments.name]
    waiting.deadline_seconds = PATIENCE
    filling = {"stage": f"{arguments.work}/stage/own", "home": "/home/anna"}
    environment = {name: value.format(**filling) for name, value in play.entry.environment.items()}
    desktop = PictureDesktop(arguments.name, arguments.work, arguments.services, environment)
    desktop.set_size(*play.size)
    try:
        desktop.write_person_settings(**play.settings)
        desktop.start()
        service = InstalledServices(desktop)
        file_manager = FileManager(play.entry.file_manager, desktop) if play.entry.file_manager else None
        try:
            load(play.entry.scenario)(desktop, service, file_manager).run()
        except Exception as failure:  # any: what was seen is to be kept
            explain(desktop, service, failure)
            return 1
    finally:
        desktop.end()
    return 0


sys.exit(main())
