"""The review in rows: epsilon, errors, numbers of rows, files left out, paid before; the last question.

Everything here follows from public counts (relation `values`) or from constants alone (relation `user`),
never from values (method 10, 12).
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.accounting.budgets import Budget, unit_of_total
from core.accounting.compose import add_charges
from core.accounting.epsilon_rounding import delta_text, glance
from core.accounting.exact_loss import RUNNING, StatedLoss
from core.accounting.ledger_report import EntrySummary
from core.accounting.privacy_loss import loss_of
from core.accounting.query_epsilons import QueryEpsilons, add_query_epsilons
from core.advice.foretold_rows import ForetoldRows, foretold_rows
from core.advice.smoothed import is_smoothed
from core.advice.usefulness import verdict_word
from core.advice.verdict import Verdict, verdict_of
from core.advice.verdict_sentences import verdict_sentences
from core.bounding.bounding_facts import BoundingFacts
from core.bundle.loss_texts import loss_sentences, mu_beside
from core.bundle.parameter_texts import parameters_text
from core.bundle.protection_texts import (
    CONSTANTS_ARE_PUBLIC,
    DRAWN_BEFORE,
    EVALUATED,
    IDS_ALIKE,
    TRACKS,
    confirmation_sentence,
    left_open,
    protected_by,
    said_of_counts,
)
from core.bundle.smoothed_facts import caveat
from core.clean.ingest_report import IngestReport
from core.clean.record_filter import RecordFilter
from core.contributions import Contributions
from core.counted import count_of
from core.geodata.zones_source import overlaps_text
from core.hats.groups import Groups
from core.hats.places import PlaceChoice
from core.hats.slots import Periods
from core.parameter_fields import Parameter, Value, declared
from core.place_words import of_places
from core.planning.from_constants import FromConstants
from core.planning.query_plan import (
    ErrorSpread,
    QueryErrors,
    QueryPlan,
    conversion_of_plans,
    seen_errors,
    smoothed_errors,
)
from core.planning.values_query import distinct_vehicles
from core.privacy import Charge, Relation, Unit
from core.quantity import unit_of_parameter
from core.records.id_folds import ids_alike
from core.release.label_review import LabelReview, label_question, label_reviews
from core.release.narrowed_grids import narrowed
from core.release.planned_facts import asked_of, planned_parameters
from core.release.signed_choices import signed_choices
from core.spec import ReleaseSpec
from core.statistics.base import Measure
from core.statistics.error_figures import error_scale, figure, unit_of_errors
from core.statistics.mean import MeanQuestion
from core.texts import joined, text_of

_MOST_NAMES = 5
"""Names of files left out in one sentence of the review."""
PAID_BEFORE = "This release was paid for before, of other records or another table. It is charged again."
_COSTS = (
    ("Epsilon per vehicle, hexagon slot and day", Unit.VEHICLE_HAT_DAY),
    ("Epsilon per vehicle and day", Unit.VEHICLE_DAY),
    ("Epsilon per vehicle", Unit.VEHICLE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryReview:
    """The facts of one planned query. Errors are as they are read: of a share in percentage points."""

    query_id: str
    statistic: str
    """Title of the statistic."""
    mechanism: str
    """Title of the mechanism; empty where the statistic has one method."""
    measure: Measure
    """Its leading one."""
    unit_of_value: str
    """Of errors, as `unit_of_errors`."""
    published: int
    suppressed: int
    epsilon_least: Decimal
    epsilon_most: Decimal
    """Of the published HATs."""
    charge: Charge
    budget: Budget
    """As it was given."""
    parameters: tuple[tuple[Parameter, Value], ...]
    """Every one that has a part in what is published, as the bundle states them."""
    errors: QueryErrors
    """Of its leading measure; the typical ones of the numbers that readers see, the others of raw ones."""
    raw: ErrorSpread | None
    """Typical errors before smoothing; None where readers see raw numbers."""
    verdict: Verdict
    judged: tuple[str, ...]
    """What is said beside the verdict's word."""
    cap: int | None = None
    """The number of records that the analyst lets a user give; None: a rule, or no cap."""
    below_cap: int = 0
    """Published HATs where nobody has so many."""
    retained: tuple[int, int] | None = None
    """The most HATs of a user before and after users were suppressed; None where none may be."""
    smoothed: str = ""
    """What the second number of each HAT is, where there is one."""
    bounding: BoundingFacts | None = None
    """The constants of relation `user`; None in relation `values`."""
    protected_unit: str = Unit.VEHICLE.value
    """Of the release."""
    regions: int = 0
    """Published in place of HATs; 0 where these are."""
    conversion: str = RUNNING
    """The formula that its own epsilons are stated by where it has rho."""
    foretold: ForetoldRows | None = None
    """Based on public counts; None without any."""

    @property
    def asked(self) -> str:
        """Budget and parameters by their keys."""
        key, amount = asked_of(self.budget)
        parameters = parameters_text({one.name: value for one, value in self.parameters})
        return joined(
            ", ", (part for part in (f"{key.replace('_', ' ')} {glance(amount)}", parameters) if part)
        )

    @property
    def text(self) -> str:
        """What is asked, how, and how well it will be answered."""
        by = text_of(" by {mechanism}", mechanism=self.mechanism) if self.mechanism else ""
        unit = f" {self.unit_of_value}" if self.unit_of_value else ""
        typical = self.errors.typical
        least = text_of(
            ", {largest}{unit} in the least accurate",
            largest=figure(typical.largest, self.measure),
            unit=unit,
        )
        if self.regions and self.bounding is not None:
            return text_of(
                "{statistic} of each region{by}: epsilon {epsilon_per_hat} per region, typical error "
                "{median}{unit} {errors_known_of}{least}",
                statistic=self.statistic,
                by=by,
                epsilon_per_hat=self.epsilon_per_hat,
                median=figure(typical.median, self.measure),
                unit=unit,
                errors_known_of=self.bounding.errors_known_of,
                least=least,
            )
        if self.regions:
            return text_of(
                "{statistic} of each region{by}: epsilon {epsilon_per_hat} per region, typical error "
                "{median}{unit} in the median region, {largest}{unit2} in the least accurate ({at_worst})",
                statistic=self.statistic,
                by=by,
                epsilon_per_hat=self.epsilon_per_hat,
                median=figure(typical.median, self.measure),
                unit=unit,
                largest=figure(typical.largest, self.measure),
                unit2=unit,
                at_worst=self._at_worst(unit),
            )
        if self.bounding is not None:
            return text_of(
                "{statistic} of each hexagon slot{by}: epsilon {epsilon_per_hat} per hexagon slot, typical "
                "error {median}{unit} {errors_known_of}{value}",
                statistic=self.statistic,
                by=by,
                epsilon_per_hat=self.epsilon_per_hat,
                median=figure(typical.median, self.measure),
                unit=unit,
                errors_known_of=self.bounding.errors_known_of,
                value=least if self.bounding.by_public_counts else "",
            )
        return text_of(
            "{statistic} of each hexagon slot{by}: epsilon {epsilon_per_hat} per hexagon slot, typical "
            "error {median}{unit} in the median hexagon slot, {largest}{unit2} in the least accurate "
            "({at_worst})",
            statistic=self.statistic,
            by=by,
            epsilon_per_hat=self.epsilon_per_hat,
            median=figure(typical.median, self.measure),
            unit=unit,
            largest=figure(typical.largest, self.measure),
            unit2=unit,
            at_worst=self._at_worst(unit),
        )

    def _at_worst(self, unit: str) -> str:
        """Of raw numbers, beside their typical errors: a smoothed number has no error at worst."""
        worst = self.errors.at_worst
        if self.raw is None:
            return text_of(
                "at worst {median} and {largest}{unit}",
                median=figure(worst.median, self.measure),
                largest=figure(worst.largest, self.measure),
                unit=unit,
            )
        return text_of(
            "after smoothing; before it {median} and {largest}, at worst {median2} and {largest2}{unit}",
            median=figure(self.raw.median, self.measure),
            largest=figure(self.raw.largest, self.measure),
            median2=figure(worst.median, self.measure),
            largest2=figure(worst.largest, self.measure),
            unit=unit,
        )

    @property
    def epsilon_per_hat(self) -> str:
        """One figure, or from least to most."""
        least, most = glance(self.epsilon_least), glance(self.epsilon_most)
        return (
            least
            if least == most
            else text_of("{least_figure} to {most_figure}", least_figure=least, most_figure=most)
        )

    @property
    def constants(self) -> str:
        """What counts of a unit, and what is published, whatever the data hold."""
        return (
            ""
            if self.bounding is None
            else text_of(
                "{id}: {sentence}", id=self.query_id, sentence=self.bounding.sentence(self.protected_unit)
            )
        )

    @property
    def cap_note(self) -> str:
        """Said where the number of records a user may give is more than anybody has. Empty otherwise."""
        if not self.below_cap:
            return ""
        return text_of(
            "{query_id}: m_UB is {cap}; in {below_cap} of {counted_hexagon_slots} nobody has so many "
            "records, and all of them count",
            query_id=self.query_id,
            cap=self.cap,
            below_cap=self.below_cap,
            counted_hexagon_slots=count_of(self.published, "hexagon slot"),
        )

    @property
    def suppression_note(self) -> str:
        """What the suppression of users comes to. Empty without it."""
        if self.retained is None:
            return ""
        before, after = self.retained
        return text_of(
            "{query_id}: users leave hexagon slots, so that nobody is in more than {after}; before it was "
            "{before}",
            query_id=self.query_id,
            after=after,
            before=before,
        )

    @property
    def smoothing_note(self) -> str:
        """What the second numbers are."""
        return text_of(
            "{query_id}: the second number of each hexagon slot is {smoothed}",
            query_id=self.query_id,
            smoothed=self.smoothed,
        )

    @property
    def warning(self) -> str:
        """Said when the numbers are of no use. Empty otherwise."""
        return "" if self.verdict.informative else self.verdict_note

    @property
    def warned(self) -> tuple[str, ...]:
        """Why they are of no use, in sentences that follow each other, without the query's id."""
        return () if self.verdict.informative else self.judged

    @property
    def verdict_note(self) -> str:
        """The word, and what is said beside it."""
        return text_of(
            "{id}: {word}. {judged}",
            id=self.query_id,
            word=verdict_word(self.verdict.usefulness),
            judged=joined(" ", self.judged),
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
    recorded: int
    """Selected HATs with records; 0 in relation `user`, where none is looked at."""
    single_vehicle: int
    """Those of them that hold exactly one vehicle over the window."""
    vehicles_alike: int
    """Vehicles whose ids may be another one's, written otherwise; 0 in relation `user`."""
    left_out: tuple[str, ...]
    """Names of files that cannot be read and are left out, as the spec asks for."""
    filters: tuple[RecordFilter, ...]
    periods: Periods
    groups: Groups
    """Which records count."""
    charge: Charge
    """Of all queries together."""
    reported: tuple[tuple[str, QueryEpsilons], ...]
    """Query 1 and 2 as the technical report tells their epsilons, and both together; empty without them."""
    repeats_entry: int | None
    """The ledger entry whose stored draws would be published again at no cost."""
    outdated_entry: int | None
    """One whose stored draws are of the same request and will not be: their speeds crossed midnight."""
    paid_before: bool
    """The ledger has draws of the same spec, of other records or another table; relation `values` alone."""
    drawn_on: dt.date | None
    """When these were drawn, UTC."""
    delta: Decimal
    """At which Gaussian noise is counted; 0 where the population allows none."""
    conversion: str
    """The formula that its own epsilons are stated by where it has rho."""
    values: str
    """What is measured, in the plural."""
    signed: tuple[tuple[str, str], ...]
    """As `signed_choices` tells them."""
    place: PlaceChoice
    """What places are."""
    labels: tuple[LabelReview, ...]
    """Of the columns whose labels are places or groups, or choose records."""
    overlaps: str
    """Which zones share ground, the largest first; empty where none do."""
    tracks: bool
    """The values are speeds."""
    dwell: bool
    """How long vehicles stay plays a part."""
    narrows: str
    """What this grid takes from the protection of earlier releases; empty where it takes nothing."""
    counts: bool
    """Exact numbers of vehicles, visits, records and days will stand beside each number."""
    evaluated: bool
    """The bundle will say that errors on true values were looked at before."""

    @property
    def sentence(self) -> str:
        """What the analyst confirms, with this data's figures (method 5)."""
        said = self.sentence_of_hexagons
        return said if self.place.hexagons else of_places(said)

    @property
    def sentence_of_hexagons(self) -> str:
        """The same as it is translated, whatever places are."""
        return confirmation_sentence(
            self.relation,
            self.unit,
            self.single_vehicle,
            self.recorded,
            self.stated(self.charge, self.unit),
            dwell=self.dwell,
        )

    def stated(self, charge: Charge, unit: Unit, conversion: str | None = None) -> StatedLoss:
        """What a charge comes to by itself; conversion: of a query, None: of the release."""
        return StatedLoss(loss_of(charge, unit), self.delta, conversion or self.conversion)

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Label and text of each fact, in reading order, warnings first."""
        before = (("Drawn before", self.drawn_before),) if self.drawn_before else ()
        found = (*before, *(("Warning", warning) for warning in self.warnings), *self.facts())
        if self.place.hexagons:
            return found
        typed = {"Release", "Labels", "Overlaps", *(label for label, _ in self.signed)}
        return tuple(
            (label, _places_said(label, text)) if label in typed else (of_places(label), of_places(text))
            for label, text in found
        )

    @property
    def drawn_before(self) -> str:
        """Said of stored draws of relation `user`, whatever the records are by now. Empty otherwise."""
        if self.relation is not Relation.USER or self.drawn_on is None:
            return ""
        return text_of(DRAWN_BEFORE, date=self.drawn_on.isoformat())

    @property
    def question(self) -> str:
        """What is asked before it is published."""
        if self.drawn_before:
            return text_of(
                "Publish the numbers drawn on {drawn_on} again? It cannot be undone.", drawn_on=self.drawn_on
            )
        return "Release this? It cannot be undone."

    @property
    def warnings(self) -> tuple[str, ...]:
        """What concerns all queries, then of each query that has one."""
        alike = (text_of(IDS_ALIKE, n=f"{self.vehicles_alike:,}"),) if self.vehicles_alike else ()
        suspicious = tuple(one.warning for one in self.labels if one.warning)
        of_queries = (query.warning for query in self.queries if query.warning)
        before = (PAID_BEFORE,) if self.paid_before else ()
        return (*self._of_files(), *before, *alike, *suspicious, *of_queries)

    def _of_files(self) -> Iterator[str]:
        if self.left_out:
            first = ", ".join(self.left_out[:_MOST_NAMES])
            yield text_of(
                "Left out as unreadable: {counted_files} ({names}). Their records are in none of the "
                "numbers.",
                counted_files=count_of(len(self.left_out), "file"),
                names=first if len(self.left_out) <= _MOST_NAMES else f"{first}, …",
            )

    @property
    def typed(self) -> tuple[str, ...]:
        """Names of periods, columns and labels, in which nothing is said otherwise than it was typed."""
        labels = (text for one in self.labels for text in (one.column, *one.labels))
        return (*(one.name for one in self.periods), *labels)

    @property
    def label_question(self) -> str:
        """Asked of a column whose texts are published, as only a person can answer it. Empty otherwise."""
        return label_question(self.labels)

    def facts(self) -> tuple[tuple[str, str], ...]:
        """Label and text of what is no warning, in reading order."""
        delta = text_of(", delta {delta}", delta=delta_text(self.delta)) if self.charge.rho else ""
        qualified = [
            text_of(
                "(relation {relation}, unit {unit}{delta})",
                relation=self.relation,
                unit=self.unit,
                delta=joined("", (delta, mu)),
            )
            for mu in self.mus
        ]
        hats = text_of(
            "{published} published, {suppressed} suppressed, in {counted_hexagons}",
            published=self.published,
            suppressed=self.suppressed,
            counted_hexagons=count_of(self.hexagons, "hexagon"),
        )
        public: tuple[tuple[str, str], ...] = (
            ("Not protected", joined("; ", self._left_open())),
            *((("Where tracks are known", TRACKS),) if self.tracks else ()),
            *((("Counts", self._counts),) if self.counts else ()),
            *((("Narrows", self.narrows),) if self.narrows else ()),
        )
        if self.relation is Relation.USER:
            total = self.published + self.suppressed
            hats = text_of(
                "{counted_candidates} in {counted_hexagons}: a row each, with vehicles or without",
                counted_candidates=count_of(total, "candidate"),
                counted_hexagons=count_of(self.hexagons, "hexagon"),
            )
            public = (("Public", CONSTANTS_ARE_PUBLIC),)
        return (
            ("Release", f"{self.title} ({self.folder})"),
            *self.signed,
            *(("Statistic", query.text) for query in self.queries),
            *(("Verdict", query.verdict_note) for query in self.queries if query.verdict.informative),
            *(
                ("Parameters", text_of("{id}: {asked}", id=query.query_id, asked=query.asked))
                for query in self.queries
            ),
            *(("Regions", self._regions_of(query)) for query in self.queries if query.regions),
            *(("Constants", query.constants) for query in self.queries if query.bounding),
            *(
                ("Foretold", text_of("{id}: {sentence}", id=query.query_id, sentence=query.foretold.sentence))
                for query in self.queries
                if query.foretold is not None
            ),
            *(("Smoothed as well", query.smoothing_note) for query in self.queries if query.smoothed),
            *(("Records of a user", query.cap_note) for query in self.queries if query.cap_note),
            *(("Suppressed users", query.suppression_note) for query in self.queries if query.retained),
            ("Hexagon slots", hats),
            *(("Labels", one.text) for one in self.labels if one.text),
            *((("Overlaps", self.overlaps),) if self.overlaps else ()),
            ("Protected", protected_by(self.relation, self.unit)),
            *public,
            *(
                (("Evaluated", text_of("{evaluated} The bundle says so.", evaluated=EVALUATED)),)
                if self.evaluated
                else ()
            ),
            *(
                (name, joined(" ", (epsilon, said)))
                for (name, epsilon), said in zip(self.costs, qualified, strict=True)
            ),
            ("What it means", self.means),
            *(
                (text_of("Epsilon a day of {name}", name=name), _reported(found))
                for name, found in self.reported
            ),
            *self._outdated(),
            ("Cost", self.cost),
        )

    @property
    def _counts(self) -> str:
        return said_of_counts(published=True, speeds=self.tracks, dwell=self.dwell)

    def _left_open(self) -> tuple[str, ...]:
        value = self.labels[0].value if self.labels else self.values
        return left_open(
            dwell=self.dwell,
            rate=self.tracks,
            filters=self.filters,
            periods=self.periods,
            groups=self.groups,
            place=self.place,
            value=value,
        )

    def _outdated(self) -> tuple[tuple[str, str], ...]:
        """Why what was paid for before is paid for again."""
        if self.outdated_entry is None or self.repeats_entry is not None:
            return ()
        text = text_of(
            "ledger entry {outdated_entry} paid for this release; its speeds crossed midnight, so that unit "
            "{unit} cost more than was stated; it is not published again: new numbers are drawn and charged",
            outdated_entry=self.outdated_entry,
            unit=self.unit,
        )
        return (("Drawn again", text),)

    def _regions_of(self, query: QueryReview) -> str:
        """Why they hold other HATs than the rule selects, and cost less than the total that is written."""
        unit, total = unit_of_total(self.unit, self.relation), query.budget.amount
        cost = self.stated(query.charge, unit).charged
        if cost < total:
            return text_of(
                "{query_id}: {counted_regions_hold} {counted_hexagon_slots}, hexagons in all of their "
                "hours where the promised error is possible; they need {cost} of the {total} in all",
                query_id=query.query_id,
                counted_regions_hold=count_of(query.regions, "region holds", "regions hold"),
                counted_hexagon_slots=count_of(query.published, "hexagon slot"),
                cost=glance(cost),
                total=glance(total),
            )
        return text_of(
            "{query_id}: {counted_regions_hold} {counted_hexagon_slots}, hexagons in all of their "
            "hours where the promised error is possible",
            query_id=query.query_id,
            counted_regions_hold=count_of(query.regions, "region holds", "regions hold"),
            counted_hexagon_slots=count_of(query.published, "hexagon slot"),
        )

    @property
    def costs(self) -> tuple[tuple[str, str], ...]:
        """What it comes to, by the label of each unit."""
        return tuple((name, glance(self.stated(self.charge, unit).epsilon)) for name, unit in _COSTS)

    @property
    def mus(self) -> tuple[str, ...]:
        """What stands beside each of `costs`: mu of Gaussian noise, empty without."""
        return tuple(mu_beside(self.stated(self.charge, unit).mu) for _, unit in _COSTS)

    @property
    def means(self) -> str:
        """What it costs a vehicle, in words."""
        stated = self.stated(self.charge, Unit.VEHICLE)
        return joined(" ", loss_sentences(self.relation, stated, self.values))

    @property
    def cost(self) -> str:
        """What the release spends of the population's budget."""
        if self.repeats_entry is not None:
            return text_of(
                "nothing: the draws of ledger entry {repeats_entry} are published again",
                repeats_entry=self.repeats_entry,
            )
        pure, rho = glance(self.charge.per_vehicle), glance(self.charge.rho.per_vehicle)
        charged = glance(self.stated(self.charge, Unit.VEHICLE).charged)
        if self.charge.rho and self.charge.per_vehicle:
            return text_of(
                "{pure} epsilon and {rho} rho of every vehicle's budget: alone they are charged as an "
                "epsilon of {charged}",
                pure=pure,
                rho=rho,
                charged=charged,
            )
        if self.charge.rho:
            return text_of(
                "{rho} rho of every vehicle's budget: alone it is charged as an epsilon of {charged}",
                rho=rho,
                charged=charged,
            )
        return text_of("{per_vehicle} epsilon of every vehicle's budget", per_vehicle=pure)


def _reported(found: QueryEpsilons) -> str:
    """As TR III.E tells it, beside the tighter figure."""
    return text_of(
        "{per_hat_day} per hexagon slot and day; {per_day_bound} a day as the sum of the "
        "{counted_largest_hexagon_slots} (K_day), {per_day} over the hexagon slots that one vehicle really "
        "visits",
        per_hat_day=glance(found.per_hat_day),
        per_day_bound=glance(found.per_day_bound),
        counted_largest_hexagon_slots=count_of(found.hats_per_day, "largest hexagon slot"),
        per_day=glance(found.per_day),
    )


def vehicles_alike(relation: Relation, contributions: Contributions) -> int:
    """How many vehicles with rows may be another one of them, written otherwise; never of relation `user`."""
    if relation is Relation.USER:
        return 0
    return ids_alike(contributions.vehicles[code] for code in np.unique(contributions.vehicle).tolist())


def review_of(
    spec: ReleaseSpec,
    contributions: Contributions,
    plans: Sequence[QueryPlan],
    report: IngestReport | None,
    *,
    repeats_entry: int | None,
    outdated_entry: int | None = None,
    paid_before: bool = False,
    drawn_on: dt.date | None,
    evaluated: bool,
    delta: Decimal = Decimal(0),
    earlier: Sequence[EntrySummary] = (),
) -> Review:
    """The review of a planned release; plans: one of each query, over the same HATs; delta: as `Review`.

    report: of the records, where they were read; earlier: entries of the population.
    """
    hats, present, single = plans[0].hats, [], 0
    if spec.relation is Relation.VALUES:
        present = [hat.index for hat in hats if hat.index >= 0]
        single = int((distinct_vehicles(contributions)[present] == 1).sum())
    published = {hat.name for plan in plans for hat in plan.published}
    return Review(
        title=spec.texts.title,
        folder=spec.texts.folder,
        queries=tuple(_query_review(plan, spec.unit) for plan in plans),
        relation=spec.relation,
        unit=spec.unit,
        published=len(published),
        suppressed=len(hats) - len(published),
        hexagons=len({hat.cell for hat in hats}),
        recorded=len(present),
        single_vehicle=single,
        vehicles_alike=vehicles_alike(spec.relation, contributions),
        left_out=report.names_damaged if report else (),
        filters=spec.data.rules.filters,
        periods=spec.window.periods,
        groups=contributions.window.groups if spec.relation is Relation.VALUES else spec.window.groups,
        charge=add_charges(plan.charge for plan in plans),
        reported=_epsilons_of_report(plans, contributions, spec.unit),
        repeats_entry=repeats_entry,
        outdated_entry=outdated_entry,
        paid_before=paid_before,
        drawn_on=drawn_on,
        delta=delta,
        conversion=conversion_of_plans(plans),
        values=plans[0].query.question.statistic.quantity.plural,
        signed=signed_choices(spec, contributions.zone),
        place=spec.place,
        labels=label_reviews(spec, contributions),
        overlaps=overlaps_text(spec.zones.overlaps) if spec.zones else "",
        tracks=spec.quantity.is_speed,
        dwell=spec.data.rules.tell_dwell,
        counts=spec.texts.counts,
        narrows="" if repeats_entry is not None else narrowed(spec, earlier),
        evaluated=evaluated,
    )


def _epsilons_of_report(
    plans: Sequence[QueryPlan], contributions: Contributions, unit: Unit
) -> tuple[tuple[str, QueryEpsilons], ...]:
    """Of the statistics that a Laplace scale may be asked of: Query 1 and 2 by exact counts (method 8)."""
    found = [
        (plan.query.id, epsilons)
        for plan in plans
        if (epsilons := plan.day_epsilons(contributions, unit)) is not None
    ]
    together = [("both queries", add_query_epsilons(item for _, item in found))] if len(found) > 1 else []
    return (*found, *together)


def _query_review(plan: QueryPlan, unit: Unit) -> QueryReview:
    question = plan.query.question
    measure, quantity = question.statistic.measures[0], question.statistic.quantity
    m_ub = getattr(question.params, "m_ub", None)
    cap = m_ub if isinstance(m_ub, int) else None
    text = planned_parameters(plan)
    scale = error_scale(measure)
    return QueryReview(
        query_id=plan.query.id,
        statistic=question.statistic.title,
        mechanism=question.title if isinstance(question, MeanQuestion) else "",
        measure=measure,
        unit_of_value=unit_of_errors(measure),
        published=len(plan.published),
        suppressed=len(plan.hats) - len(plan.published),
        epsilon_least=min(item.epsilon for item in plan.plans),
        epsilon_most=max(item.epsilon for item in plan.plans),
        charge=plan.charge,
        conversion=conversion_of_plans([plan]),
        budget=plan.query.budget,
        parameters=tuple(
            (dataclasses.replace(one, unit=unit_of_parameter(one.unit, quantity)), text[one.name])
            for one in declared(type(question.params))
            if one.name in text
        ),
        errors=QueryErrors(
            typical=_scaled(seen_errors(plan), scale), at_worst=_scaled(plan.errors.at_worst, scale)
        ),
        raw=_scaled(plan.errors.typical, scale) if smoothed_errors(plan) else None,
        verdict=verdict_of(plan),
        judged=verdict_sentences(plan, counted=plan.bounding is not None and plan.bounding.by_public_counts),
        cap=cap,
        smoothed=caveat(quantity) if is_smoothed(plan) else "",
        bounding=plan.bounding,
        protected_unit=unit.value,
        regions=len(plan.regions),
        retained=(plan.retained.before, plan.retained.after) if plan.retained else None,
        foretold=foretold_rows(plan.bounded) if isinstance(plan, FromConstants) else None,
        below_cap=sum(cap is not None and (item.m_ub or cap) < cap for item in plan.plans),
    )


def _scaled(errors: ErrorSpread, scale: int) -> ErrorSpread:
    return ErrorSpread(median=scale * errors.median, largest=scale * errors.largest)


def _places_said(label: str, text: str) -> str:
    """Of what was typed, the column or file is left as it is, and the rule that chooses places is ours."""
    named, comma, rule = text.partition(", ")
    return f"{named}{comma}{of_places(rule)}" if label in ("Place", "Places") else text
