"""ui.web_map.map_view: paints without a reload, tells clicks, keeps what came too early, stays offline."""

from __future__ import annotations

import dataclasses
import json
import re

import h3
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from core.errors import HexveilError, InputError
from tests.ui.languages import spoken
from ui.language.translation import catalogue_of
from ui.map.layers import layers
from ui.map.legend_classes import RELEASED_MEANS
from ui.web_map import map_view
from ui.web_map.map_notice import MapNotice
from ui.web_map.map_view import MapView
from ui.web_map.painting import OUTSIDE_FILL, SUPPRESSED_FILL, UNKNOWN_FILL, LegendClass, MapPainting
from ui.web_map.web_engine import WebEngine
from ui.web_map.web_page import OfflineProfile

CENTRE = h3.latlng_to_cell(30.27, -97.74, 7)
CELLS = sorted(h3.grid_disk(CENTRE, 2))
OTHERS = sorted(h3.grid_disk(CENTRE, 1))
CLASSES = (LegendClass("0 – 12", "#112233"), LegendClass("12 – 18", "#445566"))
PAINTING = MapPainting(
    title="Mean speed",
    unit="km/h",
    confidential=True,
    classes=CLASSES,
    fills={CELLS[0]: 0, CELLS[1]: 1, CELLS[2]: SUPPRESSED_FILL, CELLS[3]: OUTSIDE_FILL, CENTRE: 1},
    tooltips={CENTRE: ["<b>bold</b>", "", "second line"]},
)


@pytest.fixture(autouse=True)
def own_engine(monkeypatch):
    """What is known of the engine stays within a test."""
    monkeypatch.setattr(map_view, "engine", WebEngine())


@pytest.fixture
def view(qapp):
    assert qapp is not None
    made = MapView()
    made.resize(800, 600)
    made.show()
    yield made
    blocked, complaints = made.guard.blocked, made.complaints
    made.dispose()
    made.close()
    assert blocked == []
    assert complaints == []


def heard(widget):
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Description)


def test_what_is_painted_and_chosen_is_told_in_words_that_follow(view, qtbot):
    show(view, qtbot, CELLS)
    view.paint(PAINTING)
    told = heard(view)
    assert told.startswith("Mean speed (km/h). Hexagons by class: 0 – 12: 1; 12 – 18: 2; suppressed: 1. The")
    assert "Chosen" not in told
    view.select(CENTRE)
    assert "Chosen: <b>bold</b>, second line." in heard(view)
    view.paint(dataclasses.replace(PAINTING, fills={CENTRE: 0}))
    assert "0 – 12: 1. Chosen: " in heard(view)
    label = "document.querySelector('.leaflet-container').getAttribute('aria-label')"
    qtbot.waitUntil(lambda: heard(view) in ask(view, qtbot, label), timeout=10_000)


def test_a_map_that_hardly_had_a_size_for_a_while_is_fitted_again(view, qtbot):
    view.resize(640, 240)  # from where the smallest scale is near enough to be animated
    show(view, qtbot, CELLS)
    span = "document.querySelector('.leaflet-overlay-pane .hexveil-cell').getBoundingClientRect().width"
    before = ask(view, qtbot, span)
    # what is animated begins to move later, as if a person had moved it, who would be left alone
    ask(
        view,
        qtbot,
        "window.animated = 0, new MutationObserver((all) => { window.animated += all.filter("
        "(one) => one.target.classList.contains('leaflet-zoom-anim')).length; }).observe("
        "document.querySelector('.leaflet-map-pane'), { attributes: true }) || 1",
    )
    view.resize(640, 90)  # as while the log takes the room
    qtbot.waitUntil(lambda: ask(view, qtbot, span) < before / 2, timeout=10_000)
    assert ask(view, qtbot, "window.animated") == 0
    view.resize(640, 240)
    qtbot.waitUntil(lambda: ask(view, qtbot, span) == before, timeout=10_000)


@pytest.mark.parametrize("height", [160, 205, 300])
def test_on_a_low_map_the_city_takes_its_height(view, qtbot, height):
    """205 pixels: what 1366x768 leave the map at 150 %."""
    view.resize(640, height)
    show(view, qtbot, CELLS)
    box = "document.querySelector('.leaflet-overlay-pane g').getBoundingClientRect().height"
    qtbot.waitUntil(lambda: 0.7 * height < ask(view, qtbot, box) < height, timeout=10_000)


@pytest.mark.parametrize("height", [190, 205, 260])
def test_on_a_low_map_no_degrees_cut_a_hexagon(view, qtbot, height):
    view.resize(640, height)
    show(view, qtbot, CELLS)
    edges = """[...document.querySelectorAll('.hexveil-degree-left'),
        document.querySelector('.leaflet-overlay-pane g')].map(node => node.getBoundingClientRect())
        .map((box, place, all) => place < all.length - 1 ? box.bottom : box.top)"""
    qtbot.waitUntil(lambda: len(ask(view, qtbot, edges)) > 1, timeout=10_000)
    *degrees, hexagons = ask(view, qtbot, edges)
    assert max(degrees) <= hexagons


@pytest.mark.parametrize("height", [190, 205, 213, 230])
def test_on_a_low_map_the_scale_covers_no_hexagon(view, qtbot, height):
    """522 by 213 pixels: what 1366x768 leave the map at 150 %; there 20 km lay over a corner."""
    view.resize(522, height)
    view.paint(PAINTING)
    box = h3.LatLngPoly([(21.05, 72.7), (21.05, 72.98), (21.32, 72.98), (21.32, 72.7)])
    show(view, qtbot, sorted(h3.polygon_to_cells(box, 6)))
    covered = """(scale => [...document.querySelectorAll('.hexveil-cell')]
        .map((cell) => cell.getBoundingClientRect())
        .filter((box) => box.left < scale.right && box.bottom > scale.top).length)(
        document.querySelector('.leaflet-control-scale-line').getBoundingClientRect())"""
    assert ask(view, qtbot, covered) == 0


def test_the_map_begins_where_nearly_all_records_are_and_shows_all_when_asked(view, qtbot):
    stray = h3.latlng_to_cell(-33.0, 151.0, 7)
    with qtbot.waitSignal(view.ready, timeout=15_000):
        view.show_cells([*CELLS, stray], (30.2, -97.8, 30.3, -97.7))
    span = "document.querySelector('.leaflet-overlay-pane .hexveil-cell').getBoundingClientRect().width"
    assert ask(view, qtbot, span) > 20
    view.resize(700, 500)
    qtbot.waitUntil(lambda: ask(view, qtbot, span) > 20, timeout=10_000)
    view.fit()
    qtbot.waitUntil(lambda: ask(view, qtbot, span) < 5, timeout=10_000)


@pytest.fixture
def drawn(view, qtbot):
    show(view, qtbot, CELLS)
    return view


def show(view, qtbot, cells):
    with qtbot.waitSignal(view.ready, timeout=15_000):
        view.show_cells(cells)


def ask(view, qtbot, expression):
    """The value of a JavaScript expression in the page."""
    answers = []
    view._page.runJavaScript(f"JSON.stringify({expression})", answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=10_000)
    return json.loads(answers[0])


def paths(view, qtbot, look):
    return ask(view, qtbot, f"document.querySelectorAll('.leaflet-overlay-pane .hexveil-{look}').length")


def words(view, qtbot, selector):
    return ask(
        view, qtbot, f"[...document.querySelectorAll('{selector}')].map(node => node.innerText.trim())"
    )


def shown(view, qtbot, selector):
    return ask(view, qtbot, f"document.querySelector('{selector}').offsetParent !== null")


def place_of(view, qtbot):
    """Where the middle hexagon is on the widget: the map fits its cells round it."""
    box = ask(
        view,
        qtbot,
        "(b => [b.left + b.width / 2, b.top + b.height / 2])"
        "(document.querySelector('.leaflet-overlay-pane g').getBoundingClientRect())",
    )
    return QPoint(round(box[0]), round(box[1]))


def test_cells_are_drawn_unpainted(drawn, qtbot):
    assert drawn.is_ready
    assert paths(drawn, qtbot, "outside") == len(CELLS)
    assert ask(drawn, qtbot, "document.querySelector('.hexveil-legend').hidden")


