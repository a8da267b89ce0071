"""A release of a contribution table is the release of its records; another choice is refused."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.accounting.ledger import Ledger
from core.clean.bounded_value import EXAMPLE_LINES
from core.clean.ingest_report import unused_share
from core.clean.record_filter import RecordFilter, filters_of
from core.cli import main
from core.contributions import contributions_of
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions, write_partitioned
from core.errors import InputError
from core.keys.signing_key import generate_key
from core.privacy import Relation
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import prepare, publish
from core.release.signed_choices import signed_choices
from core.spec import load_spec
from core.store.load_records import load_records
from core.store.record_cache import RecordCache
from core.verify.verify import verify_bundle
from tests.city import EVERY_STATISTIC, PASSPHRASE, POPULATION, SPEC, write_city
from tests.delays import MEAN, write_delay_spec
from tests.records import assert_same, assert_tells

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
TABLE = ('files = ["records.csv"]', 'contributions = "table.parquet"')
MAPPING = (SPEC[SPEC.index("[data.mapping]") : SPEC.index("[hats]")], "")
NIGHT_BUS = "bus-night,2022-01-03T23:30:00+05:30,21.17,72.83,9.5\n"
"""A vehicle that has no row in the window."""


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    opened = Ledger.open(tmp_path / "home" / "ledger.sqlite")
    opened.set_limit(POPULATION, per_vehicle=Decimal(100))
    return opened


@pytest.fixture
def city(tmp_path: Path) -> Path:
    """A folder with records and the table of the usual spec."""
    spec = load_spec(write_city(tmp_path / "city"))
    with (tmp_path / "city" / "records.csv").open("a", encoding="utf-8") as file:
        file.write(NIGHT_BUS)
    write_contributions(
        contributions_for(spec)[0],
        tmp_path / "city" / "table.parquet",
        physical=spec.data.rules.physical_limits,
    )
    return tmp_path / "city"


def test_records_give_contributions_and_a_report(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    loaded = load_records(spec.data.paths(), spec.data.rules)
    table, report = contributions_for(spec)
    assert report == loaded.report
    assert_same(table, contributions_of(loaded.records, spec.resolution, spec.window))


def test_a_table_gives_the_plan_charge_and_fingerprint_of_its_records(city: Path, ledger: Ledger) -> None:
    records = prepare(load_spec(write_city(city, edit=EVERY_STATISTIC)), ledger)
    table = prepare(load_spec(write_city(city, edit=(*EVERY_STATISTIC, TABLE))), ledger)
    assert_same(table.contributions, records.contributions)
    assert "bus-night" in table.contributions.vehicles
    for one, other in zip(table.plans, records.plans, strict=True):
        assert repr(one.hats) == repr(other.hats)
        assert one.charge == other.charge
    assert table.fingerprint == records.fingerprint
    assert table.review == records.review
    assert records.report is not None
    assert table.report is None


def test_a_table_without_a_mapping_is_released_and_holds(city: Path, ledger: Ledger, tmp_path: Path) -> None:
    (city / "records.csv").unlink()
    (city / "records.csv").write_text("not needed", encoding="utf-8")
    spec = load_spec(write_city(city, edit=(TABLE, MAPPING)))
    key = generate_key(tmp_path / "key", PASSPHRASE)
    result = publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
    assert verify_bundle(result.bundle, key.public_text).ok
    assert ledger.populations()[0].spent == result.release.charge.per_vehicle > 0
    for path in result.bundle.rglob("*"):
        if path.is_file():
            assert b"bus-" not in path.read_bytes()
            assert b"table.parquet" not in path.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("resolution = 7", "resolution = 8", "hats.resolution"),
        ("slot_minutes = 60", "slot_minutes = 30", "hats.slot_minutes"),
        ('"2022-01-04"]', '"2022-01-05"]', "hats.dates"),
        ('"12:00"', '"13:00"', "hats.hours"),
        ('"Asia/Kolkata"', '"Asia/Colombo"', "data.zone"),
        ("upper_bound_kmh = 65.0", "upper_bound_kmh = 60.0", "data.upper_bound_kmh"),
    ],
)
def test_a_table_of_another_choice_is_refused(city: Path, old: str, new: str, key: str) -> None:
    spec = load_spec(write_city(city, edit=(TABLE, (old, new))))
    with pytest.raises(InputError, match="another choice") as caught:
        contributions_for(spec)
    assert caught.value.where == key
    assert_tells(caught.value)


DERIVED = ('value = "speed"\nunit = "km/h"\n', "\n[data.derived_speed]\nmax_gap_seconds = 86400\n")


def test_derived_speeds_are_not_released_by_way_of_a_table(city: Path, ledger: Ledger) -> None:
    """The table says of itself what its values are; the spec that names it need not know."""
    spec = load_spec(write_city(city, edit=(DERIVED,)))
    table, report = contributions_for(spec)
    assert report is not None
    assert report.mapping["derived_speed"] == {"max_gap_seconds": 86400}
    write_contributions(table, city / "table.parquet")
    for edit in ((TABLE,), (TABLE, MAPPING)):
        with pytest.raises(InputError, match="derived from") as caught:
            prepare(load_spec(write_city(city, edit=edit)), ledger)
        assert caught.value.where == "data.contributions"
    cached = RecordCache(city / "cache")
    for _ in range(2):
        assert load_records(spec.data.paths(), spec.data.rules, cache=cached).records.derived


def _as_first_version(path: Path) -> None:
    """As version 1 wrote it, without a word on where its speeds come from."""
    rows = pq.read_table(path)
    metadata = {**rows.schema.metadata, b"hexveil_contributions": b"1"}
    for key in (b"derived_speed", b"lower", b"value_name"):
        del metadata[key]
    pq.write_table(rows.drop_columns(["visits"]).replace_schema_metadata(metadata), path)


def _said(flag: str) -> tuple[str, str]:
    return ('zone = "Asia/Kolkata"', f'zone = "Asia/Kolkata"\nderived_speed_in_table = {flag}')


def test_a_table_that_does_not_say_where_its_speeds_come_from_needs_a_word(
    city: Path, ledger: Ledger
) -> None:
    records = prepare(load_spec(write_city(city)), ledger)
    _as_first_version(city / "table.parquet")
    with pytest.raises(InputError, match="does not say") as caught:
        prepare(load_spec(write_city(city, edit=(TABLE,))), ledger)
    assert caught.value.where == "data.contributions"
    assert "derived_speed_in_table = false" in caught.value.mend
    assert_tells(caught.value)
    measured = prepare(load_spec(write_city(city, edit=(TABLE, _said("false")))), ledger)
    assert measured.contributions.derived is False
    assert measured.contributions.visits is None
    assert measured.fingerprint == records.fingerprint, "visits play no part in this plan"
    with pytest.raises(InputError, match="derived from"):
        prepare(load_spec(write_city(city, edit=(TABLE, _said("true")))), ledger)


def test_a_spec_cannot_say_otherwise_than_the_table(city: Path) -> None:
    assert contributions_for(load_spec(write_city(city, edit=(TABLE, _said("false")))))[0].derived is False
    with pytest.raises(InputError, match="says something else") as caught:
        contributions_for(load_spec(write_city(city, edit=(TABLE, _said("true")))))
    assert caught.value.where == "data.derived_speed_in_table"


def test_visits_do_not_count_where_records_are_events_or_no_speeds(city: Path) -> None:
    events = ('zone = "Asia/Kolkata"', 'zone = "Asia/Kolkata"\npings = "events"')
    named = "\n".join(EXAMPLE_LINES)
    value = (
        ("upper_bound_kmh = 65.0\n", ""),
        ('unit = "km/h"\n', ""),
        ("[hats]", f"{named}\n\n[hats]"),
    )
    for edit, known, sources in (
        ((), True, ((), (TABLE,))),
        ((events,), False, ((), (TABLE,))),
        (value, False, ((),)),
    ):
        for source in sources:
            table, _ = contributions_for(load_spec(write_city(city, edit=(*edit, *source))))
            assert (table.visits is not None) == known


def test_a_table_of_derived_speeds_is_not_released(city: Path, ledger: Ledger) -> None:
    with pytest.raises(InputError, match="derived from"):
        prepare(load_spec(write_city(city, edit=(TABLE, DERIVED))), ledger)


def test_a_table_of_delays_is_released_as_its_records_are(tmp_path: Path) -> None:
    """Its values stand there as measured, below 0 too; inside they count from the lower bound."""
    spec = write_delay_spec(tmp_path, MEAN)
    records, _ = contributions_for(load_spec(spec))
    assert (
        main(
            [
                "contributions",
                str(tmp_path / "delays.csv"),
                "--spec",
                str(spec),
                "--out",
                str(tmp_path / "t.parquet"),
            ]
        )
        == 0
    )
    written = pq.read_table(tmp_path / "t.parquet")
    assert min(min(row) for row in written.column("values").to_pylist()) < 0
    told = {key.decode(): text.decode() for key, text in written.schema.metadata.items()}
    assert (told["value_name"], told["unit"], told["lower"], told["upper_bound"]) == (
        "delay",
        "0.001 s",
        "-600000",
        "1800000",
    )
    text = spec.read_text(encoding="utf-8").replace('files = ["delays.csv"]', 'contributions = "t.parquet"')
    spec.write_text(text, encoding="utf-8")
    table, _ = contributions_for(load_spec(spec))
    assert_same(dataclasses.replace(table, measured=records.measured), records)
    for old, new in (
        ('name = "delay"', 'name = "wait"'),
        ("lower = -600", "lower = -601"),
        ("upper = 1800", "upper = 1801"),
    ):
        spec.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(InputError, match="another choice"):
            contributions_for(load_spec(spec))


def test_a_table_of_speeds_is_no_table_of_delays(city: Path) -> None:
    named = "\n".join(EXAMPLE_LINES)
    edits = (TABLE, MAPPING, ("upper_bound_kmh = 65.0\n", ""), ("[hats]", f"{named}\n\n[hats]"))
    with pytest.raises(InputError, match="another choice") as refused:
        contributions_for(load_spec(write_city(city, edit=edits)))
    assert refused.value.where == "data.value"


WORDS = "correct horse battery"
FOLDER = ('files = ["records.csv"]', 'contributions = "table"')


def _parts(city: Path, passphrase: str | None = WORDS) -> Path:
    """The table of the records as a folder of parts, encrypted or not."""
    table, _ = contributions_for(load_spec(write_city(city)))
    write_partitioned(table, city / "table", ("date",), physical=(0, 200_000), passphrase=passphrase)
    return write_city(city, edit=(FOLDER,))


def test_encrypted_parts_are_the_request_of_their_records(city: Path, ledger: Ledger, tmp_path: Path) -> None:
    """The keyed hash of the rows is the entry's: releasing one after the other costs nothing."""
    key = generate_key(tmp_path / "key", PASSPHRASE)
    first = publish(
        prepare(load_spec(write_city(city)), ledger), ledger, key=key, out=tmp_path / "a", now=NOW
    )
    spent = ledger.populations()[0].spent
    parts = prepare(load_spec(_parts(city)), ledger, passphrase=lambda _: WORDS)
    assert parts.stored is not None
    assert parts.stored.entry == first.entry
    again = publish(parts, ledger, key=key, out=tmp_path / "b", now=NOW)
    assert again.repeated
    assert ledger.populations()[0].spent == spent
    assert (again.bundle / "data" / "speed_by_hat.csv").read_bytes() == (
        first.bundle / "data" / "speed_by_hat.csv"
    ).read_bytes()


