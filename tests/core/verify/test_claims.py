"""Signed lies: bundles whose sums and signature are right, but whose claims are not."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.privacy_loss import PrivacyLoss
from core.bundle.csv_columns import EPSILON_SUMMARY
from core.bundle.release_result import Release
from core.privacy import Unit
from core.release.bundle import bundle_files
from core.signed.bundle_names import DATAPACKAGE, PRIVACY
from core.signed.findings import Finding
from core.statistics.base import Estimate
from core.statistics.registry import all_statistics
from core.verify.claims import check_datapackage, check_epsilons, check_privacy, check_rows
from core.verify.folder import BundleFolder, read_folder
from core.verify.folder_source import FolderSource
from core.verify.verify import verify_bundle
from tests.builders import (
    CELLS,
    NOW,
    SPEED_BY_HAT,
    forge,
    make_bundle,
    make_charge,
    make_key,
    make_mixed_release,
    make_open_row,
    make_query,
    make_release,
    make_rows,
    make_texts,
    usual_bundle,
)
from tests.compared_city import compared_release

NAME = make_texts().folder
KEY_ID = make_key().key_id


def _privacy(folder: BundleFolder) -> str:
    return check_privacy(folder, NAME, KEY_ID)


def _failed(bundle: Path) -> set[str]:
    return {check.name for check in verify_bundle(bundle).checks if not check.passed}


@pytest.mark.parametrize("check", [check_datapackage, _privacy, check_rows, check_epsilons])
def test_an_honest_bundle_passes(tmp_path: Path, check: Callable[[BundleFolder], str]) -> None:
    assert check(read_folder(usual_bundle(tmp_path)))


LIES = {
    "value above its interval": (SPEED_BY_HAT.path, "20.668,18.001,23.335", "23.336,18.001,23.335", "values"),
    "value below its interval": (SPEED_BY_HAT.path, "20.668,18.001", "18.000,18.001", "values"),
    "value off the middle": (SPEED_BY_HAT.path, "20.668,18.001,23.335", "20.671,18.001,23.335", "values"),
    "nothing known of what is known": (
        SPEED_BY_HAT.path,
        "averaging,published",
        "averaging,no_information",
        "values",
    ),
    "nothing known of what is suppressed": (SPEED_BY_HAT.path, "suppressed", "no_information", "values"),
    "interval above U": (SPEED_BY_HAT.path, "31.000,29.222,32.778", "31.000,29.222,65.001", "values"),
    "leaning interval": (SPEED_BY_HAT.path, "20.668,18.001,23.335", "20.668,18.001,23.338", "values"),
    "interval about something else": (SPEED_BY_HAT.path, "18.001,23.335", "16.334,21.668", "values"),
    "published without value": (SPEED_BY_HAT.path, "20.668,18.001,23.335", ",18.001,23.335", "values"),
    "published for nothing": (SPEED_BY_HAT.path, "1.500,1,array", "1.500,0,array", "values"),
    "suppressed with a value": (SPEED_BY_HAT.path, ",,,,,0,", ",1.000,,,,0,", "values"),
    "suppressed with a bias": (SPEED_BY_HAT.path, ",,,,,0,", ",,,,1.000,0,", "values"),
    "suppressed with epsilon": (SPEED_BY_HAT.path, ",,,,,0,", ",,,,,1,", "values"),
    "no cell": (SPEED_BY_HAT.path, "8742d9d69ffffff", "8742d9d69fffff0", "values"),
    "another resolution": (SPEED_BY_HAT.path, "ffffff,7,", "ffffff,8,", "values"),
    "another slot length": (SPEED_BY_HAT.path, "09:00,10:00", "09:00,09:30", "values"),
    "a slot between two": (SPEED_BY_HAT.path, "10:00,11:00", "10:30,11:30", "values"),
    "a slot before the hours": (SPEED_BY_HAT.path, "09:00,10:00", "08:00,09:00", "values"),
    "hours from elsewhere": (PRIVACY, '"09:00"', '"08:30"', "privacy"),
    "unsorted": (SPEED_BY_HAT.path, "ffffff,7,09:00,10:00", "ffffff,7,11:00,12:00", "values"),
    "another mechanism": (SPEED_BY_HAT.path, "array-averaging", "baseline", "epsilons"),
    "row dearer than the headline": (SPEED_BY_HAT.path, ",1.5,array", ",3.6,array", "epsilons"),
    "rows cheaper than the headline": (SPEED_BY_HAT.path, ",1.5,array", ",1.499999,array", "epsilons"),
    "smaller charge": (EPSILON_SUMMARY.path, "vehicle,values,3.5", "vehicle,values,3.499999", "epsilons"),
    "units out of order": (EPSILON_SUMMARY.path, "vehicle-hat-day", "vehicle-x", "epsilon_summary"),
    "another relation": (EPSILON_SUMMARY.path, "vehicle,values", "vehicle,user", "privacy"),
    "another bound": (EPSILON_SUMMARY.path, "65.000", "64.000", "privacy"),
    "another period": (EPSILON_SUMMARY.path, "2024-03-01", "2024-03-02", "privacy"),
    "another reserved charge": (PRIVACY, '"vehicle-day": "2.5"', '"vehicle-day": "2.4"', "epsilons"),
    "another headline": (PRIVACY, '"epsilon": "3.5"', '"epsilon": "0.1"', "privacy"),
    "another key": (PRIVACY, KEY_ID, "0" * 16, "privacy"),
    "another release": (PRIVACY, '"version": "1.0.0"', '"version": "1.0.1"', "privacy"),
    "another unit": (PRIVACY, '"privacy_unit": "vehicle"', '"privacy_unit": "person"', "privacy"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_signed_lie_is_found(tmp_path: Path, lie: str) -> None:
    name, old, new, check = LIES[lie]
    bundle = usual_bundle(tmp_path)
    content = (bundle / name).read_text()
    assert old in content
    forge(bundle, {name: content.replace(old, new, 1).encode()})
    failed = _failed(bundle)
    assert check in failed
    assert not {"files", "sums", "signature", "datapackage"} & failed


@pytest.mark.parametrize(
    ("speed", "stated", "holds"),
    [
        (30.0, 2_000, True),
        (30.0, 1_800, False),
        (30.0, 2_200, False),
        (0.0, 2_000, True),
        (0.0, 1_800, False),
        (90.0, 2_000, True),
        (90.0, 20_000, False),
    ],
)
def test_an_interval_is_as_wide_as_the_deviation_beside_it_says(
    speed: float, stated: int, holds: bool, tmp_path: Path
) -> None:
    """Also of ranges that one bound cuts, and of numbers that noise carried out of their range."""
    release = compared_release(lambda *_: speed, rings=0, hours=(10, 12), smoothed=False)
    (query,) = release.queries
    within = speed < 65.0
    rows = tuple(
        dataclasses.replace(
            row,
            estimates=tuple(
                dataclasses.replace(one, deviation=stated, informative=within, low=one.low * within)
                for one in row.estimates
            ),
        )
        for row in query.rows
    )
    release = dataclasses.replace(release, queries=(dataclasses.replace(query, rows=rows),))
    assert ("values" not in _failed(make_bundle(tmp_path, release=release))) is holds


@pytest.mark.parametrize(
    ("ends", "holds"),
    [
        ((18_668, 22_668), True),
        ((18_668, 22_670), True),
        ((18_666, 22_668), True),
        ((18_668, 22_671), False),
        ((18_665, 22_668), False),
        ((0, 22_668), True),
        ((18_668, 65_000), True),
        ((1, 22_668), False),
        ((18_668, 64_999), False),
    ],
)
@pytest.mark.parametrize("statistic", ["mean", "query1"])
def test_an_interval_that_no_bound_cuts_has_its_value_in_the_middle(
    tmp_path: Path, statistic: str, ends: tuple[int, int], holds: bool
) -> None:
    """Within 0.002: a signed bundle whose intervals tell where the truth lies is found."""
    (first, *_), (measure,) = make_rows(), all_statistics()[statistic].measures
    bias = 1_500 if measure.bias else None
    estimate = Estimate(measure=measure.name, value=20_668, low=ends[0], high=ends[1], bias_bound=bias)
    rows = (dataclasses.replace(first, estimates=(estimate,)),)
    charge = make_charge(
        **dict.fromkeys(("per_vehicle", "per_vehicle_day", "per_vehicle_hat_day"), Decimal(1))
    )
    method = all_statistics()[statistic].method or "array-averaging"
    query = make_query(statistic=statistic, mechanism=method, rows=rows, charge=charge)
    bundle = make_bundle(tmp_path, make_release(queries=(query,), charge=charge))
    assert _failed(bundle) == (set() if holds else {"values"})


def test_the_bounds_that_cut_are_those_that_the_bundle_states() -> None:
    """At U = 24 an interval up to 24 is cut; at U = 65 the same one leans."""
    (first, *_) = make_rows()
    rows = (
        dataclasses.replace(
            first, estimates=(dataclasses.replace(first.estimates[0], low=10_000, high=24_000),)
        ),
    )
    charge = make_charge(
        **dict.fromkeys(("per_vehicle", "per_vehicle_day", "per_vehicle_hat_day"), Decimal(1))
    )
    query = make_query(rows=rows, charge=charge)
    assert check_rows(_folder_of(make_release(queries=(query,), charge=charge, upper_bound=24_000)))
    with pytest.raises(Finding, match="middle of its interval"):
        check_rows(_folder_of(make_release(queries=(query,), charge=charge)))


@pytest.mark.parametrize("cited", ["P3 Alg. 2", "ours (method 6)"])
def test_a_bundle_that_cites_as_older_programs_did_still_holds(tmp_path: Path, cited: str) -> None:
    bundle = usual_bundle(tmp_path)
    document = json.loads((bundle / PRIVACY).read_bytes())
    document["queries"][0]["mechanism_reference"] = cited
    forge(bundle, {PRIVACY: json.dumps(document).encode()})
    assert _failed(bundle) == set()


def test_a_row_that_tells_nothing_holds(tmp_path: Path) -> None:
    rows = (*make_rows()[:3], make_open_row(CELLS[1], 10))
    bundle = make_bundle(tmp_path, make_release(queries=(make_query(rows=rows),)))
    assert "no_information" in (bundle / SPEED_BY_HAT.path).read_text()
    document = json.loads((bundle / PRIVACY).read_bytes())
    assert document["accuracy"][0]["hats_published"] == 4
    assert _failed(bundle) == set()


def test_a_bundle_of_the_first_format_knows_no_row_that_tells_nothing(tmp_path: Path) -> None:
    """Columns, texts and statuses of each format are its own."""
    rows = (*make_rows()[:3], make_open_row(CELLS[1], 10))
    bundle = make_bundle(tmp_path, make_release(queries=(make_query(rows=rows),)))
    document = json.loads((bundle / PRIVACY).read_bytes()) | {"format": "hexveil-privacy-1"}
    forge(bundle, {PRIVACY: json.dumps(document).encode()})
    assert {"datapackage", "data"} <= _failed(bundle)


def test_rows_of_a_unit_may_be_missing_only_all(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    lines = (bundle / EPSILON_SUMMARY.path).read_text().splitlines(keepends=True)
    forge(bundle, {EPSILON_SUMMARY.path: "".join(lines[:2] + lines[3:]).encode()})
    assert "epsilons" in _failed(bundle)


def test_a_second_query_without_rows_of_its_own_is_found(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    text = (bundle / EPSILON_SUMMARY.path).read_text()
    more = "".join(line + "\n" for line in text.splitlines()[1:]).replace("mean_speed", "other")
    forge(bundle, {EPSILON_SUMMARY.path: (text + more).encode()})
    assert "epsilons" in _failed(bundle)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"minimum": 5', '"minimum": 0'),
        ('"bytes": ', '"bytes": 1'),
        ('"hash": "sha256:', '"hash": "sha256:0'),
        ('"name": "h3_cell"', '"name": "cell"'),
        ('"required": true', '"required": 1'),
        ("data/cells.geojson", "data/../cells.geojson"),
        ("datapackage.org", "city.example"),
        ('"resources": [', '"resources": [{}, '),
        ('"resources"', '"things"'),
    ],
)
def test_a_datapackage_that_is_not_ours_is_found(tmp_path: Path, old: str, new: str) -> None:
    bundle = usual_bundle(tmp_path)
    content = (bundle / DATAPACKAGE).read_text()
    assert old in content
    forge(bundle, {DATAPACKAGE: content.replace(old, new, 1).encode()})
    assert "datapackage" in _failed(bundle)


def test_a_datapackage_without_a_valid_name_is_found(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    package = json.loads((bundle / DATAPACKAGE).read_text())
    forge(bundle, {DATAPACKAGE: json.dumps(package | {"name": "../x"}).encode()})
    assert "privacy" in _failed(bundle)


def _with_charge(unit: Unit, **charges: str) -> Release:
    charge = make_charge(**{name: Decimal(amount) for name, amount in charges.items()})
    return make_release(unit=unit, charge=charge, queries=(make_query(charge=charge),))


@pytest.mark.parametrize(
    ("unit", "charges", "fits"),
    [
        # The rows cost 1, 1 and 1.5; five days.
        (Unit.VEHICLE, {"per_vehicle": "3.5"}, True),
        (Unit.VEHICLE, {"per_vehicle": "3.500001"}, False),
        (Unit.VEHICLE, {"per_vehicle": "1.5"}, True),
        (Unit.VEHICLE, {"per_vehicle": "1.499999"}, False),
        (Unit.VEHICLE_DAY, {"per_vehicle": "17.5"}, True),
        (Unit.VEHICLE_DAY, {"per_vehicle": "17.500001"}, False),
        (Unit.VEHICLE_DAY, {"per_vehicle_day": "3.5"}, True),
        (Unit.VEHICLE_DAY, {"per_vehicle_day": "3.500001"}, False),
        (Unit.VEHICLE_HAT_DAY, {"per_vehicle": "17.5"}, True),
        (Unit.VEHICLE_HAT_DAY, {"per_vehicle_hat_day": "1.499999"}, False),
    ],
)
def test_a_headline_lies_between_the_largest_row_and_the_sum(
    tmp_path: Path, unit: Unit, charges: dict[str, str], fits: bool
) -> None:
    bundle = make_bundle(tmp_path, _with_charge(unit, **charges))
    assert _failed(bundle) == (set() if fits else {"epsilons"})


def test_a_release_without_published_rows_passes(tmp_path: Path) -> None:
    nothing = make_charge(
        per_vehicle=Decimal(0), per_vehicle_day=Decimal(0), per_vehicle_hat_day=Decimal(0), per_date={}
    )
    query = make_query(rows=make_rows()[3:], charge=nothing, contribution_cap=None, facts=None)
    bundle = make_bundle(tmp_path, make_release(queries=(query,), charge=nothing))
    assert verify_bundle(bundle).ok


HOURS = ("09:00", "13:00")


@given(
    st.lists(st.decimals(min_value="0.000001", max_value=1000, places=6), min_size=1, max_size=4),
    st.sampled_from(list(Unit)),
)
def test_sums_are_exact(epsilons: list[Decimal], unit: Unit) -> None:
    rows = tuple(
        dataclasses.replace(
            make_rows()[0], epsilon=epsilon, slot_start=f"{hour:02d}:00", slot_end=f"{hour + 1:02d}:00"
        )
        for hour, epsilon in enumerate(epsilons, start=9)
    )
    total = sum(epsilons, Decimal(0))
    charge = make_charge(per_vehicle=total, per_vehicle_day=total, per_vehicle_hat_day=max(epsilons))
    release = make_release(
        unit=unit, hours=HOURS, charge=charge, queries=(make_query(rows=rows, charge=charge),)
    )
    folder = _folder_of(release)
    assert check_epsilons(folder)
    assert check_rows(folder)
    # The least step more than all rows together is found out, where days do not add up.
    if unit is Unit.VEHICLE:
        more = dataclasses.replace(charge, per_vehicle=total + Decimal("0.000001"))
        dearer = make_release(hours=HOURS, charge=more, queries=(make_query(rows=rows, charge=more),))
        with pytest.raises(Finding, match="does not fit"):
            check_epsilons(_folder_of(dearer))


def _folder_of(release: Release) -> BundleFolder:
    """A bundle's folder without a disk."""
    files = bundle_files(release, make_texts(), key=make_key(), now=NOW)
    return BundleFolder(
        source=FolderSource(Path()),
        files=frozenset(files),
        folders=frozenset({"data"}),
        strange=(),
        contents=files,
    )