def test_painting_has_three_looks_and_needs_no_reload(drawn, qtbot):
    ask(drawn, qtbot, "window.stayed = 1")
    drawn.paint(PAINTING)
    assert paths(drawn, qtbot, "value") == 3
    assert paths(drawn, qtbot, "suppressed") == 1
    assert paths(drawn, qtbot, "outside") == len(CELLS) - 4
    fills = ask(
        drawn,
        qtbot,
        "[...document.querySelectorAll('.hexveil-value')].map(path => getComputedStyle(path).fill).sort()",
    )
    assert fills == ["rgb(17, 34, 51)", "rgb(68, 85, 102)", "rgb(68, 85, 102)"]
    hatch = ask(drawn, qtbot, "getComputedStyle(document.querySelector('.hexveil-suppressed')).fill")
    assert hatch == 'url("#hexveil-hatch")'
    assert ask(drawn, qtbot, "document.getElementById('hexveil-hatch') !== null")
    assert ask(drawn, qtbot, "window.stayed") == 1


def test_what_tells_nothing_has_a_look_and_a_line_of_the_legend(drawn, qtbot):
    drawn.paint(dataclasses.replace(PAINTING, fills={**PAINTING.fills, CELLS[5]: UNKNOWN_FILL}))
    assert paths(drawn, qtbot, "unknown") == 1
    assert words(drawn, qtbot, ".hexveil-entry")[2:] == ["no information", "suppressed", "no data"]


def test_painting_again_forgets_the_painting_before(drawn, qtbot):
    drawn.paint(PAINTING)
    drawn.paint(dataclasses.replace(PAINTING, fills={CELLS[5]: 0}, confidential=False))
    assert paths(drawn, qtbot, "value") == 1
    assert paths(drawn, qtbot, "suppressed") == 0
    assert not shown(drawn, qtbot, ".hexveil-badge")
    assert words(drawn, qtbot, ".hexveil-entry") == ["12 – 18", "0 – 12", "no data"]


def test_the_legend_has_title_unit_classes_and_both_other_looks(drawn, qtbot):
    drawn.paint(PAINTING)
    assert words(drawn, qtbot, ".hexveil-legend-title, .hexveil-legend-unit") == ["Mean speed", "km/h"]
    assert words(drawn, qtbot, ".hexveil-entry") == ["12 – 18", "0 – 12", "suppressed", "no data"]
    assert shown(drawn, qtbot, ".hexveil-badge")
    assert words(drawn, qtbot, ".hexveil-badge") == ["Confidential"]
    around = ((30.2, -97.8), (30.3, -97.8), (30.3, -97.7))
    drawn.paint(dataclasses.replace(PAINTING, lines=(around,)))
    assert words(drawn, qtbot, ".hexveil-entry")[-1] == "edge of a region"


def test_edges_of_regions_and_the_boundary_look_unlike_each_other_on_map_and_legend(drawn, qtbot):
    around = ((30.2, -97.8), (30.3, -97.8), (30.3, -97.7))
    drawn.outline([around])
    drawn.paint(dataclasses.replace(PAINTING, lines=(around,)))
    assert words(drawn, qtbot, ".hexveil-entry")[-2:] == ["edge of a region", "chosen boundary"]
    dashed = "getComputedStyle(document.querySelector(name)).strokeDasharray"
    dashes = f"['{{0}}-region{{1}}', '{{0}}-boundary{{1}}'].map((name) => {dashed})"
    for found in (dashes.format(".hexveil", "-line"), dashes.format(".hexveil-swatch", "")):
        of_region, of_boundary = ask(drawn, qtbot, found)
        assert of_region == "none"
        assert of_boundary != "none"
    drawn.outline([])
    assert words(drawn, qtbot, ".hexveil-entry")[-1] == "edge of a region"


@pytest.mark.parametrize("dark", [False, True])
def test_a_hexagon_without_a_value_is_told_from_the_ground_by_more_than_its_outline(drawn, qtbot, dark):
    drawn.set_theme(dark)
    drawn.paint(dataclasses.replace(PAINTING, fills={CELLS[0]: UNKNOWN_FILL, CENTRE: 1}))
    fill = "getComputedStyle(document.querySelector('{}')).fill"
    ground = QColor(map_view._PAGE_COLOURS[dark]).red()
    for look in ("outside", "unknown"):
        on_map = ask(drawn, qtbot, fill.format(f".hexveil-cell.hexveil-{look}"))
        red, *_, share = [float(part) for part in re.findall(r"[0-9.]+", on_map)] + [1.0]
        share = share if "rgba" in on_map else 1.0
        assert abs(share * (red - ground)) > 8
        assert ask(drawn, qtbot, fill.format(f".hexveil-swatch-{look}")) == on_map


@pytest.mark.parametrize(
    ("size", "card"), [((572, 200), 0), ((522, 205), 0), ((522, 205), 324), ((800, 600), 0)]
)
def test_every_class_is_seen_in_the_legend_however_low_the_map_is(view, qtbot, size, card):
    """572 by 200 pixels: in a window of 960x500; 522 by 205: what 1366x768 leave at 150 %; 324: a card."""
    view.resize(*size)
    classes = RELEASED_MEANS.legend()
    around = ((30.2, -97.8), (30.3, -97.8), (30.3, -97.7))
    painting = dataclasses.replace(
        PAINTING, title="Released mean speed", outside="not released", classes=classes
    )
    view.paint(painting if card else dataclasses.replace(painting, lines=(around,)))
    show(view, qtbot, CELLS)
    view.cover_left(card, 150)
    box = "(b => [b.left, b.top, b.right, b.bottom])({}.getBoundingClientRect())"
    legend = ask(view, qtbot, box.format("document.querySelector('.hexveil-legend')"))
    rows = ask(
        view, qtbot, f"[...document.querySelectorAll('.hexveil-entry')].map((one) => {box.format('one')})"
    )
    assert len(rows) == len(classes) + (2 if card else 3)
    labels = "[...document.querySelectorAll('.hexveil-entry-label')]"
    heights = ask(view, qtbot, f"{labels}.map((one) => one.getBoundingClientRect().height)")
    told = heights if card else heights[: len(classes)]
    assert max(told) < 20, "in one line each"
    for left, top, right, bottom in rows:
        assert legend[0] < left < right < legend[2]
        assert legend[1] < top < bottom < legend[3]
    swatches = (
        "[...document.querySelectorAll('.hexveil-swatch')].map((one) => one.getBoundingClientRect().left)"
    )
    assert len({round(left) for left in ask(view, qtbot, swatches)}) == (1 if size[1] > 300 else 2)
    assert legend[0] > ask(view, qtbot, "innerWidth") - 224, "what is kept free of hexagons"


@pytest.mark.parametrize("title", ["Released mean speed", "PRACTICE: Released mean speed"])
def test_that_a_release_is_of_other_settings_is_read_on_the_lowest_map(view, qtbot, title):
    """517 by 205 pixels: what 1366x768 leave at 150 %."""
    view.resize(517, 205)
    note = "Made with other settings than those chosen now."
    classes = RELEASED_MEANS.legend()
    view.paint(dataclasses.replace(PAINTING, title=title, classes=classes, note=note, fills={}))
    show(view, qtbot, CELLS)
    hidden = "(({scrollHeight: h, clientHeight: c}) => h - c)(document.querySelector('.hexveil-legend'))"
    assert ask(view, qtbot, hidden) == 0


@pytest.mark.parametrize("language", ["en", "hi"])
def test_the_legend_of_vehicles_is_read_whole_on_the_lowest_map(view, qtbot, qapp, language):
    with spoken(qapp, catalogue_of(language)):
        one = layers()[0]
        view.resize(517, 205)
        told = {"title": one.title, "unit": one.unit, "outside": one.outside, "classes": one.classes}
        view.paint(dataclasses.replace(PAINTING, **told, fills={}))
        show(view, qtbot, CELLS)
        # before the language is English again, which draws the page anew
        panel = "(({scrollHeight: h, clientHeight: c}) => h - c)(document.querySelector('.hexveil-legend'))"
        assert ask(view, qtbot, panel) == 0
        boxes = "document.querySelector('.hexveil-legend-unit').getClientRects().length"
        assert ask(view, qtbot, boxes) == 1, "not begun behind the title: Distinct vehicles vehicles"


