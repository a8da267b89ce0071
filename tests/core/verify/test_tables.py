"""The data files against their declared columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.bundle.csv_columns import EPSILON_SUMMARY, DataTable
from core.signed.bundle_names import CELLS_PATH
from core.signed.findings import Finding
from core.verify.folder import BundleFolder, read_folder
from core.verify.tables import (
    check_cells,
    check_data,
    check_table,
    in_order,
    is_date,
    is_plain,
    rows_of,
)
from core.verify.verify import verify_bundle
from resources.verifier.hexveil_verify import verify
from tests.builders import CELLS, SPEED_BY_HAT, make_bundle, make_query, make_release, make_rows, usual_bundle


def _edited(tmp_path: Path, name: str, old: bytes, new: bytes) -> BundleFolder:
    bundle = usual_bundle(tmp_path)
    content = (bundle / name).read_bytes()
    assert old in content
    (bundle / name).write_bytes(content.replace(old, new, 1))
    return read_folder(bundle)


def test_our_own_tables_are_as_declared(tmp_path: Path) -> None:
    folder = read_folder(usual_bundle(tmp_path))
    assert [row["status"] for row in rows_of(SPEED_BY_HAT, folder)] == ["published"] * 3 + ["suppressed"]
    assert check_table(EPSILON_SUMMARY)(folder) == "3 rows as declared"
    assert check_cells(folder) == "2 cells where they belong"


def test_one_row_is_no_more_than_one(tmp_path: Path) -> None:
    query = make_query(rows=make_rows()[:1])
    folder = read_folder(make_bundle(tmp_path, make_release(queries=(query,))))
    assert check_data(folder) == "speed_by_hat: 1 row as declared"


def test_names_of_places_are_as_declared_and_their_text_is_free(tmp_path: Path) -> None:
    places = {CELLS[0]: "near Udhna Junction, गेट 2", CELLS[1]: "@home"}
    bundle = make_bundle(tmp_path, make_release(places=places))
    assert verify_bundle(bundle).ok
    assert all(holds for _, holds, _ in verify(str(bundle))), "the public's own program too"
    folder = read_folder(bundle)
    (table,) = folder.statistics.values()
    assert {row["place"] for row in rows_of(table, folder)} == {"near Udhna Junction, गेट 2", "'@home"}


SPEED_EDITS = {
    "byte order mark": (b"h3_cell", b"\xef\xbb\xbfh3_cell"),
    "not utf-8": (b"array", b"\xff"),
    "carriage return": (b"published\n", b"published\r\n"),
    "nul": (b"array", b"\0"),
    "header": (b"h3_resolution", b"resolution"),
    "column order": (b"slot_start,slot_end", b"slot_end,slot_start"),
    "cell too many": (b"published\n", b"published,\n"),
    "empty line": (b"published\n", b"published\n\n"),
    "open quote": (b"array", b'"array'),
    "needless quotes": (b"array-averaging", b'"array-averaging"'),
    "no last line break": (b"suppressed\n", b"suppressed"),
    "upper-case cell": (b"8742d9d69ffffff", b"8742D9D69FFFFFF"),
    "short cell": (b"8742d9d69ffffff", b"8742d9d69fffff"),
    "resolution": (b",7,", b",11,"),
    "resolution no integer": (b",7,", b",7.0,"),
    "slot": (b"09:00", b"9:00"),
    "slot 24:00": (b",09:00", b",24:00"),
    "exponent": (b"20.668", b"2e1"),
    "two decimals": (b"20.668", b"20.66"),
    "nan": (b"20.668", b"NaN"),
    "infinite": (b"20.668", b"Infinity"),
    "negative": (b"20.668", b"-20.668"),
    "space": (b"20.668", b" 20.668"),
    "thousands": (b"20.668", b"1,020.668"),
    "other digits": (b"20.668", "२०.668".encode()),
    "huge": (b"20.668", b"9" * 400 + b".000"),
    "leading zero": (b"20.668", b"020.668"),
    "reason in a number": (b"20.668", b"suppressed"),
    "epsilon empty": (b",1,array", b",,array"),
    "epsilon not plain": (b",1,array", b",1.0,array"),
    "formula": (b"array-averaging", b"=1+1"),
    "status": (b"published", b"hidden"),
    "repeated row": (b"10:00,11:00,0.500", b"09:00,10:00,0.500"),
}


@pytest.mark.parametrize("edit", SPEED_EDITS)
def test_a_table_that_is_not_as_declared_is_found(tmp_path: Path, edit: str) -> None:
    with pytest.raises(Finding):
        rows_of(SPEED_BY_HAT, _edited(tmp_path, SPEED_BY_HAT.path, *SPEED_EDITS[edit]))


SUMMARY_EDITS = {
    "no query": (b"mean_speed,", b","),
    "unit": (b"vehicle-hat-day", b"person"),
    "relation": (b",values,", b",none,"),
    "delta above one": (b",1.5,0,", b",1.5,2,"),
    "no sensitivity": (b",0.890411,0.000,", b",,0.000,"),
    "cap": (b",46,", b",0,"),
    "no date": (b"2024-03-01", b"2024-02-30"),
    "short date": (b"2024-03-01", b"20240301"),
    "line break in a text": (b"mean_speed", b'"mean\nspeed"'),
}


@pytest.mark.parametrize("edit", SUMMARY_EDITS)
def test_a_summary_that_is_not_as_declared_is_found(tmp_path: Path, edit: str) -> None:
    with pytest.raises(Finding):
        rows_of(EPSILON_SUMMARY, _edited(tmp_path, EPSILON_SUMMARY.path, *SUMMARY_EDITS[edit]))


@pytest.mark.parametrize("table", [SPEED_BY_HAT, EPSILON_SUMMARY], ids=lambda table: table.name)
@pytest.mark.parametrize("content", [b"", b"\n", b"x" * 200_000, b'"'])
def test_no_table_at_all_is_found(tmp_path: Path, table: DataTable, content: bytes) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / table.path).write_bytes(content)
    with pytest.raises(Finding):
        rows_of(table, read_folder(bundle))


CELL_EDITS = {
    "moved": (b"[[[", b"[[[1"),
    "another cell": (CELLS[0].encode(), CELLS[1].encode()),
    "one too few": (b'{"type":"Feature",', b'{"kind":"Feature",'),
    "no polygon": (b'"Polygon"', b'"LineString"'),
    "more members": (b'"h3_cell":', b'"vehicle":"1","h3_cell":'),
    "more on top": (b'{"type":"FeatureC', b'{"crs":"x","type":"FeatureC'),
    "infinite": (b"[[[", b"[[[1e999,1],["),
    "no numbers": (b"[[[", b'[[["x","y"],['),
    "true": (b"[[[", b"[[[true,true],["),
    "no ring": (b'"coordinates":[[[', b'"coordinates":[[],[['),
    "features": (b'"features":[', b'"features":[7,'),
}


@pytest.mark.parametrize("edit", CELL_EDITS)
def test_outlines_that_are_not_the_cells_are_found(tmp_path: Path, edit: str) -> None:
    with pytest.raises(Finding):
        check_cells(_edited(tmp_path, CELLS_PATH, *CELL_EDITS[edit]))


def test_the_last_decimal_may_differ_between_systems(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    text = (bundle / CELLS_PATH).read_text()
    first, _, rest = text.partition("[[[")[2].partition(",")
    second = rest.partition("]")[0]
    other = f"{float(second) + 1e-7:.7f}"
    (bundle / CELLS_PATH).write_bytes(text.replace(f"[{first},{second}]", f"[{first},{other}]").encode())
    assert check_cells(read_folder(bundle))


@pytest.mark.parametrize(("text", "plain"), [("0", True), ("0.5", True), ("1.50", False), ("-1", False)])
def test_plain_decimals(text: str, plain: bool) -> None:
    assert is_plain(text) is plain


def test_dates_and_order() -> None:
    assert is_date("2024-02-29")
    assert not is_date("2023-02-29")
    assert in_order([("a", "1"), ("a", "2"), ("b", "1")])
    assert not in_order([("a", "1"), ("a", "1")])
