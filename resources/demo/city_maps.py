"""The README's maps: the sample released by tokens, and HAT by HAT at the same total.

    make maps        draws resources/pictures/city-maps.png anew

Both releases are real ones, with noise of the operating system, in a temporary home with a throw-away key; so
the picture differs a little each time.
"""

from __future__ import annotations

import csv
import os
import re
import secrets
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import h3

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.charts.png import png  # noqa: E402
from core.charts.shapes import Area, Picture, Shape, Words  # noqa: E402

SAMPLE = ROOT / "resources" / "sample" / "sample.toml"
TARGET = ROOT / "resources" / "pictures" / "city-maps.png"
LIMITS = (10, 15, 20, 25, 30)
COLOURS = ("#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39")
"""From slow to fast."""
INK, QUIET = "#1d232b", "#666c74"
PANEL, LABEL, HEAD, MARGIN = 150.0, 150.0, 40.0, 12.0

Numbers = dict[tuple[str, str], float]
"""(start of the slot, cell) -> km/h."""


def main() -> None:
    """Release twice, draw both."""
    tokens = _released('mechanism = "tokens"')
    by_hat = _released('mechanism = "array-averaging"')
    rows = (
        ("Tokens", "total epsilon 10", _column(tokens, "speed_mean_kmh")),
        ("Tokens, smoothed", "the same release", _column(tokens, "speed_smoothed_kmh")),
        ("HAT by HAT", "total 10, Array-Averaging", _column(by_hat, "speed_mean_kmh")),
    )
    TARGET.write_bytes(png(_picture(rows)))


def _released(mechanism: str) -> list[dict[str, str]]:
    """The data file of the sample's release by a mechanism."""
    text = re.sub(r'mechanism = "[a-z-]+"', mechanism, SAMPLE.read_text(encoding="utf-8"))
    text = text.replace('files = ["', f'files = ["{SAMPLE.parent.as_posix()}/')
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        spec = home / "sample.toml"
        spec.write_text(text, encoding="utf-8")
        secret = {"HEXVEIL_HOME": folder, "HEXVEIL_PASSPHRASE": secrets.token_urlsafe()}
        for command in (
            ["keygen"],
            ["ledger", "set-limit", "Sample buses", "--per-vehicle", "10"],
            ["release", str(spec), "--out", folder, "--yes"],
        ):
            program = [sys.executable, "main.py", *command]
            subprocess.run(program, cwd=ROOT, env=os.environ | secret, check=True)
        with next(home.glob("*/data/speed_by_hat.csv")).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


def _column(rows: list[dict[str, str]], name: str) -> Numbers:
    return {(row["slot_start"], row["h3_cell"]): float(row[name]) for row in rows}


def _picture(rows: tuple[tuple[str, str, Numbers], ...]) -> Picture:
    """A row for each release, a small map for each slot."""
    slots = sorted({slot for _, _, numbers in rows for slot, _ in numbers})
    cells = sorted({cell for _, _, numbers in rows for _, cell in numbers})
    width, height = LABEL + PANEL * len(slots) + MARGIN, HEAD + PANEL * len(rows) + 2 * MARGIN + 14
    shapes: list[Shape] = []
    for column, slot in enumerate(slots):
        middle = LABEL + (column + 0.5) * PANEL
        shapes.append(_words(slot, (middle, HEAD - 12), QUIET, align="middle"))
    for number, (title, below, numbers) in enumerate(rows):
        top = HEAD + number * PANEL
        shapes.append(_words(title, (MARGIN, top + PANEL / 2 - 7), INK))
        shapes.append(_words(below, (MARGIN, top + PANEL / 2 + 7), QUIET))
        for column, slot in enumerate(slots):
            shapes += _panel(cells, slot, numbers, LABEL + column * PANEL, top)
    return Picture(
        title="The sample, released in two ways",
        width=width,
        height=height,
        shapes=(*shapes, *_legend(LABEL, height - MARGIN - 7)),
    )


def _panel(cells: list[str], slot: str, numbers: Numbers, left: float, top: float) -> list[Shape]:
    """The hexagons of one slot; empty ones where nothing is published."""
    rings = {cell: [(lon, -lat * 1.07) for lat, lon in h3.cell_to_boundary(cell)] for cell in cells}
    xs, ys = zip(*(corner for ring in rings.values() for corner in ring), strict=True)
    scale = (PANEL - 6) / max(max(xs) - min(xs), max(ys) - min(ys))
    across = left + (PANEL - scale * (max(xs) - min(xs))) / 2
    down = top + (PANEL - scale * (max(ys) - min(ys))) / 2
    return [
        Area(
            points=tuple((across + (x - min(xs)) * scale, down + (y - min(ys)) * scale) for x, y in ring),
            fill=_colour(numbers[slot, cell]) if (slot, cell) in numbers else "#ffffff",
            colour="#d5d8dc",
            width=0.5,
        )
        for cell, ring in rings.items()
    ]


def _legend(left: float, middle: float) -> list[Shape]:
    names = [f"below {LIMITS[0]}", *(f"{low}-{high}" for low, high in pairwise(LIMITS))]
    names.append(f"{LIMITS[-1]} km/h and more")
    shapes: list[Shape] = []
    for number, (name, colour) in enumerate(zip(names, COLOURS, strict=True)):
        x = left + number * 72
        box = ((x, middle - 5), (x + 10, middle - 5), (x + 10, middle + 5), (x, middle + 5))
        shapes.append(Area(points=box, fill=colour, colour=colour, width=0.5))
        shapes.append(_words(name, (x + 15, middle), QUIET))
    return shapes


def _words(text: str, at: tuple[float, float], colour: str, align: str = "start") -> Words:
    return Words(text=text, at=at, size=10.0, colour=colour, align="middle" if align == "middle" else "start")


def _colour(speed: float) -> str:
    return COLOURS[sum(speed >= limit for limit in LIMITS)]


if __name__ == "__main__":
    main()
