"""How reliable a place is, by percentiles 15, 50 and 85 of released shares (city-release 14).

`p85 / p15`, and which part of the records lies below a fraction of the median. Each has an interval that
holds where those do that it is made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.arrays import Floats
from core.errors import InputError
from core.published.bundle_frames import PublishedTable
from core.shares.percentiles import increasing
from core.statistics.share import PERCENTILES, SMOOTHED_SHARE, STATISTIC, VALUE_SHARE

_LOW, _MIDDLE, _HIGH = 15.0, 50.0, 85.0
USUAL_FRACTION = 0.5
RATIO, BELOW = "p85_over_p15", "share_below_fraction_of_median"
_SMOOTHED = "_smoothed"
_SMOOTHED_COLUMNS = (SMOOTHED_SHARE.name, SMOOTHED_SHARE.low, SMOOTHED_SHARE.high)
_RAW_COLUMNS = (VALUE_SHARE.name, VALUE_SHARE.low, VALUE_SHARE.high)
_REACH = 2.16
"""The interval of a released share reaches no further, in standard deviations (city-release 14)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Curves:
    """Shares added up at the edges of ranges, G places by J + 1 edges, with pointwise ends."""

    edges: Floats
    values: Floats
    lows: Floats
    highs: Floats


def reliability_of(tables: Mapping[str, PublishedTable], fraction: float = USUAL_FRACTION) -> pd.DataFrame:
    """One row for each place and time with numbers: both figures, raw and, where there are any, smoothed.

    tables: of one bundle. Raises InputError for a fraction that is none, for a bundle without percentiles 15,
    50 and 85, and for values that may be negative, of which no ratio says anything.
    """
    if not 0.0 < fraction < 1.0:
        raise InputError(
            "A fraction of the median lies between 0 and 1.",
            where="--reliability",
            mend="write for instance 0.5",
        )
    shares, percentiles = tables.get(STATISTIC.key), tables.get(PERCENTILES.key)
    asked = pd.Series() if percentiles is None else _numbers(percentiles.frame)
    if shares is None or percentiles is None or not {_LOW, _MIDDLE, _HIGH} <= {*asked}:
        raise InputError(
            "Reliability follows from percentiles 15, 50 and 85, and this bundle does not have all of them.",
            where="--reliability",
            mend="release statistic share with percentiles = [15, 50, 85]",
        )
    if percentiles.quantity.lower < 0:
        raise InputError(
            "A ratio of values that may be negative says nothing.",
            where="--reliability",
            mend="read percentiles themselves",
        )
    place = list(percentiles.table.place)
    rows = percentiles.frame[percentiles.frame["status"] != "suppressed"]
    found = rows.drop_duplicates(place)[[*place, "slot_end"]].reset_index(drop=True)
    for suffix, measure in (("", PERCENTILES.measures[0]), (_SMOOTHED, PERCENTILES.smoothed)):
        named = measure and measure.of(percentiles.quantity)
        if named is None or named.name not in rows:
            continue
        names = (named.name, named.low, named.high)
        low, middle, high = (
            rows[_numbers(rows) == one][list(names)].to_numpy(float).T for one in (_LOW, _MIDDLE, _HIGH)
        )
        curves = _curves_of_ends(shares, _SMOOTHED_COLUMNS) if suffix else _raw_curves(shares)
        found = found.assign(
            **_columns(RATIO + suffix, _ratios(low, high)),
            **_columns(BELOW + suffix, _below(curves, fraction * middle)),
        )
    return found


def _numbers(rows: pd.DataFrame) -> pd.Series:
    """Which percentile each row is of; missing of a mean among them."""
    return pd.to_numeric(rows["percentile"], errors="coerce").astype(float)


def _columns(name: str, figures: tuple[Floats, Floats, Floats]) -> dict[str, Floats]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), figures, strict=True))


def _ratios(below: Floats, above: Floats) -> tuple[Floats, Floats, Floats]:
    """Of above over below, shapes (3, G): value, low, high; missing where it would be divided by nothing."""
    value, low, high = (
        np.divide(one, other, out=np.full(one.size, np.nan), where=other > 0.0)
        for one, other in ((above[0], below[0]), (above[1], below[2]), (above[2], below[1]))
    )
    return value, np.fmax(np.nan_to_num(low), 1.0), high


