"""What became of one test."""
import dataclasses
import enum


class Verdict(enum.Enum):
    """How a test ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """One test that was played. Its name is unique in its lane, and is what the lane takes to play it alone."""

    lane: str
    name: str
    verdict: Verdict
    seconds: float
    reason: str = ""    # why it failed or was skipped, in one line

    @property
    def title(self) -> str:
        """The name by which people choose it."""
        return f"{self.lane}/{self.name}"
