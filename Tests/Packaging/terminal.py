"""A program on a terminal, with somebody who types."""
import os
import pty
import select
import time

PATIENCE_SECONDS = 180


class Terminal:
    """A program whose standard streams are a terminal of its own."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.shown = ""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)

    def answer(self, question: str, lines: list[str]) -> tuple[int, str]:
        """Types a line after each time that the question is shown; the exit status and everything that was shown."""
        for number, line in enumerate(lines, start=1):
            while self.shown.count(question) < number:
                if not self._read():
                    raise AssertionError(f"it ended before it asked {number} times: {self.shown}")
            os.write(self.descriptor, f"{line}\n".encode())
        while self._read():
            pass
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1]), self.shown

    def _read(self) -> bool:
        """Whether the program is still there."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        if not select.select([self.descriptor], [], [], max(0, deadline - time.monotonic()))[0]:
            raise AssertionError(f"it waits: {self.shown}")
        try:
            part = os.read(self.descriptor, 4096)
        except OSError:  # The end of a terminal is no end of a file.
            return False
        self.shown += part.decode(errors="replace")
        return bool(part)