@pytest.mark.parametrize(
    ("height", "title", "outside"),
    [(140, "Made-up mean speed", "not released"), (124, "बनावटी औसत गति", "प्रकाशित नहीं")],
)
def test_a_preview_says_what_its_colours_mean_on_the_lowest_map(view, qtbot, height, title, outside):
    """What 1366x768 leave at 150 % below the words about made-up values, in English and Hindi."""
    view.resize(421, height)
    told = {"title": title, "outside": outside, "note": "PREVIEW: made-up values.", "made_up": True}
    view.paint(dataclasses.replace(PAINTING, classes=RELEASED_MEANS.legend()[:5], fills={}, **told))
    show(view, qtbot, CELLS)
    panel = "(({scrollHeight: h, clientHeight: c}) => [c, h - c])(document.querySelector('.hexveil-legend'))"
    seen, hidden = ask(view, qtbot, panel)
    assert seen > 0
    assert hidden == 0


UNDER_LEGEND = """(legend => [...document.querySelectorAll('.hexveil-cell')]
    .map((cell) => cell.getBoundingClientRect())
    .filter((box) => box.right > legend.left && box.bottom > legend.top).length)(
    document.querySelector('.hexveil-legend').getBoundingClientRect())"""


@pytest.mark.parametrize("size", [(405, 447), (447, 225)])
def test_on_a_narrow_map_the_legend_covers_no_hexagon(view, qtbot, size):
    """What 1920x1080 and 1366x768 leave the map at 150 %; a third of the city lay under it."""
    view.resize(*size)
    view.paint(dataclasses.replace(PAINTING, classes=RELEASED_MEANS.legend()[:5], fills={}))
    box = h3.LatLngPoly([(21.05, 72.7), (21.05, 72.98), (21.32, 72.98), (21.32, 72.7)])
    show(view, qtbot, sorted(h3.polygon_to_cells(box, 6)))
    qtbot.waitUntil(lambda: ask(view, qtbot, UNDER_LEGEND) == 0, timeout=10_000)


def test_a_legend_with_a_long_note_covers_no_hexagon_below_which_it_has_its_place(view, qtbot):
    """469 by 471 pixels: what 1366x768 leave the map; a third of the city lay under it."""
    view.resize(469, 471)
    box = h3.LatLngPoly([(21.05, 72.7), (21.05, 72.98), (21.32, 72.98), (21.32, 72.7)])
    note = "An estimate under a prior: it borrows from neighbours in space and time."
    title = "Smoothed mean speed: an estimate under a prior"
    told = {"title": title, "note": note, "classes": RELEASED_MEANS.legend()}
    view.paint(dataclasses.replace(PAINTING, **told, fills={}))
    show(view, qtbot, sorted(h3.polygon_to_cells(box, 6)))
    qtbot.waitUntil(lambda: ask(view, qtbot, UNDER_LEGEND) == 0, timeout=10_000)
    view.resize(469, 900)  # where there is room it is as it ever was
    low = "document.querySelector('.hexveil-legend[data-low]') === null"
    qtbot.waitUntil(lambda: ask(view, qtbot, low), timeout=10_000)


def test_a_legend_that_grows_by_a_note_moves_the_city_up(view, qtbot):
    """What 1920x1080 leaves the map at 150 %, as a smoothed layer takes the place of a raw one."""
    view.resize(405, 447)
    box = h3.LatLngPoly([(21.05, 72.7), (21.05, 72.98), (21.32, 72.98), (21.32, 72.7)])
    usual = {"classes": RELEASED_MEANS.legend(), "fills": {}}
    view.paint(dataclasses.replace(PAINTING, **usual))
    show(view, qtbot, sorted(h3.polygon_to_cells(box, 6)))
    qtbot.waitUntil(lambda: ask(view, qtbot, UNDER_LEGEND) == 0, timeout=10_000)
    note = (
        "An estimate under a prior: it borrows from neighbours in space and time. Its interval covers less."
    )
    view.paint(dataclasses.replace(PAINTING, title="Smoothed mean speed: an estimate", note=note, **usual))
    qtbot.waitUntil(lambda: words(view, qtbot, ".hexveil-legend-note") == [note], timeout=10_000)
    qtbot.waitUntil(lambda: ask(view, qtbot, UNDER_LEGEND) == 0, timeout=10_000)


@pytest.mark.parametrize(("size", "share"), [((369, 338), 0.45), ((463, 472), 0.5)], ids=["150 %", "100 %"])
def test_a_legend_with_a_long_note_gives_way_to_the_city(view, qtbot, size, share):
    """What 1280x720 and 1366x768 leave the map: a fifth of its height was left for the city."""
    view.resize(*size)
    box = h3.LatLngPoly([(21.05, 72.7), (21.05, 72.98), (21.32, 72.98), (21.32, 72.7)])
    note = (
        "PREVIEW: made-up values. An estimate under a prior: it borrows from neighbours in space and time; "
        "its interval covers 90 to 99 % of hexagon slots, unusually fast and slow hexagons less often: use "
        "the raw interval there."
    )
    told = {"title": "Width of the smoothed 95 % interval", "classes": RELEASED_MEANS.legend()}
    view.paint(dataclasses.replace(PAINTING, **told, note=note, fills={}))
    show(view, qtbot, sorted(h3.polygon_to_cells(box, 6)))
    city = "document.querySelector('.leaflet-overlay-pane g').getBoundingClientRect().height"
    qtbot.waitUntil(lambda: ask(view, qtbot, city) > share * size[1], timeout=10_000)
    assert ask(view, qtbot, UNDER_LEGEND) == 0
    said = "document.querySelector('.hexveil-legend-note')"
    cut = f"{said}.scrollHeight - {said}.clientHeight"
    assert (ask(view, qtbot, cut) > 0, ask(view, qtbot, f"{said}.title")) == (True, note)
    enter = "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true})"
    ask(view, qtbot, f"{said}.dispatchEvent({enter}) || 1")
    assert ask(view, qtbot, cut) <= 0
    ask(view, qtbot, f"{said}.click() || 1")
    assert ask(view, qtbot, cut) > 0


@pytest.mark.parametrize(
    ("size", "right", "left", "seen"),
    [
        ((469, 471), 0, (324, 240), True),
        ((469, 471), 350, (0, 0), True),
        ((447, 225), 0, (324, 150), True),
        ((405, 447), 370, (0, 0), False),
    ],
    ids=["card", "panel", "low", "narrow"],
)
def test_the_badge_is_read_whole_beside_card_panel_and_buttons_or_rests(view, qtbot, size, right, left, seen):
    """What 1366x768 leave the map at 100 and 150 %, and 1920x1080 at 150 %."""
    view.resize(*size)
    view.paint(PAINTING)
    show(view, qtbot, CELLS)
    view.cover(right)
    view.cover_left(*left)
    shown_or_not = ask(view, qtbot, "getComputedStyle(document.querySelector('.hexveil-badge')).visibility")
    assert shown_or_not == ("visible" if seen else "hidden")
    if not seen:
        return
    box = "(b => [b.left, b.top, b.right, b.bottom])(document.querySelector('{}').getBoundingClientRect())"
    (x, y, end, _), (*_, zoom_end, zoom_foot), (north, *_, north_foot) = (
        ask(view, qtbot, box.format(name)) for name in (".hexveil-badge", ".leaflet-bar", ".hexveil-north")
    )
    assert x >= 0
    assert end <= size[0] - right
    assert x >= left[0] or y >= left[1]
    assert x >= zoom_end or y >= zoom_foot
    assert right or end <= north or y >= north_foot


def test_long_words_of_a_low_legend_need_no_scroll_bar(view, qtbot):
    """537 by 335 pixels: what Compare leaves its map at 1366x768 and 150 %; too narrow for two rows."""
    view.resize(537, 335)
    words_of = ("rose by ≥ 5", "rose by < 5", "within the noise", "fell by < 5", "fell by ≥ 5")
    only = ("in the later release only", "in the earlier release only")
    classes = tuple(LegendClass(label, "#445566") for label in (*words_of, *only))
    note = "Grey: no larger than the noise of both releases, at 95 %."
    view.paint(dataclasses.replace(PAINTING, title="Change: Mean speed", classes=classes, note=note))
    show(view, qtbot, CELLS)
    panel = "(({scrollHeight: h, clientHeight: c, offsetWidth: w, clientWidth: v}) => [h - c, w - v])"
    hidden, bar = ask(view, qtbot, f"{panel}(document.querySelector('.hexveil-legend'))")
    assert hidden == 0, "all of it is seen"
    assert bar <= 2, "its two edges, no scroll bar"
    swatches = (
        "[...document.querySelectorAll('.hexveil-swatch')].map((one) => one.getBoundingClientRect().left)"
    )
    assert len({round(left) for left in ask(view, qtbot, swatches)}) == 1


