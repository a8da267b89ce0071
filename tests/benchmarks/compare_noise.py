"""Laplace against Gaussian noise in each HAT: the table of docs/statistics.md, by public counts.

Run by hand: `python -m tests.benchmarks.compare_noise SPEC.toml`. The spec names data and HATs. Printed are
typical errors of the median HAT at a total of 10 and a delta of a millionth.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path

from core.accounting.budgets import Budget
from core.accounting.compose import hats_per_vehicle
from core.contributions import EVALUATION_TIE_KEY, contributions_of, users_of
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, query_errors
from core.planning.values_query import plan_query, publishable
from core.selection.registry import select
from core.spec import load_spec
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from core.store.load_records import load_records

ASKED: dict[str, dict[str, object]] = {
    "query1": {},
    "query2": {"limits": (30.0, 40.0, 50.0)},
    "cdf": {"bins": 13},
}


def main() -> None:
    spec = load_spec(Path(sys.argv[1]))
    records = load_records(spec.data.paths(), spec.data.rules).records
    contributions = contributions_of(records, spec.resolution, spec.window)
    users = users_of(contributions, spec.unit, EVALUATION_TIE_KEY)
    selection = select(contributions, spec.selection)
    city = CountedCity(
        contributions, users, selection, minimum_vehicles=spec.minimum_vehicles, delta=Decimal("1e-6")
    )
    published = publishable(city)
    most = hats_per_vehicle(contributions, published, spec.unit)
    print(f"{published.sum()} HATs, at most {most} of one vehicle, unit {spec.unit}")
    for noise in ("laplace", "gauss"):
        for name, parameters in ASKED.items():
            question = question_of(require_statistic(name), None, {**parameters, "noise": noise})
            plan = plan_query(city, Query(id=name, question=question, budget=Budget(total=Decimal(10))))
            print(f"{noise} {name}: {query_errors(plan.plans).typical.median:.3g}")


if __name__ == "__main__":
    main()
