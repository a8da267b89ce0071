"""What a person should know before saying yes: what, for whom, for how much, and what stays open.

Everything here follows from public counts (relation `values`), never from values (SPEC 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from core.contributions import Contributions
from core.privacy import Charge, Relation, Unit
from core.queries.hat_mean import MeanPlan, distinct_vehicles, expected_errors
from core.spec import ReleaseSpec
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
"""What relation `values` does not protect (SPEC 5)."""
EVALUATED = (
    "Before this release, errors on true values of its vehicles were looked at in confidence; what that "
    "told the publisher when choosing the parameters is not covered by epsilon."
)
"""Said of a release whose population was evaluated before (SPEC 10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The facts of a planned release. Errors are km/h."""

    title: str
    folder: str
    statistic: str
    mechanism: str
    relation: Relation
    unit: Unit
    published: int
    suppressed: int
    hexagons: int
    single_vehicle: int
    """Selected HATs with records that hold exactly one vehicle over the window."""
    epsilon_per_hat: Decimal
    charge: Charge
    expected_error_median: float
    expected_error_worst: float
    noise_scale_worst: float
    constant_error: float
    """Largest error of publishing U/2 for every HAT."""
    repeats_entry: int | None
    """The ledger entry whose stored draws would be published again at no cost."""
    evaluated: bool
    """The bundle will say that errors on true values were looked at before."""

    @property
    def sentence(self) -> str:
        """What the analyst confirms, with this data's figures (SPEC 5)."""
        return confirmation_sentence(
            self.relation, self.unit, self.single_vehicle, self.published + self.suppressed
        )

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Label and text of each fact, in reading order."""
        qualified = f"(relation {self.relation}, unit {self.unit})"
        return (
            ("Release", f"{self.title} ({self.folder})"),
            ("Statistic", f"{self.statistic} of each HAT by {self.mechanism}"),
            (
                "HATs",
                f"{self.published} published, {self.suppressed} suppressed, in {self.hexagons} hexagons",
            ),
            ("Protected", PROTECTED[self.unit]),
            ("Not protected", "; ".join(UNPROTECTED)),
            *((("Evaluated", f"{EVALUATED} The bundle says so."),) if self.evaluated else ()),
            ("Epsilon per HAT", f"{plain(self.epsilon_per_hat)} {qualified}"),
            ("Epsilon per vehicle, HAT and day", plain(self.charge.per_vehicle_hat_day)),
            ("Epsilon per vehicle and day", plain(self.charge.per_vehicle_day)),
            ("Epsilon per vehicle", f"{plain(self.charge.per_vehicle)} {qualified}"),
            (
                "Expected error",
                f"median {self.expected_error_median:.2f} km/h, worst {self.expected_error_worst:.2f} km/h",
            ),
            ("Cost", self.cost),
            *((("Warning", self.warning),) if self.warning else ()),
        )

    @property
    def warning(self) -> str:
        """Said when the noise drowns the values: a constant would be as exact. Empty otherwise."""
        if self.expected_error_median < self.constant_error:
            return ""
        return (
            f"half of the values would be no better than publishing the constant {self.constant_error:g} "
            "km/h; raise epsilon, or choose fewer or coarser HATs"
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


def review_of(
    spec: ReleaseSpec,
    contributions: Contributions,
    plan: MeanPlan,
    *,
    repeats_entry: int | None,
    evaluated: bool,
) -> Review:
    """The review of a planned release."""
    errors = expected_errors(plan.plans)
    vehicles = distinct_vehicles(contributions)
    present = [hat.index for hat in plan.hats if hat.index >= 0]
    return Review(
        title=spec.texts.title,
        folder=spec.texts.folder,
        statistic=spec.query.statistic,
        mechanism=plan.mechanism.title,
        relation=spec.relation,
        unit=spec.unit,
        published=len(plan.published),
        suppressed=len(plan.hats) - len(plan.published),
        hexagons=len({hat.cell for hat in plan.hats}),
        single_vehicle=int((vehicles[present] == 1).sum()),
        epsilon_per_hat=plan.plans[0].epsilon,
        charge=plan.charge,
        expected_error_median=errors.median,
        expected_error_worst=errors.worst,
        noise_scale_worst=max(item.noise_scale for item in plan.plans),
        constant_error=spec.data.rules.upper_bound / THOUSAND / 2,
        repeats_entry=repeats_entry,
        evaluated=evaluated,
    )