def test_no_figure_of_a_legend_is_parted_from_its_percent(view, qtbot):
    """522 by 213 pixels: what 1366x768 leave the map at 150 %, where the title's line ends behind 95."""
    view.resize(522, 213)
    title, note = "Width of the smoothed 95 % interval", "An estimate under a prior."
    view.paint(dataclasses.replace(PAINTING, title=title, note=note, classes=RELEASED_MEANS.legend()))
    show(view, qtbot, CELLS)
    lines = (
        "((text, part) => {"
        " const at = text.data.search(/95.%/);"
        " part.setStart(text, at); part.setEnd(text, at + 4);"
        " return part.getClientRects().length; })"
        "(document.querySelector('.hexveil-legend-title').firstChild, document.createRange())"
    )
    assert ask(view, qtbot, lines) == 1


@pytest.mark.parametrize(("height", "buttons"), [(86, 2), (205, 3)])
def test_no_button_of_the_map_is_cut_however_low_it_is(view, qtbot, height, buttons):
    """86 pixels: what 1366x768 leave the map at 150 % beside the log; *Whole map* stands above it too."""
    view.resize(522, height)
    view.paint(PAINTING)
    show(view, qtbot, CELLS)
    shown = "[...document.querySelectorAll('.leaflet-bar a')].map((one) => one.getBoundingClientRect())"
    bottoms = ask(view, qtbot, f"{shown}.filter((box) => box.height).map((box) => box.bottom)")
    assert len(bottoms) == buttons
    assert max(bottoms) <= ask(view, qtbot, "innerHeight")


def test_what_comes_before_the_page_is_kept(view, qtbot):
    view.paint(dataclasses.replace(PAINTING, title="too early"))
    view.select(CENTRE)
    view.outline([[(30.0, -97.0), (30.1, -97.0), (30.1, -97.1), (30.0, -97.0)]])
    view.set_theme(True)
    with qtbot.waitSignal(view.ready, timeout=15_000):
        view.show_cells(CELLS)
        view.paint(PAINTING)
    assert words(view, qtbot, ".hexveil-legend-title") == ["Mean speed"]
    assert ask(view, qtbot, "document.querySelectorAll('.hexveil-chosen-line').length") == 1
    assert ask(view, qtbot, "document.querySelectorAll('.hexveil-boundary-line').length") == 1
    assert ask(view, qtbot, "document.documentElement.dataset.theme") == "dark"


def test_a_newer_call_wins(view, qtbot):
    seen = []
    view.ready.connect(lambda: seen.append(1))
    view.show_cells(CELLS)
    qtbot.wait(5)
    show(view, qtbot, OTHERS)
    assert paths(view, qtbot, "outside") == len(OTHERS)
    qtbot.wait(300)
    assert len(seen) == 1


def test_a_newer_call_wins_over_a_page_that_is_loading(view, qtbot):
    show(view, qtbot, CELLS)
    view._load("<html></html>")
    show(view, qtbot, OTHERS)
    assert paths(view, qtbot, "outside") == len(OTHERS)


def test_the_same_cells_are_not_drawn_again(drawn, qtbot):
    ask(drawn, qtbot, "window.stayed = 1")
    show(drawn, qtbot, list(CELLS))
    assert ask(drawn, qtbot, "window.stayed") == 1


def test_a_cell_given_twice_is_drawn_once(view, qtbot):
    show(view, qtbot, [*CELLS, CELLS[0]])
    view.paint(dataclasses.replace(PAINTING, fills=dict.fromkeys(CELLS, 0)))
    assert paths(view, qtbot, "value") == len(CELLS)


def test_no_cells_is_a_quiet_sentence(view, qtbot):
    show(view, qtbot, [])
    notice = view.findChild(QLabel)
    assert notice.isVisible()
    assert notice.text() == "No hexagons to show yet."
    show(view, qtbot, CELLS)
    assert not notice.isVisible()


def test_cells_that_are_none_fail_and_the_view_goes_on(view, qtbot):
    with qtbot.waitSignal(view.failed, timeout=15_000) as failed:
        view.show_cells(["Austin"])
    assert isinstance(failed.args[0], InputError)
    assert view.findChild(QLabel).text() == "The map could not be drawn."
    show(view, qtbot, CELLS)
    assert paths(view, qtbot, "outside") == len(CELLS)


def test_a_click_with_the_mouse_tells_the_cell(drawn, qtbot):
    drawn.paint(PAINTING)
    qtbot.wait(300)
    target = drawn._web.focusProxy()
    with qtbot.waitSignal(drawn.clicked, timeout=5000) as clicked:
        qtbot.mouseClick(target, Qt.MouseButton.LeftButton, pos=place_of(drawn, qtbot))
    assert clicked.args == [CENTRE]


def test_a_click_while_loading_or_on_a_stranger_is_ignored(drawn, qtbot):
    with qtbot.assertNotEmitted(drawn.clicked):
        drawn._bridge.cellClicked(h3.latlng_to_cell(0, 0, 7))
        drawn.show_cells(OTHERS)
        drawn._bridge.cellClicked(CENTRE)
    qtbot.waitUntil(lambda: drawn.is_ready, timeout=15_000)


def test_the_tooltip_is_text_and_follows_the_painting(drawn, qtbot):
    drawn.paint(PAINTING)
    qtbot.wait(300)
    QTest.mouseMove(drawn._web.focusProxy(), place_of(drawn, qtbot))
    qtbot.waitUntil(lambda: words(drawn, qtbot, ".hexveil-tooltip") != [])
    assert words(drawn, qtbot, ".hexveil-tooltip > div > div") == ["<b>bold</b>", "second line"]
    assert ask(drawn, qtbot, "document.querySelectorAll('.hexveil-hovered').length") >= 1
    drawn.paint(dataclasses.replace(PAINTING, tooltips={CENTRE: ["another slot"]}))
    qtbot.waitUntil(lambda: words(drawn, qtbot, ".hexveil-tooltip > div > div") == ["another slot"])
    drawn.paint(dataclasses.replace(PAINTING, tooltips={}, fills={}))
    qtbot.waitUntil(lambda: words(drawn, qtbot, ".hexveil-tooltip > div > div") == [CENTRE, "no data"])
    named = dataclasses.replace(
        PAINTING, tooltips={}, fills={}, outside="no vehicle", places={CENTRE: "near <i>Udhna</i>"}
    )
    drawn.paint(named)
    told = [CENTRE, "near <i>Udhna</i>", "no vehicle"]
    qtbot.waitUntil(lambda: words(drawn, qtbot, ".hexveil-tooltip > div > div") == told)


def test_selecting_outlines_one_cell_or_none(drawn, qtbot):
    count = "document.querySelectorAll('.hexveil-chosen-line').length"
    drawn.select(CENTRE)
    drawn.select(CELLS[0])
    assert ask(drawn, qtbot, count) == 1
    drawn.select("no such cell")
    assert ask(drawn, qtbot, count) == 0
    drawn.select(CENTRE)
    drawn.select(None)
    assert ask(drawn, qtbot, count) == 0


def test_an_outline_is_drawn_closed_above_the_cells_and_taken_away(drawn, qtbot):
    at = [h3.cell_to_latlng(cell) for cell in CELLS[:3]]
    drawn.outline([[*at, at[0]], [at[1], at[2], at[0], at[1]]])
    drawn.outline([[*at, at[0]]])
    assert ask(drawn, qtbot, "document.querySelectorAll('.hexveil-boundary-line').length") == 1
    drawing = ask(drawn, qtbot, "document.querySelector('.hexveil-boundary-line').getAttribute('d')")
    corners = drawing.lstrip("M").split("L")
    assert len(corners) == 4
    assert corners[0] == corners[-1]
    assert (
        ask(drawn, qtbot, "getComputedStyle(document.querySelector('.hexveil-boundary-line')).fill") == "none"
    )
    with qtbot.waitSignal(drawn.clicked, timeout=5_000) as clicked:
        QTest.mouseClick(drawn._web.focusProxy(), Qt.MouseButton.LeftButton, pos=place_of(drawn, qtbot))
    assert clicked.args[0] in CELLS
    drawn.outline([])
    assert ask(drawn, qtbot, "document.querySelectorAll('.hexveil-boundary-line').length") == 0


