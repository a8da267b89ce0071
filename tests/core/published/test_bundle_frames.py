"""core.published.bundle_frames: what a bundle says, typed; nothing of one that does not hold."""

from __future__ import annotations

import csv
import datetime as dt
import shutil
from pathlib import Path

import pandas as pd
import pytest

from core.errors import InputError
from core.keys.notice import publish_notice
from core.keys.signing_key import generate_key
from core.published.bundle_frames import published_tables, read_bundle, rows_of_all, table_of
from tests.builders import make_bundle, make_key, make_texts, usual_bundle

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
BUNDLES = sorted(path.parent for path in GOLDEN.glob("*/releases/*/privacy.json"))
EVERY = GOLDEN / "v0.2" / "releases" / "every-statistic-1.0.0"


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: f"{path.parents[1].name}-{path.name}")
def test_every_cell_of_every_format_ever_published_is_there(bundle: Path) -> None:
    for one in published_tables(bundle).values():
        with (bundle / one.table.path).open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert (list(one.frame.columns), len(one.frame)) == (header, len(rows))
        assert one.release == bundle.name
        for column in one.table.columns:
            cells = [row[header.index(column.name)] for row in rows]
            read = one.frame[column.name]
            assert [cell == "" for cell in cells] == read.isna().tolist()
            told = [cell for cell in cells if cell]
            if column.type in ("number", "integer"):
                assert read.dropna().tolist() == [float(cell) for cell in told]
            else:
                assert read.dropna().tolist() == told


def test_a_bundle_that_does_not_hold_is_not_read(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(EVERY, copy)
    path = next((copy / "data").glob("*_by_hat.csv"))
    path.write_bytes(path.read_bytes().replace(b"published", b"publishee", 1))
    with pytest.raises(InputError, match=r"The bundle is not valid \(.*so nothing of it is read"):
        published_tables(copy)


def test_another_signer_is_not_read(tmp_path: Path) -> None:
    other = generate_key(tmp_path / "other", "a passphrase of tests").public
    (tmp_path / "other.pub").write_bytes(other.file_bytes)
    with pytest.raises(InputError, match="signer"):
        published_tables(EVERY, str(tmp_path / "other.pub"))
    assert published_tables(EVERY, str(EVERY / "release-key.pub"))


def test_the_mean_is_meant_unless_another_is_asked_for() -> None:
    tables = published_tables(EVERY)
    assert table_of(tables, None).statistic == next(iter(tables))  # there is no mean in it
    assert table_of(published_tables(EVERY.parent / "quantiles-1.0.0"), None).statistic == "mean"
    assert table_of(tables, "cdf_of_vehicles").statistic == "cdf_of_vehicles"
    with pytest.raises(InputError, match=r"has no median") as told:
        table_of(tables, "median")
    assert "cdf_of_vehicles" in told.value.mend


def test_rows_of_several_name_their_release() -> None:
    one = table_of(published_tables(EVERY), "cdf_of_vehicles")
    joined = rows_of_all([one, one])
    assert joined.columns[0] == "release"
    assert joined["release"].tolist() == [one.release] * (2 * len(one.frame))
    pd.testing.assert_frame_equal(joined.iloc[: len(one.frame), 1:], one.frame)


def test_a_practice_release_is_read_and_says_so(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, texts=make_texts(name="practice-speed"))
    found = read_bundle(bundle)
    assert found.remark.startswith("PRACTICE")
    frame = rows_of_all(list(found.tables.values()))
    assert set(frame["remark"]) == {found.remark}
    assert frame.columns[-1] == "remark"


def test_a_withdrawn_bundle_is_read_and_says_so(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    assert read_bundle(bundle).remark == ""
    assert "remark" not in rows_of_all(list(published_tables(bundle).values()))
    now = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
    publish_notice(bundle, reason="Two days were counted twice.", key=make_key(), now=now)
    told = read_bundle(bundle)
    assert told.remark.startswith("WITHDRAWN")
    assert "Two days were counted twice." in told.remark
    assert {one.remark for one in told.tables.values()} == {told.remark}


def test_what_a_bundle_says_of_itself_is_read_with_it() -> None:
    found = read_bundle(EVERY, str(EVERY / "release-key.pub"))
    assert (found.release, found.first, found.last) == (EVERY.name, "2022-01-03", "2022-01-04")
    assert found.trusted
    one = found.tables["mean_variance"]
    assert (one.resolutions, one.slot_minutes, one.zone, one.span) == ((7,), 60, "Asia/Kolkata", 65_000)
    assert not one.normal_noise
