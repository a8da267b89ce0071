"""core.release.row_counts: a region counts each vehicle and each date once, over all of its HATs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.release.prepare_publish import prepare, publish
from core.release.row_counts import counts_of_rows
from core.spec import load_spec
from tests.builders import make_key
from tests.city import BY_REGION, write_city
from tests.region_bundles import open_ledger
from tests.share_bundles import NOW


def test_a_region_is_counted_as_a_whole(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    prepared = prepare(load_spec(write_city(tmp_path / "city", edit=BY_REGION)), ledger)
    release = publish(prepared, ledger, key=make_key(), out=tmp_path / "out", now=NOW).release
    table = prepared.contributions
    found = counts_of_rows(table, release)
    (query,) = release.queries
    assert found.keys() == {row.key for row in query.rows if row.estimates}
    for row in query.rows:
        hats = [
            hat
            for hat in range(table.hats)
            if (table.places.id_text(int(table.cell[hat])), int(table.slot[hat])) in row.hats(release.grid)
        ]
        inside = np.isin(table.hat, hats)
        counts = found[row.key]
        assert counts.vehicles == len(set(table.vehicle[inside].tolist()))
        assert counts.days == len(set(table.day[inside].tolist()))
        assert counts.records == int(table.counts[inside].sum())
        assert table.visits is not None
        assert counts.visits == int(table.visits[inside].sum())
    assert any(len(row.hats(release.grid)) > 1 for row in query.rows)


def test_visits_that_are_not_known_are_left_open(tmp_path: Path) -> None:
    events = ("upper_bound_kmh = 65.0", 'upper_bound_kmh = 65.0\npings = "events"')
    ledger = open_ledger(tmp_path)
    prepared = prepare(load_spec(write_city(tmp_path / "city", edit=(events,))), ledger)
    release = publish(prepared, ledger, key=make_key(), out=tmp_path / "out", now=NOW).release
    assert {one.visits for one in counts_of_rows(prepared.contributions, release).values()} == {None}
