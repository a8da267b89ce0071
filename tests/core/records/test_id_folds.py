"""The forms of an id: which texts are one vehicle, and that folding again changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records.id_folds import PART, id_folds, ids_alike, ids_marked, vehicle_id

TRICKY = st.text(
    st.sampled_from(
        "0179,. '\"=`_-#noNºr°№aAßıİΣςﬁ①Ⅷ７ｂ\u0345\u0301´\u00a0\u3000\t\x1f\u200b\u200d\u00ad\ufeffक़"
    )
)
WRITINGS = {
    "with .0": "{}.0",
    "with more decimals": "{}.000",
    "zeros in front": "00{}",
    "quoted": '"{}"',
    "as a formula": '="{}"',
    "as text of a spreadsheet": "'{}",
    "typographic quotes": "„{}“",
    "a zero-width space": "\u200b{}",
    "a byte order mark": "\ufeff{}",
    "a soft hyphen": "{}\u00ad",
    "a number sign": "#{}",
    "a broad number sign and a blank": "＃\u00a0{}",
    "a numero sign": "№{}",
    "the word for it": "No. {}",
    "another word for it": "Nr. {}",
    "one with a raised letter": "Nº{}",
    "one with a degree": "n° {}",
    "a number sign before zeros": "#0{}",
    "a narrow blank behind": "{}\u202f",
    "broad digits": "\uff10{}",
}


@given(st.text() | TRICKY)
def test_each_form_follows_from_the_one_before_and_is_its_own_fold(text: str) -> None:
    folds = id_folds(text)
    assert folds.as_read == text.strip().casefold()
    assert id_folds(folds.as_read) == folds
    assert id_folds(folds.id) == (folds.id, folds.id, folds.further)
    assert id_folds(folds.further) == (folds.further,) * 3
    assert all(folds) or not any(folds)


@pytest.mark.parametrize(
    "text",
    ["ＢＵＳ　１２", "bus\u00a0 12", "\tBus  12 ", "BUS\n12", "ｂｕｓ \u200912", "BUS ①②", "bus 12\u00a0"],
)
def test_an_id_is_in_one_form_of_unicode_with_single_blanks(text: str) -> None:
    assert id_folds(text).id == "bus 12"


@pytest.mark.parametrize("text", ["007", "7.0", "1e3", "1,234", '"7"', "bus\u200b7", "-"])
def test_the_id_keeps_what_may_tell_two_vehicles_apart(text: str) -> None:
    assert id_folds(text).id == text


@pytest.mark.parametrize("pattern", WRITINGS.values(), ids=WRITINGS.keys())
def test_what_programs_add_is_gone_from_the_further_fold(pattern: str) -> None:
    for number in range(1000, 1200):
        assert id_folds(pattern.format(number)).further == str(number)


@pytest.mark.parametrize(
    ("text", "further"),
    [
        ("1,234", "1234"),
        ("1.234", "1234"),
        ("1 234", "1234"),
        ("1\u202f234", "1234"),
        ("1'234", "1234"),
        ("1,23,45,678", "12345678"),
        ("1.000.000", "1000000"),
        ("1,234.0", "1234"),
        ("7.000", "7"),
        ("12.5", "12.5"),
        ("0.5", "0.5"),
        ("1,23", "1,23"),
        ("000", "0"),
        ("GJ-05.0", "gj-05"),
        ("#gj-05", "#gj-05"),
        ("north 7", "north 7"),
        ("nr7", "nr7"),
        ("5#7", "5#7"),
        ("#", "#"),
        ('""', '""'),
    ],
)
def test_numbers_lose_their_marks_and_what_is_no_number_keeps_them(text: str, further: str) -> None:
    assert id_folds(text).further == further


def test_two_columns_never_fold_into_one() -> None:
    assert id_folds(f"'{PART}5").further == f"'{PART}5"
    assert id_folds(f"a{PART}'").further == f"a{PART}'"


def test_ids_are_counted_that_may_be_another_ones() -> None:
    assert ids_alike(["7", "007", "7.0", "bus 8", "bus 80", "4,101"]) == 3
    assert ids_alike(["#3171", "3171", "No. 3171", "3172"]) == 3
    assert [vehicle_id("007.0", folded=folded) for folded in (False, True)] == ["007.0", "7"]


def test_zeros_in_front_are_no_mark_of_a_program() -> None:
    assert ids_marked(["4,101", '="0012"', "4101.0", f"a{PART}'7'"]) == 4
    assert not ids_marked(["0012", "bus 8", "gj-05", f"a{PART}007"])