def test_the_theme_changes_without_a_reload(drawn, qtbot):
    ask(drawn, qtbot, "window.stayed = 1")
    background = "getComputedStyle(document.querySelector('.leaflet-container')).backgroundColor"
    drawn.set_theme(True)
    assert ask(drawn, qtbot, background) == "rgb(21, 25, 30)"
    assert drawn._page.backgroundColor() == QColor("#15191e")
    drawn.set_theme(False)
    assert ask(drawn, qtbot, background) == "rgb(245, 244, 240)"
    assert drawn._page.backgroundColor() == QColor("#f5f4f0")
    assert ask(drawn, qtbot, "window.stayed") == 1


@pytest.mark.parametrize("dark", [False, True])
def test_edges_are_dark_on_light_classes_and_light_on_dark_ones(drawn, qtbot, dark):
    drawn.set_theme(dark)
    classes = (LegendClass("low", "#00224e"), LegendClass("high", "#fee838"))
    drawn.paint(dataclasses.replace(PAINTING, classes=classes, fills={CELLS[0]: 0, CELLS[1]: 1}))
    for look in ("cell.hexveil-value", "swatch-value"):
        shapes = f"[...document.querySelectorAll('.hexveil-{look}')]"
        found = f"{shapes}.map((shape) => getComputedStyle(shape).stroke)"
        qtbot.waitUntil(lambda found=found: len(ask(drawn, qtbot, found)) == 2, timeout=10_000)
        assert set(ask(drawn, qtbot, found)) == {"rgb(43, 49, 56)", "rgb(238, 241, 244)"}


def test_the_scale_is_written_on_the_ground_of_the_theme(drawn, qtbot):
    shadow = "getComputedStyle(document.querySelector('.leaflet-control-scale-line')).textShadow"
    drawn.set_theme(True)
    assert "rgb(21, 25, 30)" in ask(drawn, qtbot, shadow)
    assert "255, 255, 255" not in ask(drawn, qtbot, shadow)


@pytest.mark.parametrize(
    ("size", "left", "right", "seen"),
    [
        ((522, 205), (324, 193), 0, ["legend"]),
        ((522, 205), (324, 120), 0, ["scale", "legend"]),
        ((1000, 205), (324, 193), 0, ["scale", "legend"]),
        ((800, 205), (0, 0), 348, ["scale", "legend"]),
        ((522, 205), (0, 0), 348, ["scale"]),
        ((522, 205), (324, 193), 348, []),
        ((421, 140), (0, 0), 0, ["legend"]),
        ((522, 100), (0, 0), 0, []),
    ],
)
def test_scale_and_legend_lie_under_nothing_or_rest(view, qtbot, size, left, right, seen):
    """522 by 205 pixels: what 1366x768 leave the map at 150 %; 324: a hexagon's card, 348: the layers."""
    view.resize(*size)
    view.paint(PAINTING)
    show(view, qtbot, CELLS)
    view.cover_left(*left)
    view.cover(right)
    box = "document.querySelector('.{}').getBoundingClientRect().toJSON()"
    names = {"scale": "leaflet-control-scale", "legend": "hexveil-legend"}
    boxes = {name: ask(view, qtbot, box.format(css)) for name, css in names.items()}
    shown_boxes = {name: one for name, one in boxes.items() if one["width"]}
    assert list(shown_boxes) == seen
    width = ask(view, qtbot, "innerWidth")
    for name, one in shown_boxes.items():
        assert one["right"] <= width - right
        assert one["left"] >= left[0] or one["top"] >= left[1], name
    if len(shown_boxes) == 2:
        assert boxes["scale"]["right"] < boxes["legend"]["left"]


def test_the_chosen_hexagon_comes_out_from_under_the_badge_too(view, qtbot):
    view.resize(522, 205)
    view.paint(PAINTING)
    show(view, qtbot, CELLS)
    view.cover_left(324, 193)
    box = "(b => [b.left, b.top, b.right, b.bottom])(document.querySelector('{}').getBoundingClientRect())"
    for cell in CELLS:
        view.select(cell)
        left, top, *_ = ask(view, qtbot, box.format(".hexveil-chosen-line"))
        badge = ask(view, qtbot, box.format(".hexveil-badge"))
        assert left >= badge[2] or top >= badge[3] - 1


@pytest.mark.parametrize("height", [310, 366])
def test_the_chosen_hexagon_comes_out_from_under_its_card_and_goes_no_farther(view, qtbot, height):
    """324 pixels: a card over the map that 1366x768 leave; below the higher one the legend begins."""
    view.resize(670, 465)
    view.paint(PAINTING)
    show(view, qtbot, CELLS)
    box = "(b => [b.left, b.top, b.right, b.bottom])(document.querySelector('{}').getBoundingClientRect())"
    lines = {}
    for cell in CELLS:
        view.select(cell)
        lines[cell] = ask(view, qtbot, box.format(".hexveil-chosen-line"))
    under = min(CELLS, key=lambda cell: lines[cell][0] + lines[cell][1])
    beside = max(CELLS, key=lambda cell: lines[cell][0] - lines[cell][1])
    view.select(beside)
    view.cover_left(324, height)
    assert ask(view, qtbot, box.format(".hexveil-chosen-line")) == lines[beside]
    view.select(under)
    left, top, right, bottom = ask(view, qtbot, box.format(".hexveil-chosen-line"))
    assert left >= 324 or top >= height
    width, height = ask(view, qtbot, "[innerWidth, innerHeight]")
    assert right <= width
    assert bottom <= height
    assert right - left == pytest.approx(lines[under][2] - lines[under][0])
    _, legend_top, *_ = legend = ask(view, qtbot, box.format(".hexveil-legend"))
    assert right <= legend[0] or bottom <= legend_top


CHOSEN_LINE = """(b => [b.left, b.top, b.right, b.bottom])(
    document.querySelector('.hexveil-chosen-line').getBoundingClientRect())"""


def found_beside_its_card(view, qtbot):
    """A hexagon that was searched for on a wide map, in sight beside its card."""
    view.resize(900, 418)
    view.paint(PAINTING)
    show(view, qtbot, CELLS)
    view.locate(*h3.cell_to_latlng(CENTRE), CENTRE)
    view.select(CENTRE)
    view.cover_left(324, 250)
    return ask(view, qtbot, CHOSEN_LINE)


def test_a_hexagon_that_was_found_stays_beside_its_card_when_the_window_shrinks(view, qtbot):
    """585 by 418 pixels: what 1920x1080 leave the map at 150 %."""
    before = found_beside_its_card(view, qtbot)
    assert before[0] >= 324
    view.resize(585, 418)
    qtbot.waitUntil(lambda: ask(view, qtbot, "innerWidth") <= 585, timeout=10_000)
    legend = "document.querySelector('.hexveil-legend').getBoundingClientRect().toJSON()"

    def seen():
        left, top, right, bottom = ask(view, qtbot, CHOSEN_LINE)
        over = ask(view, qtbot, legend)
        beside = left >= 324 or top >= 250
        return beside and right <= 585 and bottom <= 418 and (right <= over["left"] or bottom <= over["top"])

    qtbot.waitUntil(seen, timeout=10_000)


def test_a_map_that_a_person_moved_stays_there_when_the_window_shrinks(view, qtbot):
    before = found_beside_its_card(view, qtbot)
    ask(view, qtbot, "document.querySelector('.leaflet-container').focus() || 1")
    view._web.setFocus()
    for _ in range(2):
        qtbot.keyClick(view._web.focusProxy(), Qt.Key.Key_Right)
        qtbot.wait(350)
    moved = ask(view, qtbot, CHOSEN_LINE)
    assert moved[0] < before[0] - 50
    view.resize(840, 418)
    qtbot.waitUntil(lambda: ask(view, qtbot, CHOSEN_LINE)[0] == pytest.approx(moved[0] - 30), timeout=10_000)
    qtbot.wait(200)
    assert ask(view, qtbot, CHOSEN_LINE)[0] == pytest.approx(moved[0] - 30)


ALL_CELLS = """(b => [b.left, b.top, b.right, b.bottom])(
    document.querySelector('.leaflet-overlay-pane g').getBoundingClientRect())"""