def _below(curves: _Curves, at: Floats) -> tuple[Floats, Floats, Floats]:
    """What lies below a value: on the straight line, and between the ends at the edges around it.

    at: shape (3, G), the value and its low and high end.
    """
    edges, rows = curves.edges, np.arange(at.shape[1])
    value = np.array([np.interp(x, edges, curve) for x, curve in zip(at[0], curves.values, strict=True)])
    before = np.clip(np.searchsorted(edges, at[1], side="right") - 1, 0, edges.size - 1)
    after = np.clip(np.searchsorted(edges, at[2], side="left"), 0, edges.size - 1)
    low, high = curves.lows[rows, before], curves.highs[rows, after]
    return value, np.minimum(low, value), np.maximum(high, value)


def _by_range(table: PublishedTable) -> tuple[Floats, dict[str, Floats]]:
    """Edges of the ranges, and each column of the published rows as places by ranges."""
    low, high = (table.frame[name] for name in table.table.primary_key if name not in table.table.place)
    frame = table.frame[table.frame["status"] != "suppressed"]
    edges = np.unique(np.concatenate((low.unique(), high.unique())))
    raw = (VALUE_SHARE.unclamped, VALUE_SHARE.deviation, VALUE_SHARE.modelled_bias)
    names = (*raw, *_RAW_COLUMNS, *_SMOOTHED_COLUMNS)
    columns = {
        name: frame[name].to_numpy(float).reshape(-1, edges.size - 1) for name in names if name in frame
    }
    return edges, columns


def _raw_curves(table: PublishedTable) -> _Curves:
    """With ends that cover at least 95 % at each edge.

    Noise and spread of disjoint ranges are not positively correlated, so that a sum of those below an edge
    varies by no more than all of them independently would; of those above, leans of one sign add up.
    """
    edges, columns = _by_range(table)
    if VALUE_SHARE.deviation not in columns:  # of relation `user`
        return _curves_of_ends(table, _RAW_COLUMNS)
    values = np.cumsum(columns[VALUE_SHARE.unclamped], axis=1)[:, :-1]
    variances, leans = columns[VALUE_SHARE.deviation] ** 2, columns[VALUE_SHARE.modelled_bias]
    below = np.cumsum(variances, axis=1)[:, :-1]
    above = np.cumsum(variances[:, ::-1], axis=1)[:, -2::-1]
    above += np.cumsum(leans[:, ::-1], axis=1)[:, -2::-1] ** 2
    half = _REACH * np.sqrt(np.minimum(below, above))
    return _Curves(
        edges=edges,
        values=_ended(increasing(values)),
        lows=_ended(increasing(values - half)),
        highs=_ended(increasing(values + half)),
    )


def _curves_of_ends(table: PublishedTable, names: tuple[str, str, str]) -> _Curves:
    """With ends that hold where those of all ranges do; names: of the shares and of both ends."""
    edges, columns = _by_range(table)
    value, low, high = (columns[one] for one in names)
    whole = value.sum(axis=1, keepdims=True)
    parts = np.divide(value, whole, out=np.zeros_like(value), where=whole > 0.0)  # noise may cut all to 0
    added, lows, highs = (np.cumsum(one, axis=1)[:, :-1] for one in (parts, low, high))
    rest_low, rest_high = (
        one.sum(axis=1, keepdims=True) - part for one, part in ((low, lows), (high, highs))
    )
    return _Curves(
        edges=edges,
        values=_ended(increasing(added)),
        lows=_ended(np.clip(np.maximum(lows, 1.0 - rest_high), 0.0, 1.0)),
        highs=_ended(np.clip(np.minimum(highs, 1.0 - rest_low), 0.0, 1.0)),
    )


def _ended(inner: Floats) -> Floats:
    """Nothing lies below the first edge, and everything below the last."""
    rows = inner.shape[0]
    return np.hstack((np.zeros((rows, 1)), inner, np.ones((rows, 1))))
