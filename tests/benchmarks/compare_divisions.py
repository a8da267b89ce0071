"""What dividing optimally and suppressing users save on real data: total epsilon at the same noise.

Run by hand: `python -m tests.benchmarks.compare_divisions SPEC.toml`. The spec names data and HATs;
the statistic is mean and variance with the rule for m_UB named on the command line (default: sqrt).
For the noise that an equal division of the given total has (worst HAT, mean over HATs), it prints the
total per vehicle that other divisions need for no more than that.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.accounting.compose import hats_per_vehicle, heaviest_vehicle
from core.contributions import EVALUATION_TIE_KEY, Contributions, contributions_of, users_of
from core.fixed_point import THOUSAND
from core.planning.user_suppression import RetainedUsers, suppress_users
from core.planning.values_query import counts_of, distinct_vehicles
from core.selection.registry import select
from core.spec import load_spec
from core.statistics.base import Question, SuppressionRule
from core.statistics.moments import constant_error, hat_errors
from core.statistics.registry import require_statistic
from core.store.load_records import load_records


@dataclass(frozen=True)
class Totals:
    """Epsilon per vehicle that gives the noise asked for."""

    equal: float
    optimal: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spec", type=Path)
    parser.add_argument("--m-ub", default="sqrt")
    parser.add_argument("--total", type=float, default=20.0)
    asked = parser.parse_args()
    spec = load_spec(asked.spec)
    records = load_records(spec.data.paths(), spec.data.rules).records
    contributions = contributions_of(records, spec.resolution, spec.window)
    selection = select(contributions, spec.selection)
    published = np.zeros(contributions.hats, bool)
    published[selection.index[selection.index >= 0]] = True
    published &= distinct_vehicles(contributions) >= spec.minimum_vehicles
    users = users_of(contributions, spec.unit, EVALUATION_TIE_KEY)
    statistic = require_statistic("mean_variance")
    question = Question(statistic=statistic, params=statistic.Params(m_ub=asked.m_ub))

    def scales(left: RetainedUsers | None) -> NDArray[np.float64]:
        counts = counts_of(contributions, users, left)
        found = np.zeros(contributions.hats)
        for index in np.flatnonzero(published).tolist():
            scale = statistic.scale(counts(index), question)
            assert scale is not None
            found[index] = scale
        return found

    most = hats_per_vehicle(contributions, published, spec.unit)
    epsilon = asked.total / most
    before = scales(None)
    noise = 2 * before[published] / epsilon
    print(f"{published.sum()} HATs, at most {most} of one vehicle, unit {spec.unit}, m_UB {asked.m_ub}")
    print(f"equal division of {asked.total:g}: epsilon {epsilon:.4f} per HAT")
    print(f"noise of a HAT (mean + variance / U): worst {noise.max():.3f}, mean {noise.mean():.3f} km/h")
    upper = spec.data.rules.upper_bound / THOUSAND
    rule = SuppressionRule(m_ub=asked.m_ub, errors=partial(hat_errors, upper), cap=constant_error(upper))
    steps = np.where(published, int(epsilon * 10**6), 0)
    left = suppress_users(contributions, users, published, steps, rule)
    rows = left.users.size - int(left.users.sum())
    print(f"suppression: HATs of a vehicle {left.before} -> {left.after}, {rows} of {left.users.size} places")
    for name, goal in (("worst", noise.max()), ("mean", noise.mean())):
        for title, chosen in (("everyone", None), ("with suppression", left)):
            found = totals(contributions, published, spec.unit, scales(chosen), chosen, name, goal)
            print(f"same {name} noise, {title}: equal {found.equal:.2f}, optimal {found.optimal:.2f}")


def totals(
    contributions: Contributions,
    published: NDArray[np.bool_],
    unit: object,
    scales: NDArray[np.float64],
    left: RetainedUsers | None,
    name: str,
    goal: float,
) -> Totals:
    """Equal: noise 2 c / eps at one eps. Optimal: every HAT has the same noise, worst and mean alike."""
    rows = left.rows if left else None
    own = scales[published]
    epsilon = 2 * (own.max() if name == "worst" else own.mean()) / goal
    most = hats_per_vehicle(contributions, published, unit, rows)
    return Totals(
        equal=epsilon * most, optimal=heaviest_vehicle(contributions, 2 * scales / goal, unit, rows)
    )


if __name__ == "__main__":
    main()
