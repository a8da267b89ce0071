"""core.release.preview: what a release would look like, with nothing of the records' values in it."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from core.bounding.candidates import candidate_hats
from core.bounding.public_counts import PublicCounts
from core.bundle.public_constants import plans_of
from core.contributions import Contributions
from core.release.prepare_publish import prepare
from core.release.preview import made_up_table, preview, with_made_up_values
from core.spec import load_spec
from core.system.paths import find_home
from tests.city import EVERY_STATISTIC, write_city
from tests.region_bundles import open_ledger
from tests.taxis import ENFORCED, OUTSIDE, pings, table_of_spec, write_taxis

DELTA = Decimal("1e-6")


def test_all_statistics_are_drawn_as_in_earnest_and_nothing_is_left(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        ledger.set_limit("Buses", per_vehicle=Decimal(10_000), delta=DELTA)
        prepared = prepare(load_spec(write_city(tmp_path, edit=EVERY_STATISTIC)), ledger)
    spent = (find_home().folder.exists(), sorted(path.name for path in tmp_path.rglob("*")))
    shown = preview(prepared.spec, prepared.contributions, delta=DELTA)
    assert [query.query_id for query in shown.queries] == [plan.query.id for plan in prepared.plans]
    assert shown.charge == prepared.review.charge
    for query, plan in zip(shown.queries, prepared.plans, strict=True):
        assert sum(bool(row.estimates) for row in query.rows) == len(plan.published)
    assert (find_home().folder.exists(), sorted(path.name for path in tmp_path.rglob("*"))) == spent


def test_no_value_of_the_records_is_read(tmp_path: Path) -> None:
    table = table_of_spec(load_spec(write_taxis(tmp_path)))
    made_up = with_made_up_values(table)
    for other in (np.zeros(len(table.values), np.int32), None):
        changed = dataclasses.replace(table, values=other)  # type: ignore[arg-type]
        assert np.array_equal(with_made_up_values(changed).values[:], made_up.values[:])
    values = made_up.values[:]
    assert 0 <= values.min() < values.max() <= table.upper_bound
    assert np.unique(values).size > 20


@pytest.mark.parametrize("edits", [(), ENFORCED], ids=["constants", "public counts"])
def test_absent_usual_and_tenfold_vehicles_look_alike(
    tmp_path: Path, edits: tuple[tuple[str, str], ...]
) -> None:
    """Relation `user`: of the records' table nothing is read but settings, which are the spec's as well."""
    looks = []
    for number, rows in enumerate((pings(vehicles=1, cells=[OUTSIDE]), pings(), pings(vehicles=400))):
        spec = load_spec(write_taxis(tmp_path / str(number), rows, edits))
        table = table_of_spec(spec)
        looks.append((_columns(made_up_table(spec, table, delta=DELTA)), table.vehicles))
    (absent, (nobody,)), *others = looks
    assert nobody == "taxi 0"
    assert all(look == absent and len(vehicles) >= 40 for look, vehicles in others)


def test_vehicles_are_made_up_by_the_counts_that_are_known(tmp_path: Path) -> None:
    spec = load_spec(write_taxis(tmp_path))
    table = table_of_spec(spec)
    hats = len(candidate_hats(plans_of(spec, DELTA, derived=False)[0].bounded.constants))
    units = np.arange(hats) % 4
    known = PublicCounts(units=units, records=np.full(hats, 3), fleet=0)
    made_up = made_up_table(spec, table, delta=DELTA, counts=known)
    assert np.bincount(made_up.hat).tolist() == units[units > 0].tolist()
    assert set(made_up.counts.tolist()) == {3}
    shown = preview(spec, table, delta=DELTA, counts=known)
    assert len(shown.queries[0].rows) == hats


def _columns(table: Contributions) -> tuple[object, ...]:
    rows = (table.cell, table.slot, table.hat, table.vehicle, table.day, table.start, table.values)
    return tuple(column[:].tolist() for column in rows)
