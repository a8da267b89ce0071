"""The numbers of a table of means row by row, with what their noise is, and the prior they were smoothed by.

All of it is published: what is compared or summed here costs nothing (method 14.9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.arrays import Floats
from core.bundle.csv_columns import EFFECTIVE_VEHICLES
from core.bundle.privacy_statement import GAUSSIAN
from core.bundle.public_tables import PublicTable
from core.bundle.row_outlines import middles_of_areas
from core.bundle.smoothed_facts import slope_facts
from core.bundle.stated import StatedSmoothing
from core.city.cell_blocks import SOLVED_TOGETHER
from core.city.smoothing import SmoothingInput
from core.codec import ShapeError, from_json
from core.fixed_point import THOUSAND
from core.mechanisms.covariate import OF_OTHER_VALUES, OF_RECORDS, OF_SPEEDS
from core.portal.smoothing_rows import smoothing_of_rows
from core.signed.findings import Finding
from core.texts import text_of

_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedNoise:
    """What privacy.json says of one query's noise."""

    gaussian: bool
    smoothing: StatedSmoothing | None


def stated_noises(privacy: Mapping[str, Any]) -> dict[str, StatedNoise]:
    """Statistic -> noise. Raises Finding where a statement of it cannot be read."""
    found = {}
    queries = privacy.get("queries")
    for number, query in enumerate(queries if isinstance(queries, list) else []):
        try:
            if not isinstance(query, Mapping):
                raise ShapeError(text_of("queries[{number}] is not an object", number=number))
            smoothing = query.get("smoothing")
            read = smoothing and from_json(StatedSmoothing, smoothing)
        except ShapeError as error:
            raise Finding("{privacy}: {error}", error=error.args[0]) from None
        found[str(query.get("statistic"))] = StatedNoise(
            gaussian=query.get("noise") == GAUSSIAN, smoothing=read
        )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRows:
    """Of n rows; arrays have shape (n,), numbers are in the quantity's unit above its lower bound."""

    public: PublicTable
    rows: Sequence[Mapping[str, str]]
    values: Floats
    """Before they were cut to their range."""
    deviations: Floats
    """Of their noise and of the bias that intervals allow for."""
    biases: Floats
    """What the public model expects of each, a standard deviation."""
    weights: Floats
    """Effective vehicles."""
    span: int
    """U, thousandths."""
    noise: StatedNoise
    middles: Mapping[str, tuple[float, float]]
    """Latitude and longitude, by id, of places that are no hexagons."""

    @property
    def places(self) -> list[str]:
        """Id of each row's place."""
        return [row[self.public.table.place[0]] for row in self.rows]

    @property
    def smoothing(self) -> tuple[SmoothingInput, Floats] | None:
        """What rows were smoothed by, and the fitted spreads; None where they were not, or are too many."""
        stated = self.noise.smoothing
        if stated is None or len(self.rows) > SOLVED_TOGETHER:
            return None
        slopes = (OF_RECORDS, OF_SPEEDS, OF_OTHER_VALUES)
        slope = next((one for one in slopes if slope_facts(one, self.span) == stated.slope), None)
        facts = smoothing_of_rows(
            self.public.table,
            self.rows,
            self.deviations,
            self.middles,
            gaussian=self.noise.gaussian,
            span=self.span,
            slope=slope,
        )
        return facts.with_values(self.values), np.array(stated.spreads, np.float64)


def published_rows(
    public: PublicTable, span: int, noise: StatedNoise | None, *, lines_lie: bool = False
) -> PublishedRows | None:
    """Those that have a number; None for a table that is not of means, or does not tell its noise.

    Of older bundles, whose rows do not say how much noise they have, those count of which one end of the
    interval was not cut. lines_lie: a route is where the middle of its line is, as in older pages.
    """
    measure, table = public.statistic.measures[0], public.table
    effective = table.subject.column(EFFECTIVE_VEHICLES)
    if public.statistic.key != "mean" or noise is None or effective not in table.header:
        return None
    lower, upper = (measure.lower / THOUSAND + end for end in (0.0, span / THOUSAND))
    found = []
    for row in public.rows:
        if not row[measure.unclamped]:
            continue
        value, low, high = (float(row[name]) for name in (measure.unclamped, measure.low, measure.high))
        half = 0.0 if low <= lower and high >= upper else max(high - value, value - low)
        deviation = float(row[measure.deviation]) if measure.deviation in row else half / _NORMAL_95
        if deviation > 0.0:
            bias = float(row[measure.modelled_bias])
            found.append((row, value - lower, deviation, bias, float(row[effective])))
    if not found:
        return None
    rows, *columns = zip(*found, strict=True)
    values, deviations, biases, weights = (np.array(column, np.float64) for column in columns)
    return PublishedRows(
        public=public,
        rows=rows,
        values=values,
        deviations=deviations,
        biases=biases,
        weights=weights,
        span=span,
        noise=noise,
        middles=middles_of_areas(public.outlines, lines_too=lines_lie),
    )
