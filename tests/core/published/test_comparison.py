"""core.published.comparison: what each row has become, counted."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.published.bundle_frames import PublishedTable, published_tables, table_of
from core.published.changes import numbers_of
from core.published.comparison import ChangeVerdict, compare
from tests.builders import make_key
from tests.share_bundles import released

RELEASES = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases"
HOURS = [("09:00", "10:00"), ("10:00", "11:00"), ("11:00", "12:00")]


@pytest.fixture(scope="module")
def mean() -> PublishedTable:
    return table_of(published_tables(RELEASES / "one-query-1.0.0"), "mean")


def valued(table: PublishedTable, release: str, values: list[float | None], half: float) -> PublishedTable:
    """The first places of a table, with these values and intervals; None: suppressed."""
    (measure,) = numbers_of(table.table)
    told = pd.Series(values, dtype="float64")
    frame = table.frame.iloc[: len(values)].copy()
    frame[measure.value], frame[measure.low], frame[measure.high] = told, told - half, told + half
    return dataclasses.replace(table, release=release, frame=frame)


def test_each_row_has_a_verdict_and_they_are_counted(mean: PublishedTable) -> None:
    before = valued(mean, "a-1", [20.0, 30.0, 30.0, None, 25.0, None], 1.0)
    after = valued(mean, "a-2", [26.0, 30.5, 20.0, 22.0, None, None], 1.0)
    found = compare(before, after)
    places = mean.frame.iloc[:6][["h3_cell", "slot_start"]].itertuples(index=False, name=None)
    verdicts = {(row.cells[0], row.slot_start): row.verdict for row in found.rows.itertuples(index=False)}
    assert [verdicts[place] for place in places] == [
        ChangeVerdict.LARGER,
        ChangeVerdict.WITHIN_NOISE,
        ChangeVerdict.SMALLER,
        ChangeVerdict.ONLY_AFTER,
        ChangeVerdict.ONLY_BEFORE,
        ChangeVerdict.UNTOLD,
    ]
    assert {one: found.counts.rows[one] for one in ChangeVerdict} == dict.fromkeys(ChangeVerdict, 1)
    assert found.counts.compared == 3
    assert found.counts.confirmed is not None
    assert found.counts.confirmed[ChangeVerdict.LARGER] == found.counts.confirmed[ChangeVerdict.SMALLER] == 1
    assert (found.before, found.after, found.unit, found.label, found.labels) == (
        "a-1",
        "a-2",
        "km/h",
        "",
        (),
    )
    assert found.of_values
    assert found.slots == tuple(HOURS)


def test_chance_alone_is_told_and_does_not_pass(mean: PublishedTable) -> None:
    """400 rows of which none has changed: about 20 are larger than the noise, and none is confirmed."""
    rng, many = np.random.default_rng(3), 400
    cells = pd.Series([f"{number:x}" for number in range(many)], dtype="string")
    tables = []
    for name in ("a-1", "a-2"):
        value = 30.0 + rng.normal(0.0, 2.0, many)
        frame = pd.concat([mean.frame.iloc[:1]] * many, ignore_index=True)
        (measure,) = numbers_of(mean.table)
        frame = frame.assign(
            h3_cell=cells,
            **{measure.value: value, measure.low: value - 3.92, measure.high: value + 3.92},
        )
        tables.append(dataclasses.replace(mean, release=name, frame=frame, normal_noise=True))
    counts = compare(*tables).counts
    assert (counts.compared, counts.by_chance) == (many, 20)
    assert 8 <= counts.rows[ChangeVerdict.LARGER] + counts.rows[ChangeVerdict.SMALLER] <= 34
    assert counts.confirmed is not None
    assert counts.confirmed[ChangeVerdict.LARGER] + counts.confirmed[ChangeVerdict.SMALLER] == 0


def test_numbers_that_share_noise_tell_no_more_than_their_intervals() -> None:
    tables = published_tables(RELEASES / "every-statistic-1.0.0")
    curve = compare(tables["cdf_of_vehicles"], tables["cdf_of_vehicles"])
    assert curve.counts.confirmed is None
    assert (curve.label, curve.labels[:2]) == ("speed_kmh", ("5", "10"))
    variance = compare(tables["mean_variance"], tables["mean_variance"], "speed_variance_km2_h2")
    assert variance.number.value == "speed_variance_km2_h2"
    assert variance.counts.confirmed is None
    assert not variance.of_values


def test_a_number_that_one_lacks_gives_way_to_the_first(mean: PublishedTable) -> None:
    assert compare(mean, mean, "speed_smoothed_kmh").number.value == "speed_mean_kmh"


@pytest.mark.parametrize(
    ("before", "after", "practice"),
    [("a-1", "a-2", False), ("practice-a-1", "a-2", True), ("a-1", "practice-a-2", True)],
)
def test_where_one_of_the_two_is_a_practice_the_changes_are_too(
    mean: PublishedTable, before: str, after: str, *, practice: bool
) -> None:
    found = compare(valued(mean, before, [20.0], 1.0), valued(mean, after, [26.0], 1.0))
    assert found.practice == practice


def test_nested_ranges_with_one_lower_end_are_told_apart(tmp_path: Path) -> None:
    ranges = "ranges = [[0, 5], [0, 10], [0, 40]]"
    table = published_tables(released(tmp_path, make_key(), ranges).bundle)["share"]
    found = compare(table, table)
    assert found.labels == ("0 to 5", "0 to 10", "0 to 40")
    assert found.rows["label"].tolist()[:3] == list(found.labels)
    assert len(found.rows) == len(table.frame)
