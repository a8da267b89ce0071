"""Releases by named parts of the day, from the spec to both verifiers (method 3)."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import h3
import numpy as np
import pytest

from core.accounting.ledger import Ledger
from core.bounding.candidates import CandidateHats
from core.bounding.counts_file import counts_of_hats, read_counts
from core.city.smoothing_model import HatPlaces, covariance
from core.cli import main
from core.contributions import Contributions, contributions_of
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions, write_partitioned
from core.draft.draft import draft_of, save_draft
from core.engines.duckdb import DuckDbEngine
from core.engines.local import LocalEngine
from core.errors import InputError
from core.hats.slots import PeriodOfDay
from core.keys.signing_key import SigningKey, generate_key
from core.mechanisms.public_model import HAT_MEAN_SPREAD
from core.planning.counted_city import CountedCity
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.published.bundle_frames import read_bundle
from core.published.comparison import compare
from core.release.prepare_publish import prepare, publish
from core.selection.base import days_of_hats
from core.selection.registry import select
from core.spec import load_spec
from core.store.load_records import load_records
from tests import taxis
from tests.city import BY_REGION, EVERY_STATISTIC, PASSPHRASE, TOKENS, write_city
from tests.engine_data import dirty_rows, job, quiet, write_rows
from tests.neighbours import data_of, joint_losses, vehicle_day_rows, vehicle_rows, with_new_values
from tests.records import assert_tells
from tests.region_bundles import open_ledger
from tests.tampering import by_file, by_program

Edits = Sequence[tuple[str, str]]
NAMED = '{ "=early" = ["09:00", "09:30"], "late, <b>" = ["10:00", "11:45"] }'
"""Names that a spreadsheet or a page could take for more than text; between the two lies time in neither."""
PERIODS = (("slot_minutes = 60", f"periods = {NAMED}"),)
IN_USER = (('hours = ["09:00", "12:00"]', f'hours = ["09:00", "12:00"]\nperiods = {NAMED}'),)
HOURS = {"'=early": ("09:00", "09:30"), "late, <b>": ("10:00", "11:45")}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", PASSPHRASE)


def rows_in(bundle: Path) -> list[dict[str, str]]:
    """Of its first table of statistics."""
    path = next(path for path in sorted((bundle / "data").glob("*_by_*.csv")))
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def released(spec: Path, folder: Path, key: SigningKey, ledger: Ledger | None = None) -> Path:
    """The folder of the bundle."""
    ledger = ledger or open_ledger(folder)
    return publish(
        prepare(load_spec(spec), ledger), ledger, key=key, out=folder / "out", now=taxis.NOW
    ).bundle


def assert_by_period(bundle: Path) -> None:
    assert by_program(bundle).reasons == by_file(bundle).reasons == ""
    rows = rows_in(bundle)
    assert {row["period"]: (row["slot_start"], row["slot_end"]) for row in rows} == HOURS
    names = list(rows[0])
    assert names.index("period") == names.index("slot_end") + 1
    stated = json.loads((bundle / "privacy.json").read_text("utf-8"))["grid"]
    assert "slot_minutes" not in stated
    assert stated["periods"][0] == {"name": "=early", "start": "09:00", "end": "09:30"}
    for name in ("report.html", "map.html", "README.md"):
        assert "late, <b>" not in (bundle / name).read_text("utf-8")
    assert "late, &lt;b&gt;, 10:00–11:45" in (bundle / "report.html").read_text("utf-8")


def _table(spec: Path, **window: object) -> Contributions:
    release = load_spec(spec)
    records = load_records(release.data.paths(), release.data.rules).records
    return contributions_of(records, release.resolution, dataclasses.replace(release.window, **window))


def test_records_count_in_the_period_that_holds_them(tmp_path: Path) -> None:
    by_period = _table(write_city(tmp_path, edit=PERIODS))
    by_quarter = _table(write_city(tmp_path, edit=(("slot_minutes = 60", "slot_minutes = 15"),)))
    for slot, quarters in enumerate((range(36, 38), range(40, 47))):
        records = by_quarter.records[np.isin(by_quarter.slot, quarters)].sum()
        assert by_period.records[by_period.slot == slot].sum() == records > 0
    names = {by_period.hat_name(hat).split("\x1f")[0] for hat in range(by_period.hats)}
    assert names == {"=early", "late, <b>"}


def test_a_table_of_periods_comes_back_and_every_engine_writes_it(tmp_path: Path) -> None:
    table = _table(write_city(tmp_path, edit=PERIODS))
    write_contributions(table, tmp_path / "table.parquet", physical=(0, 65_000))
    read = read_contributions(tmp_path / "table.parquet")
    assert (read.window, read.slot.tolist()) == (table.window, table.slot.tolist())
    files = write_rows(tmp_path / "rows", dirty_rows(), "csv")
    asked = job(files, tmp_path / "local.parquet")
    start, end = asked.window.start, asked.window.end
    periods = (PeriodOfDay(start, start + 50, "b"), PeriodOfDay(start + 90, end, "a"))
    window = dataclasses.replace(asked.window, slot_minutes=0, periods=periods)
    made = [
        engine.contributions(dataclasses.replace(asked, window=window, out=tmp_path / name), quiet)
        for engine, name in ((LocalEngine(), "local.parquet"), (DuckDbEngine(), "duck.parquet"))
    ]
    assert made[0].rows == made[1].rows > 0
    assert made[0].hats == made[1].hats
    assert (tmp_path / "local.parquet").read_bytes() == (tmp_path / "duck.parquet").read_bytes()


def test_a_table_of_slots_is_not_taken_for_periods(tmp_path: Path) -> None:
    write_contributions(_table(write_city(tmp_path)), tmp_path / "table.parquet", physical=(0, 65_000))
    files = ('files = ["records.csv"]', 'contributions = "table.parquet"')
    spec = write_city(tmp_path, edit=(files, *PERIODS))
    with pytest.raises(InputError) as caught:
        prepare(load_spec(spec), open_ledger(tmp_path))
    assert caught.value.where == "hats.slot_minutes"


def test_a_spec_keeps_its_periods_through_a_draft(tmp_path: Path) -> None:
    spec = write_city(tmp_path, edit=PERIODS)
    draft, source = draft_of(load_spec(spec))
    save_draft(draft, source, tmp_path / "again.toml")
    assert load_spec(tmp_path / "again.toml").window == load_spec(spec).window


def test_two_releases_by_periods_are_compared_row_by_row(tmp_path: Path, key: SigningKey) -> None:
    ledger = open_ledger(tmp_path)
    bundles = []
    for version in ("1.0.0", "1.0.1"):
        spec = write_city(tmp_path / "city", edit=(*PERIODS, ("1.0.0", version)))
        bundles.append(released(spec, tmp_path / version, key, ledger))
    before, after = (read_bundle(bundle).tables["mean"] for bundle in bundles)
    assert len(compare(before, after).rows) == len(rows_in(bundles[0]))


@pytest.mark.parametrize(
    ("periods", "where"),
    [
        ('{ night = ["22:00", "02:00"] }', "hats.periods"),
        ('{ a = ["09:00", "10:00"], b = ["09:30", "11:00"] }', "hats.periods"),
        ('{ early = ["06:00", "10:00"] }', "hats.periods"),
        ('{ "a\\u0007b" = ["09:00", "10:00"] }', "hats.periods"),
        ('{ "  " = ["09:00", "10:00"] }', "hats.periods"),
        (f'{{ "{"a" * 81}" = ["09:00", "10:00"] }}', "hats.periods"),
        ("{ }", "hats.periods"),
        ('{ a = ["09:00"] }', "hats.periods"),
        ('{ a = ["9", "10"] }', "hats.periods"),
        ('{ a = ["09:00", "10:00"] }\nslot_minutes = 60', "hats.periods"),
    ],
)
def test_periods_that_cannot_be_are_refused_in_words(periods: str, where: str, tmp_path: Path) -> None:
    spec = write_city(tmp_path, edit=(("slot_minutes = 60", f"periods = {periods}"),))
    with pytest.raises(InputError) as caught:
        load_spec(spec)
    assert_tells(caught.value)
    assert caught.value.where == where


WEEK = (
    (
        'dates = ["2022-01-03", "2022-01-04"]',
        'dates = ["2022-01-03", "2022-01-04"]\ngroup = ["day_kind"]\nday_kinds = "kinds.csv"',
    ),
)
"""Monday is a feast, Tuesday a usual day."""


def with_kinds(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kinds.csv").write_text("date,label\n2022-01-03,=feast\n2022-01-04,usual\n2022-02-01,other\n")
    return folder


WEEK_OF_WAYS = (('group = ["way", "day_kind"]', 'group = ["way", "day_kind"]\nday_kinds = "kinds.csv"'),)
BY_WAY = (
    ('unit = "km/h"\n', 'unit = "km/h"\ncolumns = { way = "way" }\n'),
    ('hours = ["09:00", "12:00"]', 'hours = ["09:00", "12:00"]\ngroup = ["way", "day_kind"]'),
)
TYPED = (('group = ["way", "day_kind"]', 'group = ["way", "day_kind"]\nlabels = { way = ["UP", "<i>DN"] }'),)


def with_ways(folder: Path, rare: str = "<i>rare", names: bool = False) -> Path:
    """The city's or the taxis' records with a column more: two ways, of one vehicle another one, or none."""
    path = folder / "records.csv"
    if not path.exists():
        write_city(folder)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    one = rows[0]["vehicle"]
    for number, row in enumerate(rows):
        row["way"] = ("UP", "<i>DN", "UP")[number % 3]
        if row["vehicle"] == one:
            row["way"] = (rare, "", "a\tb", "UP")[number % 4]
        row["way"] = f"line {row['vehicle']}" if names else row["way"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return folder


@pytest.mark.parametrize("edits", [EVERY_STATISTIC, TOKENS, BY_REGION], ids=["every", "tokens", "regions"])
def test_labels_of_a_column_stand_beside_each_other_and_a_rare_one_nowhere(
    edits: Edits, tmp_path: Path, key: SigningKey
) -> None:
    ways = with_ways(tmp_path / "city")
    spec = write_city(with_kinds(ways), edit=(*edits, *BY_WAY, *WEEK_OF_WAYS, *PERIODS))
    bundle = released(spec, tmp_path, key)
    assert_by_period(bundle)
    rows = rows_in(bundle)
    assert {row["way"] for row in rows} == {"UP", "<i>DN"}
    assert {row["day_kind"] for row in rows} == {"'=feast", "usual"}
    names = list(rows[0])
    assert names[names.index("slot_end") + 1 :][:3] == ["period", "way", "day_kind"]
    for path in sorted(bundle.rglob("*")):
        if path.is_file():
            assert b"rare" not in path.read_bytes()
    assert "<i>DN" not in (bundle / "report.html").read_text("utf-8")
    assert (
        "which way each record has: <i>DN, UP"
        in json.loads((bundle / "privacy.json").read_text("utf-8"))["unprotected_quantities"]
    )


@pytest.mark.parametrize(
    "edits",
    [taxis.DAYS + taxis.others(), taxis.ENFORCED, taxis.REGIONS],
    ids=["every", "enforced", "regions"],
)
def test_typed_labels_in_relation_user_follow_from_no_record(
    edits: Edits, tmp_path: Path, key: SigningKey
) -> None:
    """One vehicle with a new label, or that alone, changes no list of rows and no refusal."""
    found = []
    for number, rare in enumerate(("UP", "new")):
        folder = tmp_path / str(number)
        spec = taxis.write_taxis(folder / "city", edits=(*edits, *IN_USER, *BY_WAY, *TYPED))
        with_ways(folder / "city", rare, names=number == 1)
        bundle = released(spec, folder, key, taxis.ledger_in(folder / "home"))
        assert_by_period(bundle)
        rows = rows_in(bundle)
        assert {(row["way"], row["day_kind"]) for row in rows} == {("UP", "weekday"), ("<i>DN", "weekday")}
        privacy = json.loads((bundle / "privacy.json").read_text("utf-8"))
        found.append(([row["slot_start"] + row["way"] for row in rows], privacy["grid"], privacy["charges"]))
    assert found[0] == found[1]


@pytest.mark.parametrize("typed", [(), TYPED], ids=["of the records", "typed"])
def test_duckdb_groups_by_columns_as_the_local_engine_does(typed: Edits, tmp_path: Path) -> None:
    spec = write_city(with_ways(tmp_path), edit=(*BY_WAY, *PERIODS, *typed))
    made = []
    for engine in (LocalEngine(), DuckDbEngine()):
        asked = load_spec(spec)
        out = tmp_path / f"{type(engine).__name__}.parquet"
        wanted = dataclasses.replace(job(asked.data.paths(), out, asked.data.rules), window=asked.window)
        engine.contributions(wanted, quiet)
        made.append(out.read_bytes())
    assert made[0] == made[1]
    assert b"rare" not in made[0]


def test_a_column_that_names_vehicles_is_refused_by_duckdb_too(tmp_path: Path) -> None:
    spec = load_spec(write_city(with_ways(tmp_path, names=True), edit=BY_WAY))
    wanted = job(spec.data.paths(), tmp_path / "table.parquet", spec.data.rules)
    with pytest.raises(InputError, match="names vehicles, drivers"):
        DuckDbEngine().contributions(dataclasses.replace(wanted, window=spec.window), quiet)


def test_more_slots_than_groups_may_make_are_refused_by_engines_and_of_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_city(with_ways(tmp_path), edit=BY_WAY)
    spec, table = load_spec(path), tmp_path / "table.parquet"
    asked = dataclasses.replace(job(spec.data.paths(), table, spec.data.rules), window=spec.window)
    by_hand = dataclasses.replace(asked, resolution=spec.resolution)
    assert LocalEngine().contributions(by_hand, quiet).hats > 2
    monkeypatch.setattr("core.contributions.index._MOST_IN_GROUPS", 2)
    text = path.read_text("utf-8")
    start, end = text.index("[data.mapping]"), text.index("[hats]")
    whole = (text[:start] + text[end:]).replace('files = ["records.csv"]', 'contributions = "table.parquet"')
    path.write_text(whole, encoding="utf-8")
    new = dataclasses.replace(asked, out=tmp_path / "new.parquet")
    for act in (
        lambda: LocalEngine().contributions(new, quiet),
        lambda: DuckDbEngine().contributions(new, quiet),
        lambda: prepare(load_spec(path), open_ledger(tmp_path)),
    ):
        with pytest.raises(InputError, match="more than 2") as caught:
            act()
        assert caught.value.where == "hats.group"
    assert not new.out.exists()


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_a_rare_label_of_a_table_is_published_nowhere(
    engine: str, tmp_path: Path, key: SigningKey, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who made the table asked for no number of vehicles; the release does."""
    edits = (*EVERY_STATISTIC, *BY_WAY)
    spec = write_city(with_ways(tmp_path / "city"), edit=edits)
    text = spec.read_text("utf-8")
    loose = tmp_path / "city" / "loose.toml"
    loose.write_text(text.replace("minimum_vehicles = 2", "minimum_vehicles = 1"), encoding="utf-8")
    table = tmp_path / "city" / "table.parquet"
    given = [str(tmp_path / "city" / "records.csv"), "--spec", str(loose), "--out", str(table)]
    assert main(["contributions", *given, "--engine", engine]) == 0
    assert b"rare" in table.read_bytes()
    from_records = prepare(load_spec(spec), open_ledger(tmp_path)).plans
    start, end = text.index("[data.mapping]"), text.index("[hats]")
    spec.write_text(
        (text[:start] + text[end:]).replace('files = ["records.csv"]', 'contributions = "table.parquet"'),
        encoding="utf-8",
    )
    ledger = open_ledger(tmp_path)
    prepared = prepare(load_spec(spec), ledger)
    assert [(hat.name, hat.plan) for hat in prepared.plans[0].hats] == [
        (hat.name, hat.plan) for hat in from_records[0].hats
    ]
    assert "<i>rare" not in str(prepared.review)
    bundle = publish(prepared, ledger, key=key, out=tmp_path / "out", now=taxis.NOW).bundle
    assert by_program(bundle).reasons == by_file(bundle).reasons == ""
    assert {row["way"] for row in rows_in(bundle)} == {"UP", "<i>DN"}
    for path in sorted(bundle.rglob("*")):
        assert path.is_dir() or b"<i>rare" not in path.read_bytes()
    assert "<i>rare" not in capsys.readouterr().out


