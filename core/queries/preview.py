"""What a draft would give, from public counts: for the map, the table and the budget panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.accounting.budgets import Budget
from core.contributions import EVALUATION_TIE_KEY, Contributions, UserTable, users_of
from core.errors import InputError
from core.hats.cells import cell_text
from core.mechanisms.base import Mechanism
from core.params import build
from core.privacy import Confidential, Unit
from core.progress import Progress, silent
from core.queries.adviser import Advice, advise
from core.queries.hat_mean import MeanPlan, distinct_vehicles, plan_means
from core.selection.base import Selection, SelectionRequest, vehicle_days
from core.selection.rules import select


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HatOverview(Confidential):
    """Every HAT with records, by columns of shape (G,), in the order of the contributions."""

    cells: tuple[str, ...]
    slots: NDArray[np.int16]
    vehicles: NDArray[np.int64]
    """Distinct vehicles over the window."""
    vehicle_days: NDArray[np.int64]
    records: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Preview(Confidential):
    """Selection and plan of a draft as far as it goes; `problem` says what stops it."""

    overview: HatOverview
    selection: Selection | None
    users: UserTable | None
    plan: MeanPlan | None
    single_vehicle: int
    """Selected HATs that hold exactly one vehicle."""
    problem: InputError | None
    advice: Advice | None
    """From the public counts of the median HAT; None where nothing is planned."""


def overview_of(contributions: Contributions) -> HatOverview:
    """Counts of every HAT."""
    names = {int(cell): cell_text(cell) for cell in np.unique(contributions.cell)}
    records = np.zeros(contributions.hats, np.int64)
    np.add.at(records, contributions.hat, contributions.counts)
    return HatOverview(
        cells=tuple(names[int(cell)] for cell in contributions.cell),
        slots=contributions.slot,
        vehicles=distinct_vehicles(contributions),
        vehicle_days=vehicle_days(contributions),
        records=records,
    )


def preview(
    contributions: Contributions,
    overview: HatOverview,
    request: SelectionRequest,
    *,
    minimum_vehicles: int,
    unit: Unit | None,
    mechanism: Mechanism,
    parameters: Mapping[str, Any],
    budget: Budget,
    progress: Progress = silent,
) -> Preview:
    """Select and plan as far as the choices go. Never raises for a choice that does not fit."""
    selection: Selection | None = None
    users: UserTable | None = None
    plan: MeanPlan | None = None
    problem: InputError | None = None
    try:
        selection = select(contributions, request)
        if unit is not None:
            users = users_of(contributions, unit, EVALUATION_TIE_KEY)
            plan = plan_means(
                contributions,
                users,
                selection,
                query_id="preview",
                mechanism=mechanism,
                params=build(mechanism.Params, parameters, where="query.parameters"),
                budget=budget,
                minimum_vehicles=minimum_vehicles,
                progress=progress,
            )
    except InputError as error:
        problem = error
    present = selection.index[selection.index >= 0] if selection else np.zeros(0, np.int64)
    return Preview(
        overview=overview,
        selection=selection,
        users=users,
        plan=plan,
        single_vehicle=int((overview.vehicles[present] == 1).sum()),
        problem=problem,
        advice=_advice(plan, users) if plan and users else None,
    )


def _advice(plan: MeanPlan, users: UserTable) -> Advice:
    """For the published HAT with the median number of records; of two, the one with fewer."""
    counts = [users.hat_counts(hat.index) for hat in plan.published]
    median = sorted(counts, key=lambda one: int(one.sum()))[(len(counts) - 1) // 2]
    return advise(median, plan.plans[0].epsilon, users.upper_bound)
