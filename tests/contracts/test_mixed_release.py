"""Releases with hexagons of several resolutions, from the spec to both verifiers (method 3.2)."""

from __future__ import annotations

import csv
import dataclasses
import itertools
import json
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import h3
import numpy as np
import pytest
from h3.api import basic_int

from core.bundle.finer_rows import finer_rows
from core.cli import main
from core.contributions import Contributions, contributions_of, finest_cells
from core.contributions.file_read import read_contributions
from core.draft.draft import draft_of, save_draft
from core.engines.duckdb import DuckDbEngine
from core.engines.local import LocalEngine
from core.errors import InputError
from core.hats.joined_cells import joined_text, spanned_cells
from core.hats.places import PlaceChoice
from core.keys.signing_key import SigningKey, generate_key
from core.published.bundle_frames import read_bundle
from core.published.comparison import compare
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import prepare, publish
from core.release.prepared import Prepared
from core.selection.base import SelectionRequest
from core.selection.finer_hats import counted_where_chosen
from core.selection.registry import select
from core.spec import load_spec
from core.spec.identity import identity
from core.store.load_records import load_records
from tests import taxis
from tests.builders import resign
from tests.city import EVERY_STATISTIC, PASSPHRASE, SPEC, TOKENS, write_city
from tests.engine_data import dirty_rows, job, quiet, write_rows
from tests.mixed_city import MIXED, WINDOW, counted_by_hand, crossed, drives
from tests.records import Ping, assert_tells, instant, make_records
from tests.region_bundles import open_ledger
from tests.tampering import by_file, by_program

Edits = tuple[tuple[str, str], ...]
TWO = (("resolution = 7", "resolution = [6, 8]"), ("threshold = 2", "threshold = 3"))
COUNTED = (('licence = "CC-BY-4.0"', 'licence = "CC-BY-4.0"\ncounts = true'),)
SMOOTHED = (*TOKENS, ('total = "6"\n', 'total = "6"\n[query.parameters]\nsmooth = true\n'))
SHARES = (
    (
        SPEC[SPEC.index('statistic = "mean"') :],
        'statistic = "share"\ntotal = "6"\n[query.parameters]\npercentiles = [50]\n',
    ),
)
PERIODS = (
    (
        "slot_minutes = 60",
        'periods = { early = ["09:00", "10:30"], late = ["10:30", "12:00"] }\ngroup = ["day_kind"]',
    ),
)
VALUES: dict[str, Edits] = {
    "every statistic": (*TWO, *EVERY_STATISTIC),
    "smoothed": (*TWO, *SMOOTHED),
    "gaussian": (*TWO, *TOKENS, ('total = "6"\n', 'total = "6"\n[query.parameters]\nnoise = "gauss"\n')),
    "shares": (*TWO, *SHARES),
    "periods and groups": (TWO[0], ("threshold = 2", "threshold = 5"), *PERIODS, *TOKENS),
    "every slot": (*TWO, ('rule = "hat"', 'rule = "every-slot"')),
    "three resolutions": (("resolution = 7", "resolution = [5, 7, 9]"), ("threshold = 2", "threshold = 6")),
}
USER: dict[str, Edits] = {
    "bounded": taxis.MIXED,
    "enforced": (*taxis.MIXED, *taxis.ENFORCED),
    "shares": (*taxis.MIXED, *taxis.SHARES),
    "every statistic by day": (*taxis.MIXED, *taxis.BY_DAY, *taxis.others()),
}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", PASSPHRASE)