def _mixed(path: Path) -> Path:
    return usual_bundle(path, make_mixed_release)


@pytest.mark.parametrize("check", [check_datapackage, _privacy, check_rows, check_epsilons])
def test_an_honest_bundle_with_gaussian_noise_passes(
    tmp_path: Path, check: Callable[[BundleFolder], str]
) -> None:
    assert check(read_folder(_mixed(tmp_path)))


def test_a_pure_release_after_gaussian_ones_passes(tmp_path: Path) -> None:
    mixed = make_mixed_release()
    parts = {"cumulative": mixed.cumulative, "cumulative_parts": mixed.cumulative_parts, "delta": mixed.delta}
    bundle = make_bundle(tmp_path, make_release(**parts))
    assert _failed(bundle) == set()
    content = (bundle / PRIVACY).read_text()
    forge(
        bundle,
        {PRIVACY: content.replace('"cumulative_delta": "0.000001"', '"cumulative_delta": "0.1"').encode()},
    )
    assert _failed(bundle) == {"epsilons"}


_SUMMARY = EPSILON_SUMMARY.path
GAUSSIAN_LIES = {
    "less rho": (_SUMMARY, "1.605735,0,0.05,", "1.605735,0,0.049,", {"epsilons", "privacy"}),
    "a smaller epsilon": (_SUMMARY, "values,1.605735,", "values,1.6,", {"epsilons", "privacy"}),
    "a larger delta": (_SUMMARY, "0.05,0.000001,", "0.05,0.1,", {"epsilons", "privacy"}),
    "less pure epsilon": (_SUMMARY, "3.5,3.5,0,", "3.5,3.4,0,", {"epsilons", "privacy"}),
    "a smaller sum": (_SUMMARY, ",7.444433,", ",7.5,", {"epsilons"}),
    "another delta": (PRIVACY, '"delta": "0.000001"', '"delta": "0.1"', {"epsilons", "privacy"}),
    "no delta": (PRIVACY, '"delta": "0.000001"', '"delta": "0"', {"epsilons", "privacy", "values"}),
    "a delta of 1": (PRIVACY, '"delta": "0.000001"', '"delta": "1"', {"epsilons", "privacy", "values"}),
    "an epsilon of the headline": (
        PRIVACY,
        '"epsilon": "5.105735"',
        '"epsilon": "5"',
        {"epsilons", "privacy", "values"},
    ),
    "a rho of the headline": (PRIVACY, '"rho": "0.05"', '"rho": "0.04"', {"epsilons", "privacy", "values"}),
    "Laplace noise that was Gaussian": (PRIVACY, "discrete Gaussian", "discrete Laplace", {"privacy"}),
    "a delta of all releases": (
        PRIVACY,
        '"cumulative_delta": "0.000001"',
        '"cumulative_delta": "0.1"',
        {"epsilons"},
    ),
    "no delta of all releases": (
        PRIVACY,
        '"cumulative_delta": "0.000001"',
        '"cumulative_delta": "0"',
        {"epsilons", "privacy", "values"},
    ),
}


