"""Verify: smoothed shares made again from the published ones (city-release 14)."""

from __future__ import annotations

import dataclasses

import numpy as np

from core.bundle.csv_columns import DataTable
from core.bundle.data_files import neutral
from core.bundle.place_outlines import stated_places
from core.bundle.row_outlines import middles_of_areas
from core.bundle.smoothed_facts import smoothing_model
from core.bundle.stated import StatedQuery, StatedSmoothing
from core.city.noise_kind import NoiseKind
from core.portal.smoothing_rows import smoothing_of_rows
from core.shares.share_model import expected_shares
from core.shares.share_smoothing import SLOPE, adding_up, smooth_shares
from core.signed.bundle_names import PLACES_PATH
from core.signed.findings import require
from core.statistics.ranges import Ranges
from core.statistics.share import SMOOTHED_SHARE, VALUE_SHARE
from core.verify.folder import BundleFolder
from core.verify.gaussian_hats import require_fit
from core.verify.labelled_rows import LabelledRows
from core.verify.statement_reader import PrivacyStatement

_NEAR = 5e-5
"""Of a smoothed share made again: figures have six decimals, and systems differ in the last bits."""


def check_smoothed_shares(
    folder: BundleFolder,
    statement: PrivacyStatement,
    query: StatedQuery,
    table: DataTable,
    rows: LabelledRows,
    ranges: Ranges,
) -> None:
    """Each smoothed share and its interval is what all raw ones and the stated spreads come to.

    Raises Finding.
    """
    smoothing = query.smoothing
    if smoothing is None:
        return
    _check_model(query.query_id, smoothing, statement, ranges)
    deviations, shares = rows.numbers(VALUE_SHARE.deviation), rows.numbers(VALUE_SHARE.unclamped)
    noise = query.made_by.details.get("noise") if query.made_by else ""
    middles = _middles(folder, table)
    facts = [
        smoothing_of_rows(
            table,
            rows.first,
            deviation,
            middles,
            gaussian=noise == NoiseKind.GAUSS.value,
            span=statement.span,
            slope=SLOPE if smoothing.slope else None,
            expected_share=share,
        )
        for deviation, share in zip(deviations.T, expected_shares(ranges).tolist(), strict=True)
    ]
    spreads = [np.array(one, np.float64) for one in smoothing.spreads_of_ranges]
    found = smooth_shares(facts, shares, fitted=spreads)
    if ranges.tile:
        found = adding_up(found)
    for name, made in (
        (SMOOTHED_SHARE.name, found.values),
        (SMOOTHED_SHARE.low, found.lows),
        (SMOOTHED_SHARE.high, found.highs),
    ):
        off = np.abs(rows.numbers(name) - made).max(initial=0.0)
        require(
            bool(off <= _NEAR),
            "{path}: {name} does not follow from the published shares",
            path=table.path,
            name=name,
        )


def _check_model(
    query_id: str, smoothing: StatedSmoothing, statement: PrivacyStatement, ranges: Ranges
) -> None:
    """The prior is the public one, and there are spreads of each range."""
    model = smoothing_model(statement.span, statement.quantity, of_shares=True)
    require_fit(dataclasses.asdict(smoothing.model) == model, query_id, "model")
    listed = smoothing.spreads_of_ranges
    same = len(listed) == len(ranges) and all(len(one) == len(smoothing.spreads) for one in listed)
    require_fit(same and all(spread > 0 for one in listed for spread in one), query_id, "spreads_of_ranges")


def _middles(folder: BundleFolder, table: DataTable) -> dict[str, tuple[float, float]]:
    """Where places that are no hexagons lie, as far as the bundle says it."""
    if not table.by_place or PLACES_PATH not in folder.files:
        return {}
    stated = stated_places(folder.read(PLACES_PATH))
    return middles_of_areas({neutral(place): outline for place, (_, outline) in stated.items()})
