"""Epsilons with and without suppression, in a made-up set with one heavy hitter (P4, CLIP-USER)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from decimal import Decimal
from functools import partial

import numpy as np

from core.arrays import Floats
from core.charts.chart import PALETTE, Axis, Chart, Curve, Stroke
from core.grouping.m_ub import ALL_RECORDS
from core.progress import Progress, part
from core.statistics.base import SuppressionRule
from core.statistics.moments import constant_error, hat_errors
from core.statistics.suppression import Occupancy
from core.statistics.suppression_curve import SuppressionCurve, suppression_curve

SUPPRESSION_EPSILONS = tuple(Decimal(tenth) / 10 for tenth in range(1, 31))
HEAVY_HATS = 12
"""HATs of the heavy hitter in the figures of suppression, as in P4."""
_HEAVY_RECORDS = 150
_LOCALS = 15
"""Users beside the heavy hitter who begin in the first HAT; each HAT has three more."""
_MORE_LOCALS = 3
_LEAST_RECORDS, _KINDS_OF_LOCALS = 10, 21
_UPPER_KMH = 65.0


def heavy_hitter() -> Occupancy:
    """One user gives 150 records to each of twelve HATs; many others 10 to 30 to two HATs each."""
    hats, users, counts = list(range(HEAVY_HATS)), [0] * HEAVY_HATS, [_HEAVY_RECORDS] * HEAVY_HATS
    user = 0
    for home in range(HEAVY_HATS):
        for number in range(_LOCALS + _MORE_LOCALS * home):
            user += 1
            hats += [home, (home + 1) % HEAVY_HATS]
            users += [user, user]
            counts += [_LEAST_RECORDS + (7 * number + 3 * home) % _KINDS_OF_LOCALS] * 2
    return Occupancy(
        hat=np.array(hats, np.int32),
        user=np.array(users),
        counts=np.array(counts),
        rank=np.arange(user + 1),
    )


def heavy_hitter_chart(progress: Progress) -> Chart:
    """Mean and variance, all records of who stays, as P4's pseudocode has it."""
    rule = SuppressionRule(
        m_ub=ALL_RECORDS, errors=partial(hat_errors, _UPPER_KMH), cap=constant_error(_UPPER_KMH)
    )
    return suppression_chart(
        heavy_hitter(),
        rule,
        name="suppression-heavy-hitter",
        title=f"Suppression with one heavy hitter in {HEAVY_HATS} hexagon slots",
        note="As P4's second experiment: mean and variance. Made up: one vehicle gives 150 records to each "
        "hexagon slot, the others 10 to 30 to two each.",
        progress=progress,
    )


def suppression_chart(
    occupancy: Occupancy, rule: SuppressionRule, *, name: str, title: str, note: str, progress: Progress
) -> Chart:
    """Before, after, and (thin) what would be after if a HAT might do worse than a constant."""
    capped = _curve(occupancy, rule, rule.cap, part(progress, 0.0, 0.5))
    free = _curve(occupancy, rule, sys.float_info.max, part(progress, 0.5, 1.0))
    series: Sequence[tuple[str, str, Floats, Stroke]] = (
        (
            "after_without_cap",
            "after, not capped at the error of a constant",
            free.after,
            Stroke(colour=PALETTE[1], width=0.9),
        ),
        (
            "after",
            "after suppression",
            capped.after,
            Stroke(colour=PALETTE[2], marker="disc", width=2.4),
        ),
        ("before", "before suppression", capped.before, Stroke(colour=PALETTE[0], dashed=True)),
    )
    return Chart(
        name=name,
        title=title,
        note=note,
        across=Axis(label="epsilon per hexagon slot", key="epsilon_per_hat"),
        up=Axis(label="largest total epsilon of a user", key="total_epsilon"),
        x=tuple(capped.epsilon.tolist()),
        curves=tuple(
            Curve(key=f"total_{key}", title=text, y=tuple(y.tolist()), stroke=stroke)
            for key, text, y, stroke in series
        ),
    )


def _curve(occupancy: Occupancy, rule: SuppressionRule, cap: float, progress: Progress) -> SuppressionCurve:
    return suppression_curve(occupancy, rule.m_ub, SUPPRESSION_EPSILONS, rule.errors, cap, progress)