@pytest.mark.parametrize("lie", GAUSSIAN_LIES)
def test_a_signed_lie_about_gaussian_noise_is_found(tmp_path: Path, lie: str) -> None:
    name, old, new, checks = GAUSSIAN_LIES[lie]
    bundle = _mixed(tmp_path)
    content = (bundle / name).read_text()
    assert old in content
    forge(bundle, {name: content.replace(old, new, 1).encode()})
    assert _failed(bundle) == checks


@pytest.mark.parametrize(("before", "holds"), [("0.0000001", True), ("0.000001", False), ("0", False)])
def test_a_delta_of_before_is_smaller(tmp_path: Path, before: str, holds: bool) -> None:
    bundle = usual_bundle(tmp_path, make_mixed_release)
    privacy = json.loads((bundle / PRIVACY).read_bytes()) | {"delta_before": before}
    forge(bundle, {PRIVACY: json.dumps(privacy).encode()})
    assert ("privacy" not in _failed(bundle)) is holds


def test_all_releases_cannot_have_spent_less_than_this_one(tmp_path: Path) -> None:
    release = make_mixed_release()
    parts = {unit: PrivacyLoss(rho=Decimal("0.01")) for unit in Unit}
    told = {unit: loss.epsilon_at(release.delta) for unit, loss in parts.items()}
    wrong = dataclasses.replace(release, cumulative=told, cumulative_parts=parts)
    assert _failed(make_bundle(tmp_path, wrong)) == {"epsilons"}


def test_a_summary_without_the_parts_is_no_summary_of_gaussian_noise(tmp_path: Path) -> None:
    """And the other way round: a release that states no rho has none in its summary."""
    pure, mixed = usual_bundle(tmp_path / "pure"), _mixed(tmp_path / "mixed")
    contents = [(bundle / _SUMMARY).read_bytes() for bundle in (pure, mixed)]
    forge(pure, {_SUMMARY: contents[1]})
    forge(mixed, {_SUMMARY: contents[0]})
    assert "epsilons" in _failed(pure)
    assert "epsilons" in _failed(mixed)
