"""What makes requests identical, and by which marks they are found again."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.fingerprint import Pieces
from core.accounting.ledger import Ledger
from core.contributions import Contributions, contributions_of
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions
from core.errors import BudgetRefused
from core.keys.signing_key import generate_key
from core.mechanisms.registry import all_mechanisms
from core.records import zones
from core.release import request_identity
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.release.request_identity import canonical, drawn_spec_mark, request_of, spec_mark, table_bytes
from core.spec import load_spec
from core.store.load_records import load_records
from core.verify.verify import verify_bundle
from tests.city import PASSPHRASE, POPULATION, write_city, write_records
from tests.strategies import contributions
from tests.taxis import POPULATION as TAXIS
from tests.taxis import write_taxis

CALLED_BUSES = ('relation = "values"', 'relation = "values"\nsubject = "bus"\nsubject_plural = "buses"')
TWO_RANGES = (
    '["2022-01-03", "2022-01-04"]',
    '[["2022-01-03", "2022-01-03"], ["2022-01-04", "2022-01-04"]]',
)
OLD_NAME = ('"Asia/Kolkata"', '"Asia/Calcutta"')
MOMENTS = """[[query]]
id = "moments"
statistic = "mean_variance"
total = "1"
"""
AS_EVENTS = ("upper_bound_kmh", 'pings = "events"\nupper_bound_kmh')
NOW = dt.datetime(2026, 11, 23, 12, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"1.0.0"', '"2.0.0"'),
        ('"City"', '"Town"'),
        ('"records.csv"', '"./records.csv"'),
        ('m_ub = "median"\n', ""),
        ('total = "6"', 'total = "6.0"'),
        CALLED_BUSES,
        TWO_RANGES,
        ('unit = "km/h"', "unit_kmh = 1.0"),
        OLD_NAME,
    ],
)
def test_texts_paths_and_defaults_do_not_matter(tmp_path: Path, old: str, new: str) -> None:
    before = canonical(load_spec(write_city(tmp_path)))
    assert canonical(load_spec(write_city(tmp_path, edit=((old, new),)))) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("threshold = 2", "threshold = 3"),
        ('total = "6"', 'total = "7"'),
        ('total = "6"', 'epsilon = "6"'),
        ("resolution = 7", "resolution = 8"),
        ('unit = "vehicle"', 'unit = "vehicle-day"'),
        ("upper_bound_kmh = 65.0", "upper_bound_kmh = 60.0"),
        ('m_ub = "median"', "m_ub = 3"),
        ('mechanism = "array-averaging"\n', 'mechanism = "baseline"\n'),
        ("minimum_vehicles = 2", "minimum_vehicles = 3"),
        AS_EVENTS,
    ],
)
def test_every_choice_matters(tmp_path: Path, old: str, new: str) -> None:
    before = canonical(load_spec(write_city(tmp_path)))
    edits = [(old, new)]
    if "baseline" in new:
        edits.append(('grouping = "bestfit"\nm_ub = "median"\n', ""))
    assert canonical(load_spec(write_city(tmp_path, edit=tuple(edits)))) != before


RENAMED = (
    ('vehicle = "vehicle"', 'vehicle = "bus"'),
    ('time = "time"', 'time = "seen_at"'),
    ('latitude = "lat"\nlongitude = "lon"', 'position = "place"'),
    ('value = "speed"', 'value = "kmh"'),
)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    opened = Ledger.open(tmp_path / "home" / "ledger.sqlite")
    opened.set_limit(POPULATION, per_vehicle=Decimal(6))
    return opened


def _release(spec: Path, ledger: Ledger, out: Path) -> PublishedRelease:
    key = generate_key(out.with_suffix(".key"), PASSPHRASE)
    return publish(prepare(load_spec(spec), ledger), ledger, key=key, out=out, now=NOW)


def test_a_renamed_column_is_the_same_request(tmp_path: Path, ledger: Ledger) -> None:
    """Its budget is spent: only stored draws can be published, and no check comes before."""
    first = _release(write_city(tmp_path / "city"), ledger, tmp_path / "first")
    records = tmp_path / "city" / "records.csv"
    rows = list(csv.reader(records.read_text(encoding="utf-8").splitlines()))[1:]
    with records.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("kmh", "bus", "place", "seen_at"))
        writer.writerows((kmh, bus, f"[{lon}, {lat}]", at) for bus, at, lat, lon, kmh in rows)
    again = _release(write_city(tmp_path / "city", edit=RENAMED), ledger, tmp_path / "again")
    assert again.repeated
    assert again.entry == first.entry
    for path in (first.bundle / "data").iterdir():
        assert (again.bundle / "data" / path.name).read_bytes() == path.read_bytes()
    assert ledger.populations()[0].spent == first.release.charge.per_vehicle


def test_what_was_paid_stays_paid_when_the_protected_are_called_otherwise(
    tmp_path: Path, ledger: Ledger
) -> None:
    paid = _release(write_city(tmp_path / "a"), ledger, tmp_path / "first")
    again = _release(write_city(tmp_path / "b", edit=(CALLED_BUSES,)), ledger, tmp_path / "second")
    assert again.repeated
    assert again.entry == paid.entry
    report = verify_bundle(again.bundle)
    assert report.ok, report.problems


def test_what_was_paid_stays_paid_in_another_order_and_with_dates_written_otherwise(
    tmp_path: Path, ledger: Ledger
) -> None:
    ledger.set_limit(POPULATION, per_vehicle=Decimal(7))
    last, first = ('m_ub = "median"\n', 'm_ub = "median"\n' + MOMENTS), ("[[query]]", MOMENTS + "[[query]]")
    paid = _release(write_city(tmp_path / "a", edit=(last,)), ledger, tmp_path / "first")
    again = _release(write_city(tmp_path / "b", edit=(first, TWO_RANGES)), ledger, tmp_path / "second")
    assert again.repeated
    assert again.release == paid.release
    for path in (paid.bundle / "data").iterdir():
        assert (again.bundle / "data" / path.name).read_bytes() == path.read_bytes()
    report = verify_bundle(again.bundle)
    assert report.ok, report.problems


@pytest.mark.parametrize(("write", "edits"), [(write_city, "edit"), (write_taxis, "edits")])
def test_what_was_paid_under_an_old_name_of_the_zone_stays_paid(
    write: Callable[..., Path], edits: str, tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the name that was typed marked a request and fixed the zone of its population."""
    ledger.set_limit(TAXIS, per_vehicle=Decimal(40))
    path = write(tmp_path, **{edits: (OLD_NAME,)})
    with monkeypatch.context() as then:
        then.setattr(zones, "main_zone", str)
        paid = _release(path, ledger, tmp_path / "first")
    again = _release(path, ledger, tmp_path / "second")
    assert (paid.repeated, again.repeated) == (False, True)
    other = _release(write(tmp_path, **{edits: (('"1.0.0"', '"1.1.0"'),)}), ledger, tmp_path / "third")
    assert other.repeated


