"""The sign that smoothing starts from, in bundles that were signed with it: both verifiers read it alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.bundle.smoothed_facts import SIGN
from core.signed.bundle_names import PRIVACY
from tests.builders import SPEED_BY_HAT, forge, make_bundle, make_city_query, make_release
from tests.tampering import by_file, by_program

SIGNS = (1_225, -1_225, 0)
"""Of three logarithms that are equally far apart."""


def bundle_with(tmp_path: Path, signs: tuple[int, ...] | None) -> Path:
    return make_bundle(tmp_path, make_release(queries=(make_city_query(signs),)))


def test_a_bundle_without_a_sign_has_neither_column_nor_slope(tmp_path: Path) -> None:
    bundle = bundle_with(tmp_path, None)
    assert SIGN not in (bundle / SPEED_BY_HAT.path).read_text("utf-8")
    assert "slope" not in (bundle / PRIVACY).read_text("utf-8")
    assert by_program(bundle).holds
    assert by_file(bundle).holds


def test_the_column_stands_before_the_epsilon_and_says_what_it_is(tmp_path: Path) -> None:
    bundle = bundle_with(tmp_path, SIGNS)
    header, *lines = (bundle / SPEED_BY_HAT.path).read_text("utf-8").splitlines()
    place = header.split(",").index(SIGN)
    assert header.split(",")[place + 1] == "epsilon"
    assert [line.split(",")[place] for line in lines] == ["1.225", "-1.225", "0.000", ""]
    stated = json.loads((bundle / PRIVACY).read_text("utf-8"))["queries"][0]["smoothing"]
    assert stated["slope"] == {"mean": "-3.5", "spread": "2.5"}
    assert by_program(bundle).holds
    assert by_file(bundle).holds


@pytest.mark.parametrize(
    ("signs", "holds"),
    [
        ((0, 0, 0), True),
        ((3_000, -1_500, -1_500), False),  # too far apart
        ((1_225, -1_225, 10), False),  # not around 0
        ((1_225, -1_225), False),  # a row without one
        ((), False),  # a slope of nothing
    ],
)
def test_what_is_no_standardised_sign_is_found(tmp_path: Path, signs: tuple[int, ...], holds: bool) -> None:
    bundle = bundle_with(tmp_path, signs)
    assert (by_program(bundle).holds, by_file(bundle).holds) == (holds, holds)


def test_a_slope_that_is_none_of_the_model_or_is_left_out_is_found(tmp_path: Path) -> None:
    bundle = bundle_with(tmp_path, SIGNS)
    honest = (bundle / PRIVACY).read_text("utf-8")
    forge(bundle, {PRIVACY: honest.replace('"mean": "-3.5"', '"mean": "-9"').encode()})
    assert "slope" in by_program(bundle).reasons
    document = json.loads(honest)
    del document["queries"][0]["smoothing"]["slope"]
    forge(bundle, {PRIVACY: json.dumps(document).encode()})
    assert SIGN in by_program(bundle).reasons
    assert "states other slopes" in by_file(bundle).reasons
