"""map.html in a real browser with the network cut: what it asks for, and what it shows."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h3
import numpy as np
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
from core.bundle.release_result import SUPPRESSED, QueryResult
from core.portal import map_data
from core.portal.embedded_json import find_json
from core.portal.map_page import MAP_DATA_ID, map_page
from core.signed.bundle_names import MAP_PAGE, README, REPORT, map_in
from core.statistics.base import Estimate
from core.statistics.cdf import CUMULATIVE_SHARE
from tests.builders import (
    CELLS,
    make_city_query,
    make_curve_query,
    make_documents,
    make_limits_query,
    make_mixed_release,
    make_query,
    make_release,
    make_texts,
)
from tests.compared_city import compared_release
from tests.mixed_city import shared_release

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


def grown(folder: Path, *, rings: int, slots: int) -> Path:
    """The page of a made-up city around Surat: means by tokens in so many rings of hexagons and slots."""
    cells = sorted(h3.grid_disk(h3.latlng_to_cell(21.17, 72.83, 8), rings))
    query = make_city_query()
    row = next(one for one in query.rows if one.first is not None)
    rows = tuple(
        dataclasses.replace(
            row,
            cell=cell,
            slot_start=f"{7 + slot:02}:00",
            slot_end=f"{8 + slot:02}:00",
            estimates=tuple(moved(item, (place * 7 + slot * 991) % 30_000) for item in row.estimates),
        )
        for place, cell in enumerate(cells)
        for slot in range(slots)
    )
    release = make_release(
        resolution=8, hours=("07:00", f"{7 + slots:02}:00"), queries=(dataclasses.replace(query, rows=rows),)
    )
    return write(folder, release=release)


def moved(item: Estimate, by: int) -> Estimate:
    """Thousandths of km/h further; the raw number as unsure as the whole range."""
    return dataclasses.replace(
        item,
        value=5_000 + by,
        low=by,
        high=15_000 + by,
        unclamped=None if item.unclamped is None else 5_000 + by,
    )


def click(browser: Browser, name: str) -> None:
    browser.ask(f"document.getElementById('{name}').click() || 1")


def press(browser: Browser, *keys: str) -> None:
    """On the map, as a person presses them."""
    for key in keys:
        browser.ask(
            "document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', "
            f"{{key: '{key}', bubbles: true, cancelable: true}}))"
        )


def text_of(browser: Browser, name: str) -> str:
    return str(browser.ask(f"document.getElementById('{name}').innerText"))


@pytest.mark.parametrize(("rings", "slots"), [(0, 1), (4, 12)])
def test_on_paper_the_map_is_one_page(rings: int, slots: int, browser: Browser, tmp_path: Path) -> None:
    browser.open(grown(tmp_path, rings=rings, slots=slots))
    document = browser.printed(tmp_path)
    assert document.pageCount() == 1
    printed = document.getAllText(0).text()
    for text in ("How to quote this", "How sure is this?", "What is protected", "data/speed_by_hat.csv"):
        assert text in printed


def test_it_says_what_it_shows_and_asks_for_nothing(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path)
    browser.open(path)
    assert browser.recorder.asked == [QUrl.fromLocalFile(str(path)).toString()]
    assert browser.ask("document.documentElement.dataset.ready") == "2"
    assert browser.ask("document.getElementById('differences').hidden")
    # of 20.668, 0.5 and 31.0, which count alike: nothing says what they rest on
    assert text_of(browser, "title") == "Vehicles drove at about 17 km/h, 1 to 9 March 2024"
    assert browser.ask("hexveilPage.says(1)") == "31.0 km/h, between 29.2 and 32.8 km/h"
    told = browser.ask("document.body.innerText")
    for text in (
        "epsilon 3.5 per vehicle, relation values",
        "City of Example",
        "Creative Commons",
        "America/Chicago",
    ):
        assert text in told
    # of few numbers each stands on the map
    written = "[...document.querySelectorAll('#figures text')].map((one) => one.textContent)"
    assert browser.ask(written) == browser.ask("[0, 1].map((cell) => hexveilPage.says(cell).split(' ')[0])")
    key = text_of(browser, "key")
    assert "under 20 (slowest)" in key
    assert "left out: too few vehicles (not zero)" in key
    assert browser.page.complaints == []


def widened(half: int) -> Any:
    """A release whose numbers are all known to within so many thousandths."""
    query, value = make_query(), 30_000
    rows = tuple(
        dataclasses.replace(
            row,
            estimates=tuple(
                dataclasses.replace(item, value=value, unclamped=value, low=value - half, high=value + half)
                for item in row.estimates
            ),
        )
        for row in query.rows
    )
    return make_release(queries=(dataclasses.replace(query, rows=rows),))


@pytest.mark.parametrize(("half", "said"), [(3_450, "±3.5 km/h"), (3_410, "±3.5 km/h"), (4_001, "±5 km/h")])
def test_readme_and_page_say_the_same_of_a_usual_number_and_nothing_narrower(
    half: int, said: str, browser: Browser, tmp_path: Path
) -> None:
    """Of 3.45 the README said 3, the page 3.5; of 3.41 the page 3.4."""
    release = widened(half)
    browser.open(write(tmp_path, release=release))
    press(browser, "PageDown")
    said = f"is typically known to within {said}."
    assert f"One place in one slot {said}" in text_of(browser, "sure")
    assert said in make_documents(release)[README].decode()


@pytest.mark.parametrize(
    ("unit", "high", "said"),
    [
        ("", 0.3, "One place in one timeslot is typically known to within ±15 percentage points."),
        ("%", 30.0, "One place in one timeslot is typically known to within ±15 percentage points."),
        (
            "",
            1.0,
            "one place in one timeslot covers every possible number: such a number",
        ),
    ],
)
def test_a_share_is_known_to_so_many_points_and_never_to_more_than_there_can_be(
    unit: str, high: float, said: str, browser: Browser, tmp_path: Path
) -> None:
    """The width before ranges were cut, which numbers fade by, is 30 of 1: a distribution had ±15."""
    path = write(tmp_path)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (layer,) = data["tables"][0]["layers"]
    rows, whole = len(layer["value"]), 100 if unit else 1
    layer |= {"unit": unit, "ends": [0, whole], "averages": False, "deviation": [8 * whole] * rows}
    layer |= {"value": [0.2] * rows, "low": [0.0] * rows, "high": [high] * rows}
    layer["reach"] = [0.1 * whole, 0.35 * whole]
    path.write_bytes(map_page(data))
    browser.open(path)
    told = text_of(browser, "sure")
    assert said in told
    assert "The numbers of places differ by about 25 percentage points" in told


def test_slots_are_walked_by_slider_buttons_keys_and_small_maps(browser: Browser, tmp_path: Path) -> None:
    browser.open(write(tmp_path))
    assert text_of(browser, "time") == "All hours"
    browser.ask(
        "(() => { const s = document.getElementById('slot'); s.value = 1;"
        "s.dispatchEvent(new Event('input')); return 1; })()"
    )
    assert text_of(browser, "time") == "10:00 to 11:00"
    assert browser.ask("hexveilPage.says(1)") == "left out: too few vehicles (not zero)"
    assert browser.ask("document.getElementById('slot').getAttribute('aria-valuetext')") == "10:00 to 11:00"
    assert browser.ask("document.getElementById('later').disabled")
    click(browser, "earlier")
    assert text_of(browser, "time") == "9:00 to 10:00"
    press(browser, "PageDown")
    assert text_of(browser, "time") == "10:00 to 11:00"
    press(browser, "Home")
    assert text_of(browser, "time") == "All hours"
    assert browser.ask("[...document.querySelectorAll('#multiples button')].map((one) => one.innerText)") == [
        "All",
        "9:00",
        "10:00",
    ]
    browser.ask("document.querySelectorAll('#multiples button')[1].click() || 1")
    assert text_of(browser, "time") == "9:00 to 10:00"


def test_smoothed_stands_first_and_raw_is_one_press_away(browser: Browser, tmp_path: Path) -> None:
    browser.open(write(tmp_path, release=make_release(queries=(make_city_query(),))))
    press(browser, "PageDown")
    smoothed = browser.ask("hexveilPage.says(0)")
    press(browser, "r")
    assert browser.ask("document.getElementById('raw').getAttribute('aria-pressed')") == "true"
    assert browser.ask("hexveilPage.says(0)") == "21 km/h, between 18 and 24 km/h"
    assert smoothed != "21 km/h, between 18 and 24 km/h"
    click(browser, "smoothed")
    assert browser.ask("hexveilPage.says(0)") == smoothed


def test_all_hours_are_a_mean_whose_range_is_wide_enough(browser: Browser, tmp_path: Path) -> None:
    """Rows count by what they rest on. Raw: noise averages out, bias does not; smoothed: none does, and the
    range reaches as far as the middle half of the raw mean.
    """
    browser.open(write(tmp_path, release=make_release(queries=(make_city_query(),))))
    data = browser.ask("hexveilPage.data")
    (table,) = data["tables"]
    (layer,) = table["layers"]
    rows, weights = [0, 1], [table["effective"][row] for row in (0, 1)]
    shares = [weight / sum(weights) for weight in weights]

    def mean(numbers: list[float]) -> float:
        return sum(share * numbers[row] for share, row in zip(shares, rows, strict=True))

    raw = layer["raw"]
    halves = [max(raw["high"][row] - raw["value"][row], raw["value"][row] - raw["low"][row]) for row in rows]
    noise = sum(
        share**2 * ((half / 1.96) ** 2 - raw["bias"][row] ** 2)
        for share, half, row in zip(shares, halves, rows, strict=True)
    )
    deviation = (noise + mean(raw["bias"]) ** 2) ** 0.5
    found = browser.ask("hexveilPage.of(0)")
    assert found["value"] == pytest.approx(mean(layer["value"]))
    ends = [mean(raw["value"]) + side * 0.6745 * deviation for side in (-1, 1)]
    assert ends[0] < mean(layer["low"])
    assert found["low"] == pytest.approx(ends[0])
    assert found["high"] == pytest.approx(max(mean(layer["high"]), ends[1]))
    assert found["width"] == pytest.approx(found["high"] - found["low"])
    browser.ask("hexveilPage.change({raw: true}) || 1")
    found = browser.ask("hexveilPage.of(0)")
    assert found["value"] == pytest.approx(mean(raw["value"]))
    assert found["width"] / 2 == pytest.approx(1.96 * deviation)


def test_a_range_cut_at_both_ends_is_as_wide_as_its_deviation_says(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path, release=make_release(queries=(make_city_query(),)))
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (table,) = data["tables"]
    raw = table["layers"][0]["raw"]
    raw |= {
        "value": [30.0, 30.0, 30.0, None],
        "low": [20.0, 24.0, 0.0, None],
        "high": [40.0, 36.0, 65.0, None],
    }
    raw["uncut"] = {}
    path.write_bytes(map_page(data))
    browser.open(path)
    browser.ask("hexveilPage.change({raw: true, slot: 0}) || 1")
    # without it twice the longer side: 35 km/h
    assert browser.ask("hexveilPage.of(0).width") == pytest.approx(20.0)
    assert browser.ask("hexveilPage.of(1).width") == pytest.approx(70.0)
    table["layers"][0]["deviation"] = {"2": 25.0}
    path.write_bytes(map_page(data))
    browser.open(path)
    browser.ask("hexveilPage.change({raw: true, slot: 0}) || 1")
    assert browser.ask("hexveilPage.of(1).width") == pytest.approx(98.0)


def test_what_has_no_smoothed_number_is_shown_raw(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path, release=make_release(queries=(make_city_query(),)))
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (layer,) = data["tables"][0]["layers"]
    for name in ("value", "low", "high"):
        layer[name][2] = None
    path.write_bytes(map_page(data))
    browser.open(path)
    browser.ask("hexveilPage.change({slot: 0}) || 1")
    assert browser.ask("hexveilPage.of(1).value") == layer["raw"]["value"][2]
    assert browser.ask("hexveilPage.of(0).value") == layer["value"][0]


def test_a_difference_beyond_doubt_is_the_title_and_what_is_quoted(browser: Browser, tmp_path: Path) -> None:
    """Words of Python's: the page shows them. It stays one page on paper."""
    browser.open(write(tmp_path, release=compared_release(hours=(7, 21))))
    assert text_of(browser, "title").startswith("Vehicles drove at about 20.2 km/h in the middle of the")
    assert "at its edge (between" in text_of(browser, "quote")
    headings = "[...document.querySelectorAll('#cards h3')].map((one) => one.innerText)"
    assert browser.ask(headings) == [
        "Middle against edge",
        "Evening peak against midday",
        "Late evening against evening peak",
        "Morning peak against midday",
    ]
    figures = "[...document.querySelectorAll('#cards .figure')].map((one) => one.innerText)"
    first, second, *_ = browser.ask(figures)
    assert first.endswith("km/h slower")
    assert second == "No clear difference"
    assert "These four comparisons were fixed before anybody saw a number" in text_of(browser, "note")
    document = browser.printed(tmp_path)
    assert document.pageCount() == 1
    assert "Differences that hold" in document.getAllText(0).text()
    assert browser.page.complaints == []


