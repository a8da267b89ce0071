"""A layer of 200,000 streets on the map: how long window and page cannot answer meanwhile.

    python -m tests.benchmarks.bench_layers [FEATURES]

Ticks every 5 ms in the main thread and in the page; the longest gap is the longest stall. Goals: no stall of
window or page above 100 ms, but for what the same acts cost without the layer. What
nothing at all costs is the machine's own noise, which is all there is to see while others work on it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

FEATURES = 200_000
_PLACES_EACH = 8
TICKS = """
window.gaps = { longest: 0, last: performance.now() };
if (!window.ticking) window.ticking = setInterval(() => {
  const now = performance.now();
  gaps.longest = Math.max(gaps.longest, now - gaps.last - 5);
  gaps.last = now;
}, 5);
1
"""


def write_streets(path: Path, count: int) -> Path:
    """Streets of a large city around the sample's."""
    rng = np.random.default_rng(7)
    starts = rng.normal([72.83, 21.18], 0.12, (count, 1, 2))
    turns = rng.normal(0, 0.0004, (count, _PLACES_EACH - 1, 2)).cumsum(axis=1)
    lines = np.concatenate([starts, starts + turns], axis=1).round(6).tolist()
    with path.open("w", encoding="utf-8") as file:
        file.write('{"type":"FeatureCollection","features":[')
        for number, line in enumerate(lines):
            geometry = {"type": "LineString", "coordinates": line}
            properties = {"name": f"Street {number % 9000}"}
            one = {"type": "Feature", "properties": properties, "geometry": geometry}
            file.write(("," if number else "") + json.dumps(one))
        file.write("]}")
    return path


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else FEATURES
    with tempfile.TemporaryDirectory() as place:
        path = write_streets(Path(place, "streets.geojson"), count)
        print(f"{count:,} streets, {path.stat().st_size / 1e6:.0f} MB of GeoJSON")
        _drive(Path(place, "home"), path)


def _drive(home: Path, path: Path) -> None:
    from PySide6.QtWidgets import QApplication

    from core.geodata.map_layer import MapLayer
    from core.system.paths import find_home
    from tests.benchmarks.bench_window import Gaps
    from tests.ui.pictures.camera import wait_until
    from ui.data.data_files import sample_project
    from ui.kit.garbage_collection import GarbageCollector
    from ui.kit.theme import Mode, Theme
    from ui.map.page import MapTab
    from ui.session.session import Session
    from ui.shell.app import prepare_process

    prepare_process()
    app = QApplication(sys.argv[:1])
    GarbageCollector(app)  # as the window has it: Python's own would collect in the workers
    session = Session(find_home(home))
    tab = MapTab(session, Theme(app, Mode.LIGHT))
    tab.resize(1000, 760)
    tab.show()
    draft, source = sample_project()
    session.load(source, draft)
    wait_until(lambda: session.forecast is not None and tab.view.is_ready and not session.own_layers.busy)
    gaps = Gaps(app)

    def page(script: str) -> float:
        answers: list[float] = []
        tab.view._page.runJavaScript(script, answers.append)
        wait_until(lambda: bool(answers))
        return answers[0]

    def drawn() -> bool:
        loading = "document.querySelectorAll('canvas.leaflet-tile:not(.leaflet-tile-loaded)').length"
        return not session.own_layers.busy and page(loading) == 0

    def act(name: str, what: Callable[[], object]) -> None:
        page(TICKS)
        gaps.reset()
        before = time.perf_counter()
        what()
        wait_until(lambda: time.perf_counter() - before > 0.5 and drawn())
        took = (time.perf_counter() - before) * 1000
        print(
            f"{name:>34}: longest stall of the window {gaps.longest_ms:4.0f} ms (goal 100; at work "
            f"{gaps.worked_ms:3.0f} ms of it), "
            f"of the page {page('gaps.longest'):4.0f} ms (goal 100), done after {took:6.0f} ms"
        )

    acts: tuple[tuple[str, Callable[[], object]], ...] = (
        ("zoomed in", lambda: page("hexveil.locate(21.18, 72.83, ''); 1")),
        ("all hexagons", tab.view.fit),
        ("zoomed in again", lambda: page("hexveil.locate(21.2, 72.85, ''); 1")),
        ("all hexagons again", tab.view.fit),
    )
    act("nothing done", lambda: None)
    for name, what in acts:
        act(f"without it, {name}", what)
    layer = MapLayer(file=path, name_field="name", labels=True)
    act("read and drawn", lambda: session.own_layers.edit("a", (layer, *session.draft.layers)))
    for name, what in acts:
        act(name, what)
    from dataclasses import replace

    styled = replace(layer, colour="#aa0000", width=2.0)
    act("another style", lambda: session.own_layers.edit("b", (styled, *session.draft.layers[1:])))
    named = replace(styled, places=True)
    act("names hexagons", lambda: session.own_layers.edit("c", (named, *session.draft.layers[1:])))
    act("removed", lambda: session.own_layers.edit("d", session.draft.layers[1:]))
    tab.view.dispose()


if __name__ == "__main__":
    main()