@pytest.mark.parametrize("form", [1, 2, 3, 4])
def test_a_request_of_an_older_form_is_found_as_it_was_written(form: int, tmp_path: Path) -> None:
    assert b'["2022-01-04","2022-01-04"]' in canonical(
        load_spec(write_city(tmp_path, edit=(TWO_RANGES,))), form
    )


@pytest.mark.parametrize("form", [1, 2, 3])
def test_a_request_of_an_older_form_is_found_with_the_names_and_pings_of_then(
    form: int, tmp_path: Path
) -> None:
    spec = load_spec(write_city(tmp_path, edit=(CALLED_BUSES, AS_EVENTS)))
    assert b"pings" not in canonical(spec, form)
    assert b'"subject":"bus","subject_plural":"buses"' in canonical(spec, form)


def test_other_values_under_a_new_name_are_another_request(tmp_path: Path, ledger: Ledger) -> None:
    """Whatever the first check thought: the table tells."""
    _release(write_city(tmp_path / "city"), ledger, tmp_path / "first")
    write_records(tmp_path / "city" / "records.csv", bump=0.1)
    spec = load_spec(write_city(tmp_path / "city"))
    assert drawn_spec_mark(spec, ledger) == spec_mark(spec, ledger)
    with pytest.raises(BudgetRefused):
        prepare(spec, ledger)


@pytest.mark.parametrize("uses", [False, True])
def test_visits_tell_requests_apart_only_where_plans_use_them(
    uses: bool, tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(all_mechanisms()["array-averaging"]), "uses_visits", uses)
    spec = load_spec(write_city(tmp_path / "city"))
    regular = prepare(spec, ledger)
    assert regular.contributions.visits is not None
    without = request_of(spec, dataclasses.replace(regular.contributions, visits=None), ledger)
    assert (regular.fingerprint != without.fingerprint) == uses


def _joined(table: Contributions, *, with_visits: bool = False) -> tuple[bytes, ...]:
    parts = table_bytes(table, with_visits=with_visits)
    joined = tuple(b"".join(part.pieces) if isinstance(part, Pieces) else part for part in parts)
    assert list(map(len, joined)) == list(map(len, parts))
    return joined


