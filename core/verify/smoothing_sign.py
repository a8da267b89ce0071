"""Whether the public sign that numbers were smoothed by is a standardised one (city-release 9).

A logarithm less its mean, divided by its standard deviation or more and cut at
three of them, has mean 0 but for the cut, and a variance of at most 1.
"""

from __future__ import annotations

import numpy as np

from core.arrays import Floats
from core.bundle.release_result import SUPPRESSED
from core.bundle.smoothed_facts import SIGN, SLOPE_OF_SHARES, slope_facts
from core.bundle.stated import StatedQuery
from core.mechanisms.covariate import FARTHEST, OF_OTHER_VALUES, OF_RECORDS, OF_SPEEDS, SIGN_DECIMALS
from core.verify.folder import BundleFolder
from core.verify.gaussian_hats import require_fit
from core.verify.statement_reader import PrivacyStatement
from core.verify.tables import rows_of

_MOVED_BY_CUT = ((1.0 + FARTHEST**2) ** 0.5 - FARTHEST) / 2.0
"""Most that cutting one side at `FARTHEST` moves the mean of a law of mean 0 and variance 1."""
_ROUNDING = 0.5 * 10.0**-SIGN_DECIMALS


def check_signs(folder: BundleFolder, statement: PrivacyStatement) -> None:
    """Where a slope is stated every published row has its sign, elsewhere none has. Raises Finding."""
    model = (OF_RECORDS, OF_SPEEDS) if statement.quantity.is_speed else (OF_OTHER_VALUES,)
    slopes = [slope_facts(one, statement.span) for one in model]
    for query in statement.stated.queries:
        smoothing = query.smoothing if isinstance(query, StatedQuery) else None
        slope = None if smoothing is None else smoothing.slope
        possible = [SLOPE_OF_SHARES] if smoothing is not None and smoothing.spreads_of_ranges else slopes
        require_fit(slope is None or slope in possible, query.query_id, "slope")
        rows = rows_of(folder.statistics[query.statistic], folder)
        expected = [slope is not None and row["status"] != SUPPRESSED for row in rows]
        cells = [row.get(SIGN, "") for row in rows]
        signs = np.array([float(cell) for cell in cells if cell])
        fits = list(map(bool, cells)) == expected and _are_standardised(signs)
        require_fit(fits, query.query_id, SIGN)


def _are_standardised(signs: Floats) -> bool:
    if not signs.size:
        return True
    lean = _ROUNDING + _MOVED_BY_CUT * bool((np.abs(signs) >= FARTHEST).any())
    return abs(float(signs.mean())) <= lean and float(signs.std()) <= 1.0 + _ROUNDING
