"""Derived speeds end at midnight: one day of a vehicle decides about no other day of it (method 2.3).

Nor do days outside of the window decide about anything inside. From files, and from contribution tables of
each engine, to the vectors that get noise in every release of relation `user`.
"""

from __future__ import annotations

import csv
import dataclasses
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import h3
import numpy as np
import pyarrow.parquet as pq
import pytest

from core.accounting.ledger import Ledger
from core.contributions import Contributions, pairs_of
from core.engines.base import TableJob
from core.engines.duckdb import DuckDbEngine
from core.engines.local import LocalEngine
from core.errors import InputError
from core.hats.cells import cell_text
from core.planning.query_plan import QueryPlan
from core.privacy import Unit
from core.progress import silent
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import prepare, publish
from core.release.request_identity import canonical, place_bytes, source_bytes
from core.signed.findings import Finding
from core.spec import ReleaseSpec, load_spec
from core.verify.bounding_figures import check_bounding
from core.verify.folder import read_folder
from core.verify.verify import verify_bundle
from tests import reader
from tests.builders import make_key
from tests.draws import draw_user_query
from tests.fakes import RecordingNoise
from tests.neighbours import losses_of
from tests.records import assert_tells
from tests.taxis import BY_DAY, CELLS, DERIVED, EVERY_RELEASE, NOW, POPULATION, ledger_in, write_taxis

Edits = Sequence[tuple[str, str]]
ALL_DAY = (('hours = ["09:00", "12:00"]', 'hours = ["00:00", "24:00"]'),)
NIGHTS: Edits = (*DERIVED, *ALL_DAY)
TABLE = ('files = ["records.csv"]', 'contributions = "table.parquet"')
SECONDS = (*range(20, 300, 40), *range(86_400 - 260, 86_400, 40))
"""Of the local day: records come 40 s apart around midnight."""
ONE, WORST, DATES = "taxi 1", "taxi worst", range(2, 6)
"""Whose parts are taken away, and days of January 2022: the window is the third and the fourth."""
NOON, MIDNIGHT = 12 * 3600, 24 * 3600


class Fix(NamedTuple):
    """Where a vehicle was."""

    vehicle: str
    day: int
    second: int
    lat: float
    lon: float

    @property
    def hat(self) -> tuple[str, int]:
        return h3.latlng_to_cell(self.lat, self.lon, 7), self.second // 3600


def trails(vehicles: int = 4) -> list[Fix]:
    """Taxis that go to and fro between hexagons, at speeds of their own, over three midnights."""
    rng = np.random.default_rng(3)
    found = []
    for number in range(vehicles):
        step = 0.0008 + 0.0009 * number
        for day in DATES:
            for place, second in enumerate(SECONDS):
                turn = abs((place * 3 + day) % 14 - 7) * step * 3 + float(rng.uniform(0, step))
                found.append(Fix(f"taxi {number}", day, second, 21.165 + 0.004 * number, 72.82 + turn))
    return found


def worst() -> list[Fix]:
    """A taxi as fast as can be in each of the four HATs that count a day, whose parts decide about others.

    At noon it comes back to one hexagon after every other: without what it sent from there, nothing is near
    enough in time to what it sent from elsewhere. Its first record after midnight has a near one before.
    """
    home, *others = (h3.cell_to_latlng(cell) for cell in CELLS)
    found = []
    for day in DATES:
        found.append(Fix(WORST, day, 20, home[0] + 0.008, home[1]))
        away = others[: 3 if day % 2 else 2]
        stops = [place for one in away for place in (home, one)] + [home]
        found += [Fix(WORST, day, NOON + 100 * turn, *place) for turn, place in enumerate(stops)]
        found.append(Fix(WORST, day, MIDNIGHT - 20, *home))
    return found


