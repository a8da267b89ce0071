"""How many records a user may give, against epsilon: the rules of P2 and P4 and those that see no epsilon."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from core.accounting.epsilon_input import EPSILON_STEP
from core.arrays import Ints
from core.charts.chart import PALETTE, Axis, Chart, Curve, Stroke
from core.evaluate.replica import replica_counts
from core.grouping.m_ub import ALL_RECORDS, MEDIAN, OPTIMAL, OPTIMAL_LAPLACE, SIMPLIFIED, SQRT, resolve_m_ub

EVERY_TENTH = 10
_POINTS = 241
_LOWEST, _HIGHEST = 0.001, 10.0
_CURVES = (
    (OPTIMAL, "least worst-case error, factor sqrt 2 (P2 eq. 4)", Stroke(colour=PALETTE[2], width=2.6)),
    (OPTIMAL_LAPLACE, "the same, factor 1 (P4)", Stroke(colour=PALETTE[1], width=2.6)),
    (ALL_RECORDS, "largest count, m*", Stroke(colour=PALETTE[0], dashed=True, width=1.2)),
    (SIMPLIFIED, "simplified (P2 eq. 5)", Stroke(colour=PALETTE[4], dashed=True)),
    (SQRT, "square root (P1 eq. 1)", Stroke(colour=PALETTE[5], dashed=True)),
    (MEDIAN, "median count", Stroke(colour=PALETTE[3], dashed=True)),
)


def made_up_m_ub_charts() -> tuple[Chart, ...]:
    """On the replica, where it moves below the papers' epsilons, and with few vehicles, where among them."""
    counts = replica_counts()
    few = counts[::EVERY_TENTH]
    return (
        m_ub_chart(counts, "m-ub-replica", f"the replica's {counts.size} vehicles"),
        m_ub_chart(few, "m-ub-few-vehicles", f"every tenth vehicle of the replica ({few.size})"),
    )


def m_ub_chart(counts: Ints, name: str, of: str) -> Chart:
    """For counts of users, shape (L,), non-increasing; of: whose they are."""
    epsilons = np.geomspace(_LOWEST, _HIGHEST, _POINTS)
    points = [Decimal(repr(float(epsilon))).quantize(EPSILON_STEP) for epsilon in epsilons]
    return Chart(
        name=name,
        title=f"m_UB against epsilon: {of}",
        note="As P4, worst-case error of Array-Averaging: the optimum is one of the counts, and never falls "
        "as epsilon grows. Rules that see no epsilon are dashed.",
        across=Axis(label="epsilon", key="epsilon", log=True),
        up=Axis(label="m_UB (records a user may give)", key="records"),
        x=tuple(float(point) for point in points),
        curves=tuple(
            Curve(
                key="m_ub_" + rule.replace("-", "_"),
                title=title,
                y=tuple(float(resolve_m_ub(rule, counts, point)) for point in points),
                stroke=stroke,
            )
            for rule, title, stroke in _CURVES
        ),
    )
