"""The verdict on published numbers: how many, and the range of half of them.

For relation `user`, where a plan knows constants alone (method 10.5, 12). From published rows alone.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from core.advice.usefulness import good_error, usefulness
from core.advice.verdict import Verdict
from core.advice.verdict_sentences import reasons_for
from core.bundle.release_result import QueryResult
from core.statistics.base import Measure
from core.statistics.error_figures import error_scale, significant, unit_of_errors
from core.texts import text_of

_TYPICAL = 0.4
"""Of half a published 95 % range: what normal noise is typically off by; Laplace noise by less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsThatCame:
    """Of a query of which each row has one number."""

    measure: Measure
    rows: int
    published: int
    width: float | None
    """Of the median interval, in the measure's unit; None where nothing was published."""

    @property
    def sentence(self) -> str:
        """What became of the rows."""
        if self.width is None:
            return text_of("None of the {rows} numbers was published.", rows=f"{self.rows:,}")
        return text_of(
            "{published} of {rows} numbers were published, half of them with a range of at most {width} "
            "{unit}.",
            published=f"{self.published:,}",
            rows=f"{self.rows:,}",
            width=significant(error_scale(self.measure) * self.width, 2),
            unit=unit_of_errors(self.measure),
        )

    def verdict(self, planned: Verdict) -> Verdict:
        """In the place of what was planned."""
        empty = 1.0 - self.published / self.rows
        error = planned.error if self.width is None else _TYPICAL * self.width / 2.0
        good = good_error(self.measure, planned.constant)
        return dataclasses.replace(
            planned,
            usefulness=usefulness(error, good=good, constant=planned.constant, empty=empty),
            error=error,
            empty=empty,
            reach=None,
            example=None,
        )

    def sentences(self, planned: Verdict) -> tuple[str, ...]:
        """With why they are of no use, where they are not."""
        return self.sentence, *reasons_for(self.verdict(planned), self.measure)


def rows_that_came(result: QueryResult, measure: Measure) -> RowsThatCame | None:
    """measure: the first of the statistic; None where rows have several numbers of it, or there are none."""
    found = [row.number(measure.name) for row in result.rows]
    numbers = [one for one in found if one is not None]
    if not found or any(one.label is not None for one in numbers):
        return None
    widths = [(one.high - one.low) / 10**measure.decimals for one in numbers]
    return RowsThatCame(
        measure=measure,
        rows=len(found),
        published=len(numbers),
        width=float(np.median(widths)) if widths else None,
    )
