"""core.published.changes: rows are matched, intervals cover, and what is larger than the noise is said so."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from core.errors import InputError
from core.published.bundle_frames import PublishedTable, published_tables, table_of
from core.published.changes import changes_of, numbers_of

RELEASES = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases"
DRAWS = 200_000


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
                {name: (cells if name == "h3_cell" else "x") for name in mean.table.primary_key}
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
    with pytest.raises(InputError, match="hold other columns"):
        changes_of([mean, other])
    with pytest.raises(InputError, match="takes two bundles"):
        changes_of([mean])
