"""What watches over the memory of a file manager that has one of our plugins in it. Only reports in which the plugin
occurs count: file managers have faults of their own."""
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent

# What the checkers call our plugins: the library, a source file, or what is in one that has been unloaded by then.
PLUGIN = re.compile(
    r"libroundel|FileManagers/|roundel(overlay|itemaction)|roundel::|Roundel(Overlay|ItemAction)Plugin")

FOUND = re.compile(r"ERROR: AddressSanitizer|runtime error:")


class Valgrind:
    patience = 10  # times as long as usual anything may take

    def __init__(self, desktop):
        self.log = desktop.work / "valgrind.log"

    def command(self):
        return ["valgrind", "--tool=memcheck", "--leak-check=full", "--show-leak-kinds=definite", "--num-callers=40",
                f"--log-file={self.log}"]

    def environment(self):
        return {"G_SLICE": "always-malloc", "G_DEBUG": "gc-friendly"}

    def complaints(self):
        reports = re.split(r"^==\d+== \n", self.log.read_text(), flags=re.M) if self.log.exists() else []
        return [report for report in reports if PLUGIN.search(report)]


class Sanitizer:
    """AddressSanitizer, in a plugin that was compiled for it. It does not look for leaks: the stacks by which one would
    be known as ours are broken off in libraries without frame pointers. Valgrind does."""
    patience = 3

    def __init__(self, desktop):
        self.work = desktop.work

    def command(self):
        return []

    def environment(self):
        sanitizer = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
        untranslated = self.work / "untranslated.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", str(HERE / "Measuring/untranslated.c"), "-o",
                        str(untranslated)], check=True)
        return {"LD_PRELOAD": f"{sanitizer.stdout.strip()} {untranslated}", "G_SLICE": "always-malloc",
                "ASAN_OPTIONS": f"log_path={self.work}/sanitizer:detect_leaks=0:verbosity=1",
                "UBSAN_OPTIONS": f"log_path={self.work}/sanitizer:print_stacktrace=1"}

    def complaints(self):
        text = "".join(log.read_text(errors="replace") for log in self.work.glob("sanitizer.*"))
        if "AddressSanitizer" not in text:
            return ["AddressSanitizer did not start"]
        reports = re.split(r"^=+$", text, flags=re.M)
        return [report for report in reports if FOUND.search(report) and PLUGIN.search(report)]
