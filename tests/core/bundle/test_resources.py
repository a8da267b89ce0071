"""core.bundle.resources: what datapackage.json lists of maps."""

from __future__ import annotations

import hashlib

from core.bundle.resources import (
    feature_path,
    file_facts,
    geoparquet_path,
    map_paths,
    map_resources,
)
from core.signed.bundle_names import CATALOGUE_RECORD, MAP_PAGE
from tests.builders import SPEED_BY_HAT


def test_each_table_has_two_files_and_the_bundle_two_more() -> None:
    assert (feature_path(SPEED_BY_HAT), geoparquet_path(SPEED_BY_HAT)) == (
        "map/speed_by_hat.geojson",
        "map/speed_by_hat.parquet",
    )
    assert set(map_paths([SPEED_BY_HAT])) == {
        *("map/speed_by_hat.geojson", "map/speed_by_hat.parquet"),
        *(MAP_PAGE, CATALOGUE_RECORD),
    }


def test_what_is_there_is_listed_with_size_and_hash() -> None:
    (one,) = map_resources({MAP_PAGE: b"page"}, (SPEED_BY_HAT,))
    assert (one["path"], one["format"], one["mediatype"]) == (MAP_PAGE, "html", "text/html")
    assert {name: one[name] for name in ("bytes", "hash")} == file_facts(b"page")
    assert file_facts(b"page") == {"bytes": 4, "hash": f"sha256:{hashlib.sha256(b'page').hexdigest()}"}
