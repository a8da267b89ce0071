"""Places of the rows against their file; whole bundles: tests/contracts/test_labelled_release.py."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.bundle.place_outlines import lines_geojson
from core.signed.bundle_names import PLACES_PATH
from core.signed.findings import Finding
from core.verify.folder import read_folder
from core.verify.place_outlines import check_place_outlines
from tests.builders import data_tables


def test_of_routes_some_may_have_no_line_and_none_a_line_alone(tmp_path: Path) -> None:
    (table,) = [one for one in data_tables().values() if one.name == "speed_by_hat"]
    line = ((72.0, 21.0), (72.5, 21.5))
    (tmp_path / "data").mkdir()
    (tmp_path / PLACES_PATH).write_bytes(lines_geojson({"R1": line}))
    rows = [{"place_id": place, "place_name": place} for place in ("R1", "R2")]
    of_places = dataclasses.replace(table, by_place=True)
    folder = read_folder(tmp_path)
    assert check_place_outlines(folder, [(of_places, rows)]) == "1 place with one outline"
    with pytest.raises(Finding, match="other places"):
        check_place_outlines(folder, [(of_places, rows[1:])])
