"""core.verify.values: what stands in the tables, and nothing beside."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.signed.findings import Finding
from core.verify.values import BundleLabel, bundle_values
from tests.builders import (
    CELLS,
    make_bundle,
    make_city_query,
    make_key,
    make_limits_query,
    make_release,
    usual_bundle,
)
from tests.region_bundles import open_ledger, released
from tests.region_bundles import rows_of as region_rows


def test_the_numbers_are_those_of_the_table(tmp_path: Path) -> None:
    told = bundle_values(usual_bundle(tmp_path))
    assert told.release == "austin-bus-speed-1.0.0"
    assert (told.unit, told.of_values, told.span) == ("km/h", True, 65_000)
    assert told.cells == tuple(CELLS[:2])
    assert told.slots == (("09:00", "10:00"), ("10:00", "11:00"))
    first = told.hats[0]
    assert (first.cells, first.start, first.end) == ((CELLS[0],), "09:00", "10:00")
    assert (first.value, first.low, first.high) == (20.668, 18.001, 23.335)
    suppressed = [hat for hat in told.hats if hat.value is None]
    assert [(hat.cells, hat.start, hat.low, hat.high) for hat in suppressed] == [
        ((CELLS[1],), "10:00", None, None)
    ]


def test_of_several_numbers_it_says_which_one_is_told(tmp_path: Path) -> None:
    told = bundle_values(make_bundle(tmp_path, make_release(queries=(make_limits_query(),))))
    assert told.label == BundleLabel(value=30.0, counts_above=True)
    assert [hat.value for hat in told.hats][:2] == [42.383, 17.25]
    assert bundle_values(usual_bundle(tmp_path / "mean")).label is None


def test_smoothed_numbers_stand_beside_those_released(tmp_path: Path) -> None:
    assert not bundle_values(usual_bundle(tmp_path / "raw")).smoothed
    told = bundle_values(make_bundle(tmp_path, make_release(queries=(make_city_query(),))))
    assert told.smoothed
    first = told.hats[0]
    assert (first.value, first.smoothed) == (20.668, (21.668, 20.335, 23.001))
    assert [hat.smoothed for hat in told.hats if hat.value is None] == [None]


def test_what_is_not_as_declared_is_no_map(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    table = next((bundle / "data").glob("speed*.csv"))
    table.write_text(table.read_text(encoding="utf-8").replace("20.668", "much"), encoding="utf-8")
    with pytest.raises(Finding):
        bundle_values(bundle)


def test_a_region_holds_every_hour_and_hexagon_of_it(tmp_path: Path) -> None:
    bundle = released(tmp_path, open_ledger(tmp_path), make_key()).bundle
    told = bundle_values(bundle)
    rows = region_rows(bundle)
    assert set(told.cells) == {cell for row in rows for cell in row["h3_cells"].split()}
    assert len(told.hats) == len(rows)
    for start, end in told.slots:
        held = [cell for hat in told.hats if hat.holds(start, end) for cell in hat.cells]
        assert len(held) == len(set(held))
    assert sum(len(hat.cells) > 1 or hat.end > told.slots[0][1] for hat in told.hats)
