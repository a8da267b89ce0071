"""Relation `user`: what is said and done is the same whoever is in the data (method 12.10, 17.3).

Without trials: the noise gives the same results whatever it is asked on. Then no byte of a bundle, no line
on the screen and no exit code may differ, since only noisy results may tell of records: of every kind of
release in test_neighbours_of_the_product.py. What the results themselves betray is for audits
(test_bounding_audit.py, test_bundle_audit.py).
"""

from __future__ import annotations

import csv
import dataclasses
import gzip
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.accounting.ledger import Ledger
from core.clean.mapping import ColumnMapping
from core.cli import main
from core.cli import release as command
from core.contributions.file_write import write_contributions
from core.errors import BudgetRefused, InputError
from core.keys.signing_key import SigningKey, generate_key
from core.read.reader_registry import all_readers
from core.release import draw, prepare_publish
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import prepare, publish
from core.spec import ReleaseSpec, load_spec
from core.store.load_records import load_records
from tests.fakes import ScriptedResults
from tests.feeds import feed
from tests.geojson import box, feature, polygon
from tests.labelled_city import ZONES
from tests.records import assert_tells
from tests.taxis import (
    NOW,
    RAW,
    ledger_in,
    pings,
    released,
    table_of_spec,
    write_taxis,
)
from tests.unpacked import contents
from tests.workbooks import xlsx

COLUMNS = ("vehicle", "time", "lat", "lon", "speed")
HEADER = ",".join(COLUMNS) + "\n"
DERIVED = (('value = "speed"\nunit = "km/h"\n', "\n[data.derived_speed]\n"),)


def row(text: str, times: int = 3) -> str:
    return HEADER + f"{text}\n" * times


TEXTS = {
    "nobody": HEADER,
    "no time": row("a,never,21.17,72.83,20"),
    "no position": row("a,2022-01-03T09:00:00+05:30,0,0,20"),
    "no id": row(",2022-01-03T09:00:00+05:30,21.17,72.83,20"),
    "impossible": row("a,2022-01-03T09:00:00+05:30,21.17,72.83,999"),
    "torn": row("a,2022-01-03T09:00:00+05:30"),
    "other dates": row("a,2021-12-31T09:00:00+05:30,21.17,72.83,20"),
    "other hours": row("a,2022-01-03T03:00:00+05:30,21.17,72.83,20"),
    "elsewhere": row("a,2022-01-03T09:00:00+05:30,22.5,74.0,20"),
    "other zone": row("a,2022-01-03T09:00:00-07:00,21.17,72.83,20"),
    "once": row("a,2022-01-03T09:00:00+05:30,21.17,72.83,20", times=1),
}
"""Data of no usable record, of none that counts, and of one."""
CROWDS = {
    "usual": pings(),
    "few": pings(3, vehicles=2),
    "too much of each": pings(5, vehicles=3, each=300),
}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", "correct horse")


class Taxis(NamedTuple):
    """Records with their spec, and a ledger that pays for it."""

    spec: ReleaseSpec
    ledger: Ledger
    records: int

    def naming(self, *files: str, mapping: ColumnMapping | None = None) -> ReleaseSpec:
        """The spec with these files."""
        data, rules = self.spec.data, self.spec.data.rules
        rules = dataclasses.replace(rules, mapping=mapping or rules.mapping)
        return dataclasses.replace(self.spec, data=dataclasses.replace(data, files=files, rules=rules))


@pytest.fixture(scope="module")
def taxis(tmp_path_factory: pytest.TempPathFactory) -> Taxis:
    folder = tmp_path_factory.mktemp("taxis")
    spec, ledger = load_spec(write_taxis(folder / "city")), ledger_in(folder / "home")
    return Taxis(spec, ledger, len(prepare(spec, ledger).contributions.values))


