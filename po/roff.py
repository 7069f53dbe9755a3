"""Text as roff shows it."""


def escaped(text: str) -> str:
    """Text in which each character stands for itself."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def begun(line: str) -> str:
    """A line of escaped text that is not taken for a request."""
    return f"\\&{line}" if line.startswith((".", "\\(aq")) else line


def literal(text: str) -> list[str]:
    """Lines that are shown as they are, such as a program."""
    return [".nf", *map(begun, escaped(text).split("\n")), ".fi"]