def write_fixes(folder: Path, fixes: Sequence[Fix], edits: Edits = ()) -> ReleaseSpec:
    path = write_taxis(folder, (), (*NIGHTS, *edits))
    with (folder / "records.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["vehicle", "time", "lat", "lon"])
        for one in fixes:
            clock = f"{one.second // 3600:02d}:{one.second // 60 % 60:02d}:{one.second % 60:02d}"
            time = f"2022-01-{one.day:02d}T{clock}+05:30"
            writer.writerow([one.vehicle, time, f"{one.lat:.7f}", f"{one.lon:.7f}"])
    return load_spec(path)


def read(spec: ReleaseSpec) -> Contributions:
    return contributions_for(spec)[0]


Source = Callable[[ReleaseSpec, Path], Contributions]


def by_table(engine: LocalEngine | DuckDbEngine) -> Source:
    """By way of a table that an engine made of the records."""

    def read_table(spec: ReleaseSpec, folder: Path) -> Contributions:
        data = spec.data
        job = TableJob(
            data=(str(folder / "records.csv"),),
            rules=data.rules,
            resolution=spec.resolution,
            window=spec.window,
            out=folder / "table.parquet",
        )
        engine.contributions(job, silent)
        return read(load_spec(write_taxis(folder, (), (*ALL_DAY, TABLE))))

    return read_table


SOURCES: dict[str, Source] = {
    "files": lambda spec, _: read(spec),
    "local engine": by_table(LocalEngine()),
    "duckdb": by_table(DuckDbEngine()),
}


Rows = dict[tuple[str, int], dict[tuple[str, int], tuple[int, ...]]]


def rows_of(table: Contributions) -> Rows:
    """(vehicle, day of the window) -> (HAT) -> values."""
    found: Rows = {}
    for row in range(table.hat.size):
        hat = int(table.hat[row])
        values = tuple(table.values[int(table.start[row]) : int(table.start[row + 1])].tolist())
        of_day = found.setdefault((table.vehicles[table.vehicle[row]], int(table.day[row])), {})
        of_day[cell_text(table.cell[hat]), int(table.slot[hat])] = values
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_a_vehicle_day_decides_about_its_own_rows_alone(source: str, tmp_path: Path) -> None:
    fixes = trails(2)
    whole = rows_of(SOURCES[source](write_fixes(tmp_path, fixes), tmp_path))
    assert len(whole) == 4, "each vehicle has rows on both days of the window"
    assert {slot for hats in whole.values() for _, slot in hats} == {0, 23}
    for day in DATES:
        fewer = [one for one in fixes if (one.vehicle, one.day) != (ONE, day)]
        rest = rows_of(SOURCES[source](write_fixes(tmp_path, fewer), tmp_path))
        assert rest == {key: rows for key, rows in whole.items() if key != (ONE, day - 3)}, day


PARTS: dict[Unit, Callable[[Fix], object]] = {
    Unit.VEHICLE: lambda one: one.vehicle,
    Unit.VEHICLE_DAY: lambda one: (one.vehicle, one.day),
    Unit.VEHICLE_HAT_DAY: lambda one: (one.vehicle, one.day, one.hat),
}


def without_parts(fixes: Sequence[Fix], unit: Unit) -> Iterator[list[Fix]]:
    """The records without each part of the worst vehicle."""
    part_of = PARTS[unit]
    for part in sorted({part_of(one) for one in fixes if one.vehicle == WORST}, key=str):
        yield [one for one in fixes if part_of(one) != part]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[Unit | None, list[Contributions]]:
    """The whole, and by unit what is left without each part."""
    folder, fixes = tmp_path_factory.mktemp("tables"), [*trails(3), *worst()]
    made = {unit: [read(write_fixes(folder, few)) for few in without_parts(fixes, unit)] for unit in Unit}
    return {None: [read(write_fixes(folder, fixes))], **made}


def asked(plan: QueryPlan, table: Contributions, ledger: Ledger, like: RecordingNoise) -> RecordingNoise:
    """What a draw asks of the noise, where that gives the same as another did."""
    noise = RecordingNoise(replay=like.choices, answers=like.centres)
    draw_user_query(plan, table, ledger.tie_key(POPULATION), pairs_of(table), noise)
    return noise


@pytest.mark.parametrize("name", EVERY_RELEASE)
def test_no_part_of_derived_speeds_costs_more_than_its_charge(
    name: str, tmp_path: Path, tables: dict[Unit | None, list[Contributions]]
) -> None:
    ledger = ledger_in(tmp_path / "home")
    prepared = prepare(write_fixes(tmp_path / "city", [], EVERY_RELEASE[name]), ledger)
    exceeded = []
    for plan in prepared.plans:
        here = asked(plan, tables[None][0], ledger, RecordingNoise())
        for unit in Unit:
            for table in tables[unit]:
                pure, rho = losses_of(here.requests, asked(plan, table, ledger, here).requests)
                charge = Fraction(plan.charge.of(unit)), Fraction(plan.charge.rho.of(unit))
                if pure > charge[0] or rho > charge[1]:
                    exceeded.append((plan.query.id, unit, float(pure + rho), float(sum(charge))))
    assert exceeded == []


def test_a_part_of_a_day_may_cost_twice_the_day(tmp_path: Path) -> None:
    """What is taken away of a day in one HAT may replace all that counts of it: remove it, and add another.

    Without the record before nine, that at nine has no speed: the fast ones at eleven count in its place.
    """
    edits = (*BY_DAY, ("hats_per_vehicle = 4", "hats_per_vehicle = 1"))
    home, other = (h3.cell_to_latlng(cell) for cell in CELLS[:2])
    fixes = [
        fix
        for number in range(20)  # the keyed hash decides which HAT counts
        for name in [f"taxi {number}"]
        for fix in (
            Fix(name, 3, 9 * 3600 - 20, *home),
            Fix(name, 3, 9 * 3600 + 20, *home),
            Fix(name, 3, 11 * 3600, *other),
            Fix(name, 3, 11 * 3600 + 40, other[0] + 0.008, other[1]),
        )
    ]
    ledger = ledger_in(tmp_path / "home")
    prepared = prepare(write_fixes(tmp_path / "city", fixes, edits), ledger)
    (plan,) = prepared.plans
    here = asked(plan, prepared.contributions, ledger, RecordingNoise())
    costs = []
    for number in range(20):
        few = [fix for fix in fixes if (fix.vehicle, fix.second // 3600) != (f"taxi {number}", 8)]
        less = asked(plan, read(write_fixes(tmp_path / "city", few, edits)), ledger, here)
        costs.append(losses_of(here.requests, less.requests)[0])
    assert set(costs) <= {0, 80}
    assert plan.charge.per_vehicle_day == 40
    assert max(costs) == plan.charge.per_vehicle_hat_day == 80


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return ledger_in(tmp_path / "home")


@pytest.mark.parametrize("name", ["by day", "enforced by day", "every statistic by day, gaussian"])
def test_a_bundle_says_that_speeds_were_derived_and_its_charges_follow(
    name: str, tmp_path: Path, ledger: Ledger
) -> None:
    spec = write_fixes(tmp_path / "city", trails(), EVERY_RELEASE[name])
    prepared = prepare(spec, ledger)
    bundle = publish(prepared, ledger, key=make_key(), out=tmp_path / "out", now=NOW).bundle
    assert verify_bundle(bundle).ok
    statement = bundle / "privacy.json"
    told = json.loads(statement.read_text("utf-8"))
    for query in told["queries"]:
        charges = query["charges_rho" if query["bounding"]["noise"] == "gauss" else "charges"]
        worked = reader.bounded(query, told).charges
        assert {unit: Decimal(charge) for unit, charge in charges.items()} == worked
        assert query["bounding"].pop("derived_speed") is True
    statement.write_text(json.dumps(told, indent=2), encoding="utf-8", newline="\n")
    if name == "enforced by day":  # its charges are those of measured speeds too
        assert "constants" in check_bounding(read_folder(bundle))
        return
    with pytest.raises(Finding, match="vehicle-hat-day does not follow"):
        check_bounding(read_folder(bundle))


def unmarked(table: Path) -> None:
    """As it was written when speeds still crossed midnight."""
    rows = pq.read_table(table)
    metadata = {**rows.schema.metadata, b"hexveil_contributions": b"2"}
    del metadata[b"derived_speed_by_day"]
    pq.write_table(rows.replace_schema_metadata(metadata), table)


def test_a_table_that_may_cross_midnight_protects_whole_vehicles_alone(
    tmp_path: Path, ledger: Ledger
) -> None:
    city = tmp_path / "city"
    SOURCES["local engine"](write_fixes(city, trails()), city)
    marked, whole = (
        load_spec(write_taxis(city / name, (), (*ALL_DAY, TABLE, *edits)))
        for name, edits in (("by day", BY_DAY), ("whole", ()))
    )
    for spec in (marked, whole):
        shutil.copy(city / "table.parquet", spec.data.table_path)
    assert prepare(marked, ledger).contributions.derived_by_day
    for spec in (marked, whole):
        unmarked(spec.data.table_path)
    with pytest.raises(InputError, match="midnight") as caught:
        prepare(marked, ledger)
    assert_tells(caught.value)
    assert prepare(whole, ledger).contributions.derived


@pytest.mark.parametrize("by_table", [False, True])
@pytest.mark.parametrize(("unit", "form"), [(Unit.VEHICLE, 1), (Unit.VEHICLE, 3), (Unit.VEHICLE_DAY, 2)])
def test_draws_from_before_are_published_again_for_whole_vehicles_alone(
    unit: Unit, form: int, by_table: bool, tmp_path: Path, ledger: Ledger
) -> None:
    """In every form of the canonical spec that there was."""
    city, by_day = tmp_path / "city", BY_DAY if unit is Unit.VEHICLE_DAY else ()
    spec = write_fixes(city, trails(), by_day)
    if by_table:
        SOURCES["local engine"](spec, city)
        spec = load_spec(write_taxis(city, (), (*ALL_DAY, TABLE, *by_day)))
    prepared = prepare(spec, ledger)
    typed, place = (
        ledger.fingerprint(POPULATION, canonical(spec, form), source(spec))
        for source in (source_bytes, place_bytes)
    )
    before = dataclasses.replace(prepared, fingerprint=typed, place=place)
    entry = publish(before, ledger, key=make_key(), out=tmp_path / "before", now=NOW).entry
    again = prepare(spec, ledger)
    told = dict(again.review.lines())
    if unit is Unit.VEHICLE:
        assert (again.stored and again.stored.entry, "Drawn again" in told) == (entry, False)
        return
    assert again.stored is None
    assert f"entry {entry} " in told["Drawn again"]
    made = publish(again, ledger, key=make_key(), out=tmp_path / "anew", now=NOW)
    assert not made.repeated
    once_more = prepare(spec, ledger)
    assert (once_more.stored and once_more.stored.entry) == made.entry
    assert "Drawn again" not in dict(once_more.review.lines())
