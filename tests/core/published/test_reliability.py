"""core.published.reliability: figures of a bundle with intervals, against the records that it was made of."""

from __future__ import annotations

import csv
import datetime as dt
from collections import defaultdict
from pathlib import Path

import h3
import numpy as np
import pytest

from core.cli import main
from core.errors import InputError
from core.published.bundle_frames import published_tables
from core.published.reliability import reliability_of
from tests.builders import make_key
from tests.share_bundles import released
from tests.taxis import SHARES, ledger_in, write_taxis
from tests.taxis import released as released_taxis

ASKED = "percentiles = [15, 50, 85]\nranges = [[0, 5], [5, 10], [10, 20], [20, 30], [30, 40], [40, 65]]"
MUCH = (('total = "9"', 'total = "90"'),)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reliable")
    released(made, make_key(), ASKED, edit=MUCH)
    return made


@pytest.fixture(scope="module")
def bundle(folder: Path) -> Path:
    return next((folder / "out").iterdir())


def speeds_of(records: Path) -> dict[tuple[str, str], list[float]]:
    found = defaultdict[tuple[str, str], list[float]](list)
    with records.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cell = h3.latlng_to_cell(float(row["lat"]), float(row["lon"]), 7)
            hour = dt.datetime.fromisoformat(row["time"]).hour
            found[cell, f"{hour:02d}:00"].append(float(row["speed"]))
    return found


@pytest.mark.parametrize("suffix", ["", "_smoothed"])
@pytest.mark.parametrize("fraction", [0.3, 0.5, 0.9])
def test_intervals_hold_what_the_records_say(
    suffix: str, fraction: float, folder: Path, bundle: Path
) -> None:
    found = reliability_of(published_tables(bundle), fraction)
    speeds = speeds_of(folder / "city" / "records.csv")
    held = []
    for row in found.to_dict("records"):
        values = np.array(speeds[row["h3_cell"], row["slot_start"]])
        low, median, high = np.quantile(values, (0.15, 0.5, 0.85), method="inverted_cdf")
        ratio, below = f"p85_over_p15{suffix}", f"share_below_fraction_of_median{suffix}"
        most = row[f"{ratio}_high"]
        held.append(row[f"{ratio}_low"] <= high / low and (np.isnan(most) or high / low <= most))
        part = (values < fraction * median).mean()
        held.append(row[f"{below}_low"] - 1e-9 <= part <= row[f"{below}_high"] + 1e-9)
        for name in (ratio, below):
            if not np.isnan(row[name]):
                assert row[f"{name}_low"] <= row[name] + 1e-9
        assert 0 <= row[f"{below}_low"] <= row[below] <= row[f"{below}_high"] <= 1
        assert row[f"{ratio}_low"] >= 1
    assert len(held) == 24
    assert np.mean(held) > 0.9


def test_intervals_narrow_where_noise_is_less(bundle: Path, tmp_path: Path) -> None:
    noisy = reliability_of(published_tables(released(tmp_path, make_key(), ASKED).bundle))
    less = reliability_of(published_tables(bundle))
    name = "share_below_fraction_of_median"
    widths = [(one[f"{name}_high"] - one[f"{name}_low"]).median() for one in (less, noisy)]
    assert widths[0] < widths[1]


def test_the_command_prints_a_row_for_each_place(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(bundle), "--reliability", "0.4"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert len(rows) == 12
    assert {"release", "h3_cell", "slot_start", "slot_end", "p85_over_p15", "p85_over_p15_high"} <= {*rows[0]}
    assert "share_below_fraction_of_median_smoothed_low" in rows[0]


def test_in_relation_user_ends_of_ranges_are_added(tmp_path: Path) -> None:
    """Its rows do not state deviations; candidates that are suppressed have no figures."""
    spec = write_taxis(tmp_path / "city", edits=(*SHARES, ('"40"', '"400"')))
    made = released_taxis(spec, ledger_in(tmp_path / "home"), make_key(), tmp_path / "out").bundle
    rows = published_tables(made)["share_percentiles"].frame
    found = reliability_of(published_tables(made))
    assert len(found) == (rows["status"] != "suppressed").sum() / 4 > 0
    for suffix in ("", "_smoothed"):
        name = f"share_below_fraction_of_median{suffix}"
        low, value, high = (found[f"{name}{end}"] for end in ("_low", "", "_high"))
        assert ((low >= 0) & (low <= value) & (value <= high) & (high <= 1)).all()


def test_in_relation_user_rows_may_all_be_suppressed(tmp_path: Path) -> None:
    spec = write_taxis(tmp_path / "city", edits=(*SHARES, ("threshold = 5", "threshold = 100000")))
    made = released_taxis(spec, ledger_in(tmp_path / "home"), make_key(), tmp_path / "out").bundle
    found = reliability_of(published_tables(made))
    assert len(found) == 0
    assert "p85_over_p15_smoothed_high" in found


def test_in_relation_user_noise_may_cut_all_shares_of_a_row_to_nothing(tmp_path: Path) -> None:
    spec = write_taxis(tmp_path / "city", edits=(*SHARES, ('"40"', '"400"')))
    made = released_taxis(spec, ledger_in(tmp_path / "home"), make_key(), tmp_path / "out").bundle
    tables = published_tables(made)
    tables["share"].frame.loc[:, ["share", "ci95_low_share"]] = 0.0
    found = reliability_of(tables)
    assert len(found) > 0
    low, high = (found[f"share_below_fraction_of_median_{end}"] for end in ("low", "high"))
    assert (low <= high).all()


def test_what_cannot_be_said_is_refused(tmp_path: Path, bundle: Path) -> None:
    tables = published_tables(bundle)
    for fraction in (0.0, 1.0, float("nan")):
        with pytest.raises(InputError, match="between 0 and 1"):
            reliability_of(tables, fraction)
    without = published_tables(released(tmp_path / "two", make_key(), "percentiles = [15, 85]").bundle)
    with pytest.raises(InputError, match="15, 50 and 85") as caught:
        reliability_of(without)
    assert caught.value.mend
    with pytest.raises(InputError, match="does not have all"):
        reliability_of({"share": tables["share"]})
