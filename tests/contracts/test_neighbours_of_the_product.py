"""What a whole release tells of two neighbours: nothing but the noisy answers, and these for what is charged.

Two data sets that differ in one part of one vehicle go the whole way, from file to signature. The second gets
noise that makes its noisy answers those of the first: then all files of both bundles are the same bytes. What
that noise would have cost, as the source of the noise is told, is at most what the release says of that part:
of a vehicle, of its day, and of its day in one HAT, whichever of them the release protects. In relation
`user` data that have nothing in common leave the same bytes and words too.
"""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import h3
import numpy as np
import pytest

from core.accounting.ledger import Ledger
from core.arrays import Ints
from core.bundle.release_result import QueryResult
from core.mechanisms.registry import mechanisms_of
from core.privacy import Relation, Unit
from core.records.zones import DAY_MS
from core.release import draw as job
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.spec import load_spec
from core.store.derived_speed import SpeedDeriver
from core.store.sort_days import DayBlock
from tests.city import BY_REGION, EVERY_STATISTIC, SPEC, TOKENS, write_city, write_records
from tests.fakes import ScriptedResults
from tests.golden.steady import NOW, key, steady
from tests.neighbours import Request, losses_of
from tests.taxis import BY_DAY, CELLS, DERIVED, EVERY_RELEASE, OUTSIDE, Ping, pings, write_taxis
from tests.unpacked import contents

Edits = Sequence[tuple[str, str]]
Row = list[str]
"""Vehicle, time, latitude, longitude, speed."""
HEADER = ("vehicle", "time", "lat", "lon", "speed")
AWAY, SCRIPT = (0.4, -0.7, 0.1), (0.2, 0.6)
PARTS: dict[Unit, Callable[[Row], object]] = {
    Unit.VEHICLE: lambda row: row[0],
    Unit.VEHICLE_DAY: lambda row: (row[0], row[1][:10]),
    Unit.VEHICLE_HAT_DAY: lambda row: (row[0], row[1][:13], h3.latlng_to_cell(*map(float, row[2:4]), 7)),
}
"""What the rows of one part have in common."""
OF_TWO_RESOLUTIONS = PARTS | {
    Unit.VEHICLE_HAT_DAY: lambda row: (
        *(row[0], row[1][:13]),
        *(h3.latlng_to_cell(*map(float, row[2:4]), resolution) for resolution in (6, 8)),
    )
}
"""The same where rows count in the one hexagon or the other."""


@dataclasses.dataclass(frozen=True)
class Run:
    """A release from file to signature."""

    files: dict[str, bytes]
    """Of the bundle, and what is shown before somebody consents."""
    requests: Sequence[Request]
    published: PublishedRelease


@pytest.fixture(scope="module", autouse=True)
def no_chance() -> Iterator[None]:
    """Keys and clock follow none; the noise is that of each run."""
    with steady():
        yield


