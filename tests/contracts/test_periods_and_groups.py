"""Releases by named parts of the day, from the spec to both verifiers (method 3)."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.accounting.ledger import Ledger
from core.contributions import Contributions, contributions_of
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions
from core.draft.draft import draft_of, save_draft
from core.engines.duckdb import DuckDbEngine
from core.engines.local import LocalEngine
from core.errors import InputError
from core.hats.slots import PeriodOfDay
from core.keys.signing_key import SigningKey, generate_key
from core.published.bundle_frames import read_bundle
from core.published.comparison import compare
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from core.store.load_records import load_records
from tests import taxis
from tests.city import BY_REGION, EVERY_STATISTIC, PASSPHRASE, TOKENS, write_city
from tests.engine_data import dirty_rows, job, quiet, write_rows
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


@pytest.mark.parametrize("edits", [EVERY_STATISTIC, TOKENS, BY_REGION], ids=["every", "tokens", "regions"])
def test_a_release_by_periods_holds_in_relation_values(edits: Edits, tmp_path: Path, key: SigningKey) -> None:
    spec = write_city(tmp_path / "city", edit=(*edits, *PERIODS))
    assert_by_period(released(spec, tmp_path, key))


@pytest.mark.parametrize(
    "edits",
    [taxis.DAYS + taxis.others(), taxis.ENFORCED, taxis.REGIONS],
    ids=["every", "enforced", "regions"],
)
def test_a_release_by_periods_holds_in_relation_user(edits: Edits, tmp_path: Path, key: SigningKey) -> None:
    spec = taxis.write_taxis(tmp_path / "city", edits=(*edits, *IN_USER))
    assert_by_period(released(spec, tmp_path, key, taxis.ledger_in(tmp_path / "home")))


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
