"""core.published.bundle_differences: parts of one bundle, row by row and in words."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.errors import InputError
from core.published.bundle_differences import differences_in
from core.published.bundle_frames import read_bundle, table_of
from tests.builders import make_bundle
from tests.compared_city import compared_release


def test_every_pair_has_a_row_and_a_sentence(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, release=compared_release())
    table = table_of(read_bundle(bundle).tables, None)
    frame, said = differences_in(bundle, table, [("middle", "edge"), ("late", "midday")])
    assert frame[["first", "second"]].to_numpy().tolist() == [["middle", "edge"], ["late", "midday"]]
    (low, high), (raw_low, raw_high) = (
        frame.loc[0, [f"{name}_low", f"{name}_high"]].tolist() for name in ("difference", "difference_raw")
    )
    # 20.3 and 27 km/h but for the noise
    assert max(low, raw_low) < -6.5 < min(high, raw_high)
    means = frame.loc[0, "mean_first"] - frame.loc[0, "mean_second"]
    assert means == pytest.approx(frame.loc[0, "difference"], abs=0.3)
    assert len(said) == 3
    assert said[0].startswith(f"{table.release}, Middle against edge: ")


def test_parts_without_a_place_in_common_are_refused(tmp_path: Path) -> None:
    release = compared_release(rings=1)
    (query,) = release.queries
    cells = sorted({row.cell for row in query.rows})
    rows = tuple(row for row in query.rows if (row.cell == cells[0]) == (row.slot_start < "16:00"))
    release = dataclasses.replace(release, queries=(dataclasses.replace(query, rows=rows),))
    bundle = make_bundle(tmp_path, release=release)
    table = table_of(read_bundle(bundle).tables, None)
    with pytest.raises(InputError, match="no place in common"):
        differences_in(bundle, table, [("late", "midday")])