def chosen_under_its_card(view, qtbot):
    """Hexagons as they lay before, and where they lie once one of them came out from under its card."""
    view.resize(670, 465)
    view.paint(PAINTING)
    show(view, qtbot, CELLS)
    before = ask(view, qtbot, ALL_CELLS)
    for cell in CELLS:  # some lie under the card; each moves the map on
        view.select(cell)
        view.cover_left(324, 366)
    after = ask(view, qtbot, ALL_CELLS)
    assert after != before
    return before, after


def close_card(view):
    view.cover_left(0, 0)
    view.select(None)


def test_the_map_goes_back_when_the_card_that_moved_it_is_closed(view, qtbot):
    before, _ = chosen_under_its_card(view, qtbot)
    close_card(view)
    assert ask(view, qtbot, ALL_CELLS) == before
    close_card(view)
    assert ask(view, qtbot, ALL_CELLS) == before
    view.select(CELLS[-1])
    view.cover_left(324, 366)
    close_card(view)
    assert ask(view, qtbot, ALL_CELLS) == before


def test_it_goes_back_to_a_hexagon_that_was_zoomed_to_as_well(view, qtbot):
    view.resize(670, 465)
    view.paint(PAINTING)
    show(view, qtbot, CELLS)
    view.zoom_to(CENTRE)
    view.select(CENTRE)
    zoomed = ask(view, qtbot, CHOSEN_LINE)
    view.cover_left(324, 366)
    assert ask(view, qtbot, CHOSEN_LINE) != zoomed
    view.cover_left(0, 0)
    assert ask(view, qtbot, CHOSEN_LINE) == zoomed


def test_a_map_that_a_person_moved_stays_there_when_the_card_is_closed(view, qtbot):
    _, after = chosen_under_its_card(view, qtbot)
    ask(view, qtbot, "document.querySelector('.leaflet-container').focus() || 1")
    view._web.setFocus()
    qtbot.keyClick(view._web.focusProxy(), Qt.Key.Key_Right)
    qtbot.wait(350)
    moved = ask(view, qtbot, ALL_CELLS)
    assert moved[0] < after[0] - 50
    close_card(view)
    assert ask(view, qtbot, ALL_CELLS) == moved


def test_a_map_that_was_fitted_beside_the_card_stays_fitted_when_it_is_closed(view, qtbot):
    before, _ = chosen_under_its_card(view, qtbot)
    view.fit()
    assert ask(view, qtbot, ALL_CELLS) == before
    close_card(view)
    assert ask(view, qtbot, ALL_CELLS) == before


def show_beside_card(view, qtbot, size):
    """With a legend as high as that of a count, and a hexagon's card."""
    view.resize(*size)
    classes = tuple(LegendClass(f"{low} – {low + 9}", "#00224e") for low in range(10, 70, 10))
    view.paint(dataclasses.replace(PAINTING, classes=classes, unit="vehicles over all dates chosen"))
    show(view, qtbot, CELLS)
    view.cover_left(324, 160)


def middle_is_seen(view, qtbot, size):
    """Of the chosen hexagon: on the map, and under neither card nor legend."""
    box = "(b => [b.left, b.top, b.right, b.bottom])(document.querySelector('{}').getBoundingClientRect())"
    left, top, right, bottom = ask(view, qtbot, box.format(".hexveil-chosen-line"))
    x, y = (left + right) / 2, (top + bottom) / 2
    legend = ask(view, qtbot, box.format(".hexveil-legend"))
    on_map = 0 < x < size[0] and 0 < y < size[1]
    return on_map and (x >= 324 or y >= 160) and (x <= legend[0] or y <= legend[1])


def test_the_middle_of_a_hexagon_too_large_for_any_room_is_under_nothing(view, qtbot):
    """As of a place that was found, where card and legend leave less than its hexagon takes."""
    size = (520, 215)
    show_beside_card(view, qtbot, size)
    for cell in CELLS:
        view.select(cell)
        view.zoom_to(cell)
        assert middle_is_seen(view, qtbot, size)


def test_the_chosen_hexagon_stays_in_view_when_the_window_shrinks(view, qtbot):
    show_beside_card(view, qtbot, (900, 600))
    view.select(CENTRE)
    view.zoom_to(CENTRE)
    assert middle_is_seen(view, qtbot, (900, 600))
    view.resize(520, 215)
    qtbot.waitUntil(lambda: middle_is_seen(view, qtbot, (520, 215)), timeout=5000)


def near_each_corner(cell):
    """Places in a hexagon, each near another of its corners."""
    latitude, longitude = h3.cell_to_latlng(cell)
    for corner in h3.cell_to_boundary(cell):
        yield latitude + 0.8 * (corner[0] - latitude), longitude + 0.8 * (corner[1] - longitude)


def ring_is_seen(view, qtbot, size):
    """Around a place that was found: whole, and under neither card, badge nor legend."""
    box = "(b => [b.left, b.top, b.right, b.bottom])(document.querySelector('{}').getBoundingClientRect())"
    left, top, right, bottom = ask(view, qtbot, box.format(".hexveil-spot"))
    legend, badge = (ask(view, qtbot, box.format(name)) for name in (".hexveil-legend", ".hexveil-badge"))
    on_map = left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1]
    beside_card = left >= 324 or top >= 160
    beside_badge = right <= badge[0] or top >= badge[3]
    return on_map and beside_card and beside_badge and (right <= legend[0] or bottom <= legend[1])


def test_a_place_that_was_found_is_under_nothing_where_its_hexagon_is_too_large_for_any_room(view, qtbot):
    size = (520, 215)
    show_beside_card(view, qtbot, size)
    for place in near_each_corner(CENTRE):
        view.select(CENTRE)
        view.locate(*place, CENTRE)
        assert ring_is_seen(view, qtbot, size)


def test_a_place_that_was_found_stays_in_view_when_the_window_shrinks(view, qtbot):
    """As where the log opens below the map: the hexagon was fitted to the larger one."""
    for place in near_each_corner(CENTRE):
        show_beside_card(view, qtbot, (900, 600))
        view.select(CENTRE)
        view.locate(*place, CENTRE)
        assert ring_is_seen(view, qtbot, (900, 600))
        view.resize(520, 215)
        qtbot.waitUntil(lambda: ring_is_seen(view, qtbot, (520, 215)), timeout=5000)


def test_a_place_counts_no_longer_once_another_hexagon_is_chosen_or_it_is_gone(view, qtbot):
    size = (520, 215)
    show_beside_card(view, qtbot, size)
    view.select(CENTRE)
    view.locate(*next(near_each_corner(CENTRE)), CENTRE)
    other = next(cell for cell in CELLS if cell != CENTRE)
    view.select(other)
    view.zoom_to(other)
    assert middle_is_seen(view, qtbot, size)
    view.unlocate()
    view.select(CENTRE)
    view.zoom_to(CENTRE)
    assert middle_is_seen(view, qtbot, size)


@pytest.mark.parametrize("note", ["vehicles over all dates chosen", "km/h"])
def test_on_a_low_map_what_stands_below_the_title_keeps_its_words_together(view, qtbot, note):
    """Beside the title where it fits there; else in a line of its own, which is no higher."""
    view.resize(520, 205)
    classes = tuple(LegendClass(f"{low} – {low + 9}", "#00224e") for low in range(10, 70, 10))
    view.paint(dataclasses.replace(PAINTING, title="Distinct vehicles", classes=classes, unit=note))
    show(view, qtbot, CELLS)
    low = "document.querySelector('.hexveil-legend[data-low]') !== null"
    qtbot.waitUntil(lambda: ask(view, qtbot, low), timeout=10_000)
    lines = """(node => { const words = document.createRange(); words.selectNodeContents(node);
        return [...new Set([...words.getClientRects()].map(box => Math.round(box.top)))].length; })(
        document.querySelector('.hexveil-legend-unit'))"""
    assert ask(view, qtbot, lines) == 1
    tops = "['title', 'unit'].map(part => document.querySelector('.hexveil-legend-' + part))"
    title, unit = ask(view, qtbot, f"{tops}.map(node => node.getBoundingClientRect().top)")
    assert (unit - title < 8) == (note == "km/h")


