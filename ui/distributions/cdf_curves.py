"""The curves of *CDF* in words: quarters and halves, how wide the band is, how far a draw is off."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.bundle.release_result import HatRow, Release
from core.evaluate.cdf_example import CdfExample, cdf_example
from core.fixed_point import THOUSAND
from core.progress import Progress
from core.quantity import SPEED, Quantity
from core.statistics.cdf import MILLION, CdfParams
from core.statistics.cdf_band import useless_band
from ui.language.translation import core_text, stopped, translator
from ui.session.draft_charge import shown_epsilon
from ui.session.error_sources import Source, bundled_hat
from ui.session.guards.plots import hat_name
from ui.session.shown_release import released_distribution, released_row

_tr = translator("CdfCurves")

_FINE = 0.1
"""Larger differences are read as whole points."""
_LEAST = 1e-4
"""Smaller ones are not worth telling apart."""
_QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True, kw_only=True)
class CdfRequest:
    """What one simulated release follows from."""

    params: CdfParams
    epsilon: Decimal
    seed: int
    query_id: str
    """Id of the draft's query that has these parameters; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CdfCurves:
    """Shares in [0, 1] at or below each edge, all of shape (N,), with what is said of them."""

    title: str
    facts: str
    name: str
    """Of the curve that was drawn with noise."""
    edges: NDArray[np.float64]
    """Right edges of the bins, in the unit of the quantity."""
    released: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    exact: NDArray[np.float64] | None
    quantity: Quantity = SPEED

    @property
    def left(self) -> float:
        """Where the first bin begins."""
        return self.quantity.lower / THOUSAND

    @property
    def useless(self) -> str:
        """What is said of a band that tells nothing; empty for one that does."""
        return core_text(
            useless_band(self.edges, self.low, self.high, unit=self.quantity.unit, start=self.left)
        )

    @property
    def spoken(self) -> str:
        """The curve in one sentence: below which values a quarter, half and three quarters lie."""
        values = [
            self.edges[min(int(np.searchsorted(self.released, share)), self.edges.size - 1)]
            for share in _QUARTERS
        ]
        return _tr(
            "A quarter at most {0:.3g} {unit}, half at most {1:.3g}, three quarters at most {2:.3g}."
        ).format(*values, unit=self.quantity.unit)


def simulated_curves(request: CdfRequest, progress: Progress) -> CdfCurves:
    """In a worker thread. Raises InputError for parameters that the statistic refuses."""
    progress(0.0, _tr("Simulating a release"))
    example = cdf_example(bundled_hat(Source.REPLICA), request.params, request.epsilon, request.seed)
    progress(1.0, _tr("Simulating a release"))
    return CdfCurves(
        title=_tr("Replica of the papers: exact, and one simulated release"),
        facts=f"{_asked(request)} {_facts(example)}",
        name=_tr("simulated"),
        edges=example.speeds,
        released=example.released,
        low=example.low,
        high=example.high,
        exact=example.exact,
    )


def _asked(request: CdfRequest) -> str:
    text = (
        _tr("ε {epsilon} as in step Parameters.")
        if request.query_id
        else _tr("ε {epsilon} per hexagon slot.")
    )
    return text.format(epsilon=shown_epsilon(request.epsilon))


def _facts(example: CdfExample) -> str:
    """Size of the noise and tree, in one line."""
    parts = [
        _tr("Noise {noise}, worst-case bias {bias}").format(
            noise=points(example.noise_error), bias=points(example.bias_bound)
        ),
        _tr("this draw is off by {off} on average").format(off=points(example.mean_distance)),
        _tr("tree {factors}").format(factors="\u00a0×\u00a0".join(map(str, example.factors))),
    ]
    if example.m_ub is not None:
        parts.append(f"m_UB\u00a0{example.m_ub}")
    return stopped("; ".join(parts))


def points(share: float) -> str:
    """A difference of shares, in percentage points."""
    shown = max(share, _LEAST) if share > 0.0 else share
    number = f"{100.0 * shown:.2g}" if shown < _FINE else f"{100.0 * shown:.0f}"
    text = _tr("{value} percentage points").format(value=number)
    if shown > share:
        text = _tr("under {value}").format(value=text)
    return text.replace(" ", "\u00a0")


def released_curves(release: Release, hat: tuple[str, int]) -> CdfCurves:
    """The released curve of a HAT (cell, slot), which is in the release and not suppressed."""
    query = released_distribution(release)
    assert query is not None
    row = released_row(release, query, hat)
    assert row is not None
    return _of_row(release, row, hat_name(hat, release.grid))


def _of_row(release: Release, row: HatRow, name: str) -> CdfCurves:
    table = np.array(
        [(item.label or 0, item.value, item.low, item.high, item.bias_bound or 0) for item in row.estimates],
        np.float64,
    )
    edges = table[:, 0] / THOUSAND
    released, low, high, bias = table[:, 1:].T / MILLION
    wide = max(float((released - low).max()), float((high - released).max()))
    return CdfCurves(
        title=_tr("{hat}, as released").format(hat=name),
        facts=_tr(
            "ε {epsilon} per hexagon slot; here the 95 % band reaches {wide} from the curve at most, and the "
            "worst-case bias is {bias}."
        ).format(
            epsilon=shown_epsilon(row.epsilon),
            wide=points(wide),
            bias=points(float(bias.max())),
        ),
        name=_tr("released"),
        edges=edges,
        released=released,
        low=low,
        high=high,
        exact=None,
        quantity=release.quantity,
    )