def test_another_value_in_one_part_is_another_request(city: Path, ledger: Ledger) -> None:
    spec = load_spec(_parts(city, passphrase=None))
    before = prepare(spec, ledger).fingerprint
    path = sorted((city / "table").rglob("*.parquet"))[0]
    table = read_contributions(path)
    values = table.values[:]
    values[0] ^= 1
    write_contributions(dataclasses.replace(table, values=values), path, physical=(0, 200_000))
    assert prepare(spec, ledger).fingerprint != before


def test_a_day_of_a_larger_table_is_the_request_of_that_day(city: Path, ledger: Ledger) -> None:
    """Vehicles that the day's parts do not know have no part in it."""
    _parts(city)
    day = ('dates = ["2022-01-03", "2022-01-04"]', 'dates = ["2022-01-04", "2022-01-04"]')
    records = prepare(load_spec(write_city(city, edit=(day,))), ledger)
    part = prepare(load_spec(write_city(city, edit=(day, FOLDER))), ledger, passphrase=lambda _: WORDS)
    assert part.contributions.vehicles != records.contributions.vehicles
    assert part.fingerprint == records.fingerprint


def test_a_folder_in_the_clear_is_read_no_further_than_the_spec_needs(city: Path) -> None:
    spec = load_spec(_parts(city, passphrase=None))
    day = ('dates = ["2022-01-03", "2022-01-04"]', 'dates = ["2022-01-04", "2022-01-04"]')
    for path in (city / "table" / "date=2022-01-03").iterdir():
        path.write_bytes(b"damaged")
    table, _ = contributions_for(load_spec(write_city(city, edit=(day, FOLDER))))
    assert table.hat.size
    with pytest.raises(InputError, match="not readable Parquet"):
        contributions_for(spec)


