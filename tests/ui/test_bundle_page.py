"""map.html in a real browser with the network cut: what it asks for, and what it shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h3
import pytest
import shiboken6
from PySide6.QtCore import QMarginsF, QUrl
from PySide6.QtGui import QPageLayout, QPageSize
from PySide6.QtPdf import QPdfDocument
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)
from PySide6.QtWebEngineWidgets import QWebEngineView

from core.bundle.protection_texts import PRACTICE
from core.portal import map_data
from core.portal.embedded_json import find_json
from core.portal.map_page import MAP_DATA_ID, map_page
from core.signed.bundle_names import MAP_PAGE, REPORT
from tests.builders import (
    CELLS,
    make_city_query,
    make_documents,
    make_mixed_release,
    make_release,
    make_texts,
)

HOSTILE = "</script><script>window.hit=1</script><img src='https://evil.example/x' onerror='window.hit=1'>"
NAMED = "सूरत नगर बसें"


class Recorder(QWebEngineUrlRequestInterceptor):
    """Every request, and none that leaves the machine."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802
        self.asked.append(info.requestUrl().toString())
        if info.requestUrl().scheme() != "file":
            info.block(True)


class ListeningPage(QWebEnginePage):
    """Its complaints are kept."""

    def __init__(self, profile: QWebEngineProfile) -> None:
        super().__init__(profile)
        self.complaints: list[str] = []

    def javaScriptConsoleMessage(self, level: Any, message: str, line: int, source: str) -> None:  # noqa: N802
        del level, line, source
        self.complaints.append(message)


class Browser:
    """One view for all pages of this file."""

    def __init__(self, qtbot: Any) -> None:
        self.qtbot, self.profile, self.recorder = qtbot, QWebEngineProfile(), Recorder()
        self.profile.setUrlRequestInterceptor(self.recorder)
        self.view = QWebEngineView()
        self.page = ListeningPage(self.profile)
        self.view.setPage(self.page)
        self.view.resize(1000, 700)
        self.view.show()

    def open(self, path: Path) -> None:
        self.recorder.asked.clear()
        with self.qtbot.waitSignal(self.page.loadFinished, timeout=20_000):
            self.page.load(QUrl.fromLocalFile(str(path)))

    def ask(self, script: str) -> Any:
        """What a script comes to, by way of JSON."""
        found: list[str] = []
        self.page.runJavaScript(f"JSON.stringify({script})", found.append)
        self.qtbot.waitUntil(lambda: bool(found), timeout=10_000)
        return json.loads(found[0]) if found[0] else None

    def close(self) -> None:
        """The page before the profile that it is of."""
        self.view.close()
        for part in (self.view, self.page, self.profile):
            shiboken6.delete(part)

    def printed(self, folder: Path) -> QPdfDocument:
        """What is shown, on paper: A4 with the margins of a printer."""
        path = folder / "printed.pdf"
        size, margins = QPageSize(QPageSize.PageSizeId.A4), QMarginsF(12, 12, 12, 12)
        upright, unit = QPageLayout.Orientation.Portrait, QPageLayout.Unit.Millimeter
        with self.qtbot.waitSignal(self.page.pdfPrintingFinished, timeout=20_000):
            self.page.printToPdf(str(path), QPageLayout(size, upright, margins, unit))
        document = QPdfDocument()
        document.load(str(path))
        return document


@pytest.fixture
def browser(qtbot: Any) -> Iterator[Browser]:
    made = Browser(qtbot)
    yield made
    made.close()


def write(folder: Path, *, release: Any = None, **texts: str) -> Path:
    path = folder / MAP_PAGE
    path.write_bytes(make_documents(release, make_texts(**texts))[MAP_PAGE])
    return path


def test_on_paper_no_column_of_the_report_is_cut(browser: Browser, tmp_path: Path) -> None:
    release = make_release(queries=(make_city_query(),))
    path = tmp_path / REPORT
    path.write_bytes(make_documents(release)[REPORT])
    browser.open(path)
    document = browser.printed(tmp_path)
    told = document.getAllText(document.pageCount() - 1).text()
    table = told.partition("H3 cell")[2]
    # what lies beyond the edge of the paper is not in the file
    for column in ("speed_mean_kmh", "speed_smoothed_kmh", "its 95 %", "bias", "relation"):
        assert column in table


def test_on_paper_the_map_is_one_page(browser: Browser, tmp_path: Path) -> None:
    browser.open(write(tmp_path))
    assert browser.printed(tmp_path).pageCount() == 1


def test_it_shows_its_values_and_asks_for_nothing(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path)
    browser.open(path)
    assert browser.recorder.asked == [QUrl.fromLocalFile(str(path)).toString()]
    assert browser.ask("document.documentElement.dataset.ready") == "2"
    assert browser.ask("hexveilBundle.words(0)") == [
        CELLS[0], "09:00 to 10:00", "20.668 km/h", "95 % interval 18.001 to 23.335 km/h", "published"
    ]  # fmt: skip
    assert browser.ask("document.querySelector('.hexveil-head').getBoundingClientRect().left") > 0
    first = browser.ask("hexveilBundle.colourOf(0)")
    # as a person moves the slider
    browser.ask(
        "(() => { const s = document.getElementById('hexveil-slot'); s.value = 1;"
        "s.dispatchEvent(new Event('input')); return 1; })()"
    )
    assert browser.ask("document.getElementById('hexveil-time').textContent") == "10:00 to 11:00"
    assert browser.ask("hexveilBundle.words(1)") == [CELLS[1], "10:00 to 11:00", "suppressed"]
    assert browser.ask("hexveilBundle.colourOf(0)") != first
    told = browser.ask("document.body.innerText")
    for text in (
        "ε = 3.5 per vehicle, relation values",
        "City of Example",
        "Creative Commons",
        "America/Chicago",
    ):
        assert text in told
    legend = browser.ask("document.querySelector('.hexveil-legend').innerText")
    assert "km/h" in legend
    assert "suppressed" in legend
    assert browser.page.complaints == []


