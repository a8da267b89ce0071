"""`user,value` rows: what is read, and what is refused without a word of the content."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluate.hat_csv import read_hat

U = 65_000


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "hat.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def users(path: Path) -> list[list[int]]:
    """Values of each user, in the HAT's order."""
    hat = read_hat(path, U)
    return [
        hat.values[start : start + count].tolist()
        for start, count in zip(hat.starts.tolist(), hat.counts.tolist(), strict=True)
    ]


def test_users_come_by_count_and_values_in_the_order_of_rows(tmp_path: Path) -> None:
    path = write(tmp_path, "user,value\na,1\nb,2.5\nb,70\na,3\nb,0\n")
    assert users(path) == [[2_500, U, 0], [1_000, 3_000]]


@pytest.mark.parametrize(
    "content",
    ["a,1\nA,2\n", "\ufeffUser, Value\r\n a ,1\r\n\r\nA, 2\r\n", '"a","1"\n"a","2.0"', "a,1\n\na,2"],
    ids=["no-header", "bom-crlf-spaces", "quoted", "last-line-open"],
)
def test_one_user_in_several_hands(tmp_path: Path, content: str) -> None:
    assert users(write(tmp_path, content)) == [[1_000, 2_000]]


def test_order_of_users_does_not_depend_on_order_of_rows(tmp_path: Path) -> None:
    one = users(write(tmp_path, "a,1\nb,2\nc,3\n"))
    assert users(write(tmp_path, "c,3\na,1\nb,2\n")) == one


SECRET = "bus4711"
BAD_ROWS = {
    "one cell": SECRET,
    "three cells": f"{SECRET},1,2",
    "no user": " ,12",
    "no value": f"{SECRET},",
    "text": f"{SECRET},{SECRET}",
    "underscore": f"{SECRET},1_0",
    "nan": f"{SECRET},nan",
    "infinite": f"{SECRET},inf",
    "below 0": f"{SECRET},-0.5",
    "open quote": f'"{SECRET},1',
}


@pytest.mark.parametrize("row", BAD_ROWS.values(), ids=BAD_ROWS)
def test_a_bad_row_is_refused_by_its_line_alone(tmp_path: Path, row: str) -> None:
    path = write(tmp_path, f"user,value\ngood,1\n{row}\n")
    with pytest.raises(InputError) as refusal:
        read_hat(path, U)
    assert refusal.value.where == f"{path}, line 3"
    assert refusal.value.mend
    assert SECRET not in str(refusal.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"user,value\n", b"\xff\xfe\x00", b"a," + b"9" * 200_000],
    ids=["empty", "header", "binary", "long"],
)
def test_a_file_without_records_or_text_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError) as refusal:
        read_hat(write(tmp_path, content), U)
    assert str(tmp_path) in refusal.value.where


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.csv"):
        with pytest.raises(InputError):
            read_hat(path, U)