def run(spec: Path, rows: Sequence[Row], noise: ScriptedResults, folder: Path) -> Run:
    """Release these rows."""
    with (spec.parent / "records.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADER, *rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "SecureNoise", lambda _: noise)
        read = load_spec(spec)
        ledger = Ledger.open(folder / "ledger.sqlite")
        ledger.set_limit(read.population, per_vehicle=Decimal(10_000), delta=Decimal("1e-6"))
        prepared = prepare(read, ledger)
        published = publish(prepared, ledger, key=key(), out=folder / "out", now=NOW)
    shown = repr((prepared.review.lines(), prepared.review.sentence)).encode()
    return Run(contents(published.bundle) | {"review": shown}, noise.requests, published)


def told_apart(
    spec: Path, rows: Sequence[Row], others: Mapping[Unit | str, Sequence[Row]], folder: Path
) -> list[str]:
    """What tells the rows and others apart: files that differ, and parts that cost more than is said.

    others: what differs -> rows; under a unit those of a neighbour.
    """
    noise = ScriptedResults(AWAY, SCRIPT)
    here, found = run(spec, rows, noise, folder / "here"), []
    for unit, other in others.items():
        there = run(spec, other, noise.again(), folder / unit)
        differ = [name for name in here.files | there.files if here.files.get(name) != there.files.get(name)]
        found += [f"{unit}: {name}" for name in differ]
        if not isinstance(unit, Unit):
            continue
        pure, rho = losses_of(here.requests, there.requests)
        charge = here.published.release.charge
        if pure > Fraction(charge.of(unit)) or rho > Fraction(charge.rho.of(unit)):
            found.append(f"{unit}: costs more than is said")
    return found


# relation values: one vehicle's numbers are others


def mechanism(name: str) -> Edits:
    return ((SPEC[SPEC.index('mechanism = "array') :], f'mechanism = "{name}"\ntotal = "6"\n'),)


def tokens(parameters: str) -> Edits:
    return (*TOKENS, ('total = "6"\n', f'total = "6"\n[query.parameters]\n{parameters}\n'))


def shares(parameters: str) -> Edits:
    return (*tokens(parameters), ('statistic = "mean"\nmechanism = "tokens"', 'statistic = "share"'))


UNITS = tuple(Unit)
TWO_RESOLUTIONS = ("resolution = 7", "resolution = [6, 8]")
VALUES: dict[str, tuple[Edits, Sequence[Unit]]] = {
    "every other statistic": (EVERY_STATISTIC, (Unit.VEHICLE, Unit.VEHICLE_DAY)),
    **{
        name: (mechanism(name), UNITS[number % len(UNITS) :][:1] if name != "array-averaging" else UNITS)
        for number, name in enumerate(mechanisms_of(Relation.VALUES))
        if name != "tokens"
    },
    "gaussian": (
        (*mechanism("baseline"), ('total = "6"\n', 'total = "6"\nparameters = {noise = "gauss"}\n')),
        UNITS,
    ),
    "tokens": (tokens('mode = "split"\nnoise = "laplace"'), (Unit.VEHICLE, Unit.VEHICLE_DAY)),
    "bounded tokens": (tokens('mode = "bounded"\nnoise = "gauss"'), (Unit.VEHICLE,)),
    "exact tokens": (tokens('mode = "exact"'), (Unit.VEHICLE_DAY,)),
    "zoom": (tokens('noise = "gauss"\nzoom = true'), (Unit.VEHICLE, Unit.VEHICLE_DAY)),
    "regions": (BY_REGION, (Unit.VEHICLE,)),
    "two resolutions": ((*EVERY_STATISTIC, TWO_RESOLUTIONS), (Unit.VEHICLE, Unit.VEHICLE_DAY)),
    "two resolutions, tokens": (
        (*tokens('mode = "split"\nnoise = "laplace"'), TWO_RESOLUTIONS),
        (Unit.VEHICLE_DAY, Unit.VEHICLE),
    ),
    "shares": (
        shares('ranges = [[0, 10], [40, 65]]\nnoise = "laplace"'),
        (Unit.VEHICLE, Unit.VEHICLE_DAY),
    ),
    "percentiles": (shares('percentiles = [15, 50, 85]\nnoise = "gauss"'), (Unit.VEHICLE,)),
}
"""Edits of the spec, and the units that they are released for: mechanisms of one HAT in turn, one in all."""
WORST = "bus-11"
"""The bus with the most records."""


def with_speeds(rows: Sequence[Row], speed: str, part: Callable[[Row], object], of: object) -> list[Row]:
    return [[*row[:4], speed] if part(row) == of else row for row in rows]


@pytest.fixture(scope="module")
def city_rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Of a city whose busiest bus is as fast as can be."""
    file = write_records(tmp_path_factory.mktemp("city") / "records.csv")
    rows = list(csv.reader(file.read_text("utf-8").splitlines()))[1:]
    return with_speeds(rows, "65.0", PARTS[Unit.VEHICLE], WORST)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        pytest.param(name, unit, marks=[] if unit is units[number % len(units)] else [pytest.mark.audit])
        for number, (name, (_, units)) in enumerate(VALUES.items())
        for unit in units
    ],
)
def test_other_values_move_no_byte_and_cost_what_is_said(
    name: str, unit: Unit, city_rows: list[Row], tmp_path: Path
) -> None:
    edits = (*VALUES[name][0], ('unit = "vehicle"', f'unit = "{unit}"'))
    spec = write_city(tmp_path / "city", edit=edits)
    first = next(row for row in city_rows if row[0] == WORST)
    parts = OF_TWO_RESOLUTIONS if TWO_RESOLUTIONS in edits else PARTS
    slow = {one: with_speeds(city_rows, "0.0", part, part(first)) for one, part in parts.items()}
    assert told_apart(spec, city_rows, slow, tmp_path) == []


# relation user: one vehicle's records are not there


def everywhere() -> list[Row]:
    """A taxi in all hexagons in all hours of both days, as fast as can be."""
    return [
        ["taxi worst", f"2022-01-0{day}T{hour:02d}:{number:02d}:00+05:30", *_place(cell), "65.0"]
        for day in (3, 4)
        for hour in (9, 10, 11)
        for number, cell in enumerate(CELLS)
    ]


def _place(cell: str) -> list[str]:
    return [f"{degrees:.7f}" for degrees in h3.cell_to_latlng(cell)]


def as_rows(some: Sequence[Ping]) -> list[Row]:
    return [[one.vehicle, one.time, *_place(one.cell), str(one.speed)] for one in some]


def taxi_rows() -> list[Row]:
    return [*as_rows(pings(vehicles=15, each=8)), *everywhere()]


def without(rows: Sequence[Row], one: Row) -> dict[Unit | str, Sequence[Row]]:
    """The rows without each part that one of them belongs to."""
    return {unit: [row for row in rows if part(row) != part(one)] for unit, part in PARTS.items()}


CROWDS: dict[Unit | str, Sequence[Row]] = {
    "few, and too much of each": as_rows(pings(3, vehicles=2, each=300)),
    "nobody in any candidate": as_rows(pings(5, cells=[OUTSIDE])),
}


@pytest.mark.parametrize("name", EVERY_RELEASE)
def test_who_was_there_moves_no_byte_and_costs_what_is_said(name: str, tmp_path: Path) -> None:
    spec, rows = write_taxis(tmp_path / "city", (), EVERY_RELEASE[name]), taxi_rows()
    assert told_apart(spec, rows, without(rows, rows[-1]) | CROWDS, tmp_path) == []


NIGHT: Edits = (
    *DERIVED,
    *BY_DAY,
    ('hours = ["09:00", "12:00"]', 'hours = ["00:00", "24:00"]'),
    ("hats_per_vehicle = 4", "hats_per_vehicle = 2"),
)


def night_rows() -> list[Row]:
    """A taxi that is fast before midnight and at once after it, and in a second hexagon slot of each day."""
    home, far = (h3.cell_to_latlng(cell) for cell in CELLS[:2])
    stops = [(3, "12:00:00", 0.0, far), (3, "12:00:40", 0.008, far), (3, "23:59:00", 0.008, home)]
    stops += [(3, "23:59:40", 0.0, home), (4, "00:00:20", 0.008, home)]
    stops += [(4, "12:00:00", 0.0, far), (4, "12:00:40", 0.008, far)]
    return [
        ["taxi worst", f"2022-01-0{day}T{clock}+05:30", f"{lat + north:.7f}", f"{lon:.7f}", ""]
        for day, clock, north, (lat, lon) in stops
    ]


def test_derived_speeds_move_no_byte_and_cost_what_is_said(tmp_path: Path) -> None:
    spec, rows = write_taxis(tmp_path / "city", (), NIGHT), night_rows()
    for number in (0, len(rows) // 2):  # the day before midnight, and the one behind it
        assert told_apart(spec, rows, without(rows, rows[number]), tmp_path / str(number)) == []


# planted bugs


DERIVE = SpeedDeriver.derive
ZONE_MS = 19_800_000
"""Times of a block count from the UTC midnight of the local date."""


def crossing_midnight(self: SpeedDeriver, block: DayBlock) -> DayBlock:
    """What was done before 0.1: all days as one, so that the record before may be of the day before."""
    day = np.repeat(np.arange(block.days.size), block.counts)
    time = block.time + day.astype(np.int32) * DAY_MS
    by_vehicle = np.lexsort((time, block.vehicle))
    found = DERIVE(self, _in_order(block, by_vehicle, time, np.zeros(1, np.int64)))
    day = (found.time + ZONE_MS) // DAY_MS
    by_day = np.lexsort((found.time, found.vehicle, day))
    return _in_order(found, by_day, found.time - day.astype(np.int32) * DAY_MS, block.days, day)


def _in_order(block: DayBlock, order: Ints, time: Ints, days: Ints, day: Ints | None = None) -> DayBlock:
    """The records in another order, with other times and days."""
    day = np.zeros(order.size, np.int64) if day is None else day
    columns = {name: getattr(block, name)[order] for name in ("vehicle", "latitude", "longitude", "value")}
    counts = np.bincount(day, minlength=days.size)
    return dataclasses.replace(block, days=days, counts=counts, time=time[order], **columns)


def test_speeds_that_cross_midnight_are_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SpeedDeriver, "derive", crossing_midnight)
    spec, rows = write_taxis(tmp_path / "city", (), NIGHT), night_rows()
    found = told_apart(spec, rows, without(rows, rows[0]), tmp_path)
    assert found == ["vehicle-day: costs more than is said"]


def test_hats_that_are_not_bounded_are_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.bounding.bounding.first_by_hash", lambda group, *_: group >= 0)
    spec, rows = write_taxis(tmp_path / "city"), taxi_rows()
    found = told_apart(spec, rows, without(rows, rows[-1]), tmp_path)
    assert "vehicle: costs more than is said" in found


@pytest.mark.parametrize("relation", Relation)
def test_a_true_number_in_a_statement_is_caught(
    relation: Relation, city_rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = job._drawn_result

    def telling(plan: Any, prepared: Any, *rest: Any) -> QueryResult:
        found = right(plan, prepared, *rest)
        true = int(prepared.contributions.values[:].sum())
        return dataclasses.replace(found, noise_scale=found.noise_scale + true)

    monkeypatch.setattr(job, "_drawn_result", telling)
    if relation is Relation.USER:
        spec, rows = write_taxis(tmp_path / "city"), taxi_rows()
        neighbours = without(rows, rows[-1])
    else:
        spec, rows = write_city(tmp_path / "city"), city_rows
        neighbours = {Unit.VEHICLE: with_speeds(rows, "0.0", PARTS[Unit.VEHICLE], WORST)}
    assert "vehicle: privacy.json" in told_apart(spec, rows, neighbours, tmp_path)
