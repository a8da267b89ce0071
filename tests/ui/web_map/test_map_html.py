"""ui.web_map.map_html: a page that needs no network, with one hexagon a cell."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import h3
import pytest

from core.errors import InputError
from core.progress import Cancelled
from core.system.paths import resources
from ui.web_map.map_html import build_map

CELLS = sorted(h3.grid_disk(h3.latlng_to_cell(30.27, -97.74, 7), 3))


def build(cells=CELLS, texts=None, **options):
    return build_map(cells, texts or {}, **({"page": "map-1.html", "dark": False} | options))


def corners(html):
    return [
        [tuple(map(float, pair)) for pair in re.findall(r"\[(-?[\d.]+), (-?[\d.]+)\]", ring)]
        for ring in re.findall(r'"coordinates": \[\[(.*?)\]\], "type"', html)
    ]


@pytest.mark.parametrize("cells", [CELLS, []])
def test_the_page_names_no_server(cells):
    html = build(cells)
    assert not re.search(r"https?://|//cdn|wss?://", html)
    assert set(re.findall(r'(?:src|href)="([a-z]+):', html)) == {"app", "qrc"}


def test_the_policy_comes_before_every_script():
    html = build()
    assert html.index("Content-Security-Policy") < html.index("<script")


def test_every_cell_is_drawn_once_with_its_boundary():
    rings = corners(build())
    assert len(rings) == len(CELLS)
    expected = [(lon, lat) for lat, lon in h3.cell_to_boundary(CELLS[0])]
    assert rings[0][0] == rings[0][-1]
    for drawn, exact in zip(rings[0], expected, strict=False):
        assert drawn == pytest.approx(exact, abs=1e-7)


def seen_first(html):
    """All corners, and those of what is seen first."""
    found = re.search(r"hexveil\.view\(\w+, (\[.*?\]\]), (\[.*?\]\])\);", html)
    return [json.loads(part) for part in found.groups()]


def test_a_stray_hexagon_does_not_decide_what_is_seen_first():
    stray = h3.latlng_to_cell(-33.0, 151.0, 7)
    everywhere, first = seen_first(build([*CELLS, stray], usual=(30.2, -97.8, 30.3, -97.7)))
    assert everywhere[0][0] < -32
    assert all(30 < latitude < 31 and -98 < longitude < -97 for latitude, longitude in first)
    assert seen_first(build(CELLS))[1] == seen_first(build(CELLS))[0]


def test_all_is_seen_first_where_nothing_lies_far_from_what_is_usual():
    """Outer hexagons of few records lay below the legend, with room for them beside it."""
    cells = sorted(h3.grid_disk(CELLS[0], 4))
    everywhere, _ = seen_first(build(cells))
    (south, west), (north, east) = everywhere
    high, wide = north - south, east - west
    inner = (south + high / 4, west + wide / 4, north - high / 4, east - wide / 4)
    assert seen_first(build(cells, usual=inner)) == [everywhere, everywhere]
    point = ((south + north) / 2, (west + east) / 2)
    assert seen_first(build(cells, usual=(*point, *point)))[1] != everywhere


def test_what_is_seen_first_is_found_across_the_date_line():
    cells = sorted(h3.grid_disk(h3.latlng_to_cell(-17.8, 180.0, 5), 2))
    for west, east in ((179.9, 179.95), (-179.95, -179.9)):
        everywhere, first = seen_first(build(cells, usual=(-17.9, west, -17.7, east)))
        assert first[1][1] - first[0][1] < everywhere[1][1] - everywhere[0][1]


def test_cells_across_the_date_line_stay_neighbours():
    cells = sorted(h3.grid_disk(h3.latlng_to_cell(-17.8, 180.0, 5), 2))
    lons = [lon for ring in corners(build(cells)) for lon, _ in ring]
    assert max(lons) - min(lons) < 2


def test_the_theme_and_the_name_are_in_the_page():
    html = build(page="map-7.html", dark=True)
    assert 'dataset.theme = "dark"' in html
    assert '"page": "map-7.html"' in html


def test_words_cannot_become_markup():
    html = build(texts={"label": "</script><script>alert(1)</script>"})
    assert "<script>alert" not in html


def test_a_text_that_is_no_cell_is_refused():
    with pytest.raises(InputError, match="no H3 cell"):
        build([*CELLS, "Austin"])


def test_building_can_be_cancelled():
    def stop(done, text=""):  # noqa: ARG001
        if done > 0.1:
            raise Cancelled

    with pytest.raises(Cancelled):
        build(sorted(h3.grid_disk(CELLS[0], 12)), progress=stop)


def test_importing_the_map_brings_neither_folium_nor_pandas():
    late = {"folium", "branca", "pandas", "h3"}
    script = f"import sys, ui.web_map.map_view; print(sorted({late} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_on_a_low_map_the_scale_leaves_the_three_buttons_their_place() -> None:
    css = (resources() / "map" / "map.css").read_text()
    rests = r"@media \(max-height: (\d+)px\) \{ \.leaflet-control-scale \{ display: none"
    (low,) = re.findall(rests, css)
    (button,) = set(re.findall(r"\.leaflet-bar a[^{]*\{\s*width: \d+px; height: (\d+)px", css))
    (above,) = re.findall(
        r"\.leaflet-bottom\.leaflet-left \.leaflet-control-scale \{ margin: 0 0 (\d+)px", css
    )
    line = 20
    assert int(low) + 1 >= 2 * int(above) + 3 * int(button) + line


def test_what_must_be_known_of_the_numbers_is_no_quieter_than_they_are() -> None:
    css = (resources() / "map" / "map.css").read_text()
    (note,) = re.findall(r"\n\.hexveil-legend-note \{([^}]*)\}", css)
    assert "color: var(--ink)" in note