def rows_in(bundle: Path) -> list[dict[str, str]]:
    """Of its first table of statistics."""
    path = next(path for path in sorted((bundle / "data").glob("*_by_hat.csv")))
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def assert_sound(bundle: Path, resolutions: Sequence[int]) -> None:
    """Both verifiers agree, and each row says what a look at all rows shows."""
    assert by_program(bundle).reasons == by_file(bundle).reasons == ""
    rows = rows_in(bundle)
    assert [*rows[0]][:4] == ["h3_cell", "h3_resolution", "rest", "slot_start"]
    assert {int(row["h3_resolution"]) for row in rows} == {*resolutions}
    when = [name for name in ("period", "day_kind", "slot_start") if name in rows[0]]
    seen = defaultdict(set)
    for row in rows:
        assert int(row["h3_resolution"]) == h3.get_resolution(row["h3_cell"])
        seen[tuple(row[name] for name in when)].add(row["h3_cell"])
    rest = 0
    for row in rows:
        others = seen[tuple(row[name] for name in when)]
        own = int(row["h3_resolution"])
        finer = (h3.str_to_int(cell) for cell in others if h3.get_resolution(cell) > own)
        inside = any(h3.str_to_int(row["h3_cell"]) in spanned_cells(cell, own) for cell in finer)
        assert row["rest"] == str(inside).lower()
        rest += inside
    assert rest
    grid = json.loads((bundle / "privacy.json").read_text("utf-8"))["grid"]
    assert [*grid["coarser_h3_resolutions"], grid["h3_resolution"]] == [*resolutions]
    features = json.loads(next((bundle / "map").glob("*.geojson")).read_text("utf-8"))["features"]
    drawn = [one["properties"]["h3_resolution"] for one in features]
    assert drawn == sorted(drawn), "coarse ones are drawn first, and lie below"
    assert f"H3 resolutions {resolutions[0]} and" in (bundle / "report.html").read_text("utf-8")


def assert_counts_once(prepared: Prepared, resolutions: Sequence[int]) -> None:
    """No record is in two rows of the table, and each is in its finest hexagon that is chosen."""
    spec, table = prepared.spec, prepared.contributions
    plain = contributions_for(dataclasses.replace(spec, place=PlaceChoice(), resolution=resolutions[0]))[0]
    assert len(table.values) == len(plain.values)
    assert sorted(table.values[:]) == sorted(plain.values[:])


@pytest.mark.parametrize("edits", VALUES.values(), ids=VALUES)
def test_a_release_holds_in_relation_values(edits: Edits, tmp_path: Path, key: SigningKey) -> None:
    resolutions = (5, 7, 9) if "9]" in edits[0][1] else (6, 8)
    spec = write_city(tmp_path / "city", edit=(*edits, *COUNTED))
    ledger = open_ledger(tmp_path)
    prepared = prepare(load_spec(spec), ledger)
    assert_counts_once(prepared, resolutions)
    listed = " and ".join(map(str, resolutions))
    assert f"of resolutions {listed}, chosen or not" in dict(prepared.review.lines())["Not protected"]
    assert f"H3 resolution {listed}" in dict(prepared.review.lines())["Hexagons"]
    bundle = publish(prepared, ledger, key=key, out=tmp_path / "out", now=taxis.NOW).bundle
    assert_sound(bundle, resolutions)
    (entry,) = [entry for one in ledger.populations() for entry in one.entries]
    assert entry.constants["resolution"] == str(resolutions[-1])
    assert entry.constants["coarser_resolutions"] == ",".join(map(str, resolutions[:-1]))
    again = prepare(load_spec(spec), ledger)
    assert again.stored is not None


@pytest.mark.parametrize("edits", USER.values(), ids=USER)
def test_a_release_holds_in_relation_user(edits: Edits, tmp_path: Path, key: SigningKey) -> None:
    spec = taxis.write_taxis(tmp_path / "city", edits=edits)
    ledger = taxis.ledger_in(tmp_path / "home")
    prepared = prepare(load_spec(spec), ledger)
    fine = [cell for cell in taxis.MIXED_CELLS if h3.get_resolution(cell) == 8]
    by_hand = {
        (one.vehicle, one.time): cell if (cell := h3.latlng_to_cell(*h3.cell_to_latlng(one.cell), 8)) in fine
        else h3.latlng_to_cell(*h3.cell_to_latlng(one.cell), 6)
        for one in taxis.pings()
    }  # fmt: skip
    table = prepared.contributions
    found = np.bincount(np.unique(table.cell, return_inverse=True)[1], weights=table.records)
    expected = np.unique([h3.str_to_int(cell) for cell in by_hand.values()], return_counts=True)
    assert np.unique(table.cell).tolist() == expected[0].tolist()
    assert found.tolist() == expected[1].tolist()
    bundle = publish(prepared, ledger, key=key, out=tmp_path / "out", now=taxis.NOW).bundle
    assert_sound(bundle, (6, 8))
    assert {row["h3_cell"] for row in rows_in(bundle)} == {*taxis.MIXED_CELLS}


