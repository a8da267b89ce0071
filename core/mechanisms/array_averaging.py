"""Array-Averaging: the mean of the means of arrays that each hold at most m_UB records (P1 Sec. III-C)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.grouping.bestfit import bestfit
from core.grouping.m_ub import MEDIAN, resolve_m_ub
from core.grouping.packing import Packing
from core.mechanisms.base import Draw, Plan, to_estimates
from core.noise.source import NoiseSource
from core.params import choice
from core.privacy import Relation
from core.values import FINE, THOUSAND, fine_ceil, fine_means

BESTFIT = "bestfit"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayAveragingParams:
    """How users are grouped, and how many records each may give."""

    grouping: str = choice(
        BESTFIT, (BESTFIT,), label="Grouping", help="How users' records are packed into arrays."
    )
    m_ub: str | int = choice(
        MEDIAN,
        (MEDIAN,),
        integer_from=1,
        label="Records per vehicle (m_UB)",
        help="The most records one vehicle may give: the median count, or a number of your own.",
    )


def packing_bias(packing: Packing, records: int, upper_bound: int) -> float:
    """Worst-case |mean of array means - true mean| over values in [0, U], km/h.

    Both are weighted means of the same records, with weights 1 / (Kbar w_i) for records kept in
    array i of w_i records, 0 for those left out, against 1 / M each. The difference is largest
    when every record whose weight rose is U and every other is 0.
    """
    rise = 1.0 / packing.arrays - packing.sizes / records
    return upper_bound / THOUSAND * float(np.maximum(rise, 0.0).sum())


class ArrayAveraging:
    """A user changes one array's mean by at most U: sensitivity U / Kbar (BestFit).

    Array means are rounded one by one to 2^-30 km/h and summed exactly. Rounding is monotone, so
    that a rounded mean stays within [0, round(U)] and the sum moves by at most `fine_ceil(U)`.
    """

    key: ClassVar[str] = "array-averaging"
    title: ClassVar[str] = "Array-Averaging"
    reference: ClassVar[str] = "P1 Sec. III-C; P3 Alg. 2"
    summary: ClassVar[str] = "Busy vehicles give fewer records; noise covers one array of many."
    version: ClassVar[int] = 1
    relations: ClassVar[frozenset[Relation]] = frozenset({Relation.VALUES})
    Params: ClassVar[type] = ArrayAveragingParams

    def plan(
        self, counts: NDArray[np.int64], epsilon: Decimal, upper_bound: int, params: ArrayAveragingParams
    ) -> Plan:
        m_ub = resolve_m_ub(params.m_ub, counts)
        packing = bestfit(counts, m_ub)
        records = int(counts.sum())
        return Plan(
            mechanism=self.key,
            epsilon=epsilon,
            upper_bound=upper_bound,
            users=counts.size,
            records=records,
            sensitivity=fine_ceil(upper_bound),
            divisor=FINE * packing.arrays,
            bias_bound=packing_bias(packing, records, upper_bound),
            m_ub=m_ub,
            packing=packing,
        )

    def run(self, plan: Plan, hat: HatData, noise: NoiseSource) -> Draw:
        assert plan.packing is not None
        sums = np.zeros(plan.packing.arrays, np.int64)
        np.add.at(sums, plan.packing.array, hat.sums_of_first(plan.packing.taken))
        centre = int(fine_means(sums, plan.packing.sizes).sum())
        return to_estimates(noise.laplace(centre, plan.sensitivity, spend=plan.epsilon), plan)


MECHANISM = ArrayAveraging()
