"""Plants all faults at once, each behind a switch: the code asks by name whether its fault is the one that is switched on."""

import pathlib
import re

import places
from tables import Fault

# The name of the fault that is switched on is in this file of the copy, for every process of a test. It is empty otherwise.
ACTIVE = "build/planted-fault"
HEADER = "build/planted-fault.h"
LONGEST_NAME = 100

IN_SWIFT = """import Glibc

private let planted: [UInt8] = {
    let file = open("@FILE@", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var name = [UInt8](repeating: 0, count: @LONGEST@)
    let count = read(file, &name, name.count)
    return Array(name.prefix(max(0, count)))
}()

func plantedFault(_ name: StaticString) -> Bool {
    name.utf8CodeUnitCount == planted.count && memcmp(name.utf8Start, planted, planted.count) == 0
}
"""
IN_C = """#pragma once
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static inline int roundel_planted_fault(const char *name)
{
    static char planted[@LONGEST@ + 1];
    static int is_read;
    if (!is_read) {
        is_read = 1;
        int file = open("@FILE@", O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
            if (read(file, planted, @LONGEST@) < 0)
                planted[0] = '\\0';
            close(file);
        }
    }
    return strcmp(planted, name) == 0;
}
"""
INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)


def planted_files(faults: list[Fault]) -> dict[str, str]:
    """The text of each file with a fault and of those that the switches need, by its path in the project."""
    files = {path: planted(path, [fault for fault in faults if fault.place.file == path])
             for path in {fault.place.file for fault in faults}}
    modules = {fault.module for fault in faults if fault.is_swift}
    files |= {f"Sources/{module}/PlantedFault.swift": filled(IN_SWIFT) for module in modules}
    return files | {HEADER: filled(IN_C), ACTIVE: ""}


def filled(text: str) -> str:
    return text.replace("@FILE@", str(places.ROOT / ACTIVE)).replace("@LONGEST@", str(LONGEST_NAME))


def planted(path: str, faults: list[Fault]) -> str:
    text = places.sources()[path]
    for fault in sorted(faults, key=lambda fault: fault.place.expression.start, reverse=True):
        span = fault.place.expression
        text = text[: span.start] + switch(fault, text[span.start : span.end]) + text[span.end :]
    if path.endswith(".swift"):
        return text
    last = list(INCLUDE.finditer(text))[-1]
    return f'{text[: last.end()]}\n#include "{places.ROOT / HEADER}"{text[last.end() :]}'


def condition(fault: Fault) -> str:
    return f'{"plantedFault" if fault.is_swift else "roundel_planted_fault"}("{fault.id}")'


def switch(fault: Fault, code: str) -> str:
    if fault.kind == "expression":
        return f"({condition(fault)} ? ({fault.replace}) : ({code}))"
    asked = condition(fault) if fault.is_swift else f"({condition(fault)})"
    return f"if {asked} {{ {fault.replace} }} else {{ {code} }}"


def culprits(output: str, faults: list[Fault], files: dict[str, str]) -> list[Fault]:
    """The faults for which a build failed, by the lines of its errors: those in the line, or else in its function."""
    found: set[str] = set()
    for error in re.finditer(rf"^(?:{re.escape(str(places.ROOT))}/)?(Sources/[^\n:]+):(\d+):\d+: error:", output, re.MULTILINE):
        path, line = error[1], int(error[2])
        near = [fault for fault in faults if fault.place.file == path]
        exact = [fault for fault in near if line in lines(fault, files[path])]
        found |= {fault.id for fault in exact or near}
    return [fault for fault in faults if fault.id in found]


def lines(fault: Fault, text: str) -> range:
    """The lines of a switch in a planted file."""
    span = fault.place.expression
    code = places.sources()[fault.place.file][span.start : span.end]
    first = text.count("\n", 0, text.index(condition(fault))) + 1
    return range(first, first + switch(fault, code).count("\n") + 1)


def write(files: dict[str, str], tree: pathlib.Path) -> None:
    """What is the same already keeps its time, and so is not built again."""
    for path, text in files.items():
        file = tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