def test_in_relation_user_one_more_vehicle_changes_no_row_and_no_text(tmp_path: Path) -> None:
    seen = []
    for number, more in enumerate(
        ((), (taxis.Ping("new", "2022-01-03T10:00:00+05:30", taxis.CELLS[1], 9.0),))
    ):
        spec = taxis.write_taxis(tmp_path / str(number), (*taxis.pings(), *more), taxis.MIXED)
        prepared = prepare(load_spec(spec), taxis.ledger_in(tmp_path / f"home {number}"))
        seen.append((prepared.review, [(hat.name, hat.plan) for hat in prepared.plans[0].hats]))
    assert seen[0] == seen[1]


def test_a_row_that_does_not_say_that_it_is_a_rest_is_found(tmp_path: Path, key: SigningKey) -> None:
    ledger = open_ledger(tmp_path)
    prepared = prepare(load_spec(write_city(tmp_path / "city", edit=TWO)), ledger)
    bundle = publish(prepared, ledger, key=key, out=tmp_path / "out", now=taxis.NOW).bundle
    data, privacy = bundle / "data" / "speed_by_hat.csv", bundle / "privacy.json"
    sound, stated = data.read_text("utf-8"), privacy.read_text("utf-8")
    for path, text, words in (
        (data, sound.replace(",true,", ",false,"), "rest does not say"),
        (data, sound.replace(",8,false,", ",8,true,", 1), "rest does not say"),
        (privacy, stated.replace('"coarser_h3_resolutions"', '"coarser"'), "privacy"),
        (privacy, stated.replace('"h3_resolution": 8', '"h3_resolution": 6'), "impossible resolutions"),
    ):
        assert text not in (sound, stated)
        path.write_text(text, encoding="utf-8")
        resign(bundle, key)
        assert words in by_program(bundle).reasons
        data.write_text(sound, encoding="utf-8")
        privacy.write_text(stated, encoding="utf-8")


# relation values: what neighbours have in common


