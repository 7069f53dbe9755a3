"""What watches over the memory of a file manager that has one of our plugins in it. Only reports in which the plugin
occurs count: file managers have faults of their own."""
import pathlib
import re
import subprocess

from desktop import Desktop

HERE = pathlib.Path(__file__).resolve().parent

# What the checkers call our plugins: the library, a source file, or what is in one that has been unloaded by then.
PLUGIN = re.compile(
    r"libroundel|FileManagers/|roundel(overlay|itemaction)|roundel::|Roundel(Overlay|ItemAction)Plugin")

FOUND = re.compile(r"ERROR: AddressSanitizer|runtime error:")


class Valgrind:
    patience = 10  # times as long as usual anything may take

    def __init__(self, desktop: Desktop) -> None:
        self.work = desktop.work

    def command(self) -> list[str]:
        return ["valgrind", "--tool=memcheck", "--leak-check=full", "--show-leak-kinds=definite", "--num-callers=40",
                f"--log-file={self.work}/valgrind.%p"]

    def environment(self) -> dict[str, str]:
        return {"G_SLICE": "always-malloc", "G_DEBUG": "gc-friendly"}

    def complaints(self) -> list[str]:
        return [report for log in self.work.glob("valgrind.*")
                for report in re.split(r"^==\d+== \n", log.read_text(errors="replace"), flags=re.MULTILINE)
                if PLUGIN.search(report)]


class Sanitizer:
    """AddressSanitizer, in a plugin that was compiled for it. It does not look for leaks: the stacks by which one would
    be known as ours are broken off in libraries without frame pointers. Valgrind does."""
    patience = 3

    def __init__(self, desktop: Desktop) -> None:
        self.work = desktop.work
        self.untranslated = self.work / "untranslated.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", str(HERE / "Measuring/untranslated.c"), "-o",
                        str(self.untranslated)], check=True)
        library = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
        self.library = library.stdout.strip()

    def command(self) -> list[str]:
        return []

    def environment(self) -> dict[str, str]:
        """What AddressSanitizer finds goes to the path that was named last, which is the other one once a plugin has brought
        UndefinedBehaviorSanitizer in; at a path of its own it keeps what it has said before. The latter's own reports go
        to the log of the file manager, where `traces` finds them."""
        return {"LD_PRELOAD": f"{self.library} {self.untranslated}", "G_SLICE": "always-malloc",
                "ASAN_OPTIONS": f"log_path={self.work}/sanitizer.address:detect_leaks=0:verbosity=1",
                "UBSAN_OPTIONS": f"log_path={self.work}/sanitizer.undefined:print_stacktrace=1"}

    def complaints(self) -> list[str]:
        texts = [log.read_text(errors="replace") for log in self.work.glob("sanitizer.*")]
        if not any("AddressSanitizer" in text for text in texts):
            return ["AddressSanitizer did not start"]
        return [report for text in texts for report in re.split(r"^=+$", text, flags=re.MULTILINE)
                if FOUND.search(report) and PLUGIN.search(report)]
