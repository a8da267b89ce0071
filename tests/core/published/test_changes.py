"""core.published.changes: rows are matched, intervals cover, and what is larger than the noise is said so."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from core.bundle.csv_columns import data_table
from core.errors import InputError
from core.published.bundle_frames import PublishedTable, published_tables, table_of
from core.published.changes import changes_of, numbers_of
from core.quantity import Quantity
from core.statistics.registry import published_statistics

RELEASES = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases"
DRAWS = 200_000
DELAY = Quantity(name="delay", column_unit="s", unit="s")


@pytest.fixture(scope="module")
def mean() -> PublishedTable:
    return table_of(published_tables(RELEASES / "one-query-1.0.0"), "mean")


def with_rows(
    table: PublishedTable, release: str, values: NDArray[np.float64], half: float
) -> PublishedTable:
    """The same places, with other numbers and intervals."""
    (measure,) = numbers_of(table.table)
    frame = table.frame.iloc[: values.size].copy()
    frame[measure.value] = values
    frame[measure.low], frame[measure.high] = values - half, values + half
    return dataclasses.replace(table, release=release, frame=frame)


def test_a_change_is_told_with_its_interval(mean: PublishedTable) -> None:
    before = with_rows(mean, "a-1", np.array([20.0, 30.0, 30.0]), 3.0)
    after = with_rows(mean, "a-2", np.array([26.0, 33.0, 20.0]), 4.0)
    found = changes_of([before, after])
    (measure,) = numbers_of(mean.table)
    assert found[["before", "after"]].drop_duplicates().to_numpy().tolist() == [["a-1", "a-2"]]
    told = found.sort_values(f"{measure.value}_change")
    assert told[f"{measure.value}_change"].tolist() == [-10.0, 3.0, 6.0]
    assert told[f"{measure.value}_change_low"].tolist() == [-15.0, -2.0, 1.0]
    assert told[f"{measure.value}_change_high"].tolist() == [-5.0, 8.0, 11.0]
    assert told[f"{measure.value}_changed"].tolist() == [True, False, True]


def test_what_is_in_one_release_alone_has_no_change(mean: PublishedTable) -> None:
    before = with_rows(mean, "a-1", np.array([20.0, 30.0]), 3.0)
    after = dataclasses.replace(mean, release="a-2", frame=mean.frame.iloc[1:3])
    (measure,) = numbers_of(mean.table)
    found = changes_of([before, after])
    assert len(found) == 3
    known = found[f"{measure.value}_change"].notna()
    assert found[f"{measure.value}_changed"].isna().tolist() == (~known).tolist()
    assert known.sum() <= 1


def test_several_releases_are_compared_in_turn(mean: PublishedTable) -> None:
    tables = [with_rows(mean, f"a-{number}", np.array([20.0 + number]), 3.0) for number in range(3)]
    found = changes_of(tables)
    assert list(zip(found["before"], found["after"], strict=True)) == [("a-0", "a-1"), ("a-1", "a-2")]


def test_every_statistic_has_measures_and_compares_with_itself() -> None:
    for one in published_tables(RELEASES / "every-statistic-1.0.0").values():
        measures = numbers_of(one.table)
        assert measures
        found = changes_of([one, one])
        assert len(found) == len(one.frame)
        for measure in measures:
            assert not found[f"{measure.value}_changed"].dropna().any()


@pytest.mark.parametrize("ratio", [1.0, 0.5, 0.1])
@pytest.mark.parametrize("kind", ["laplace", "normal", "cut"])
def test_the_interval_covers_the_difference(mean: PublishedTable, kind: str, ratio: float) -> None:
    """By simulation, both numbers with noise of their own; `cut`: published within [0, 65], near its end."""
    rng = np.random.default_rng(int(100 * ratio) + len(kind))
    scales = (4.0, 4.0 * ratio)
    truths = (3.0, 1.0) if kind == "cut" else (30.0, 33.0)
    ends = []
    for scale, truth in zip(scales, truths, strict=True):
        if kind == "normal":
            noise, half = rng.normal(0.0, scale, DRAWS), 1.959964 * scale
        else:
            noise, half = rng.laplace(0.0, scale, DRAWS), np.log(20.0) * scale
        value = truth + noise
        low, high = value - half, value + half
        if kind == "cut":
            value, low, high = (np.clip(part, 0.0, 65.0) for part in (value, low, high))
        ends.append((value, low, high))
    cells = pd.Series([f"{number:x}" for number in range(DRAWS)], dtype="string")
    (measure,) = numbers_of(mean.table)
    tables = [
        dataclasses.replace(
            mean,
            release=f"a-{number}",
            frame=pd.DataFrame(
                {"h3_cell": cells, "slot_start": "09:00", "slot_end": "10:00", "status": "published"}
                | {measure.value: value, measure.low: low, measure.high: high}
            ),
        )
        for number, (value, low, high) in enumerate(ends)
    ]
    found = changes_of(tables)
    true = truths[1] - truths[0]
    covered = (found[f"{measure.value}_change_low"] <= true) & (found[f"{measure.value}_change_high"] >= true)
    assert covered.mean() >= 0.945


def test_tables_of_other_columns_are_refused(mean: PublishedTable) -> None:
    other = table_of(published_tables(RELEASES / "every-statistic-1.0.0"), "cdf_of_vehicles")
    with pytest.raises(InputError, match="hold other rows"):
        changes_of([mean, other])
    with pytest.raises(InputError, match="takes two bundles"):
        changes_of([mean])


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"resolutions": (8,)}, "have hexagons of other resolutions: 7, and 8"),
        ({"slot_minutes": 30}, "have timeslots of other lengths: 60 min, and 30 min"),
        ({"zone": "America/Chicago"}, "use other time zones: Asia/Kolkata, and America/Chicago"),
        ({"quantity": DELAY}, "measure other quantities: km/h, and s"),
    ],
)
def test_what_cannot_be_compared_is_told_apart(
    mean: PublishedTable, other: dict[str, object], said: str
) -> None:
    after = dataclasses.replace(mean, release="a-2", **other)
    with pytest.raises(InputError, match=said) as told:
        changes_of([mean, after])
    assert told.value.mend.startswith("compare releases of the same")


def test_tables_without_a_row_in_common_are_refused(mean: PublishedTable) -> None:
    before = dataclasses.replace(mean, frame=mean.frame.iloc[:2])
    after = dataclasses.replace(mean, release="a-2", frame=mean.frame.iloc[2:4])
    with pytest.raises(InputError, match="no row in common") as told:
        changes_of([before, after])
    assert told.value.where == "h3_cell, slot_start, slot_end"


def test_regions_are_the_same_where_their_hexagons_are(mean: PublishedTable) -> None:
    """`r001` of one release may lie elsewhere than that of the next."""
    (measure,) = numbers_of(mean.table)
    table = data_table(published_statistics()["mean_by_region"])
    columns = {"slot_start": "09:00", "slot_end": "12:00", "status": "published"}

    def regions(release: str, cells: list[str], value: float) -> PublishedTable:
        rows = {"region": [f"r{number:03d}" for number in range(1, 3)], "h3_cells": cells}
        numbers = {measure.value: value, measure.low: value - 1.0, measure.high: value + 1.0}
        frame = pd.DataFrame(rows | columns | numbers)
        return dataclasses.replace(mean, release=release, table=table, frame=frame)

    found = changes_of([regions("a-1", ["A", "B"], 20.0), regions("a-2", ["B", "C"], 30.0)])
    changes = dict(zip(found["h3_cells"], found[f"{measure.value}_change"], strict=True))
    assert changes["B"] == 10.0
    assert np.isnan(changes["A"])
    assert np.isnan(changes["C"])


def test_a_number_cut_to_its_range_is_never_confirmed_alone(mean: PublishedTable) -> None:
    """Of a value at 0 the half-width is hidden, and a large change may be a large noise."""
    (measure,) = numbers_of(mean.table)
    before = with_rows(mean, "a-1", np.full(8, 30.0), 1.0)
    after = with_rows(mean, "a-2", np.full(8, 30.0), 1.0)
    after.frame.iloc[0, [after.table.header.index(name) for name in measure.columns]] = [0.0, 0.0, 0.5]
    after.frame.iloc[1, [after.table.header.index(name) for name in measure.columns]] = [1.0, 0.0, 2.0]
    found = changes_of([before, after])
    told = found.set_index(["h3_cell", "slot_start"]).loc[
        list(mean.frame.iloc[:2][["h3_cell", "slot_start"]].itertuples(index=False, name=None))
    ]
    assert told[f"{measure.value}_changed"].tolist() == [True, True]
    assert told[f"{measure.value}_confirmed"].tolist() == [False, True]


def test_a_remark_goes_with_the_changes(mean: PublishedTable) -> None:
    later = dataclasses.replace(mean, release="a-2", remark="Withdrawn.")
    found = changes_of([mean, later])
    assert set(found["remark"]) == {"a-2: Withdrawn."}
    assert "remark" not in changes_of([mean, dataclasses.replace(mean, release="a-2")])
