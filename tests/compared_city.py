"""A made-up city whose middle is slow, as one release of means by tokens: what comparisons find is known."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

import h3
import numpy as np

from core.bundle.data_files import data_files
from core.bundle.datapackage import datapackage, json_bytes
from core.bundle.privacy_statement import privacy_statement
from core.bundle.public_tables import public_tables
from core.bundle.release_result import Release
from core.portal.map_files import PublishedMap, published_map
from core.portal.published_rows import PublishedRows
from core.quantity import SPEED
from core.statistics.base import Estimate
from core.statistics.mean import SMOOTHED_MEAN, SPEED_MEAN
from tests.builders import NOW, make_city_query, make_key, make_release, make_row, make_texts

CENTRE = h3.latlng_to_cell(21.17, 72.83, 7)
NOISE = 2_000
"""Standard deviation of each mean, thousandths of km/h."""
Speed = Callable[[int, int], float]
"""Km/h of a ring around the centre and an hour."""


def slow_middle(ring: int, hour: int) -> float:
    del hour
    return 15.0 + 4.0 * ring


def compared_release(
    speed: Speed = slow_middle,
    *,
    rings: int = 3,
    hours: tuple[int, int] = (10, 21),
    seed: int = 1,
    deviation: int | None = NOISE,
    smoothed: bool = True,
    bias: int = 0,
) -> Release:
    """bias: modelled, thousandths; deviation: as rows tell it, None: they do not, as those of older
    bundles.
    """
    noise, query = np.random.default_rng(seed), make_city_query()
    rows = []
    for ring in range(rings + 1):
        for cell in sorted(h3.grid_ring(CENTRE, ring)):
            for hour in range(*hours):
                centre = round(speed(ring, hour) * 1000 + NOISE * noise.standard_normal())
                half = round(1.96 * NOISE) + 2
                low, value, high = (
                    min(max(one, 0), 65_000) for one in (centre - half, centre, centre + half)
                )
                told = Estimate(
                    measure=SPEED_MEAN.name,
                    value=value,
                    low=low,
                    high=high,
                    unclamped=centre,
                    bias_bound=0,
                    modelled_bias=bias,
                    effective_users=10_000 + 1_000 * (hour % 3),
                    deviation=deviation,
                )
                estimates = (told,)
                if smoothed:
                    name = SMOOTHED_MEAN.of(SPEED).name
                    estimates = (told, Estimate(measure=name, value=value, low=low, high=high))
                row = make_row(cell, hour, mean=0, low=0, high=0)
                rows.append(dataclasses.replace(row, estimates=estimates))
    facts = query.facts and dataclasses.replace(query.facts, made_by={"noise": "gauss"})
    query = dataclasses.replace(query, rows=tuple(rows), facts=facts)
    if not smoothed:
        query = dataclasses.replace(query, smoothing=None)
    first, last = (f"{hour:02d}:00" for hour in hours)
    return make_release(hours=(first, last), queries=(query,))


def published_city(release: Release) -> PublishedMap:
    """What maps and portals learn of it."""
    data, on = data_files(release), NOW.date()
    package = datapackage(release, make_texts(), on, data)
    privacy = privacy_statement(release, make_texts(), make_key().public, on)
    written = (json.loads(json_bytes(one)) for one in (package, privacy))
    return published_map(public_tables(data, SPEED), *written)


def compared_rows(release: Release | None = None) -> PublishedRows:
    """The rows of such a release; their noise is Gaussian."""
    found = published_city(release or compared_release()).rows("mean")
    assert found is not None
    return dataclasses.replace(found, noise=dataclasses.replace(found.noise, gaussian=True))
