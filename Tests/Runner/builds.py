"""What has to be built before tests can be played: each once, whatever needs it."""
import dataclasses

from job import PROCESSOR, Job


@dataclasses.dataclass(frozen=True)
class Build:
    """One target of the Makefile."""

    name: str
    target: str
    load: int
    needs: tuple[str, ...] = ()

    def job(self) -> Job:
        # Before any test: what it makes is waited for.
        command = ["make", "--no-print-directory", self.target]
        return Job("build", self.name, command, load=self.load, expected=10_000, bound=3600)


# The two builds of Swift take turns in any case: they share a folder. While it links, the first leaves room for others.
BUILDS = [
    Build("debug", "test-programs", PROCESSOR * 3 // 2),
    Build("servers", "servers", 1),
    Build("plugins", "plugin-tests", PROCESSOR // 2, ("servers",)),
    Build("sanitized", "sanitized-plugins", PROCESSOR // 2, ("plugins",)),
    Build("staged", "stage-debug", 1, ("debug", "plugins")),
    Build("release", "stage", PROCESSOR, ("debug", "plugins")),
]


def needed(names: set[str]) -> list[Build]:
    """The builds of these names and those before them, in an order in which they can be made."""
    wanted = set(names)
    for build in reversed(BUILDS):
        if build.name in wanted:
            wanted.update(build.needs)
    return [build for build in BUILDS if build.name in wanted]