def with_limits(city: Path, *more: tuple[str, str], limits: str = "") -> Path:
    """The spec of a table that keeps silent on physical limits; limits: what the spec says of them."""
    spec = load_spec(write_city(city))
    write_contributions(contributions_for(spec)[0], city / "table.parquet")
    stated = f"{TABLE[1]}\nphysical_limits_in_table = {limits}" if limits else TABLE[1]
    return write_city(city, edit=((TABLE[0], stated), *more))


def test_a_table_without_physical_limits_is_refused_in_relation_values_unless_the_spec_states_them(
    city: Path, ledger: Ledger, tmp_path: Path
) -> None:
    """Whoever dropped by value inside the bounds shows values in the counts."""
    with pytest.raises(InputError, match="does not say which values were dropped") as refused:
        prepare(load_spec(with_limits(city)), ledger)
    assert_tells(refused.value)
    assert "physical_limits_in_table = [" in refused.value.mend
    key = generate_key(tmp_path / "key", PASSPHRASE)
    stated = load_spec(with_limits(city, limits="[0, 200.5]"))
    assert stated.data.physical_in_table == (0, 200_500)
    told = publish(prepare(stated, ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
    assert verify_bundle(told.bundle).ok
    other = prepare(load_spec(with_limits(city, limits="[0, 150]")), ledger)
    assert other.stored is None


def test_what_was_paid_is_found_before_the_limits_of_a_table_are_asked_for(
    city: Path, ledger: Ledger, tmp_path: Path
) -> None:
    key = generate_key(tmp_path / "key", PASSPHRASE)
    records = prepare(load_spec(write_city(city)), ledger)
    publish(records, ledger, key=key, out=tmp_path / "out", now=NOW)
    assert prepare(load_spec(with_limits(city)), ledger).stored is not None


@pytest.mark.parametrize(
    ("limits", "wrong"),
    [
        ("[0, 64.999]", "inside the protected range"),
        ("[0.001, 200]", "inside the protected range"),
        ("[200, 0]", "not a valid physical_limits_in_table"),
        ("[0]", "not a valid physical_limits_in_table"),
        ('["0", "200"]', "not a valid physical_limits_in_table"),
        ("[true, 200]", "not a valid physical_limits_in_table"),
    ],
)
def test_limits_that_cannot_be_are_refused(city: Path, ledger: Ledger, limits: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong) as refused:
        prepare(load_spec(with_limits(city, limits=limits)), ledger)
    assert refused.value.where.endswith("data.physical_limits_in_table")


def test_a_table_that_tells_its_limits_needs_no_key(city: Path, ledger: Ledger) -> None:
    spec = load_spec(write_city(city))
    path = with_limits(city, limits="[0, 200]")
    write_contributions(contributions_for(spec)[0], city / "table.parquet", physical=(0, 200_000))
    with pytest.raises(InputError, match="its own physical limits"):
        prepare(load_spec(path), ledger)


WAYS = (
    ('unit = "km/h"', 'unit = "km/h"\ncolumns = { way = "way" }'),
    ("[hats]", '[data.filter]\nway = ["UP"]\n\n[hats]'),
)
"""Edits of the spec: only records of one direction."""


def write_ways(folder: Path, *, without: str = "") -> Path:
    """The city with a direction that changes every few pings, or only the records of the others."""
    spec = write_city(folder, edit=WAYS if not without else ())
    head, *rows = (folder / "records.csv").read_text("utf-8").splitlines()
    ways = [("UP", "DN", "")[at // 4 % 3] for at in range(len(rows))]
    lines = [f"{row},{way}" for row, way in zip(rows, ways, strict=True) if not without or way == "UP"]
    (folder / "records.csv").write_text("\n".join([f"{head},way", *lines]) + "\n", encoding="utf-8")
    return spec


def test_what_a_filter_leaves_out_was_never_there(tmp_path: Path) -> None:
    """Not for counts, not for visits; how many it left out is reported, and no sign of bad records."""
    filtered, report = contributions_for(load_spec(write_ways(tmp_path / "one")))
    alone, _ = contributions_for(load_spec(write_ways(tmp_path / "other", without="DN")))
    assert_same(filtered, alone)
    assert report is not None
    assert report.dropped == {"filtered": report.rows_read - report.rows_used}
    assert unused_share(report, load_spec(tmp_path / "one" / "spec.toml").data.rules) == 0


def test_a_filter_is_said_in_review_and_bundle_and_binds_a_table(tmp_path: Path, ledger: Ledger) -> None:
    spec_path = write_ways(tmp_path / "city")
    prepared = prepare(load_spec(spec_path), ledger)
    review = dict(prepared.review.lines())
    assert "way is UP" in review["Filter"]
    assert "way is UP" in review["Not protected"]
    key = generate_key(tmp_path / "key", PASSPHRASE)
    bundle = publish(prepared, ledger, key=key, out=tmp_path / "out", now=NOW).bundle
    assert verify_bundle(bundle, key.public_text).ok
    statement = json.loads((bundle / "privacy.json").read_text("utf-8"))
    assert statement["filter"] == {"way": ["UP"]}
    assert "which records the filter left out: way is UP" in statement["unprotected_quantities"]
    spec = load_spec(spec_path)
    table = dataclasses.replace(prepared.contributions, filters=spec.data.rules.filters)
    write_contributions(table, tmp_path / "city" / "table.parquet", physical=(0, 200_000))
    of_table = (TABLE, MAPPING)
    filtered = "[data.filter]" + WAYS[1][1].partition("[data.filter]")[2].replace("[hats]", "")
    same = write_city(tmp_path / "city", edit=(*of_table, ("[hats]", f"{filtered}[hats]")))
    assert_same(contributions_for(load_spec(same))[0], table)
    with pytest.raises(InputError) as refused:
        contributions_for(load_spec(write_city(tmp_path / "city", edit=of_table)))
    assert refused.value.where == "data.filter"


def test_markup_in_a_filter_stays_text_and_a_table_that_hides_one_is_refused(
    tmp_path: Path, ledger: Ledger
) -> None:
    spec = load_spec(write_ways(tmp_path / "city"))
    odd = filters_of({"not_way": ["<img src=x>", "[a](b)"]})
    rules = dataclasses.replace(spec.data.rules, filters=odd)
    marked = dataclasses.replace(spec, data=dataclasses.replace(spec.data, rules=rules))
    key = generate_key(tmp_path / "key", PASSPHRASE)
    bundle = publish(prepare(marked, ledger), ledger, key=key, out=tmp_path / "out", now=NOW).bundle
    for page in ("README.md", "report.html", "map.html"):
        text = (bundle / page).read_text("utf-8")
        assert "<img src=x>" not in text.replace("\\<img", "")
    assert "[a](b)" not in (bundle / "README.md").read_text("utf-8")
    table, path = prepare(spec, ledger).contributions, tmp_path / "table.parquet"
    hidden = (RecordFilter(name="<b>", values=("UP",)),)
    write_contributions(dataclasses.replace(table, filters=hidden), path, physical=(0, 200_000))
    with pytest.raises(InputError, match="filter") as refused:
        read_contributions(path)
    assert "<b>" not in str(refused.value)


def test_in_relation_user_a_filter_that_leaves_nothing_is_answered_like_any_other(tmp_path: Path) -> None:
    spec = dataclasses.replace(load_spec(write_ways(tmp_path)), relation=Relation.USER)
    rules = dataclasses.replace(spec.data.rules, filters=filters_of({"way": ["nowhere"]}))
    nobody = dataclasses.replace(spec, data=dataclasses.replace(spec.data, rules=rules))
    table, report = contributions_for(nobody)
    assert (table.hats, report) == (0, None)
    line = dict(signed_choices(nobody, "UTC"))["Filter"]
    assert "way is nowhere" in line
    assert "not protected" not in line
