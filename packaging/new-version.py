#!/usr/bin/python3
"""Makes a release of what stands under Unreleased in CHANGELOG.md: `make version VERSION=0.2.0`.

    packaging/new-version.py VERSION [--date YYYY-MM-DD]

The section gets the version and the date, the programs say the version, AppStream knows the release; all that is one commit,
and its tag is vVERSION. Nothing is pushed: `git push --follow-tags` publishes it.
"""
import argparse
import datetime
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHANGELOG = "CHANGELOG.md"
METAINFO = "dbus/metainfo/org.roundel.Roundel.metainfo.xml"
# Where the version stands, each with what is around it.
PLACES = {
    "Sources/RoundelBus/Names.swift": r'(roundelRelease = ")[^"]*(")',
    "Sources/FileManagers/library/CMakeLists.txt": r'(roundel-library VERSION )\S+( )',
    "Sources/FileManagers/metadata/CMakeLists.txt": r'(ROUNDEL_VERSION=")[^"]*(")',
}
UNRELEASED = "## [Unreleased]\n"


class Mistake(Exception):
    """Why there is no release, in words."""


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def numbers(version: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Mistake(f"{version} is no version of the form 1.2.3")
    return tuple(int(part) for part in version.split("."))


def checked(version: str) -> None:
    """Raises if this version cannot be the next one."""
    tags = [tag for tag in git("tag", "--list", "v*").split() if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]
    last = max((numbers(tag[1:]) for tag in tags), default=(0, 0, 0))
    if numbers(version) <= last:
        raise Mistake(f"{version} does not follow {'.'.join(map(str, last))}, which was released")
    if git("status", "--porcelain", "--untracked-files=no"):
        raise Mistake("something is not committed")


def section_of(changelog: str) -> str:
    """What stands under Unreleased."""
    if UNRELEASED not in changelog:
        raise Mistake(f"{CHANGELOG} has no section Unreleased")
    section = re.split(r"^## ", changelog.split(UNRELEASED, 1)[1], maxsplit=1, flags=re.MULTILINE)[0].strip()
    if not section:
        raise Mistake(f"nothing stands under Unreleased in {CHANGELOG}")
    return section


def substituted(name: str, pattern: str, replacement: str) -> None:
    path = ROOT / name
    text, count = re.subn(pattern, replacement, path.read_text(), count=1)
    if count != 1:
        raise Mistake(f"the version is not where it was in {name}")
    path.write_text(text)


def release(version: str, date: str) -> None:
    """Writes the version everywhere, commits and tags."""
    checked(version)
    changelog = (ROOT / CHANGELOG).read_text()
    section = section_of(changelog)
    for name, pattern in PLACES.items():
        substituted(name, pattern, rf"\g<1>{version}\g<2>")
    entry = f'    <release version="{version}" date="{date}"/>\n'
    if "  <releases>\n" not in (ROOT / METAINFO).read_text():
        substituted(METAINFO, r"</component>", "  <releases>\n  </releases>\n</component>")
    substituted(METAINFO, r"  <releases>\n", rf"\g<0>{entry}")
    (ROOT / CHANGELOG).write_text(changelog.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {date}\n", 1))
    git("commit", "--quiet", "--all", "--message", f"Version {version}")
    subprocess.run(["git", "tag", "--annotate", "--cleanup=verbatim", "--file=-", f"v{version}"], cwd=ROOT, text=True,
                   input=f"Roundel {version}\n\n{section}\n", check=True)
    print(f"Version {version} is committed and tagged; git push --follow-tags publishes it.")


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes a release of what stands under Unreleased in CHANGELOG.md.")
    parser.add_argument("version")
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    arguments = parser.parse_args()
    try:
        release(arguments.version, arguments.date)
    except Mistake as mistake:
        sys.exit(f"new-version.py: {mistake}")


if __name__ == "__main__":
    main()