@pytest.fixture
def same_results(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """To be called before each release: noisy numbers are those of the first one, whatever is in it."""
    results = [ScriptedResults((0.3, -0.8, 1.7, -0.1), (0.5,))]

    def again() -> None:
        source = results[0]
        results[0] = source.again()
        monkeypatch.setattr(draw, "SecureNoise", lambda _: source)

    return again


def test_data_of_whatever_kind_leave_the_same_words_files_and_exit_code(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    key: SigningKey,
    same_results: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Files without a usable record too: that nobody was on the road is private."""
    monkeypatch.setattr(command, "load_key", lambda *_: key)
    seen, heard = {}, []
    for name, text in {"usual": "", **TEXTS}.items():
        words: set[str] = set()
        monkeypatch.setattr(command, "progress_line", lambda _, text="", words=words: words.add(text))
        heard.append(words)
        same_results()
        ledger_in(tmp_path / f"home of {name}")
        spec = write_taxis(tmp_path / name, pings(vehicles=9), RAW)
        if text:
            (spec.parent / "records.csv").write_text(text, encoding="utf-8")
        home, out = tmp_path / f"home of {name}", tmp_path / f"out {name}"
        capsys.readouterr()
        code = main(
            [
                "release",
                str(spec),
                "--out",
                str(out),
                "--yes",
                "--home",
                str(home),
                "--passphrase-file",
                __file__,
            ]
        )
        said = capsys.readouterr()
        bundle = contents(out / "taxi-speed-1.0.0")
        del bundle["SHA256SUMS.minisig"]  # it tells the time
        seen[name] = (code, said.out.replace(str(out), "OUT"), said.err, bundle)
    assert seen["usual"][0] == 0
    for name, one in seen.items():
        assert one == seen["usual"], name
    assert heard[0]
    assert all(words == heard[0] for words in heard)


def _parquet_without_rows() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({name: pa.array([], pa.string()) for name in COLUMNS}), file)
    return file.getvalue()


def _archive(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members:
            archive.writestr(name, data)
    return file.getvalue()


GTFS_MAPPING = ColumnMapping(
    vehicle="vehicle.license_plate",
    time="timestamp",
    latitude="position.latitude",
    longitude="position.longitude",
    value="position.speed",
)
ENDINGS = sorted({ending for reader in all_readers() for ending in reader.endings})
NOTHING = {
    **{f"no bytes{ending}": b"" for ending in ENDINGS},
    **{f"no bytes{ending}.gz": gzip.compress(b"") for ending in ENDINGS},
    **{f"blanks{ending}": b" \r\n\n" for ending in (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson")},
    "a mark of the encoding.csv": b"\xef\xbb\xbf",
    "a named delimiter.csv": b"sep=;\r\n",
    "blank rows.csv": b",,,,\n,,,,\n",
    "column names.csv": HEADER.encode(),
    "an empty array.json": b"[]",
    "blanks in it.json": b" [ ]\n",
    "an answer without rows.json": b'{"results": []}',
    "null.json": b"null",
    "an empty object.json": b"{}",
    "no objects.json": b"[null, 1]",
    "no objects.jsonl": b"null\n[]\n",
    "other fields.jsonl": b'{"note": "nobody was out"}\n',
    "column names.parquet": _parquet_without_rows(),
    "an empty sheet.xlsx": xlsx({"a": []}),
    "column names.xlsx": xlsx({"a": [[*COLUMNS]]}),
    "no members.zip": _archive(),
    "empty members.zip": _archive(("a.csv", b""), ("b.jsonl", b""), ("c.csv", HEADER.encode())),
}
"""File name -> bytes: no record in any kind of file that is read."""


@pytest.mark.parametrize("name", NOTHING)
def test_a_file_without_a_record_is_released_whatever_its_kind(name: str, taxis: Taxis) -> None:
    spec = taxis.naming(name)
    (spec.data.folder / name).write_bytes(NOTHING[name])
    prepared = prepare(spec, taxis.ledger)
    assert prepared.contributions.hats == 0
    assert prepared.report is None
    values = dataclasses.replace(spec, relation=prepare_publish.Relation.VALUES)
    with pytest.raises(InputError) as caught:
        contributions_for(values)
    assert_tells(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.audit] if number % 4 else [])
        for number, name in enumerate(NOTHING)
    ],
)
def test_it_takes_nothing_away_from_the_files_beside_it(name: str, taxis: Taxis) -> None:
    """So that a vehicle that comes into one file changes nothing that the others give."""
    spec = taxis.naming(name, "records.csv")
    (spec.data.folder / name).write_bytes(NOTHING[name])
    assert len(prepare(spec, taxis.ledger).contributions.values) == taxis.records


def test_nor_does_an_empty_member_from_those_that_follow_it(taxis: Taxis) -> None:
    spec = taxis.naming("both.zip")
    whole = (spec.data.folder / "records.csv").read_bytes()
    (spec.data.folder / "both.zip").write_bytes(_archive(("a.csv", b""), ("b.csv", whole)))
    assert len(prepare(spec, taxis.ledger).contributions.values) == taxis.records


def test_a_feed_without_vehicles_is_released(taxis: Taxis) -> None:
    spec = taxis.naming("poll.pb", mapping=GTFS_MAPPING)
    (spec.data.folder / "poll.pb").write_bytes(feed([]))
    assert prepare(spec, taxis.ledger).contributions.hats == 0


def test_a_single_position_gives_no_derived_speed_and_is_released(tmp_path: Path) -> None:
    spec = write_taxis(tmp_path / "city", edits=DERIVED)
    once = row("a,2022-01-03T09:00:00+05:30,21.17,72.83,20", times=1)
    (spec.parent / "records.csv").write_text(once, encoding="utf-8")
    prepared = prepare(load_spec(spec), ledger_in(tmp_path / "home"))
    assert prepared.contributions.hats == 0
    assert prepared.report is None


def test_a_contribution_table_without_rows_is_released(taxis: Taxis) -> None:
    folder = taxis.spec.data.folder
    write_contributions(table_of_spec(taxis.spec), folder / "table.parquet")
    pq.write_table(pq.read_table(folder / "table.parquet").slice(0, 0), folder / "table.parquet")
    data = dataclasses.replace(taxis.spec.data, files=(), contributions="table.parquet")
    spec = dataclasses.replace(taxis.spec, data=data)
    assert prepare(spec, taxis.ledger).contributions.hats == 0
    values = dataclasses.replace(spec, relation=prepare_publish.Relation.VALUES)
    with pytest.raises(InputError, match="no rows"):
        contributions_for(values)


@pytest.mark.parametrize("name", ["none.csv", "none-*.csv"])
def test_a_file_that_is_not_there_is_refused(name: str, taxis: Taxis) -> None:
    """What is named has to be there: a name that was typed wrong would buy nothing but noise."""
    with pytest.raises(InputError) as caught:
        prepare(taxis.naming(name), taxis.ledger)
    assert_tells(caught.value)


def test_relation_values_still_refuses_files_without_a_usable_record(tmp_path: Path) -> None:
    spec = load_spec(write_taxis(tmp_path / "city"))
    (tmp_path / "city" / "records.csv").write_text(TEXTS["no time"], encoding="utf-8")
    with pytest.raises(InputError, match="No usable record"):
        contributions_for(dataclasses.replace(spec, relation=prepare_publish.Relation.VALUES))


def test_a_zone_that_only_the_files_tell_is_refused_before_they_are_read(tmp_path: Path) -> None:
    """The offsets of all rows would choose it: one vehicle's row may decide."""
    spec = load_spec(write_taxis(tmp_path / "city"))
    (tmp_path / "city" / "records.csv").unlink()
    rules = dataclasses.replace(spec.data.rules, zone=None)
    untyped = dataclasses.replace(spec, data=dataclasses.replace(spec.data, rules=rules))
    with pytest.raises(InputError, match="time zone is missing") as caught:
        prepare(untyped, ledger_in(tmp_path / "home"))
    assert_tells(caught.value)
    assert caught.value.where == "data.zone"


def test_whether_records_changed_since_is_not_told(tmp_path: Path, key: SigningKey) -> None:
    """A repeated request gives its stored draws, whoever has come or gone: new ones would tell that."""
    ledger = ledger_in(tmp_path / "home")
    spec = write_taxis(tmp_path / "city")
    first = released(spec, ledger, key, tmp_path / "first")
    shown = []
    for name, rows in CROWDS.items():
        write_taxis(tmp_path / "city", rows)
        prepared = prepare(load_spec(spec), ledger)
        shown.append(prepared.review.lines())
        again = publish(prepared, ledger, key=key, out=tmp_path / name, now=NOW)
        assert again.repeated
        assert contents(again.bundle) == contents(first.bundle)
    assert shown[1:] == shown[:-1]
    (label, told), *_ = shown[0]
    assert (label, told.partition(";")[0]) == (
        "Drawn before",
        f"These numbers are those drawn on {first.release.reserved_on}",
    )
    assert "corrected records are not in them" in told
    assert ledger.populations()[0].spent == 40


@pytest.mark.parametrize(
    ("old", "new"),
    [('"records.csv"', '"corrected.csv"'), ('vehicle = "vehicle"', 'vehicle = "fleet"')],
    ids=["a file of another name", "another column"],
)
def test_other_files_or_columns_are_another_request(
    old: str, new: str, tmp_path: Path, key: SigningKey
) -> None:
    """What somebody types to have corrected records drawn anew, and charged."""
    ledger = ledger_in(tmp_path / "home", limit=Decimal(60))
    spec = write_taxis(tmp_path / "city")
    released(spec, ledger, key, tmp_path / "first")
    other = write_taxis(tmp_path / "city", edits=[(old, new)])
    records = (tmp_path / "city" / "records.csv").read_text(encoding="utf-8")
    for name in ("corrected.csv", "records.csv"):
        renamed = records.replace("vehicle,", "vehicle,fleet,", 1).replace("\ntaxi", "\nnone,taxi")
        (tmp_path / "city" / name).write_text(renamed, encoding="utf-8")
    with pytest.raises(BudgetRefused):
        prepare(load_spec(other), ledger)


def test_another_contribution_table_is_another_request(tmp_path: Path, key: SigningKey) -> None:
    """A table is a source as files are: by its name in the folder, and by where it lies."""
    ledger = ledger_in(tmp_path / "home", limit=Decimal(60))
    spec = write_taxis(tmp_path / "city")
    table = table_of_spec(load_spec(spec))
    for name in ("table.parquet", "corrected.parquet", "corrected/table.parquet"):
        (tmp_path / "city" / name).parent.mkdir(exist_ok=True)
        write_contributions(table, tmp_path / "city" / name)
    text = spec.read_text(encoding="utf-8")

    def of_table(name: str) -> Path:
        spec.write_text(text.replace('files = ["records.csv"]', f'contributions = "{name}"'), "utf-8")
        return spec

    released(of_table("table.parquet"), ledger, key, tmp_path / "out")
    assert _again(of_table("table.parquet"), ledger)
    assert not _again(of_table("corrected.parquet"), ledger)
    assert not _again(of_table("corrected/table.parquet"), ledger)


@pytest.fixture(scope="module")
def paid(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Path:
    """A folder with a home whose ledger has paid for the taxis in `city`, once."""
    folder = tmp_path_factory.mktemp("paid")
    spec = write_taxis(folder / "city")
    released(spec, ledger_in(folder / "home", limit=Decimal(60)), key, folder / "out")
    return folder


def _again(spec: Path, ledger: Ledger) -> bool:
    """Whether stored draws are found; False where it would be drawn anew, which the limit does not allow."""
    try:
        return prepare(load_spec(spec), ledger).stored is not None
    except BudgetRefused:
        return False


def _saved_in(folder: Path, spec: Path, *, names: str) -> Path:
    """The spec saved in another folder, where its records have another name; its cells beside it."""
    folder.mkdir(exist_ok=True)
    shutil.copy(spec.with_name("cells.txt"), folder)
    text = spec.read_text(encoding="utf-8").replace('"records.csv"', json.dumps(names))
    (folder / spec.name).write_text(text, encoding="utf-8")
    return folder / spec.name


@pytest.mark.parametrize("absolute", [False, True])
def test_a_spec_saved_in_another_folder_pays_nothing_again(absolute: bool, paid: Path) -> None:
    names = str(paid / "city" / "records.csv") if absolute else "../city/../city/records.csv"
    spec = _saved_in(paid / "specs", paid / "city" / "release.toml", names=names)
    assert _again(spec, Ledger.open(paid / "home" / "ledger.sqlite"))


def test_nor_does_a_folder_that_was_moved_with_its_records(paid: Path) -> None:
    shutil.copytree(paid / "city", paid / "moved")
    assert _again(paid / "moved" / "release.toml", Ledger.open(paid / "home" / "ledger.sqlite"))


def test_another_file_of_the_same_name_is_drawn_anew(paid: Path) -> None:
    """Corrected records, beside the old ones or behind another path: old numbers would not be theirs."""
    ledger = Ledger.open(paid / "home" / "ledger.sqlite")
    for folder in ("corrected", "city/corrected"):
        (paid / folder).mkdir()
        shutil.copy(paid / "city" / "records.csv", paid / folder)
    elsewhere = str(paid / "corrected" / "records.csv")
    assert not _again(_saved_in(paid / "specs", paid / "city" / "release.toml", names=elsewhere), ledger)
    below = _saved_in(paid / "below", paid / "city" / "release.toml", names="../city/corrected/records.csv")
    assert not _again(below, ledger)


def test_where_a_file_lies_goes_before_what_it_is_called(paid: Path, tmp_path: Path, key: SigningKey) -> None:
    """Another file, paid for by its whole path, is found in its own folder under the name of the first."""
    shutil.copytree(paid / "home", tmp_path / "home")
    ledger = ledger_in(tmp_path / "home", limit=Decimal(90))
    other = write_taxis(tmp_path / "other", CROWDS["few"])
    named = _saved_in(tmp_path / "specs", other, names=str(tmp_path / "other" / "records.csv"))
    assert released(named, ledger, key, tmp_path / "out").entry == 2
    stored = prepare(load_spec(other), ledger).stored
    assert stored is not None
    assert stored.entry == 2


def test_an_entry_of_an_earlier_version_is_known_by_the_names_alone(
    paid: Path, tmp_path: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ledger_in(tmp_path / "home", limit=Decimal(60))
    with monkeypatch.context() as earlier:
        find = prepare_publish.request_of
        earlier.setattr(
            prepare_publish, "request_of", lambda *given: dataclasses.replace(find(*given), place="")
        )
        released(paid / "city" / "release.toml", ledger, key, tmp_path / "out")
    assert _again(paid / "city" / "release.toml", ledger)
    spec = _saved_in(tmp_path / "specs", paid / "city" / "release.toml", names=str(paid / "city/records.csv"))
    assert not _again(spec, ledger)


WARD = feature(polygon(box(72.0, 21.0, 74.0, 22.0)), {"ward": "1", "title": "1"})
IN_WARDS = (
    ("resolution = 7", f'place = "zones"\n{ZONES}'),
    ('"cells.txt"', '"wards.txt"'),
)
WILD = (
    *("", " ", "nan", "inf", "-1e308", "1e400", "9" * 400, "0x10", "1,5", "1;5", "1.234,5", "[72.8, 21.1]"),
    *(
        "03/04/2023 10:00",
        "13/04/2022 10:00",
        "2022-01-03",
        "2022-01-03T09:00:00",
        "2022-01-03T09:00:00-11:00",
    ),
    *(
        "1641180600",
        "1641180600000",
        "ü",
        "İ",
        "\ufeff",
        '"',
        "'",
        "a\nb",
        "a\r\nb",
        "#",
        "sep=;",
        "\t",
        "null",
    ),
)
"""Cells that a reader may take for something else than what they are."""


def wild_rows(at: int) -> list[tuple[str, ...]]:
    """Rows of one vehicle with a wild cell in one column."""
    usual = ("wild", "2022-01-03T09:00:00+05:30", "21.17", "72.83", "20")
    return [(*usual[:at], cell, *usual[at + 1 :]) for cell in WILD]


@pytest.mark.parametrize("form", ["csv", "json"])
@pytest.mark.parametrize("before", [True, False], ids=["first", "last"])
@pytest.mark.parametrize("edits", [(), IN_WARDS], ids=["hexagons", "wards"])
def test_no_row_of_a_vehicle_changes_another_vehicles_records(
    form: str, before: bool, edits: Sequence[tuple[str, str]], tmp_path: Path
) -> None:
    """So that to add or remove one moves what it is said to move, and nothing beside; nor is it warned of."""
    for name, content in (("wards.geojson", json.dumps(WARD)), ("wards.txt", "1")):
        (tmp_path / name).write_text(content, encoding="utf-8")
    read = load_spec(write_taxis(tmp_path, pings(vehicles=4, each=5), edits)).data.rules
    with (tmp_path / "records.csv").open(encoding="utf-8", newline="") as file:
        known = [tuple(row) for row in csv.reader(file)][1:]

    def records_of(rows: list[tuple[str, ...]]) -> set[tuple[object, ...]]:
        path = tmp_path / f"data.{form}"
        with path.open("w", encoding="utf-8", newline="") as file:
            if form == "csv":
                csv.writer(file).writerows([COLUMNS, *rows])
            else:
                json.dump([dict(zip(COLUMNS, row, strict=True)) for row in rows], file)
        found = load_records((path,), read).records
        columns = (found.vehicle, found.instants(), found.latitude, found.longitude, found.value)
        listed = zip(*(column.tolist() for column in columns), strict=True)
        ours = {row[0] for row in known}
        return {(found.vehicles[row[0]], *row[1:]) for row in listed if found.vehicles[row[0]] in ours}

    alone = records_of(known)
    assert len(alone) == len(known)
    for at in range(len(COLUMNS)):
        wild = wild_rows(at)
        assert records_of([*wild, *known] if before else [*known, *wild]) == alone
