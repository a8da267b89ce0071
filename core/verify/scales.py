"""Verify: Laplace noise against sensitivities and epsilons: a user who moves too much (method 14.5).

A HAT with epsilon eps and sensitivity s has noise of scale `factor * s / eps`; a mechanism or statistic says
which factors there are. Gaussian noise is computed in `verify_gaussian_hats`, relation `user` from its
constants in `verify_bounding`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from core.bundle.csv_columns import EPSILON_SUMMARY
from core.bundle.release_result import SUPPRESSED
from core.bundle.stated import StatedMadeBy, StatedQuery
from core.fixed_point import THOUSAND
from core.mechanisms.base import NOISE, ONE_DRAW, NoiseFactors
from core.mechanisms.registry import all_mechanisms
from core.privacy import Relation
from core.signed.findings import require
from core.statistics.base import UPPER_BOUND
from core.statistics.registry import published_statistics
from core.texts import text_of
from core.verify.folder import BundleFolder, TableRow
from core.verify.statement_reader import PrivacyStatement
from core.verify.tables import rows_of

_STEP = 1e-6
"""Step of the epsilons, and of the figures of a summary, that Laplace noise is checked by."""
_ROUNDING = 1e-8
"""How far a Laplace scale may be off: figures of privacy.json are stated to nine digits."""
_SHARES = 16
"""Levels of a tree that Laplace scales may have: each has a share of a HAT's epsilon in whole steps."""


def check_scales(folder: BundleFolder, statement: PrivacyStatement) -> None:
    """Raises Finding where noise and epsilons do not fit, or one user moves a mean beyond its bounds."""
    if statement.relation is Relation.USER:
        return
    made = {
        query.query_id: query.made_by for query in statement.stated.queries if isinstance(query, StatedQuery)
    }
    for row in rows_of(folder.summary, folder):
        made_by = made.get(row["query_id"])
        if row["unit"] == statement.unit.value:
            _check_reach(row, made_by, statement)
            if not float(row.get("rho", "0")):
                rows = rows_of(folder.statistics[row["statistic"]], folder)
                _check_noise(
                    row, made_by, [float(one["epsilon"]) for one in rows if one["status"] != SUPPRESSED]
                )


def _check_reach(row: TableRow, made_by: StatedMadeBy | None, statement: PrivacyStatement) -> None:
    """No user moves a mean of values by more than values may differ, but where dwell time is corrected."""
    if published_statistics()[row["statistic"]].measures[0].largest != UPPER_BOUND:
        return
    mechanism = all_mechanisms().get(row["mechanism"])
    most = statement.span / THOUSAND
    if mechanism is not None and (made_by is None or made_by.dwell_correction):
        most /= mechanism.least_correction
    require(
        float(row["sensitivity"]) <= most + _STEP,
        "{path}: one user moves {row} by more than its bounds allow",
        path=EPSILON_SUMMARY.path,
        row=row["query_id"],
    )


def _check_noise(row: TableRow, made_by: StatedMadeBy | None, epsilons: list[float]) -> None:
    """HATs in order of sensitivity and of scale: each rank keeps the limits that hold for every HAT."""
    if not epsilons:
        return
    cheapest, dearest = min(epsilons), max(epsilons)
    least, most = _factors(row, made_by)
    wrong = text_of(
        "the noise of {row} is not what sensitivity and epsilons of its rows ask for", row=row["query_id"]
    )
    require(cheapest > 0, wrong)
    loose = 1.0 + _ROUNDING + max(_SHARES, least) * _STEP / cheapest
    for sensitivity, scale, rounding in _figures(row, made_by):
        low = least * max(sensitivity - rounding, 0.0) / dearest / loose
        high = most * (sensitivity + rounding) / cheapest * loose
        require(low - rounding <= scale <= high + rounding, wrong)


def _figures(row: TableRow, made_by: StatedMadeBy | None) -> Iterator[tuple[float, float, float]]:
    """Sensitivity and scale of each measure and rank, and how they are rounded beside their digits."""
    yield float(row["sensitivity"]), float(row["noise_scale"]), _STEP
    for measure in made_by.measures if made_by else ():
        for sensitivity, scale in zip(measure.sensitivity, measure.noise_scale, strict=True):
            yield float(sensitivity), float(scale), 0.0


def _factors(row: TableRow, made_by: StatedMadeBy | None) -> NoiseFactors:
    """As mechanism or statistic has them; of HATs that all spend on noise alone, that of one draw."""
    mechanism = all_mechanisms().get(row["mechanism"])
    if mechanism is None:
        statistic = published_statistics()[row["statistic"]]
        parameters = made_by.parameters if made_by else {}
        return statistic.noise_factors(parameters) if statistic.method else (0.0, math.inf)
    pays = made_by.details.get("budget_pays_for", "") if made_by else ""
    alone = all(part.startswith(f"{NOISE} in ") for part in str(pays).split("; "))
    return ONE_DRAW if alone else mechanism.noise_factors