def test_the_keyboard_moves_the_map_and_fit_brings_it_back(drawn, qtbot):
    transform = "document.querySelector('.leaflet-map-pane').style.transform"
    scale = "document.querySelector('.leaflet-control-scale-line').innerText"
    assert ask(drawn, qtbot, "document.querySelector('.leaflet-container').tabIndex") == 0
    before, scale_before = place_of(drawn, qtbot), ask(drawn, qtbot, scale)
    drawn._web.setFocus()
    ask(drawn, qtbot, "document.querySelector('.leaflet-container').focus() || 1")
    start = ask(drawn, qtbot, transform)
    qtbot.keyClick(drawn._web.focusProxy(), Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: ask(drawn, qtbot, transform) != start, timeout=5000)
    for _ in range(3):
        qtbot.keyClick(drawn._web.focusProxy(), Qt.Key.Key_Plus)
        qtbot.wait(350)
    assert ask(drawn, qtbot, scale) != scale_before
    drawn.fit()
    qtbot.waitUntil(lambda: ask(drawn, qtbot, scale) == scale_before, timeout=5000)
    assert (place_of(drawn, qtbot) - before).manhattanLength() <= 2


def test_all_cells_stay_in_view_when_the_window_shrinks(drawn, qtbot):
    drawn.resize(480, 360)
    box = (
        "(b => [b.left, b.top, b.right, b.bottom])"
        "(document.querySelector('.leaflet-overlay-pane g').getBoundingClientRect())"
    )
    qtbot.waitUntil(lambda: ask(drawn, qtbot, "window.innerWidth") == drawn._web.width())

    def all_in_view() -> bool:
        left, top, right, bottom = ask(drawn, qtbot, box)
        return left >= 0 and top >= 0 and right <= 480 and bottom <= 360

    qtbot.waitUntil(all_in_view)


def test_scale_north_and_zoom_have_names(drawn, qtbot):
    assert words(drawn, qtbot, ".leaflet-control-scale-line")[0].endswith("km")
    labels = ask(
        drawn,
        qtbot,
        "[...document.querySelectorAll('[aria-label]')].map(node => node.getAttribute('aria-label'))",
    )
    assert {"Zoom in", "Zoom out", "Show all hexagons", "North is up", "Legend"} <= set(labels)
    assert words(drawn, qtbot, ".leaflet-control-attribution") == []
    assert drawn.accessibleName()


def test_nothing_shines_through_the_legend(drawn, qtbot):
    drawn.paint(PAINTING)
    for theme in ("light", "dark"):
        ground = f"(document.documentElement.dataset.theme = '{theme}', "
        ground += "getComputedStyle(document.querySelector('.hexveil-legend')).backgroundColor)"
        assert ask(drawn, qtbot, ground).startswith("rgb(")


def test_degrees_stand_above_lines_and_hexagons_and_below_names(drawn, qtbot):
    order = """['graticule', 'chosen', 'degrees', 'names'].map(name => `.leaflet-hexveil-${name}-pane`)
        .concat('.leaflet-tooltip-pane').map(pane => document.querySelector('.leaflet-map-pane > ' + pane))
        .map(pane => pane && Number(getComputedStyle(pane).zIndex))"""
    heights = ask(drawn, qtbot, order)
    assert None not in heights
    assert heights == sorted(set(heights))
    tops = (
        "[...document.querySelectorAll('.hexveil-degree-left')].map(one => one.getBoundingClientRect().top)"
    )
    assert all(0 <= found < 10 for found in ask(drawn, qtbot, tops))
    drawn.resize(700, 500)
    drawn.fit()
    found = ask(drawn, qtbot, tops)
    assert found
    assert max(found) < 10


def test_degrees_are_whole_at_the_edges_of_the_map_too(drawn, qtbot):
    """Wherever the map is moved to; the number of labels that were seen, and of those that were cut."""
    moved = """(() => {
        const map = Object.values(window).find((one) => one instanceof L.Map);
        let seen = 0, cut = 0;
        for (let step = 0; step < 60; step += 1) {
            map.panBy([3, 5], { animate: false });
            for (const one of document.querySelectorAll('.hexveil-degrees span')) {
                const box = one.getBoundingClientRect();
                seen += 1;
                cut += box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
            }
        }
        return [seen, cut];
    })()"""
    seen, cut = ask(drawn, qtbot, moved)
    assert seen > 100
    assert cut == 0


def test_no_degrees_look_out_from_under_the_card(drawn, qtbot):
    lefts = (
        "[...document.querySelectorAll('.hexveil-degree-left')].map(one => one.getBoundingClientRect().left)"
    )
    before = ask(drawn, qtbot, lefts)
    drawn.cover_left(400, 300)
    assert min(before) < 400 < min(ask(drawn, qtbot, lefts))
    drawn.cover_left(0, 0)
    assert ask(drawn, qtbot, lefts) == before


def test_a_planted_request_goes_nowhere(view, qtbot):
    show(view, qtbot, CELLS)
    view._page.runJavaScript(
        "const planted = new Image(); planted.onerror = () => window.refused = 1;"
        "planted.src = 'https://example.org/x.png'"
    )
    qtbot.waitUntil(lambda: ask(view, qtbot, "window.refused || 0") == 1)
    assert "Content Security Policy" in view.complaints.pop()


def test_a_new_language_draws_the_page_anew(drawn, qtbot):
    ask(drawn, qtbot, "window.stayed = 1")
    with qtbot.waitSignal(drawn.ready, timeout=15_000):
        QApplication.sendEvent(drawn, QEvent(QEvent.Type.LanguageChange))
    assert ask(drawn, qtbot, "window.stayed || 0") == 0


def test_an_ended_engine_is_started_once_more_then_told(drawn, qtbot):
    with qtbot.waitSignal(drawn.ready, timeout=15_000):
        drawn._revive()
    with qtbot.waitSignal(drawn.failed) as failed:
        drawn._revive()
    (error,) = failed.args
    assert isinstance(error, HexveilError)
    button = drawn.findChild(MapNotice).button
    assert button.isVisibleTo(drawn)
    assert button.text().lower() == error.mend, "one way to mend it, not a restart beside another try"


def test_an_engine_that_is_given_up_is_asked_for_nothing_until_the_person_wants_it(qtbot, request):
    map_view.engine.given_up = True
    profiles = len(QApplication.instance().findChildren(OfflineProfile))
    view = request.getfixturevalue("view")
    view.paint(PAINTING)
    view.set_theme(True)
    view.show_cells(CELLS)
    assert len(QApplication.instance().findChildren(OfflineProfile)) == profiles
    notice = view.findChild(MapNotice)
    qtbot.waitUntil(notice.button.isVisible)
    assert "There is no map" in notice.text()
    assert "table has the same hexagons" in view.accessibleDescription()
    with qtbot.waitSignal(view.ready, timeout=15_000):
        notice.button.click()
    assert not notice.isVisible()
    assert not notice.button.isVisible()
    assert not map_view.engine.given_up


def test_a_page_that_is_late_is_told_and_shown_when_it_comes_after_all(view, qtbot, monkeypatch):
    monkeypatch.setattr(map_view, "_PATIENCE_S", 0)
    told = []
    monkeypatch.setattr(MapNotice, "offer", lambda _, text, offered: told.append((text, offered)))
    with qtbot.waitSignal(view.ready, timeout=15_000):
        view.show_cells(CELLS)
    assert [offered for _, offered in told] == ["Try the map again"]
    assert not view.findChild(MapNotice).isVisible()


def test_a_view_without_an_engine_can_be_taken_down(qtbot):
    map_view.engine.given_up = True
    view = MapView()
    qtbot.addWidget(view)
    view.dispose()
    view.dispose()
    view.set_theme(True)
    assert view._web is None


def test_disposing_while_building_is_quiet(qtbot):
    view = MapView()
    qtbot.addWidget(view)
    view.show_cells(CELLS)
    ready = []
    view.ready.connect(lambda: ready.append(True))
    view.dispose()
    view.dispose()
    qtbot.wait(200)
    assert ready == []


@pytest.mark.usefixtures("qapp")
def test_a_view_that_was_taken_down_learns_no_language():
    view = MapView()
    view.show_cells(CELLS)
    view.dispose()
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert not view._builder.running


def test_a_painting_of_before_is_at_half_ink(drawn, qtbot):
    script = "document.body.hasAttribute('data-of-before')"
    for before in (True, False):
        drawn.paint(dataclasses.replace(PAINTING, of_before=before))
        qtbot.waitUntil(lambda before=before: ask(drawn, qtbot, script) is before, timeout=15_000)