def test_a_table_of_groups_comes_back(tmp_path: Path) -> None:
    spec = write_city(with_ways(tmp_path), edit=BY_WAY)
    release = load_spec(spec)
    records = load_records(release.data.paths(), release.data.rules).records
    table = contributions_of(records, release.resolution, release.window)
    assert [group.labels for group in table.window.groups] == [("<i>DN", "UP"), ("weekday",)]
    write_contributions(table, tmp_path / "table.parquet", physical=(0, 65_000))
    read = read_contributions(tmp_path / "table.parquet")
    assert [(one.name, one.labels) for one in read.window.groups] == [
        (one.name, one.labels) for one in table.window.groups
    ]
    assert (read.slot.tolist(), read.hat.tolist()) == (table.slot.tolist(), table.hat.tolist())
    write_partitioned(table, tmp_path / "parts", ("date",), physical=(0, 65_000))
    parts = read_contributions(tmp_path / "parts", window=release.window)
    assert parts.slot.tolist() == table.slot.tolist()


@pytest.mark.parametrize("parts", [(), ("--partition-by", "date")], ids=["file", "parts"])
def test_a_table_whose_groups_stand_in_another_order_gives_the_release_of_its_records(
    parts: tuple[str, ...], tmp_path: Path
) -> None:
    edits = (*EVERY_STATISTIC, *BY_WAY, *WEEK_OF_WAYS, *PERIODS)
    spec = write_city(with_kinds(with_ways(tmp_path)), edit=edits)
    text, table = spec.read_text("utf-8"), tmp_path / ("table" if parts else "table.parquet")
    other = tmp_path / "other.toml"
    other.write_text(text.replace('["way", "day_kind"]', '["day_kind", "way"]'), encoding="utf-8")
    given = [str(tmp_path / "records.csv"), "--spec", str(other), "--out", str(table)]
    assert main(["contributions", *given, *parts]) == 0
    wanted = prepare(load_spec(spec), open_ledger(tmp_path)).plans
    start, end = text.index("[data.mapping]"), text.index("[hats]")
    whole = (text[:start] + text[end:]).replace('files = ["records.csv"]', f'contributions = "{table.name}"')
    spec.write_text(whole, encoding="utf-8")
    found = prepare(load_spec(spec), open_ledger(tmp_path)).plans
    assert [[(hat.name, str(hat.plan)) for hat in plan.hats] for plan in found] == [
        [(hat.name, str(hat.plan)) for hat in plan.hats] for plan in wanted
    ]