def test_a_region_has_a_line_around_it_and_a_hexagon_its_name_without_a_number(
    browser: Browser, tmp_path: Path
) -> None:
    path = write(tmp_path)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    cells = sorted(h3.grid_disk(CELLS[0], 2))
    region, alone = h3.grid_disk(CELLS[0], 1), h3.grid_ring(CELLS[0], 2)[0]
    ring = [cell for cell in region if cell != CELLS[0]]
    corners = [[end for lat, lng in h3.cell_to_boundary(cell) for end in (lng, lat)] for cell in cells]
    units = [[round(end * map_data.UNITS_PER_DEGREE) for end in ends] for ends in corners]
    data["cells"], data["outlines"] = cells, units
    (table,) = data["tables"]
    table |= {
        "places": [
            {"name": "r001", "cells": [cells.index(cell) for cell in ring]},
            {"name": alone, "cells": [cells.index(alone)]},
        ],
        "place": [0, 1],
        "first": [0, 1],
        "last": [0, 1],
        "status": "pp",
        "near": ["", "near Udhna"],
    }
    for measure in table["measures"]:
        measure |= {name: [20.0, 30.0] for name in ("value", "low", "high")}
    path.write_bytes(map_page(data))
    browser.open(path)
    # six hexagons around a hole: 18 edges without, 6 within
    assert browser.ask("hexveilBundle.lines().length") == 24
    assert "one number" in browser.ask("document.querySelector('.hexveil-legend').innerText")
    assert (
        browser.ask(f"hexveilBundle.point({cells.index(ring[0])}, [0, 0]) || hexveilBundle.pointed().length")
        == 24
    )
    place = cells.index(alone)
    assert browser.ask(f"hexveilBundle.point({place}, [0, 0]) || hexveilBundle.pointed().length") == 0
    assert browser.ask(f"hexveilBundle.words({place})") == [alone, "near Udhna", "not released"]
    browser.ask("hexveilBundle.change('slot', 1) || 1")
    assert browser.ask("hexveilBundle.lines().length") == 0
    assert browser.ask(f"hexveilBundle.words({place})")[:2] == [alone, "near Udhna"]
    assert browser.page.complaints == []


def test_what_has_one_number_a_hexagon_is_seen_first_and_the_middle_of_a_distribution(
    browser: Browser, tmp_path: Path
) -> None:
    path = write(tmp_path)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (means,) = data["tables"]
    labels = {"name": "speed_kmh", "unit": "km/h", "values": ["5", "10", "15", "20", "25"]}
    shares = {**means, "name": "cdf_by_hat", "labels": labels, "label": [2] * len(means["place"])}
    path.write_bytes(map_page({**data, "tables": [shares, means]}))
    browser.open(path)
    assert browser.ask("[hexveilBundle.shown.layer, document.getElementById('hexveil-layer').value]") == [
        1,
        "1",
    ]
    assert browser.ask("document.getElementById('hexveil-label').closest('label').hidden")
    browser.ask("hexveilBundle.change('layer', 0) || 1")
    assert (
        browser.ask("document.getElementById('hexveil-label').selectedOptions[0].textContent")
        == "speed_kmh 15"
    )
    assert browser.ask("hexveilBundle.words(0)")[-1] == "published"
    browser.ask("hexveilBundle.change('label', 0) || 1")
    assert browser.ask("hexveilBundle.words(0)")[-1] == "not released"
    assert browser.page.complaints == []


def test_names_with_markup_are_shown_and_never_run(browser: Browser, tmp_path: Path) -> None:
    release = make_mixed_release()
    browser.open(
        write(tmp_path, release=release, name="practice-one", title=HOSTILE, publisher=NAMED, licence=HOSTILE)
    )
    assert browser.ask("document.getElementById('hexveil-title').textContent") == HOSTILE
    assert browser.ask("document.title.includes('evil.example')")
    assert browser.ask("typeof window.hit") == "undefined"
    told = browser.ask("document.body.innerText")
    assert NAMED in told
    assert PRACTICE in told
    assert "δ = 0.000001" in told
    assert browser.ask("document.querySelectorAll('img').length") == 0
    assert browser.ask("document.getElementById('hexveil-layer').options.length") == 2
    # what gets in all the same may neither run nor ask
    browser.ask(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.hit = 1';"
        "document.body.append(s); const i = document.createElement('img'); i.src = 'https://evil.example/y';"
        "document.body.append(i); return 1; })()"
    )
    assert browser.ask("typeof window.hit") == "undefined"
    assert len(browser.recorder.asked) == 1
    assert any("Content Security Policy" in one for one in browser.page.complaints)