def test_the_frame_of_what_is_confidential_is_drawn_by_qt(drawn, qtbot):
    """A page that is resized shows its own frame as a sheet over everything."""
    page = QColor("#f5f4f0")
    drawn.paint(PAINTING)
    edge = [QPoint(400, 3), QPoint(400, 597), QPoint(3, 300), QPoint(797, 300)]
    picture = drawn.grab().toImage()
    assert {picture.pixelColor(at).name() for at in edge} == {"#8f3a00"}
    drawn.paint(dataclasses.replace(PAINTING, confidential=False, made_up=True))
    assert drawn.grab().toImage().pixelColor(edge[0]).name() == "#8f3a00"
    assert ask(drawn, qtbot, "document.querySelector('.hexveil-badge').innerText") == "Made-up values"
    assert words(drawn, qtbot, ".hexveil-made-up:not([hidden])")[0].count("Made-up values") > 100
    drawn.paint(dataclasses.replace(PAINTING, confidential=False))
    picture = drawn.grab().toImage()
    assert {picture.pixelColor(at).name() for at in edge} == {page.name()}
    assert ask(drawn, qtbot, "document.querySelectorAll('.hexveil-frame').length") == 0
    assert not words(drawn, qtbot, ".hexveil-made-up:not([hidden])")


def shades(widget):
    """The colours on a line across the middle, words apart."""
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, widget.height() // 3).name() for x in range(0, widget.width(), 5)}


def test_the_map_before_stays_dimmed_while_the_next_one_comes(drawn, qtbot):
    drawn.paint(PAINTING)
    notice = drawn.findChild(MapNotice)
    assert not notice.isVisible()
    qtbot.waitUntil(lambda: len(shades(drawn._web)) > 3)
    with qtbot.waitSignal(drawn.ready, timeout=15_000):
        drawn.show_cells(OTHERS)
        assert notice.isVisible()
        assert notice.holds_map
        assert str(len(OTHERS)) in notice.text()
        assert len(shades(notice)) > 3  # hexagons, not a sheet
    assert not notice.isVisible()
    assert not notice.holds_map


class Seldom(QWidget):
    """A page that is hardly ever seen; counts how often it was laid out."""

    resized = 0

    def resizeEvent(self, _):  # noqa: N802 - Qt's name
        self.resized += 1


def test_the_picture_of_the_map_before_lays_out_no_page_that_nobody_sees(drawn, qtbot):
    """Qt's `grab` does: all of the window's hidden pages, in one stall of 40 ms."""
    hidden = Seldom(drawn)
    hidden.hide()
    hidden.resize(300, 200)
    with qtbot.waitSignal(drawn.ready, timeout=15_000):
        drawn.show_cells(OTHERS)
        assert drawn.findChild(MapNotice).holds_map
    assert hidden.resized == 0
    drawn.grab()
    assert hidden.resized == 1


def marks(view, qtbot):
    return ask(view, qtbot, "document.querySelectorAll('.leaflet-overlay-pane [data-marked]').length")


def test_marked_cells_stand_out_through_every_painting_and_page(drawn, qtbot):
    drawn.paint(PAINTING)
    gone = next(cell for cell in CELLS if cell not in OTHERS)
    drawn.mark(frozenset({CENTRE, gone}))
    assert marks(drawn, qtbot) == 2
    drawn.paint(dataclasses.replace(PAINTING, fills={CENTRE: 0}))
    assert marks(drawn, qtbot) == 2
    show(drawn, qtbot, OTHERS)
    assert marks(drawn, qtbot) == 1
    drawn.mark(frozenset())
    assert marks(drawn, qtbot) == 0
    assert not ask(drawn, qtbot, "document.querySelector('.leaflet-container').hasAttribute('data-marks')")


def drag(view, qtbot, start, end, *, key):
    """What the page does when a pointer is drawn over it."""
    options = f"bubbles: true, cancelable: true, button: 0, ctrlKey: {json.dumps(key)}"
    steps = [("mousedown", start), ("mousemove", end), ("mouseup", end), ("click", end)]
    script = "".join(
        f"document.querySelector('.leaflet-container').dispatchEvent(new MouseEvent('{name}', "
        f"{{{options}, clientX: {x}, clientY: {y}}}));"
        for name, (x, y) in steps
    )
    ask(view, qtbot, f"(() => {{ {script} return true; }})()")


def test_a_rectangle_with_ctrl_tells_the_cells_in_it(drawn, qtbot):
    drawn.paint(PAINTING)
    with qtbot.waitSignal(drawn.brushed, timeout=10_000) as brushed:
        drag(drawn, qtbot, (0, 0), (800, 600), key=True)
    assert set(brushed.args[0]) == set(CELLS)
    middle = place_of(drawn, qtbot)
    corners = [(middle.x() + step, middle.y() + step) for step in (-8, 8)]
    with qtbot.waitSignal(drawn.brushed, timeout=10_000) as brushed:
        drag(drawn, qtbot, *corners, key=True)
    assert brushed.args[0] == (CENTRE,)
    with qtbot.waitSignal(drawn.brushed, timeout=10_000) as brushed:
        drawn.mark_in_view()
    assert set(brushed.args[0]) == set(CELLS)


def test_ctrl_and_a_click_tell_another_thing_than_a_click(drawn, qtbot):
    told = []
    drawn.clicked.connect(told.append)
    at = place_of(drawn, qtbot)
    with qtbot.waitSignal(drawn.toggled, timeout=10_000) as toggled:
        QTest.mouseClick(
            drawn._web.focusProxy(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, at
        )
    assert toggled.args == [CENTRE]
    assert told == []


def test_a_class_of_the_legend_is_pressed_by_mouse_and_key(drawn, qtbot):
    drawn.paint(PAINTING)
    row = "[...document.querySelectorAll('.hexveil-pressable')]"
    assert words(drawn, qtbot, ".hexveil-pressable") == ["12 – 18", "0 – 12", "suppressed"]
    with qtbot.waitSignal(drawn.class_pressed, timeout=10_000) as pressed:
        ask(drawn, qtbot, f"{row}[0].click() || 1")
    assert pressed.args == [1, False]
    key = "new KeyboardEvent('keydown', {key: 'Enter', ctrlKey: true})"
    with qtbot.waitSignal(drawn.class_pressed, timeout=10_000) as pressed:
        ask(drawn, qtbot, f"{row}[2].dispatchEvent({key})")
    assert pressed.args == [SUPPRESSED_FILL, True]


def test_the_legend_is_one_stop_of_the_tab_key_and_arrows_go_through_it(drawn, qtbot):
    """Each class was a stop of its own: eleven presses before the controls behind the map."""
    drawn.paint(PAINTING)
    rows = "[...document.querySelectorAll('.hexveil-legend [tabindex], .hexveil-legend a')]"
    stops = f"{rows}.filter(row => row.tabIndex === 0).map(row => row.innerText.trim())"
    here = "document.activeElement.innerText.trim()"

    def press(key):
        event = f"new KeyboardEvent('keydown', {{key: '{key}', bubbles: true, cancelable: true}})"
        return ask(drawn, qtbot, f"document.activeElement.dispatchEvent({event}) && 0 || {here}")

    assert ask(drawn, qtbot, stops) == ["12 – 18"]
    assert ask(drawn, qtbot, f"{rows}[0].focus() || {here}") == "12 – 18"
    keys = ("ArrowUp", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft", "End", "Home")
    walked = [press(key) for key in keys]
    last, middle, first = "suppressed", "0 – 12", "12 – 18"
    assert walked == [first, middle, last, last, middle, last, first]
    press("ArrowDown")
    drawn.paint(dataclasses.replace(PAINTING, title="Count"))
    qtbot.waitUntil(lambda: words(drawn, qtbot, ".hexveil-legend-title") == ["Count"], timeout=10_000)
    assert (ask(drawn, qtbot, stops), ask(drawn, qtbot, here)) == ([middle], middle)


def test_it_tells_when_the_latest_painting_is_seen(drawn, qtbot):
    with qtbot.waitSignal(drawn.painted, timeout=10_000):
        drawn.paint(PAINTING)
    told = []
    drawn.painted.connect(lambda: told.append(1))
    drawn._bridge._note_frame(0)
    assert told == [], "of an older one"
