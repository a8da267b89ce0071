"""The first lines of delimited text."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.read.csv_head import read_csv_head
from core.read.file_format import AS_FOUND, FileFormat
from tests.records import SECRET, assert_tells


def _head(tmp_path: Path, text: str, file_format: FileFormat = AS_FOUND):  # type: ignore[no-untyped-def]
    (tmp_path / "a.csv").write_bytes(text.encode())
    return read_csv_head(tmp_path / "a.csv", file_format)


@pytest.mark.parametrize(
    ("text", "delimiter", "width"),
    [
        ("a,b,c\n1,2,3\n", ",", 3),
        ("a;b;c\n1,5;2,5;3,5\n", ";", 3),
        ("a,x\tb,y\tc\n1\t2\t3\n", "\t", 3),
        ("a|b,c|d\n1|2|3\n", "|", 3),
        ('"a;b;c;d",e\n1,2\n', ",", 2),
        ('a,b\n"x;y;z",1\n"x;y;z",2\n', ",", 2),
        ('a;b\n"1\n2";3\n', ";", 2),
        ("a,b\n", ",", 2),
    ],
)
def test_the_delimiter_is_the_one_under_which_rows_are_as_wide_as_the_names(
    text: str, delimiter: str, width: int, tmp_path: Path
) -> None:
    head = _head(tmp_path, text)
    assert (head.delimiter, len(head.names)) == (delimiter, width)


def test_a_named_delimiter_wins(tmp_path: Path) -> None:
    assert _head(tmp_path, "a:b,c\n1:2,3\n", FileFormat(delimiter=":")).names == ("a", "b,c")
    assert _head(tmp_path, "a b\n1 2\n", FileFormat(delimiter=" ")).names == ("a", "b")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("before", "lines"),
    [
        ("", 1),
        ("{end}{end}", 3),
        ("sep=;{end}", 2),
        ("# made by x{end}", 2),
        ("# made by x{end}# UTC{end}", 3),
        (" ; {end}", 2),
    ],
)
def test_blank_lines_remarks_and_a_declared_delimiter_are_passed_over(
    before: str, lines: int, end: str, tmp_path: Path
) -> None:
    head = _head(tmp_path, before.format(end=end) + f"a;b{end}1;2{end}3;4{end}")
    assert (head.names, head.lines, head.rows) == (("a", "b"), lines, (("1", "2"), ("3", "4")))


def test_a_name_with_an_equals_sign_is_a_name(tmp_path: Path) -> None:
    names = ("<img src=x>", "speed=km/h", "a = b")
    assert _head(tmp_path, f"{','.join(names)}\nx,1,2\n").names == names


def test_a_name_that_begins_with_a_hash_is_a_name(tmp_path: Path) -> None:
    assert _head(tmp_path, "#plate,speed\nx,1\n").names == ("#plate", "speed")
    assert _head(tmp_path, "#group,speed\nx,1\n").names == ("#group", "speed")


def test_annotations_above_the_names_are_passed_over(tmp_path: Path) -> None:
    head = _head(tmp_path, "#group,false,true\n#datatype,string,long\n#default,,\n,lat,id\n,1.5,x\n")
    assert (head.names[1:], head.lines, head.rows) == (("lat", "id"), 4, (("", "1.5", "x"),))


def test_names_over_several_lines_are_counted_as_lines(tmp_path: Path) -> None:
    head = _head(tmp_path, 'plate,"speed\n(km/h)"\nx,1\n')
    assert (head.names, head.lines) == (("plate", "speed\n(km/h)"), 2)


def test_what_was_changed_about_names_is_noted_by_column(tmp_path: Path) -> None:
    head = _head(tmp_path, "\ufeff a ,,b\tc,d,d,\ufffd\n1,2,3,4,5,6\n")
    assert head.names == ("a", "column 2", "b\tc", "d", "d", "\ufffd")
    notes = "\n".join(head.notes)
    assert "mark of its encoding (utf-8)" in notes
    assert "name of column 1 was trimmed" in notes
    assert "Column 2 has no name and is called 'column 2'" in notes
    assert len(head.notes) == 3, "what else is odd about names, core.assist.header_problems tells"


def test_a_delimiter_behind_every_row_is_passed_over(tmp_path: Path) -> None:
    head = _head(tmp_path, "a,b\n1,2,\n3,4,\n")
    assert (head.open_end, head.width, head.rows) == (True, 3, (("1", "2"), ("3", "4")))
    mixed = _head(tmp_path, "a,b\n1,2,\n3,4\n")
    assert (mixed.open_end, mixed.width) == (False, 2)


@pytest.mark.parametrize(
    ("text", "what", "mend"),
    [
        ("", "empty", "column names"),
        ("\n \n\n", "empty", "column names"),
        ("a\n1\n2\n", "only one column", "delimiter"),
        (f"a:b\n{SECRET}:1\n", "only one column", "delimiter"),
        (f"ID    TIME      LAT\n{SECRET}  10:00  1.5\n", "Blanks separate the columns", "commas or tabs"),
        (f"1.5 2.5 0 17\n{SECRET} 2.5 0 18\n", "Blanks separate the columns", "commas or tabs"),
        (f"pos,id={SECRET} lat=1.5,lon=2.5 17\npos,id=b lat=1,lon=2 18\n", "InfluxDB", "export"),
        ("0,1,2\nx,y,1\n", "data instead of column names", "first line"),
        (f"{SECRET},2023-01-01T00:00:00Z,1.5\n", "data instead of column names", "first line"),
        (
            f"a,b\n{SECRET},1,2\n{SECRET},3,4\n",
            "names 2 columns, but the rows have 3 cells",
            "name every column",
        ),
        ("a,b\nx,[72.1, 21.2]\n", "names 2 columns, but the rows have 3 cells", "brackets between quotes"),
        ("x" * 70_000, "does not end", "names the columns"),
        ("a,b\0c\nx,1\n", "zero bytes", "export it again"),
        ("\0".join("a,b\nx,1\n") + "\0", "not UTF-8", 'encoding = "utf-16-le"'),
    ],
)
def test_what_cannot_be_a_table_is_refused(text: str, what: str, mend: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=what) as caught:
        _head(tmp_path, text)
    assert_tells(caught.value)
    assert mend in caught.value.mend


def test_names_in_a_wrong_encoding_are_refused_with_guesses(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("plate,größe\nx,1\n".encode("cp1252"))
    with pytest.raises(InputError, match="not UTF-8") as caught:
        read_csv_head(tmp_path / "a.csv", AS_FOUND)
    assert 'encoding = "cp1252"' in caught.value.mend
    assert read_csv_head(tmp_path / "a.csv", FileFormat(encoding="cp1252")).names == ("plate", "größe")


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"\n" * 70_000 + b"\xff", "The first 64 KiB of the file are blank."),
        (b"\n" * 9 + b"\xff" + b"\n" * 70_000, "The text is not UTF-8."),
        (b"\n" * ((1 << 16) - 1) + "\u00e9,b\n1,2\n".encode(), "The first 64 KiB of the file are blank."),
    ],
)
def test_a_head_of_nothing_but_line_ends_and_what_is_no_text_is_refused(
    head: bytes, what: str, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_bytes(head)
    with pytest.raises(InputError) as caught:
        read_csv_head(tmp_path / "a.csv", AS_FOUND)
    assert caught.value.what == what


def test_a_zero_byte_in_a_cell_stops_nothing(tmp_path: Path) -> None:
    assert _head(tmp_path, "a,b\nx\0,1\n").rows == (("x\0", "1"),)