def test_a_column_that_names_vehicles_is_no_group(tmp_path: Path) -> None:
    spec = write_city(with_ways(tmp_path / "city", names=True), edit=BY_WAY)
    with pytest.raises(InputError, match="More than half") as caught:
        prepare(load_spec(spec), open_ledger(tmp_path))
    assert_tells(caught.value)


@pytest.mark.parametrize(
    ("hats", "where"),
    [
        ('group = ["way"]', "hats.group"),
        ('group = ["way", "way"]', "hats.group"),
        ('group = ["day_kind"]\nday_kinds = "none.csv"', "none.csv"),
        ('group = ["day_kind"]\nday_kinds = "short.csv"', "hats.day_kinds"),
        ('day_kinds = "kinds.csv"', "hats.day_kinds"),
        ('labels = { way = ["UP"] }', "hats.labels"),
        ('group = ["speed"]', "hats.group"),
        ('group = ["bus"]', "hats.group"),
    ],
)
def test_groups_that_cannot_be_are_refused_in_words(hats: str, where: str, tmp_path: Path) -> None:
    with_kinds(tmp_path)
    (tmp_path / "short.csv").write_text("2022-01-03,feast\n")
    columns = ('unit = "km/h"\n', 'unit = "km/h"\ncolumns = { speed = "speed", bus = "vehicle" }\n')
    spec = write_city(tmp_path, edit=(columns, ("slot_minutes = 60", f"slot_minutes = 60\n{hats}")))
    with pytest.raises(InputError) as caught:
        load_spec(spec)
    assert_tells(caught.value)
    assert caught.value.where.endswith(where)


@pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
@pytest.mark.parametrize("edits", [(), TOKENS, EVERY_STATISTIC], ids=["arrays", "tokens", "every"])
def test_no_neighbour_costs_more_than_its_charge_over_all_groups(
    edits: Edits, unit: Unit, tmp_path: Path
) -> None:
    """All of one unit's values, in every period and group, at one bound, and at the other."""
    ways = with_ways(tmp_path / "city", "UP")
    protected = ('unit = "vehicle"', f'unit = "{unit}"')
    edit = (*edits, *BY_WAY, *PERIODS, *WEEK_OF_WAYS, protected)
    spec = load_spec(write_city(with_kinds(ways), edit=edit))
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = contributions_of(records, spec.resolution, spec.window)
    data, size = data_of(table, unit), len(table.values)
    selection = select(table, spec.selection)
    for query in spec.queries:
        plan = plan_query(
            CountedCity(
                table, data.users, selection, minimum_vehicles=spec.minimum_vehicles, delta=Decimal("1e-6")
            ),
            query,
        )
        losses = []
        for row in {0, table.hat.size // 2, table.hat.size - 1}:
            rows = (vehicle_rows if unit is Unit.VEHICLE else vehicle_day_rows)(table, row)
            fast, slow = (with_new_values(table, rows, [value] * size) for value in (65_000, 0))
            losses.append(joint_losses(plan, data_of(fast, unit), slow))
        pure, rho = (max(loss) for loss in zip(*losses, strict=True))
        assert pure <= plan.charge.of(unit)
        assert rho <= plan.charge.rho.of(unit)
        assert pure or rho


def test_a_day_counts_among_those_of_its_kind(tmp_path: Path) -> None:
    spec = load_spec(write_city(with_kinds(tmp_path), edit=WEEK))
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = contributions_of(records, spec.resolution, spec.window)
    assert set(days_of_hats(table)) == {1}
    by_kind = table.window.grid.labels(int(table.slot[0]))
    assert by_kind in {("=feast",), ("usual",)}
    assert {table.window.days_of(slot) for slot in table.window.slots} == {1}


def test_public_counts_name_periods_and_labels(tmp_path: Path) -> None:
    window = load_spec(write_city(with_kinds(tmp_path), edit=(*PERIODS, *WEEK))).window
    cell = taxis.CELLS[0]
    lines = [f"{cell},=early,usual,12,3", f'{cell},"late, <b>",=feast,7,2']
    path = tmp_path / "counts.csv"
    path.write_text("\n".join(("h3_cell,period,day_kind,vehicles,records", *lines)) + "\n")
    counted = read_counts(path, 7, window=window)
    assert [(one.minute, one.groups, one.vehicles) for one in counted] == [
        (540, ("usual",), 12),
        (600, ("=feast",), 7),
    ]
    candidates = CandidateHats.every_slot((h3.str_to_int(cell),), window)
    public, columns = counts_of_hats(counted, candidates, 50)
    assert [candidates.names[column].split("\x1f")[::2] for column in columns.tolist()] == [
        ["late, <b>", "=feast"],
        ["=early", "usual"],
    ]
    assert public.units.tolist() == [7, 12]
    lines = [f"3,usual,=early,{cell},12", f'2,=feast,"late, <b>",{cell},7']
    path.write_text("\n".join(("records,day_kind,period,h3_cell,vehicles", *lines)) + "\n")
    assert read_counts(path, 7, window=window) == counted
    path.write_text("h3_cell,period,day_kind,vehicles,records\n" + f"{cell},noon,usual,12,3\n")
    with pytest.raises(InputError) as caught:
        read_counts(path, 7, window=window)
    assert_tells(caught.value)


def test_groups_that_are_alike_help_each_other_and_without_groups_nothing_changes() -> None:
    one, other = (h3.str_to_int(cell) for cell in taxis.CELLS[:2])
    cells, hours = np.array([one, one, other]), np.array([9.0, 9.0, 12.0])
    alone = HatPlaces.of(cells, hours)
    apart = HatPlaces.of(cells, hours, group=np.array([0, 1, 1]))
    assert alone.spread_centres.size + 1 == apart.spread_centres.size == 5
    law = covariance(apart, apart.spread_centres)
    place, hour, local, own, shared = apart.spread_centres**2
    common = HAT_MEAN_SPREAD**2 + hour
    assert law[0, 0] == pytest.approx(common + place + local + own + shared)
    assert law[0, 1] == pytest.approx(common + 0.6 * (place + local) + shared)
    assert np.linalg.eigvalsh(law).min() > 0


@pytest.mark.parametrize("edits", [EVERY_STATISTIC, TOKENS], ids=["every", "tokens"])
def test_places_and_groups_go_together(edits: Edits, tmp_path: Path, key: SigningKey) -> None:
    """The whole area, and labels as places beside kinds of day; one of the two with periods."""
    whole = (("resolution = 7\n", 'place = "none"\n'), *WEEK, *PERIODS)
    labelled = (
        ("resolution = 7\n", 'place = "column"\nplace_column = "way"\n'),
        ('unit = "km/h"\n', 'unit = "km/h"\ncolumns = { way = "way" }\n'),
        *WEEK,
    )
    for number, places in enumerate((whole, labelled)):
        folder = tmp_path / str(number)
        spec = write_city(with_kinds(with_ways(folder / "city", "UP")), edit=(*edits, *places))
        bundle = released(spec, folder, key)
        assert by_program(bundle).reasons == by_file(bundle).reasons == ""
        rows = rows_in(bundle)
        assert {row["day_kind"] for row in rows} == {"'=feast", "usual"}
        assert {row["place_id"] for row in rows} == ({"<i>DN", "UP"} if number else {"all"})


@pytest.mark.parametrize("noise", ["laplace", "gauss"])
def test_vehicles_above_limits_of_relation_user_are_divided_by_the_days_of_their_kind(
    noise: str, tmp_path: Path, key: SigningKey
) -> None:
    """One date of each kind: noise and interval of a row are twice those of both dates together."""
    hours = 'hours = ["09:00", "12:00"]'
    kinds = (hours, f'{hours}\ngroup = ["day_kind"]\nday_kinds = "kinds.csv"')
    widest = {}
    for name, edits in (("both", ()), ("apart", (kinds,))):
        city = tmp_path / name / "city"
        city.mkdir(parents=True)
        (city / "kinds.csv").write_text("2022-01-03,term\n2022-01-04,feast\n")
        asked = taxis.others(noise=f'noise = "{noise}"', histogram=True)
        spec = taxis.write_taxis(city, edits=(*taxis.DAYS, *asked, *edits))
        bundle = released(spec, tmp_path / name, key, taxis.ledger_in(tmp_path / name))
        assert by_program(bundle).reasons == by_file(bundle).reasons == ""
        with (bundle / "data" / "vehicles_above_limit_by_hat.csv").open(encoding="utf-8", newline="") as file:
            ends = [
                (float(row["ci95_low_vehicles"]), float(row["ci95_high_vehicles"]))
                for row in csv.DictReader(file)
            ]
        widest[name] = max(high - low for low, high in ends)
    assert widest["apart"] == pytest.approx(2 * widest["both"], rel=1e-3)
