"""The rules for m_UB against epsilon: worst-case errors, gains over Baseline, notes of the papers.

The rules of P2 and P4 look at epsilon; the others see none.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import numpy as np

from core.accounting.epsilon_input import EPSILON_STEP
from core.arrays import Floats, Ints
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
    """On the replica, where m_UB moves below the papers' epsilons, and on few vehicles, where among them."""
    counts = replica_counts()
    few = counts[::EVERY_TENTH]
    return (
        *m_ub_charts(counts, "replica", f"the replica's {counts.size} vehicles"),
        *m_ub_charts(few, "few-vehicles", f"every tenth vehicle of the replica ({few.size})"),
    )


def m_ub_charts(counts: Ints, name: str, of: str) -> tuple[Chart, Chart, Chart]:
    """m_UB, worst-case error and gain. counts: of users, shape (L,), non-increasing; of: whose they are."""
    epsilons = np.geomspace(_LOWEST, _HIGHEST, _POINTS)
    points = [Decimal(repr(float(epsilon))).quantize(EPSILON_STEP) for epsilon in epsilons]
    x = np.array(points, np.float64)
    chosen = {rule: np.array([resolve_m_ub(rule, counts, point) for point in points]) for rule, *_ in _CURVES}
    records, most = int(counts.sum()), int(counts[0])
    noise = {rule: m / _retained(counts, m) for rule, m in chosen.items()}
    cut = {rule: 1.0 - _retained(counts, m) / records for rule, m in chosen.items()}
    ending = f"-{name}" if name else ""
    return (
        _chart(
            name=f"m-ub{ending}",
            title=f"m_UB against epsilon: {of}",
            note="As P4, worst-case error of Array-Averaging: the optimum is one of the counts, and never "
            "falls as epsilon grows. Rules that see no epsilon are dashed.",
            up=Axis(label="m_UB (records a user may give)", key="records"),
            key="m_ub",
            x=x,
            y=chosen,
        ),
        _chart(
            name=f"worst-error{ending}",
            title=f"Worst-case error E of Array-Averaging against epsilon: {of}",
            note="As P4: the most by which records left out can move the mean, and the noise to be expected, "
            "both as a share of the upper bound U. With factor 1 it is the least there is, E(eps).",
            up=Axis(label="worst-case error / U", key="worst_error", log=True),
            key="worst_error",
            x=x,
            y={rule: cut[rule] + noise[rule] / x for rule in chosen},
        ),
        _chart(
            name=f"gain{ending}",
            title=f"Gain of Array-Averaging over Baseline against epsilon: {of}",
            note="As P1 and P2 eq. 1: Baseline's sensitivity over the bound of Array-Averaging's. "
            f"No m_UB gains more than OPT = m* L / M = {most * counts.size / records:.3f}.",
            up=Axis(label="gain", key="gain"),
            key="gain",
            x=x,
            y={rule: most / records / noise[rule] for rule in chosen},
        ),
    )


def _retained(counts: Ints, m: Ints) -> Ints:
    """`sum min(m_l, m)` of each m, shape as m."""
    retained: Ints = np.minimum(counts, m[:, None]).sum(axis=1)
    return retained


def _chart(
    *, name: str, title: str, note: str, up: Axis, key: str, x: Floats, y: Mapping[str, Ints | Floats]
) -> Chart:
    """y: of each rule at each epsilon."""
    return Chart(
        name=name,
        title=title,
        note=note,
        across=Axis(label="epsilon", key="epsilon", log=True),
        up=up,
        x=tuple(x.tolist()),
        curves=tuple(
            Curve(
                key=f"{key}_" + rule.replace("-", "_"),
                title=words,
                y=tuple(map(float, y[rule])),
                stroke=stroke,
            )
            for rule, words, stroke in _CURVES
        ),
    )
