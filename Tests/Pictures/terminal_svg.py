"""An animation of a terminal as an SVG that plays by itself: each line is drawn once for as long as it stands, and CSS shows
it at its time."""
import dataclasses
import html
from typing import Any

COLUMNS, ROWS = 100, 21
CHARACTER, LINE, FONT = 9.0, 21, 15     # pixels: the width of a character, the height of a line, the size of the font
EDGE, TITLE = 22, 40                    # around the text, and the height of the title
FAMILY = "ui-monospace,'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"
PAPER, INK = "#1d2330", "#dfe4ee"
COLOURS = {"default": INK, "black": "#4a5568", "red": "#f47067", "green": "#57c477", "brown": "#e5a445", "blue": "#6cb0ff",
           "magenta": "#c58cf0", "cyan": "#4fc3d9", "white": "#ffffff", "brightblack": "#7d879b", "brightred": "#ff8a80",
           "brightgreen": "#7fe0a0", "brightbrown": "#ffd479", "brightblue": "#93c5ff", "brightcyan": "#7fdcec"}
BUTTONS = ("#f47067", "#e5a445", "#57c477")
HIDDEN = ' visibility="hidden"'
LAST_STANDS = 5.0                       # seconds that the end stands before it begins again


@dataclasses.dataclass(frozen=True)
class Run:
    """Characters side by side that look alike."""
    column: int
    text: str
    colour: str
    is_bold: bool
    is_faint: bool


Line = tuple[Run, ...]
Frame = tuple[Line, ...]


def line(cells: Any) -> Line:
    """Of a row of a pyte screen."""
    runs: list[Run] = []
    for column in range(COLUMNS):
        cell = cells[column]
        look = (COLOURS.get(cell.fg, f"#{cell.fg}"), bool(cell.bold), False)
        last = runs[-1] if runs else None
        if last and (last.colour, last.is_bold, last.is_faint) == look and last.column + len(last.text) == column:
            runs[-1] = dataclasses.replace(last, text=last.text + cell.data)
        else:
            runs.append(Run(column, cell.data, *look))
    stripped = (dataclasses.replace(run, text=run.text.rstrip()) for run in runs)
    return tuple(run for run in stripped if run.text)


def drawn(row: int, shown: Line) -> str:
    """What a line is drawn with. Each run has its width, whatever font there is."""
    texts = []
    for run in shown:
        lead = len(run.text) - len(run.text.lstrip())
        text, column = run.text.lstrip(), run.column + lead
        look = f' fill="{run.colour}"' * (run.colour != INK) + ' font-weight="600"' * run.is_bold
        texts.append(f'<text x="{EDGE + column * CHARACTER:g}" y="{TITLE + EDGE + row * LINE}"'
                     f' textLength="{len(text) * CHARACTER:g}"{look}>{html.escape(text)}</text>')
    return "".join(texts)


def spans(frames: list[tuple[float, Frame]], end: float) -> list[tuple[int, Line, float, float]]:
    """How long each line stands in its row: (row, line, from, until)."""
    found = []
    for row in range(ROWS):
        began, shown = 0.0, ()  # type: tuple[float, Line]
        for time, frame in frames:
            if frame[row] != shown:
                found.append((row, shown, began, time))
                began, shown = time, frame[row]
        found.append((row, shown, began, end))
    return [span for span in found if span[1] and span[3] > span[2]]


def animation(number: int, began: float, ended: float, end: float) -> str:
    """The rule by which a line is there for a part of the time and not else."""
    first, last = 100 * began / end, 100 * ended / end
    steps = [*(["0%{visibility:hidden}"] if first > 0 else []), f"{first:.3f}%{{visibility:visible}}",
             *([f"{last:.3f}%{{visibility:hidden}}"] if last < 100 else [])]
    return f"@keyframes k{number}{{{''.join(steps)}}}#l{number}{{animation-name:k{number}}}"


def svg(frames: list[tuple[float, Frame]], title: str) -> str:
    """The animation of what was on the screen from each of these seconds on."""
    end = frames[-1][0] + LAST_STANDS
    width, height = round(COLUMNS * CHARACTER) + 2 * EDGE, TITLE + ROWS * LINE + EDGE
    shown = spans(frames, end)
    rules = "".join(animation(number, began, ended, end) for number, (_, _, began, ended) in enumerate(shown)
                    if (began, ended) != (0.0, end))
    # Where nothing is animated, what stood last is seen.
    groups = "".join(f'<g id="l{number}"{HIDDEN * (ended != end)}>{drawn(row, text)}</g>'
                     for number, (row, text, began, ended) in enumerate(shown))
    buttons = "".join(f'<circle cx="{22 + 20 * number}" cy="20" r="6" fill="{colour}"/>'
                      for number, colour in enumerate(BUTTONS))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f"<title>{html.escape(title)}</title><style>g[id]{{animation:{end:g}s step-end infinite}}"
            f"text{{font-variant-ligatures:none}}{rules}</style>"
            f'<rect width="{width}" height="{height}" rx="12" fill="{PAPER}"/>{buttons}'
            f'<text x="{width / 2:g}" y="25" text-anchor="middle" font-family="Cantarell,sans-serif" font-size="14"'
            f' fill="#9aa5b8">{html.escape(title)}</text><g font-family="{FAMILY}" font-size="{FONT}" fill="{INK}"'
            f' xml:space="preserve">{groups}</g>'
            "</svg>\n")


def at(frames: list[tuple[float, Frame]], seconds: float) -> str:
    """The same, as it stands then, for programs that do not animate."""
    frame = [shown for time, shown in frames if time <= seconds][-1]
    return svg([(0.0, frame)], "").replace(HIDDEN, "")
