"""How large a bundle with maps is, and how long its map takes to open: 5,000 HATs in 12 slots, and 60,000.

The page is opened in Qt's browser, offscreen, from the file: from the request until every hexagon is drawn.
A row of GeoJSON repeats its outline and the names of its columns, half a kilobyte in all, so that a folder of
60,000 rows does not fit into 15 MB: without any outline these are 16.3 MB, and data/ has them once more with
5.1 MB. What is sent and downloaded is the packed bundle: of 60,000 rows it is held to 15 MB, and of 5,000
the folder is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h3

from core.bundle.release_result import Release
from core.signed.bundle_names import MAP_PAGE
from core.verify.pack_bundle import pack_bundle
from core.verify.verify import verify_bundle
from tests.builders import make_bundle, make_key, make_query, make_release, make_row

SLOTS = 12
MOST_MB, MOST_SECONDS = 15.0, 2.0
_BROWSER = """
import json, sys
from PySide6.QtCore import QEventLoop, QTimer, QUrl
from PySide6.QtWidgets import QApplication
from PySide6.QtWebEngineWidgets import QWebEngineView

application = QApplication(sys.argv)
view = QWebEngineView()
view.resize(1366, 768)
view.show()
loop = QEventLoop()
told = {}

def ask():
    script = "JSON.stringify([document.documentElement.dataset.ready || '', performance.now() / 1000])"
    view.page().runJavaScript(script, answer)

def answer(text):
    ready, seconds = json.loads(text or '["", 0]')
    if ready:
        # since the page was asked for: the browser's own start is not the page's
        told.update(seconds=seconds, hexagons=int(ready))
        loop.quit()
    else:
        QTimer.singleShot(5, ask)

view.loadFinished.connect(lambda _: ask())
view.load(QUrl.fromLocalFile(sys.argv[1]))
loop.exec()
print(json.dumps(told))
"""


def release_of(hexagons: int) -> Release:
    """So many hexagons around Surat in 12 slots."""
    middle = h3.latlng_to_cell(21.17, 72.83, 8)
    rings = next(rings for rings in range(100) if 1 + 3 * rings * (rings + 1) >= hexagons)
    cells = sorted(sorted(h3.grid_disk(middle, rings))[:hexagons])
    rows = tuple(
        make_row(cell, 7 + slot, mean=mean, low=max(0, mean - 2_000), high=mean + 2_000, bias_bound=500)
        for place, cell in enumerate(cells)
        for slot in range(SLOTS)
        for mean in [(place * 7 + slot * 991) % 60_000]
    )
    return make_release(resolution=8, hours=("07:00", "19:00"), queries=(make_query(rows=rows),))


def opened(page: Path) -> float:
    """Seconds until the map stands."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        environment["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    done = subprocess.run(
        [sys.executable, "-c", _BROWSER, str(page)],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=60,
    )
    return float(json.loads(done.stdout)["seconds"])


def main() -> int:
    """Print some lines for each size; 1 where one takes more than it may."""
    failed = 0
    for hexagons, whole in ((417, True), (5_000, False)):
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            bundle = make_bundle(Path(folder), release_of(hexagons))
            made = time.perf_counter() - started
            started = time.perf_counter()
            checks = verify_bundle(bundle, make_key().public_text).checks
            checked = time.perf_counter() - started
            sizes = {
                path.relative_to(bundle).as_posix(): path.stat().st_size / 1e6
                for path in bundle.rglob("*")
                if path.is_file()
            }
            seconds = opened(bundle / MAP_PAGE)
            started = time.perf_counter()
            packed = pack_bundle(bundle)
            packing, packed_mb = time.perf_counter() - started, packed.stat().st_size / 1e6
            wrong = [
                one.name for one in verify_bundle(packed, make_key().public_text).checks if not one.passed
            ]
        total = sum(sizes.values()) if whole else packed_mb
        of_maps = [one for one in checks if one.name in ("geojson", "geoparquet", "map")]
        wrong = [one.name for one in of_maps if not one.passed]
        retained = total <= MOST_MB and seconds <= MOST_SECONDS and not wrong
        failed += not retained
        verdict, hats = "ok    " if retained else "FAILED", hexagons * SLOTS
        print(
            f"{verdict} {hats:6,} HATs ({hexagons:,} hexagons, {SLOTS} slots): {sum(sizes.values()):.1f} MB;"
        )
        print(f"       {MAP_PAGE} {sizes[MAP_PAGE]:.1f} MB, opens in {seconds:.2f} s", end="; ")
        print(f"made in {made:.1f} s, verified in {checked:.1f} s", flush=True)
        print(f"       packed {packed_mb:.1f} MB in {packing:.1f} s")
        for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:5]:
            print(f"         {size:6.2f} MB  {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
