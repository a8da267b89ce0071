"""Every statistic, smoothed and not, by every kind of place: published, found valid, and read."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main
from core.published.bundle_frames import read_bundle, rows_of_all, table_of
from core.published.frame_files import csv_text
from resources.verifier import hexveil_verify
from tests.city import EVERY_STATISTIC, PASSPHRASE
from tests.commands import limit, release
from tests.labelled_city import (
    BY_ROUTE,
    BY_STREET,
    BY_ZONE,
    MAPPED,
    OPEN_LABELS,
    WHOLE_AREA,
    WITH_LINES,
    write_labelled_city,
)

PLACES = {
    "hexagons": (MAPPED,),
    "routes": BY_ROUTE,
    "routes with lines": WITH_LINES,
    "zones": (*BY_ZONE, MAPPED),
    "streets": (*BY_STREET, MAPPED),
    "whole area": (*WHOLE_AREA, MAPPED),
}
((QUERIES, FOUR),) = EVERY_STATISTIC
BESIDE = """
[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "tokens"
total = "6"
[query.parameters]
smooth = {smooth}

[[query]]
id = "shares"
statistic = "share"
total = "6"
[query.parameters]
ranges = [[0, 10], [40, 65]]
smooth = {smooth}
"""
STATISTICS = ("cdf_of_vehicles", "mean", "mean_variance", "query1", "query2", "share")


@pytest.mark.parametrize("smooth", ["true", "false"])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_what_is_released_is_valid_and_read(
    place: tuple[tuple[str, str], ...], smooth: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", PASSPHRASE)
    assert main(["keygen"]) == 0
    limit("100")
    queries = (QUERIES, FOUR + BESIDE.format(smooth=smooth))
    spec = write_labelled_city(tmp_path, (*place, OPEN_LABELS, queries))
    assert release(spec, tmp_path / "out") == 0
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    assert hexveil_verify.main([str(bundle)]) == 0
    tables = read_bundle(bundle).tables
    for statistic in STATISTICS:
        table = table_of(tables, statistic)
        assert len(csv_text(rows_of_all([table])).splitlines()) == len(table.frame) + 1 > 1
