"""What watches over the memory of a file manager that has one of our plugins in it. Only reports in which the plugin occurs
count: file managers leak by themselves."""
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent

# What valgrind calls our plugins, and what is in them where they have been unloaded by then.
PLUGIN = re.compile(r"libroundel|roundel(overlay|itemaction)|roundel::|Roundel(Overlay|ItemAction)Plugin")


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
    """AddressSanitizer and its search for leaks, in a plugin that was compiled for it."""
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
                "ASAN_OPTIONS": f"log_path={self.work}/sanitizer:exitcode=0:detect_leaks=1",
                "UBSAN_OPTIONS": f"log_path={self.work}/sanitizer:print_stacktrace=1"}

    def complaints(self):
        if not self.has_looked():
            return ["no leak of the file manager itself was found, so none of the plugin would have been"]
        text = "".join(log.read_text(errors="replace") for log in self.work.glob("sanitizer.*"))
        return [report for report in text.split("\n\n") if PLUGIN.search(report)]

    def has_looked(self):
        """Whether it searched for leaks at the end: it finds some of every file manager."""
        return any("LeakSanitizer" in log.read_text(errors="replace") for log in self.work.glob("sanitizer.*"))
