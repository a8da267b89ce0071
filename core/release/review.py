"""What a person should know before saying yes: what, for whom, for how much, and what stays open.

Everything here follows from public counts (relation `values`), never from values (method 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.compose import add_charges
from core.accounting.query_epsilons import QueryEpsilons, add_query_epsilons, query_epsilons
from core.contributions import Contributions
from core.planning.query_plan import QueryPlan, distinct_vehicles, expected_errors
from core.privacy import Charge, Relation, Unit
from core.release.tables import largest_value
from core.spec import ReleaseSpec
from core.statistics.mean import MeanQuestion
from core.values import THOUSAND, plain

PROTECTED = {
    Unit.VEHICLE: "everything that one vehicle reported in the whole window",
    Unit.VEHICLE_DAY: "everything that one vehicle reported on one day",
    Unit.VEHICLE_HAT_DAY: "what one vehicle reported in one hexagon and timeslot on one day",
}
UNPROTECTED = (
    "how many records each vehicle has in each hexagon and timeslot",
    "which vehicles were where and when",
    "which hexagons and timeslots are selected or suppressed",
    "which records were dropped as unusable",
)
"""What relation `values` does not protect (method 5)."""
EVALUATED = (
    "Before this release, errors on true values of its vehicles were looked at in confidence; what that "
    "told the publisher when choosing the parameters is not covered by epsilon."
)
"""Said of a release whose population was evaluated before (method 10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryReview:
    """The facts of one planned query. Errors are in its unit."""

    query_id: str
    statistic: str
    """Title of the statistic."""
    mechanism: str
    """Title of the mechanism; empty where the statistic has one method."""
    unit_of_value: str
    published: int
    suppressed: int
    epsilon_least: Decimal
    epsilon_most: Decimal
    """Of the published HATs."""
    charge: Charge
    expected_error_median: float
    expected_error_worst: float
    noise_scale_worst: float
    constant_error: float | None
    """Largest error of publishing the middle of the range for every HAT; None where there is no range."""
    least: float = 0.0
    """The lower end of the range."""

    @property
    def text(self) -> str:
        """What is asked, how, and how well it will be answered."""
        by = f" by {self.mechanism}" if self.mechanism else ""
        unit = f" {self.unit_of_value}" if self.unit_of_value else ""
        return (
            f"{self.statistic} of each HAT{by}: epsilon {self.epsilon_per_hat} per HAT, expected error "
            f"median {self.expected_error_median:.3g}{unit}, worst {self.expected_error_worst:.3g}{unit}"
        )

    @property
    def epsilon_per_hat(self) -> str:
        """One figure, or from least to most."""
        least, most = plain(self.epsilon_least), plain(self.epsilon_most)
        return least if least == most else f"{least} to {most}"

    @property
    def warning(self) -> str:
        """Said when the noise drowns the values: a constant would be as exact. Empty otherwise."""
        if self.constant_error is None or self.expected_error_median < self.constant_error:
            return ""
        unit = f" {self.unit_of_value}" if self.unit_of_value else ""
        return (
            f"{self.query_id}: half of the values would be no better than publishing the constant "
            f"{self.least + self.constant_error:g}{unit}; raise epsilon, or choose fewer or coarser HATs"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The facts of a planned release."""

    title: str
    folder: str
    queries: tuple[QueryReview, ...]
    relation: Relation
    unit: Unit
    published: int
    suppressed: int
    hexagons: int
    single_vehicle: int
    """Selected HATs with records that hold exactly one vehicle over the window."""
    charge: Charge
    """Of all queries together."""
    reported: tuple[tuple[str, QueryEpsilons], ...]
    """Query 1 and 2 as the technical report tells their epsilons, and both together; empty without them."""
    repeats_entry: int | None
    """The ledger entry whose stored draws would be published again at no cost."""
    evaluated: bool
    """The bundle will say that errors on true values were looked at before."""

    @property
    def sentence(self) -> str:
        """What the analyst confirms, with this data's figures (method 5)."""
        return confirmation_sentence(
            self.relation, self.unit, self.single_vehicle, self.published + self.suppressed
        )

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Label and text of each fact, in reading order."""
        qualified = f"(relation {self.relation}, unit {self.unit})"
        return (
            ("Release", f"{self.title} ({self.folder})"),
            *(("Statistic", query.text) for query in self.queries),
            (
                "HATs",
                f"{self.published} published, {self.suppressed} suppressed, in {self.hexagons} hexagons",
            ),
            ("Protected", PROTECTED[self.unit]),
            ("Not protected", "; ".join(UNPROTECTED)),
            *((("Evaluated", f"{EVALUATED} The bundle says so."),) if self.evaluated else ()),
            ("Epsilon per vehicle, HAT and day", f"{plain(self.charge.per_vehicle_hat_day)} {qualified}"),
            ("Epsilon per vehicle and day", f"{plain(self.charge.per_vehicle_day)} {qualified}"),
            ("Epsilon per vehicle", f"{plain(self.charge.per_vehicle)} {qualified}"),
            *((f"Epsilon a day of {name}", _reported(found)) for name, found in self.reported),
            ("Cost", self.cost),
            *(("Warning", query.warning) for query in self.queries if query.warning),
        )

    @property
    def cost(self) -> str:
        """What the release spends of the population's budget."""
        if self.repeats_entry is not None:
            return f"nothing: the draws of ledger entry {self.repeats_entry} are published again"
        return f"{plain(self.charge.per_vehicle)} epsilon of every vehicle's budget"


def confirmation_sentence(relation: Relation, unit: Unit, single_vehicle: int, hats: int) -> str:
    """The sentence that explains the choice of relation and unit."""
    if relation is Relation.USER:
        return f"One {unit} may be added or removed without a visible change."
    return (
        f"The values of one {unit} are protected; which vehicles were where, and how often, becomes "
        f"public. {single_vehicle} of {hats} HATs hold a single vehicle; its presence becomes public."
    )


def _reported(found: QueryEpsilons) -> str:
    """As TR III.E tells it, beside the tighter figure."""
    return (
        f"{plain(found.per_hat_day)} per HAT and day; {plain(found.per_day_bound)} a day as the sum of the "
        f"{found.hats_per_day} largest HATs (K_day), {plain(found.per_day)} over the HATs that one vehicle "
        "really visits"
    )


def review_of(
    spec: ReleaseSpec,
    contributions: Contributions,
    plans: Sequence[QueryPlan],
    *,
    repeats_entry: int | None,
    evaluated: bool,
) -> Review:
    """The review of a planned release; plans: one of each query, over the same HATs."""
    vehicles = distinct_vehicles(contributions)
    hats = plans[0].hats
    present = [hat.index for hat in hats if hat.index >= 0]
    published = {hat.name for plan in plans for hat in plan.published}
    return Review(
        title=spec.texts.title,
        folder=spec.texts.folder,
        queries=tuple(_query_review(plan, spec.data.rules.upper_bound) for plan in plans),
        relation=spec.relation,
        unit=spec.unit,
        published=len(published),
        suppressed=len(hats) - len(published),
        hexagons=len({hat.cell for hat in hats}),
        single_vehicle=int((vehicles[present] == 1).sum()),
        charge=add_charges(plan.charge for plan in plans),
        reported=_epsilons_of_report(plans, contributions, spec.unit),
        repeats_entry=repeats_entry,
        evaluated=evaluated,
    )


def _epsilons_of_report(
    plans: Sequence[QueryPlan], contributions: Contributions, unit: Unit
) -> tuple[tuple[str, QueryEpsilons], ...]:
    """Of the statistics that a Laplace scale may be asked of: Query 1 and 2 (method 8)."""
    found = [
        (plan.query.id, query_epsilons(contributions, plan.micro_epsilons(contributions.hats), unit))
        for plan in plans
        if plan.query.question.statistic.takes_noise_scale
    ]
    together = [("both queries", add_query_epsilons(item for _, item in found))] if len(found) > 1 else []
    return (*found, *together)


def _query_review(plan: QueryPlan, upper_bound: int) -> QueryReview:
    errors = expected_errors(plan.plans)
    question = plan.query.question
    measure = question.statistic.measures[0]
    largest = largest_value(measure, upper_bound)
    return QueryReview(
        query_id=plan.query.id,
        statistic=question.statistic.title,
        mechanism=question.title if isinstance(question, MeanQuestion) else "",
        unit_of_value=measure.unit,
        published=len(plan.published),
        suppressed=len(plan.hats) - len(plan.published),
        epsilon_least=min(item.epsilon for item in plan.plans),
        epsilon_most=max(item.epsilon for item in plan.plans),
        charge=plan.charge,
        expected_error_median=errors.median,
        expected_error_worst=errors.worst,
        noise_scale_worst=max(item.noise_scale for item in plan.plans),
        constant_error=None if largest is None else float(largest) / 2,
        least=measure.lower / THOUSAND,
    )