@given(contributions(), st.integers(1, 7))
def test_the_bytes_are_those_of_whole_columns(table: Contributions, block: int) -> None:
    """Requests of earlier versions stay identical, however the columns are cut."""
    columns = (table.cell, table.slot, table.hat, table.vehicle, table.day, table.start, table.values[:])
    names = "\n".join(table.vehicles).encode()
    kinds = ("<u8", *["<i8"] * 6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(request_identity, "_BLOCK", block)
        whole = tuple(column.astype(kind).tobytes() for column, kind in zip(columns, kinds, strict=True))
        assert _joined(table) == (names, *whole)
        told = () if table.visits is None else (table.visits.astype("<i8").tobytes(),)
        assert _joined(table, with_visits=True) == (names, *whole, *told)
        timeless = dataclasses.replace(table, visits=None)
        assert _joined(timeless, with_visits=True) == (names, *whole)


def test_the_table_changes_with_one_value(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))

    def table() -> tuple[bytes, ...]:
        loaded = load_records(spec.data.paths(), spec.data.rules)
        return _joined(contributions_of(loaded.records, spec.resolution, spec.window))

    before = table()
    assert table() == before
    write_records(tmp_path / "records.csv", bump=0.1)
    assert table() != before


def test_vehicles_without_a_row_were_once_part_of_a_request(ledger: Ledger, tmp_path: Path) -> None:
    """What was paid for a table with them is found, and what is marked anew is marked without."""
    spec = load_spec(write_city(tmp_path))
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = contributions_of(records, spec.resolution, spec.window)
    known = dataclasses.replace(
        table, vehicles=("a nobody", *table.vehicles), vehicle=table.vehicle + np.int32(1)
    )
    plain, others = (request_of(spec, one, ledger).fingerprint for one in (table, known))
    assert plain == others
    marks = {
        ledger.fingerprint(POPULATION, canonical(spec), *table_bytes(one, with_others=True))
        for one in (table, known)
    }
    assert len(marks | {plain}) == 2, "where each vehicle has a row, nothing has changed"
    prepared = prepare(spec, ledger)
    old = ledger.fingerprint(POPULATION, canonical(spec), *table_bytes(known, with_others=True))
    earlier = dataclasses.replace(prepared, fingerprint=old)
    key = generate_key(tmp_path / "key", PASSPHRASE)
    publish(earlier, ledger, key=key, out=tmp_path / "out", now=NOW)
    assert request_of(spec, known, ledger).stored is not None
    assert request_of(spec, table, ledger).stored is None


WIDE = {ord("b"): "ｂ", ord("-"): "－"}


def _rewritten(path: Path, ids: Mapping[str, str]) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = [[ids.get(row[0], row[0]), *row[1:]] for row in csv.reader(file)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


@pytest.mark.parametrize("with_others", [False, True])
def test_what_was_paid_under_ids_as_they_were_read_is_found(
    with_others: bool, tmp_path: Path, ledger: Ledger
) -> None:
    """Wide ids of every second bus came after all others: an earlier version numbered its vehicles so."""
    spec = load_spec(write_city(tmp_path))
    path = tmp_path / "records.csv"
    names = load_records(spec.data.paths(), spec.data.rules).records.vehicles
    read = {name: name.translate(WIDE) if number % 2 else name for number, name in enumerate(names)}
    places = {name: f"place {number:02d}" for number, name in enumerate(sorted(names, key=read.__getitem__))}
    _rewritten(path, places)
    table = contributions_of(
        load_records(spec.data.paths(), spec.data.rules).records, spec.resolution, spec.window
    )
    earlier = dataclasses.replace(table, vehicles=tuple(sorted(read.values())))
    write_records(path)
    _rewritten(path, read)
    prepared = prepare(spec, ledger)
    assert prepared.contributions.vehicles == names
    assert set(prepared.contributions.other_texts) == set(names[1::2])
    mark = ledger.fingerprint(POPULATION, canonical(spec), *table_bytes(earlier, with_others=with_others))
    assert mark != prepared.fingerprint
    key = generate_key(tmp_path / "key", PASSPHRASE)
    first = publish(
        dataclasses.replace(prepared, fingerprint=mark), ledger, key=key, out=tmp_path / "out", now=NOW
    )
    again = publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / "again", now=NOW)
    assert (again.repeated, again.entry) == (True, first.entry)
    write_contributions(prepared.contributions, tmp_path / "table.parquet")
    assert request_of(spec, read_contributions(tmp_path / "table.parquet"), ledger).stored is not None
    write_records(path, bump=0.1)
    _rewritten(path, read)
    with pytest.raises(BudgetRefused):
        prepare(spec, ledger)