def test_the_key_rises_to_what_is_exactly_the_most_and_lies_on_the_ground_of_the_map(
    browser: Browser, tmp_path: Path
) -> None:
    """White was first, whatever it stood for, and on white it looked like no information."""
    query, unit = make_curve_query(), 10**CUMULATIVE_SHARE.decimals
    shares = (0, None, unit)
    rows = tuple(
        row
        if share is None
        else dataclasses.replace(
            row,
            estimates=tuple(
                dataclasses.replace(one, value=share, low=share, high=share, unclamped=share)
                for one in row.estimates
            ),
        )
        for row, share in zip(query.rows, shares, strict=True)
    )
    browser.open(write(tmp_path, release=make_release(queries=(dataclasses.replace(query, rows=rows),))))
    texts = browser.ask(
        "[...document.querySelectorAll('#key tbody tr')].map((one) => one.cells[2].textContent)"
    )
    assert (texts[0], texts[-2:]) == ("exactly 0", ["exactly 100", "not in this release"])
    grounds = browser.ask(
        "[...document.querySelectorAll('.swatch, #map')].map((it) => getComputedStyle(it).backgroundColor)"
    )
    assert len(set(grounds)) == 1


def test_what_is_unsure_stands_faded_with_a_core(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (layer,) = data["tables"][0]["layers"]
    layer["unsure"] = 10.0
    layer["low"][2], layer["high"][2] = 20.0, 40.0
    path.write_bytes(map_page(data))
    browser.open(path)
    browser.ask("hexveilPage.change({slot: 0}) || 1")
    assert browser.ask("document.querySelectorAll('#cores path').length") == 1
    assert browser.ask(
        "[0, 1].map((cell) => getComputedStyle(document.getElementById('place-' + cell)).fillOpacity)"
    ) == ["1", "0.38"]
    assert "the range is wider than 10 km/h" in text_of(browser, "key")


def test_arrows_reach_every_hexagon_and_say_it(browser: Browser, tmp_path: Path) -> None:
    browser.open(grown(tmp_path, rings=3, slots=2))
    assert browser.ask("document.querySelectorAll('#figures text').length") == 0
    reached = browser.ask(
        "(() => { const seen = new Set();"
        "const walk = (cell) => { if (seen.has(cell)) return; seen.add(cell);"
        "for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {"
        "hexveilPage.state.cell = cell; hexveilPage.state.kept = false;"
        "document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', {key}));"
        "walk(hexveilPage.state.cell); } }; walk(0); return seen.size; })()"
    )
    assert reached == 37
    press(browser, "Enter")
    chosen = browser.ask("hexveilPage.state.cell")
    name = browser.ask(f"hexveilPage.data.cells[{chosen}]")
    assert name in text_of(browser, "detail")
    assert (
        browser.ask("document.getElementById('map').getAttribute('aria-activedescendant')")
        == f"place-{chosen}"
    )
    assert name in browser.ask(f"document.getElementById('place-{chosen}').getAttribute('aria-label')")
    assert f"hexagon={name}" in browser.ask("location.hash")
    press(browser, "Escape")
    assert "Whole network" in text_of(browser, "detail")


def test_an_address_opens_a_state(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path, release=make_release(queries=(make_city_query(),)))
    with browser.qtbot.waitSignal(browser.page.loadFinished, timeout=20_000):
        browser.page.load(
            QUrl(f"{QUrl.fromLocalFile(str(path)).toString()}#hour=10:00&hexagon={CELLS[0]}&raw=1")
        )
    assert text_of(browser, "time") == "10:00 to 11:00"
    assert CELLS[0] in text_of(browser, "detail")
    assert browser.ask("document.getElementById('raw').getAttribute('aria-pressed')") == "true"


def test_only_what_is_narrow_enough_is_quoted(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (layer,) = data["tables"][0]["layers"]
    layer["low"][2], layer["high"][2] = 0.0, 65.0
    path.write_bytes(map_page(data))
    browser.open(path)
    whole = text_of(browser, "quote")
    assert whole.startswith("Vehicles drove at about")
    assert whole.endswith("from 1 to 9 March 2024, 9:00 to 11:00.")
    browser.ask("hexveilPage.change({cell: 0, kept: true}) || 1")
    assert f"in hexagon {CELLS[0]} at about" in text_of(browser, "quote")
    browser.ask("hexveilPage.change({cell: 1, kept: true}) || 1")
    assert text_of(browser, "quote") == whole
    assert "too wide" in text_of(browser, "refused")
    # numbers that differ by much, as percentiles do, make no range narrow
    layer["reach"], layer["low"][2], layer["high"][2] = [0.0, 48.0], 9.0, 53.0
    path.write_bytes(map_page(data))
    browser.open(path)
    browser.ask("hexveilPage.change({cell: 1, kept: true}) || 1")
    assert "too wide" in text_of(browser, "refused")
    assert "deliberate noise" in text_of(browser, "source")


def labelled(folder: Path, name: str, values: list[str], *, statistic: str = "mean", **table: Any) -> Path:
    """A page whose first two rows are of the first label, the last two of the second."""
    path = write(folder)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (made,) = data["tables"]
    labels = {"name": name, "unit": table.pop("unit", ""), "values": values}
    made |= {"statistic": statistic, "labels": labels, "label": [0, 0, 1, 1], **table}
    made["layers"][0] |= {"moves": statistic == "mean", "averages": statistic == "mean"}
    path.write_bytes(map_page(data))
    return path


@pytest.mark.parametrize(
    ("name", "values", "label"),
    [
        ("direction", ["DN", "UP"], "direction DN"),
        ("day_kind", ["weekday", "weekend"], "weekday"),
        ("day_kind, line", ["weekday, 10.50", "weekend, 7"], "weekday, line 10.50"),
    ],
)
def test_a_quotation_names_the_label_of_its_number(
    name: str, values: list[str], label: str, browser: Browser, tmp_path: Path
) -> None:
    """A number of weekdays was quoted as one of each day, one of a direction as one of all."""
    path = labelled(tmp_path, name, values)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    del data["words"]["gaps"]
    path.write_bytes(map_page(data))
    browser.open(path)
    assert text_of(browser, "lead").startswith(f"Mean speed of vehicles ({label}) in 2 hexagons")
    daily = "" if "day_kind" in name else " each day"
    whole = text_of(browser, "quote")
    assert whole.startswith(f"Vehicles ({label}) drove at about ")
    browser.ask("hexveilPage.change({cell: 0, kept: true, slot: 1}) || 1")
    own = text_of(browser, "quote")
    assert own.startswith(f"Vehicles drove in hexagon {CELLS[0]} ({label}) at about ")
    assert whole.endswith(f"2024, 9:00 to 11:00{daily}.")
    assert own.endswith(f"2024, 10:00 to 11:00{daily}.")


@pytest.mark.parametrize(
    ("name", "values", "statistic", "unit", "title", "heading"),
    [
        ("limit_kmh", ["30", "50"], "query2", "km/h", "Vehicles above a speed limit in every hexagon",
         "Vehicles a day above 50 km/h"),
        ("direction, range", ["DN, 0.000 to 10.000", "UP, 0.000 to 10.000"], "share", "km/h",
         "Shares of speeds in ranges, in every hexagon", "Share of records from 0 to 10 km/h (direction DN)"),
        ("percentile", ["50", "mean"], "percentile", "", "Percentiles of speeds",
         "What half of the records do not exceed"),
        ("direction", ["DN", "UP"], "mean_variance", "", "Mean and variance of the delay of every hexagon",
         "Mean of the delay (direction DN)"),
    ],
)  # fmt: skip
def test_a_heading_says_what_a_number_is_of(
    name: str, values: list[str], statistic: str, unit: str, title: str, heading: str,
    browser: Browser, tmp_path: Path,
) -> None:  # fmt: skip
    """Of a variance it said mean and variance, of a share that its records are from a direction."""
    browser.open(labelled(tmp_path, name, values, statistic=statistic, unit=unit, title=title))
    assert text_of(browser, "key").startswith(heading)


def test_a_network_that_may_drive_at_any_speed_is_no_title_and_not_quoted(
    browser: Browser, tmp_path: Path
) -> None:
    """At an epsilon of 0.01 the title was that buses drove at about 65 km/h."""
    release = widened(40_000)
    browser.open(write(tmp_path, release=release))
    assert text_of(browser, "title") == "Bus speeds by hexagon and hour, 1 to 9 March 2024"
    assert text_of(browser, "quote") == "The range of the whole network is too wide for it to be quoted."
    assert "wider than half of all possible numbers" in text_of(browser, "detail")
    browser.ask("hexveilPage.change({cell: 0, kept: true, slot: 0}) || 1")
    assert text_of(browser, "refused").endswith("too wide for it to be quoted alone: choose All hours.")
    browser.ask("hexveilPage.change({cell: 1, kept: true, slot: 1}) || 1")
    assert text_of(browser, "refused") == "There is no number of your place to quote."


def test_a_release_without_a_number_says_so(browser: Browser, tmp_path: Path) -> None:
    """It was said that its range is too wide, and that places differ by 0.000 km/h."""
    row = next(one for one in make_query().rows if one.status == SUPPRESSED)
    browser.open(
        write(tmp_path, release=make_release(queries=(dataclasses.replace(make_query(), rows=(row,)),)))
    )
    assert text_of(browser, "title") == "Bus speeds by hexagon and hour, 1 to 9 March 2024"
    assert text_of(browser, "quote") == "There is no number to quote."
    assert "differ by" not in text_of(browser, "sure")
    assert " in 1 hexagon, about " in text_of(browser, "lead")
    assert browser.page.complaints == []


def test_hours_are_those_that_numbers_are_of(browser: Browser, tmp_path: Path) -> None:
    """Periods that end at 19:00 were quoted until 21:00, the end of the window."""
    path = write(tmp_path, release=compared_release(hours=(7, 21)))
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    data["period"]["hours"] = ["06:00", "22:00"]
    data["compared"]["quotation"] = "About 20 km/h from 1 to 9 March 2024, 6:00 to 22:00."
    path.write_bytes(map_page(data))
    browser.open(path)
    assert text_of(browser, "quote") == "About 20 km/h from 1 to 9 March 2024, 7:00 to 21:00."
    data["compared"]["quotation"] = "About 20 km/h from 7:00 to 10:00 from 1 to 9 March 2024, 6:00 to 22:00."
    path.write_bytes(map_page(data))
    browser.open(path)
    assert text_of(browser, "quote") == "About 20 km/h from 7:00 to 10:00 from 1 to 9 March 2024."
    assert "slot by slot from 7:00 to 21:00" in text_of(browser, "lead")
    assert "6:00 to 22:00" in text_of(browser, "facts")


def test_what_is_early_has_no_minus(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (layer,) = data["tables"][0]["layers"]
    layer["key"] = ["under -3 min early", "-3 to 0 min early", "0 min and more"]
    path.write_bytes(map_page(data))
    browser.open(path)
    key = text_of(browser, "key")
    assert all(text in key for text in ("more than 3 min early", "3 to 0 min early", "0 min and more"))
    assert "-3" not in key


def test_the_table_holds_the_numbers_of_the_map(browser: Browser, tmp_path: Path) -> None:
    browser.open(write(tmp_path))
    browser.ask("(() => { document.getElementById('table').open = true; return 1; })()")
    browser.qtbot.waitUntil(lambda: browser.ask("document.querySelectorAll('#table tbody tr').length") == 4)
    rows = browser.ask("[...document.querySelectorAll('#table tbody tr')].map((one) => one.innerText)")
    assert "21 km/h" in rows[0]
    assert "left out" in rows[3]


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
    for layer in table["layers"]:
        layer |= {name: [20.0, 30.0] for name in ("value", "low", "high")}
    path.write_bytes(map_page(data))
    browser.open(path)
    browser.ask(f"hexveilPage.change({{slot: 0, cell: {cells.index(ring[0])}}}) || 1")
    # six hexagons around a hole: 18 edges without, 6 within
    around = "document.querySelector('#regions path')?.getAttribute('d').split('M').length - 1"
    assert browser.ask(around) == 24
    assert "One number for a region of 6 hexagons" in text_of(browser, "detail")
    assert text_of(browser, "detail").startswith("region r001, 9:00 to 10:00")
    assert text_of(browser, "quote").startswith("Vehicles drove in region r001 at about")
    browser.ask("hexveilPage.change({slot: 1}) || 1")
    assert text_of(browser, "detail").startswith(ring[0])
    browser.ask("hexveilPage.change({slot: 0}) || 1")
    place = cells.index(alone)
    browser.ask(f"hexveilPage.change({{cell: {place}}}) || 1")
    assert "near Udhna" in text_of(browser, "detail")
    assert "not in this release" in text_of(browser, "detail")
    browser.ask("hexveilPage.change({slot: 1}) || 1")
    assert browser.ask("document.querySelectorAll('#regions path').length") == 0
    assert "near Udhna" in text_of(browser, "detail")
    assert browser.page.complaints == []


def test_what_has_one_number_a_hexagon_is_seen_first_and_the_middle_of_a_distribution(
    browser: Browser, tmp_path: Path
) -> None:
    path = write(tmp_path)
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (means,) = data["tables"]
    labels = {"name": "speed_kmh", "unit": "km/h", "values": ["5", "10", "15", "20", "25"]}
    (layer,) = means["layers"]
    of_labels = [layer | {"moves": False, "averages": False}]
    shares = {**means, "layers": of_labels, "labels": labels, "label": [2] * len(means["place"])}
    path.write_bytes(map_page({**data, "tables": [shares, means]}))
    browser.open(path)
    assert browser.ask("document.getElementById('layer').value") == "1"
    assert browser.ask("document.getElementById('label') === null")
    browser.ask("hexveilPage.change({layer: 0, label: -1}) || 1")
    chosen = "document.getElementById('label').selectedOptions[0].textContent"
    assert browser.ask(chosen) == "15 km/h"
    assert browser.ask("hexveilPage.says(0)").startswith("21 km/h")
    browser.ask("hexveilPage.change({label: 0}) || 1")
    assert browser.ask("hexveilPage.says(0)") == "not in this release"
    assert browser.page.complaints == []


def test_a_distribution_is_read_at_a_few_round_speeds_and_quoted_as_the_readme_quotes_it(
    browser: Browser, tmp_path: Path
) -> None:
    """It offered every edge of its bins, named by a column, and had no number to quote."""
    whole = ((dt.date(2024, 3, 1), dt.date(2024, 3, 9)),)
    release = make_release(queries=(make_curve_query(),), date_ranges=whole)
    browser.open(write(tmp_path, release=release))
    offered = browser.ask("[...document.querySelectorAll('#label option')].map((one) => one.textContent)")
    assert offered == [f"{speed} km/h" for speed in range(5, 65, 5)]
    # shares of 20 of 65, and one and two tenths more; half is 2.12 root((.05^2 - .02^2) / 3 + .02^2)
    quotation = "In an average hexagon and time of day about 41 of 100 records were at or below 20 km/h"
    assert text_of(browser, "quote").startswith(f"{quotation} (between 33 and 48) from 1 to 9 March 2024")
    assert text_of(browser, "title").startswith(quotation)
    assert text_of(browser, "quote") in make_documents(release)[README].decode()
    assert "How many of 100 records were at or below 20 km/h, in 2 hexagons" in text_of(browser, "lead")
    assert text_of(browser, "quote") in make_documents(release)[REPORT].decode()
    browser.ask("hexveilPage.change({label: 1, slot: 0, cell: 0, kept: true}) || 1")
    assert f"In hexagon {CELLS[0]} about 15 of 100 records were at or below 10 km/h" in text_of(
        browser, "quote"
    )
    assert "At or below each limit" in text_of(browser, "detail")
    assert browser.ask("document.querySelectorAll('#detail circle').length") == len(offered)
    assert browser.page.complaints == []


def test_a_distribution_that_does_not_tell_its_noise_is_quoted_with_the_mean_of_its_ranges(
    browser: Browser, tmp_path: Path
) -> None:
    """As in relation `user`: the page quoted it, the README did not."""
    query = make_curve_query()
    rows = tuple(
        dataclasses.replace(
            row,
            estimates=tuple(
                dataclasses.replace(one, unclamped=None, deviation=None, bias_bound=None)
                for one in row.estimates
            ),
        )
        for row in query.rows
    )
    release = make_release(queries=(dataclasses.replace(query, rows=rows),))
    browser.open(write(tmp_path, release=release))
    # 20 of 65 and a tenth more, and 1.96 times .05 to either side
    assert "about 41 of 100 records were at or below 20 km/h (between 30 and 51)" in text_of(browser, "quote")
    said = text_of(browser, "quote").partition(" from ")[0]
    assert said in make_documents(release)[README].decode()


DISTRIBUTIONS = (*range(10), 102)
"""Of the last one, in relation `user`, the README quoted a range that only looked narrow."""


def random_curve(seed: int) -> QueryResult:
    """A distribution whose rows each have another share, noise and bound of bias, or all tell none."""
    rng = np.random.default_rng(seed)
    query, unit = make_curve_query(bins=13), 10.0**CUMULATIVE_SHARE.decimals
    silent, noise = rng.random() < 0.2, float(rng.choice([0.004, 0.03, 0.15, 0.6]))

    def item(one: Estimate, more: float, deviation: float, bound: float) -> Estimate:
        share = (one.label or 0) / 65_000 + more
        ends = [min(1.0, max(0.0, end)) for end in (share, share - 2 * deviation, share + 2 * deviation)]
        made = dataclasses.replace(
            one,
            value=round(ends[0] * unit),
            low=round(ends[1] * unit),
            high=round(ends[2] * unit),
            unclamped=round(share * unit),
            deviation=round(deviation * unit),
            bias_bound=round(bound * unit),
        )
        return dataclasses.replace(made, unclamped=None, deviation=None, bias_bound=None) if silent else made

    rows = [
        dataclasses.replace(
            row,
            estimates=tuple(
                item(one, rng.normal(0, 0.3), rng.exponential(noise), rng.exponential(noise))
                for one in row.estimates
            ),
        )
        for row in query.rows
    ]
    return dataclasses.replace(query, rows=tuple(rows))


def test_readme_and_page_say_the_same_of_any_distribution(browser: Browser, tmp_path: Path) -> None:
    """Its mean, range and digits are computed by a formula here, and by another one in the page."""
    quoted = 0
    for seed in DISTRIBUTIONS:
        release = make_release(queries=(random_curve(seed),))
        browser.open(write(tmp_path, release=release))
        said, readme = text_of(browser, "quote"), make_documents(release)[README].decode()
        sentence = said.startswith("In an average hexagon")
        assert ("of 100 records were" in readme) == sentence, (seed, said)
        assert not sentence or said.partition(" from ")[0] in readme, (seed, said)
        quoted += sentence
    assert 0 < quoted < len(DISTRIBUTIONS)


def test_a_distribution_that_is_all_noise_is_not_quoted(browser: Browser, tmp_path: Path) -> None:
    release = make_release(queries=(make_curve_query(deviation=2.0, bound=0.5),))
    browser.open(write(tmp_path, release=release))
    assert text_of(browser, "quote") == "The range of the whole network is too wide for it to be quoted."
    assert "no information: noise was larger" in text_of(browser, "detail")
    assert text_of(browser, "title") == "Bus speeds by hexagon and hour, 1 to 9 March 2024"
    assert "of 100 records" not in make_documents(release)[README].decode()
    browser.open(write(tmp_path, release=make_release(queries=(make_curve_query(deviation=0.2, bound=0.0),))))
    assert "of 100 records were at or below" in text_of(browser, "quote")
    browser.ask("hexveilPage.change({slot: 0, cell: 0, kept: true}) || 1")
    # 0 to 70 of 100
    assert text_of(browser, "quote").startswith("In an average hexagon")
    assert "too wide for it to be quoted alone" in text_of(browser, "refused")


def test_vehicles_above_a_limit_and_percentiles_are_said_in_plain_words(
    browser: Browser, tmp_path: Path
) -> None:
    """A limit was named by its column, and the percentile in the middle, which is seen first, the 85th."""
    path = write(tmp_path, release=make_release(queries=(make_limits_query(),)))
    browser.open(path)
    browser.ask("hexveilPage.change({label: 0, slot: 0, cell: 0, kept: true}) || 1")
    assert f"In hexagon {CELLS[0]} about 42" in text_of(browser, "quote")
    assert "vehicles a day were above 30 km/h at least once" in text_of(browser, "quote")
    data = find_json(MAP_PAGE, path.read_bytes(), MAP_DATA_ID)
    (table,) = data["tables"]
    labels = {"name": "percentile", "unit": "", "values": ["15.000", "50.000", "85.000", "mean"]}
    places = [1] * len(table["place"])
    table |= {"statistic": "share_percentiles", "labels": labels, "label": places}
    path.write_bytes(map_page(data))
    browser.open(path)
    assert "What half of the records do not exceed" in text_of(browser, "lead")
    browser.ask("hexveilPage.change({slot: 0, cell: 0, kept: true}) || 1")
    assert f"In hexagon {CELLS[0]} half of the records were at or below about" in text_of(browser, "quote")


@pytest.mark.parametrize("width", [360, 320])
def test_a_telephone_shows_all_of_it_without_moving_sideways(
    width: int, browser: Browser, tmp_path: Path
) -> None:
    """Keys of two columns of words, hours with two ends, and names without a space were wider than that."""
    path = write(tmp_path, release=compared_release(), publisher="NameWithoutSpaces" * 8)
    browser.view.resize(width, 700)
    browser.open(path)
    press(browser, "PageDown")
    assert browser.ask("[innerWidth, document.documentElement.scrollWidth <= innerWidth]") == [width, True]


@pytest.mark.parametrize("languages", [("en",), ("en", "hi")])
def test_a_page_in_english_leads_to_the_one_in_another_language(
    languages: tuple[str, ...], browser: Browser, tmp_path: Path
) -> None:
    """Who reads Hindi found no word of it, though the bundle has a page in Hindi."""
    documents = make_documents(make_release(), make_texts(languages=languages))
    for name in (MAP_PAGE, *([map_in("hi")] if "hi" in languages else [])):
        (tmp_path / name).write_bytes(documents[name])
    links = "[...document.querySelectorAll('#kicker a')].map((one) => [one.textContent, one.lang, one.href])"
    browser.open(tmp_path / MAP_PAGE)
    page, english = (QUrl.fromLocalFile(str(tmp_path / name)).toString() for name in (map_in("hi"), MAP_PAGE))
    assert browser.ask(links) == ([["हिन्दी", "hi", page]] if "hi" in languages else [])
    if "hi" in languages:
        browser.open(tmp_path / map_in("hi"))
        assert browser.ask(links) == [["English", "en", english]]
        assert browser.ask("document.documentElement.lang") == "hi"
    assert browser.page.complaints == []


ENGLISH = re.compile(
    r"\b(the|of|and|is|are|with|from|to|each|in|or|vehicles?|hexagons?|records?|range)\b", re.I
)


@pytest.mark.parametrize(
    "release",
    [
        compared_release(),
        make_mixed_release(),
        shared_release(),
        *(
            make_release(queries=(one,))
            for one in (make_city_query(), make_limits_query(), make_curve_query())
        ),
    ],
    ids=["differences", "two tables", "shares", "smoothed", "limits", "distribution"],
)
def test_in_hindi_the_page_says_the_same_numbers_and_no_english(
    release: Any, browser: Browser, tmp_path: Path
) -> None:
    documents = make_documents(release, make_texts(languages=("en", "hi"), title="T", publisher="P"))
    texts = []
    for name in (MAP_PAGE, map_in("hi")):
        (tmp_path / name).write_bytes(documents[name])
        browser.open(tmp_path / name)
        found = []
        for step in ("{}", "{cell: 0, kept: true}", "{slot: 0}", "{raw: true}", "{layer: 1, label: -1}"):
            browser.ask(
                f"hexveilPage.data.tables.flatMap((one) => one.layers).length > ({step}.layer ?? 0)"
                f" && hexveilPage.change({step}) || 1"
            )
            browser.ask("document.getElementById('table').open = true")
            found.append(browser.ask("document.title + document.querySelector('main').innerText"))
            labels = "[...document.querySelectorAll('[aria-label]')].map((one) => one.ariaLabel).join('\\n')"
            found.append(browser.ask(labels))
        texts.append("\n".join(found))
    assert browser.page.complaints == []
    figures = [Counter(re.findall(r"\d+\.\d+", text)) for text in texts]
    assert figures[0] == figures[1]
    ours = re.sub(
        r"hexveil verify .*|data/\S+|\S+@\S+|\(relation\) \w+|data and map|CC\S*|Creative.*", "", texts[1]
    )
    assert ENGLISH.findall(ours.replace("report.html", "")) == []


def test_names_with_markup_are_shown_and_never_run(browser: Browser, tmp_path: Path) -> None:
    release = make_mixed_release()
    browser.open(
        write(tmp_path, release=release, name="practice-one", title=HOSTILE, publisher=NAMED, licence=HOSTILE)
    )
    assert HOSTILE in browser.ask("document.getElementById('kicker').textContent")
    assert browser.ask("typeof window.hit") == "undefined"
    told = browser.ask("document.body.innerText")
    assert NAMED in told
    assert PRACTICE in told
    assert "delta 0.000001" in told
    assert browser.ask("document.querySelectorAll('img').length") == 0
    assert browser.ask("document.getElementById('layer').options.length") == 2
    # what gets in all the same may neither run nor ask
    browser.ask(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.hit = 1';"
        "document.body.append(s); const i = document.createElement('img'); i.src = 'https://evil.example/y';"
        "document.body.append(i); return 1; })()"
    )
    assert browser.ask("typeof window.hit") == "undefined"
    assert len(browser.recorder.asked) == 1
    assert any("Content Security Policy" in one for one in browser.page.complaints)


def test_small_hexagons_lie_over_large_ones_and_leave_them_where_they_have_no_row(
    browser: Browser, tmp_path: Path
) -> None:
    browser.open(write(tmp_path, release=shared_release()))
    small, large = ("document.getElementById('place-2')", "document.getElementById('place-0')")
    over = f"{large}.compareDocumentPosition({small}) & Node.DOCUMENT_POSITION_FOLLOWING"
    for slot, shown in ((0, ""), (1, "none")):
        browser.ask(f"hexveilPage.change({{ slot: {slot} }}) || null")
        assert browser.ask(f"[{small}.style.display, {large}.style.display]") == [shown, ""]
        assert browser.ask(f"Boolean({over})")
    browser.ask("hexveilPage.change({ slot: 0 }) || null")
    browser.ask("document.querySelectorAll('.hit')[0].dispatchEvent(new Event('pointerenter')) || null")
    assert "Without the records of the smaller hexagons" in browser.ask(
        "document.getElementById('detail').textContent"
    )
    assert browser.page.complaints == []
