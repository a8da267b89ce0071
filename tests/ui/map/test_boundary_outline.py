"""ui.map.boundary_outline: the rings of a boundary file as lines for the page."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from core.errors import InputError
from tests.geojson import box, features, polygon, ring, write_geojson
from ui.map import boundary_outline as map_outline
from ui.map.boundary_outline import outline_of

OUTER, HOLE, OTHER = box(72.0, 21.0, 73.0, 22.0), box(72.4, 21.4, 72.6, 21.6), box(10.0, 50.0, 11.0, 51.0)


def test_every_ring_is_a_line_with_latitude_first(tmp_path: Path) -> None:
    path = write_geojson(tmp_path / "b.geojson", features(polygon(OUTER, HOLE), polygon(OTHER)))
    assert outline_of(path) == tuple(
        tuple((lat, lon) for lon, lat in ring(corners)) for corners in (OUTER, HOLE, OTHER)
    )


def test_a_fine_outline_is_thinned_and_still_closes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [index * math.tau / 1000 for index in range(1000)]
    corners = [[72 + math.cos(turn), 21 + math.sin(turn)] for turn in turns]
    path = write_geojson(tmp_path / "b.geojson", features(polygon(corners), polygon(OUTER)))
    monkeypatch.setattr(map_outline, "MOST_POSITIONS", 100)
    fine, coarse = outline_of(path)
    assert 80 <= len(fine) <= 100
    for line in (fine, coarse):
        assert line[0] == line[-1]


def test_a_file_without_polygons_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        outline_of(write_geojson(tmp_path / "b.geojson", features()))