def toy() -> tuple[list[tuple[float, float]], str]:
    """Places in two fine hexagons that two coarse ones share, one in each part, and the first one."""
    one = h3.latlng_to_cell(*crossed(), 8)
    shared = spanned_cells(h3.str_to_int(one), 6)
    other = next(
        cell
        for cell in h3.grid_disk(one, 4)
        if cell != one and spanned_cells(h3.str_to_int(cell), 6) == shared
    )
    places = []
    for cell in (one, other):
        parts: dict[str, tuple[float, float]] = {}
        north, east = h3.cell_to_latlng(cell)
        corners = h3.cell_to_boundary(cell)
        for (lat, lon), (lat2, lon2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            # corners may lie on the border between the coarse ones, the middles of edges do not
            inside = (0.4 * (lat + lat2) + 0.2 * north, 0.4 * (lon + lon2) + 0.2 * east)
            parts[h3.latlng_to_cell(*inside, 6)] = inside
        places += [parts[name] for name in sorted(parts)][:2]
    return places, one


def test_neighbours_with_the_same_numbers_have_the_same_public_part() -> None:
    """However a bus lies on four places, rows follow from the numbers of each resolution and the final key.

    Those of each resolution alone do not suffice, as hexagons do not nest.
    """
    places, one = toy()
    base = [
        Ping(f"other {number}", instant(f"2022-01-03T10:{number:02d}:00+05:30"), *places[number % 2], 20.0)
        for number in range(8)
    ]
    threshold = SelectionRequest(rule="hat", threshold=4)
    groups: dict[tuple[object, ...], set[tuple[object, ...]]] = defaultdict(set)
    known: dict[tuple[object, ...], set[tuple[object, ...]]] = defaultdict(set)
    for track in itertools.product(range(4), repeat=4):
        own = [
            Ping("bus", instant(f"2022-01-03T10:{20 + number}:00+05:30"), *places[place], 30.0)
            for number, place in enumerate(track)
        ]
        records = make_records([*base, *own])
        table = counted_where_chosen(contributions_of(records, 8, WINDOW, choice=MIXED), threshold)
        each = tuple(numbers_of(contributions_of(records, resolution, WINDOW)) for resolution in (6, 8))
        public = (tuple(select(table, threshold).index.tolist()), table.cell.tobytes(), table.start.tobytes())
        groups[each].add(numbers_of(table))
        known[*each, numbers_of(table)].add((*public, tuple(table.visits.tolist())))  # type: ignore[union-attr]
    assert all(len(found) == 1 for found in known.values())
    assert any(len(found) > 1 for found in groups.values())
    assert h3.str_to_int(one) in {int(cell) for cell in table.cell}


def numbers_of(table: Contributions) -> tuple[object, ...]:
    """Records and visits of each vehicle on each day in each HAT."""
    assert table.visits is not None
    hats = zip(table.cell[table.hat].tolist(), table.slot[table.hat].tolist(), strict=True)
    rest = (table.vehicle, table.day, table.counts, table.visits)
    rows = zip(hats, *(column.tolist() for column in rest), strict=True)
    return tuple(rows)


# planted bugs


def counted(table: Contributions) -> dict[tuple[str, int], int]:
    hats = zip(table.cell.tolist(), table.slot.tolist(), strict=True)
    return {(h3.int_to_str(cell), slot): int(n) for (cell, slot), n in zip(hats, table.records, strict=True)}


def by_hand(pings: Sequence[Ping]) -> dict[tuple[str, int], int]:
    found: dict[tuple[str, int], int] = defaultdict(int)
    for one in counted_by_hand(pings, (6, 8), lambda _, __, days: days >= 4):
        found[one.cell, one.slot] += 1
    return dict(found)


def test_a_record_in_both_hexagons_or_in_the_parent_of_its_fine_one_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pings, request = drives(2), SelectionRequest(rule="hat", threshold=2)

    def table() -> Contributions:
        return counted_where_chosen(contributions_of(make_records(pings), 8, WINDOW, choice=MIXED), request)

    assert counted(table()) == by_hand(pings)
    with monkeypatch.context() as patch:
        right = finest_cells.in_finest_cells

        def twice(joined: Contributions, choose: finest_cells.ChooseHats) -> Contributions:
            own, coarse = right(joined, choose), right(joined, lambda _: np.zeros(0, np.int64))
            return dataclasses.replace(
                own, start=own.start + coarse.start[-1] * (np.arange(own.start.size) > 0)
            )

        patch.setattr("core.selection.finer_hats.in_finest_cells", twice)
        assert counted(table()) != by_hand(pings)

    def nesting(cells: Sequence[int]) -> str:
        return joined_text((basic_int.cell_to_parent(cells[1], 6), cells[1]))

    monkeypatch.setattr("core.hats.place_codes.joined_text", nesting)
    assert counted(table()) != by_hand(pings)


# tables, specs, comparisons


def test_every_engine_writes_the_same_table_and_a_release_of_it_has_the_same_rows(tmp_path: Path) -> None:
    files = write_rows(tmp_path / "rows", dirty_rows(), "csv")
    asked = dataclasses.replace(job(files, tmp_path / "local.parquet"), resolution=8, choice=MIXED)
    made = [
        engine.contributions(dataclasses.replace(asked, out=tmp_path / name), quiet)
        for engine, name in ((LocalEngine(), "local.parquet"), (DuckDbEngine(), "duck.parquet"))
    ]
    assert made[0].rows == made[1].rows > 0
    assert made[0].hats == made[1].hats
    assert (tmp_path / "local.parquet").read_bytes() == (tmp_path / "duck.parquet").read_bytes()
    assert read_contributions(tmp_path / "duck.parquet").choice == MIXED
    path = write_city(tmp_path / "city", edit=TWO)
    out = tmp_path / "city" / "table.parquet"
    assert (
        main(["contributions", str(path.parent / "records.csv"), "--spec", str(path), "--out", str(out)]) == 0
    )
    records = prepare(load_spec(path), open_ledger(tmp_path))
    named = ('files = ["records.csv"]', 'contributions = "table.parquet"')
    table = prepare(load_spec(write_city(path.parent, edit=(*TWO, named))), open_ledger(tmp_path / "other"))
    assert counted(table.contributions) == counted(records.contributions)
    assert [hat.name for hat in table.plans[0].hats] == [hat.name for hat in records.plans[0].hats]
    wrong = (("resolution = 7", "resolution = 8"), TWO[1], named)
    with pytest.raises(InputError) as refused:
        prepare(load_spec(write_city(path.parent, edit=wrong)), open_ledger(tmp_path / "third"))
    assert refused.value.where == "hats.resolution"


BOUNDARY = ('rule = "hat"\nthreshold = 3', 'rule = "boundary"\nfile = "ward.geojson"')


def asked(parameters: str) -> tuple[str, str]:
    return 'total = "6"\n', f'total = "6"\n[query.parameters]\n{parameters}\n'


@pytest.mark.parametrize(
    ("edits", "where"),
    [
        ((("resolution = 7", "resolution = [8, 6]"),), "hats.resolution"),
        ((("resolution = 7", "resolution = [6, 6]"),), "hats.resolution"),
        ((("resolution = 7", "resolution = [6]"),), "hats.resolution"),
        ((("resolution = 7", "resolution = []"),), "hats.resolution"),
        ((("resolution = 7", "resolution = [5, 6, 7, 8]"),), "hats.resolution"),
        ((("resolution = 7", "resolution = [4, 6]"),), "hats.resolution"),
        ((("resolution = 7", 'resolution = ["6", "8"]'),), "hats.resolution"),
        ((*TWO, BOUNDARY), "selection.rule"),
        ((*TWO, *TOKENS, asked("regions = true")), "query.parameters.regions"),
        ((*TWO, *TOKENS, asked('zoom = true\nnoise = "gauss"')), "query.parameters.zoom"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_its_key(edits: Edits, where: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        load_spec(write_city(tmp_path, edit=edits))
    assert_tells(refused.value)
    assert where in str(refused.value)


def test_cells_of_another_resolution_and_a_group_called_rest_are_refused(tmp_path: Path) -> None:
    path = taxis.write_taxis(tmp_path, edits=taxis.MIXED)
    (tmp_path / "mixed.txt").write_text("\n".join(taxis.CELLS), encoding="utf-8")
    with pytest.raises(InputError, match="resolution 7, not 6 or 8"):
        load_spec(path)


def test_a_spec_keeps_its_resolutions_through_a_draft_and_is_another_request(tmp_path: Path) -> None:
    path = write_city(tmp_path, edit=TWO)
    asked = load_spec(path)
    draft, source = draft_of(asked)
    assert draft.resolutions == (6, 8)
    save_draft(draft, source, tmp_path / "again.toml")
    again = load_spec(tmp_path / "again.toml")
    assert (again.place, again.resolution, identity(again)) == (asked.place, 8, identity(asked))
    assert identity(asked)["hats"]["resolution"] == [6, 8]
    one = identity(
        load_spec(write_city(tmp_path / "one", edit=(("resolution = 7", "resolution = 8"), TWO[1])))
    )
    assert one["hats"]["resolution"] == 8
    save_draft(dataclasses.replace(draft, mixed=()), source, tmp_path / "one.toml")
    assert load_spec(tmp_path / "one.toml").resolutions == 8


def test_commands_compare_and_plan_two_resolutions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_city(tmp_path, edit=(*TWO, *TOKENS))
    for command in (["plan"], ["plan", "--error", "4"], ["table", "--spec"]):
        given = (
            [*command, str(path)]
            if command[0] == "plan"
            else ["table", str(tmp_path / "records.csv"), "--spec", str(path)]
        )
        assert main(given) == 0
        assert "Traceback" not in capsys.readouterr().out


def test_two_releases_are_compared_where_the_same_records_count(tmp_path: Path, key: SigningKey) -> None:
    ledger = open_ledger(tmp_path)
    ledger.set_limit("Test buses", per_vehicle=Decimal(1000))
    bundles = []
    for version, threshold in (("1.0.0", "4"), ("1.0.1", "6")):
        edits = (TWO[0], ("threshold = 2", f"threshold = {threshold}"), ('"1.0.0"', f'"{version}"'))
        prepared = prepare(load_spec(write_city(tmp_path / "city", edit=edits)), ledger)
        bundles.append(publish(prepared, ledger, key=key, out=tmp_path / "out", now=taxis.NOW).bundle)
    before, after = (read_bundle(bundle).tables["mean"] for bundle in bundles)
    rows = compare(before, after).rows
    finer = [finer_rows((row["h3_cell"], row["slot_start"]) for row in rows_in(bundle)) for bundle in bundles]
    differ = {place for place in finer[0].keys() & finer[1].keys() if finer[0][place] != finer[1][place]}
    assert differ
    compared = rows[rows["before"].notna() & rows["after"].notna()]
    places = {(cells[0], slot) for cells, slot in zip(compared["cells"], compared["slot_start"], strict=True)}
    assert places == finer[0].keys() & finer[1].keys() - differ


# real buses

AUSTIN = Path(__file__).resolve().parents[3] / "shared" / "data" / "austin-buses"


@pytest.mark.skipif(not AUSTIN.exists(), reason="the real data are not here")
def test_each_real_record_counts_in_its_finest_chosen_hexagon(tmp_path: Path) -> None:
    """A day of Austin's buses, one by one; many lie in a fine hexagon that two coarse ones share."""
    (tmp_path / "records.csv.gz").symlink_to(AUSTIN / "vehicle_positions_2016-11-27.csv.gz")
    edits = (
        ('files = ["records.csv"]', 'files = ["records.csv.gz"]'),
        ('"Asia/Kolkata"', '"America/Chicago"'),
        ('vehicle = "vehicle"\ntime = "time"', 'vehicle = "vehicle_id"\ntime = "timestamp"'),
        ('"lat"\nlongitude = "lon"', '"latitude"\nlongitude = "longitude"'),
        ('unit = "km/h"', 'unit = "m/s"'),
        ('"2022-01-03", "2022-01-04"', '"2016-11-27", "2016-11-27"'),
        ("resolution = 7", "resolution = [6, 8]"),
        ("threshold = 2", "threshold = 10"),
    )
    spec = load_spec(write_city(tmp_path, edit=edits))
    prepared = prepare(spec, open_ledger(tmp_path))
    assert_counts_once(prepared, (6, 8))
    records = load_records(spec.data.paths(), spec.data.rules).records
    at = np.stack((np.asarray(records.latitude), np.asarray(records.longitude)), axis=1) / 1e7
    pings = [
        Ping(records.vehicles[vehicle], int(when), *place, value / 1000)
        for vehicle, when, place, value in zip(
            records.vehicle.tolist(), records.instants(), at.tolist(), records.value.tolist(), strict=True
        )
    ]
    found: dict[tuple[str, int], int] = defaultdict(int)
    chosen = counted_by_hand(
        pings, (6, 8), lambda _, __, vehicles: vehicles >= 10, spec.window, zone="America/Chicago"
    )
    for one in chosen:
        found[one.cell, one.slot] += 1
    assert counted(prepared.contributions) == found
    parents = {cell: h3.cell_to_parent(cell, 6) for cell in {h3.latlng_to_cell(*place, 8) for place in at}}
    other = sum(
        h3.latlng_to_cell(*place, 6) != parents[h3.latlng_to_cell(*place, 8)] for place in at.tolist()
    )
    assert 0.01 < other / len(at) < 0.2
