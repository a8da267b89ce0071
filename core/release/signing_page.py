"""The half page to sign, in plain words: how many numbers, what becomes public, the cost, what stays known.

Like the review it follows from public counts (relation `values`) or from constants alone (relation `user`),
never from values (method 10, 12).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.accounting.epsilon_rounding import glance, plain
from core.accounting.ledger_report import MOST_MORE, PopulationSummary
from core.advice.usefulness import Usefulness, verdict_word
from core.bundle.loss_texts import ADDS_UP_SLOWLY, charged_sentence, likelihood_sentence, mu_beside
from core.bundle.parameter_texts import periods_text
from core.bundle.protection_texts import counted_exactly, protected_by
from core.contributions.extent import usual_box_of_table
from core.counted import count_of
from core.hats.cells import area_around_km2, mean_area_km2
from core.privacy import Relation, Unit
from core.release.prepared import Prepared
from core.release.review import QueryReview, Review
from core.spec import ReleaseSpec
from core.statistics.error_figures import significant
from core.texts import Name, joined, text_of

_ONE = Decimal(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningVerdict:
    """How exact one statistic will be."""

    query_id: str
    usefulness: Usefulness
    headline: str
    """The word."""
    more: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningPage:
    """Sentences under five heads; each ends with its stop."""

    title: str
    published_by: str
    warnings: tuple[str, ...]
    seen: tuple[str, ...]
    """What readers will see; the verdicts follow."""
    verdicts: tuple[SigningVerdict, ...]
    protected: tuple[str, ...]
    left_open: tuple[str, ...]
    costs: tuple[str, ...]
    final: tuple[str, ...]
    """What cannot be undone."""


def signing_page(prepared: Prepared, population: PopulationSummary | None) -> SigningPage:
    """The page of a planned release; population: which pays, as it stands before."""
    spec, review = prepared.spec, prepared.review
    texts = spec.texts
    vehicles = None
    if spec.relation is Relation.VALUES:  # in the other one nobody may learn how many there are
        vehicles = int(np.unique(prepared.contributions.vehicle).size)
    return SigningPage(
        title=texts.title,
        published_by=text_of(
            "Published by {publisher}. Release {name}, version {version}.",
            publisher=Name(texts.publisher),
            name=Name(texts.name),
            version=texts.version,
        ),
        warnings=_warnings(review),
        seen=_seen(prepared),
        verdicts=tuple(_verdict(query, named=len(review.queries) > 1) for query in review.queries),
        protected=_protected(review, vehicles),
        left_open=_left_open(review),
        costs=_costs(spec, review, population),
        final=_final(review),
    )


def _warnings(review: Review) -> tuple[str, ...]:
    """All but those of single statistics, which their verdicts say."""
    of_queries = {query.warning for query in review.queries}
    said = (review.drawn_before, *(one for one in review.warnings if one not in of_queries), review.narrows)
    return tuple(filter(None, said))


def _seen(prepared: Prepared) -> tuple[str, ...]:
    spec, review = prepared.spec, prepared.review
    window = spec.window
    start, end = window.hours
    what = joined(" and ", (query.statistic for query in review.queries))
    sentence = text_of(
        "{what}, in {places}, {slots} from {start} to {end}, over {dates}.",
        what=what,
        places=_places(prepared),
        slots="one slot" if window.whole else window.grid.words,
        start=start,
        end=end,
        dates=periods_text(window.date_ranges),
    )
    return sentence, *_rows(review)


def _places(prepared: Prepared) -> str:
    spec = prepared.spec
    place = spec.place
    if place.hexagons:
        areas = (significant(_area_km2(prepared, one), 2) for one in place.resolutions(spec.resolution))
        return text_of("hexagons of {area} km²", area=joined(" and ", areas))
    if spec.zones_source:
        return "zones"
    if not place.place_column:
        return "the whole area"
    return text_of("one place per {column}", column=Name(place.place_column))


def _area_km2(prepared: Prepared, resolution: int) -> float:
    """Of a hexagon amid the records, as the panel says it; the mean on Earth in relation `user`."""
    table = prepared.contributions
    if prepared.spec.relation is Relation.USER or not table.hats:
        return mean_area_km2(resolution)
    return area_around_km2(usual_box_of_table(table), resolution)


def _rows(review: Review) -> tuple[str, ...]:
    """How many numbers there will be, as far as that is known before."""
    total = review.published + review.suppressed
    regions = sum(query.regions for query in review.queries)
    if regions:
        counted = count_of(regions, "region has", "regions have")
        return (text_of("{counted} numbers, each with its range.", counted=counted),)
    if review.relation is Relation.USER:
        counted = count_of(total, "hexagon slot has", "hexagon slots have")
        return (text_of("{counted} a row each, with vehicles or without.", counted=counted),)
    counted = count_of(review.published, "hexagon slot has", "hexagon slots have")
    said = text_of("{counted} numbers, each with its range.", counted=counted)
    if not review.suppressed:
        return (said,)
    empty = count_of(review.suppressed, "other stays empty", "others stay empty")
    return said, text_of("{counted}: too few vehicles.", counted=empty)


def _verdict(query: QueryReview, *, named: bool) -> SigningVerdict:
    """named: it is one of several."""
    headline = verdict_word(query.verdict.usefulness)
    if named:
        headline = text_of("{statistic}: {headline}", statistic=query.statistic, headline=headline)
    return SigningVerdict(
        query_id=query.query_id,
        usefulness=query.verdict.usefulness,
        headline=headline,
        more=query.judged,
    )


def _protected(review: Review, vehicles: int | None) -> tuple[str, ...]:
    stated = review.stated(review.charge, Unit.VEHICLE)
    what = protected_by(review.relation, review.unit)
    several = vehicles is not None and vehicles > 1
    delta = stated.delta if stated.loss.rho else Decimal(0)
    scale = text_of(
        "This is epsilon {epsilon}{mu}; at epsilon 1 it would be 2.7 times.",
        epsilon=glance(stated.epsilon),
        mu=mu_beside(stated.mu),
    )
    return (
        text_of("Each of {n} vehicles: {what}.", n=f"{vehicles:,}", what=what)
        if several
        else text_of("Each vehicle: {what}.", what=what),
        likelihood_sentence(
            review.relation, Unit.VEHICLE, stated.epsilon, delta, review.values, in_words=True
        ),
        *((scale,) if stated.epsilon.is_finite() and stated.epsilon != _ONE else ()),
    )


def _left_open(review: Review) -> tuple[str, ...]:
    if review.relation is Relation.USER:
        return (
            "Only what was typed: places, dates, hours, bounds, how many hexagon slots of a vehicle count, "
            "and the totals. None of it comes from the records.",
        )
    said = ["In which hexagon slots each vehicle was on each day, and how often it reported there."]
    if review.single_vehicle:
        counted = count_of(
            review.single_vehicle, "hexagon slot has only one", "hexagon slots have only one each"
        )
        said.append(text_of("{counted}: its presence becomes public.", counted=counted))
    if review.labels:
        columns = joined(" and ", (Name(one.column) for one in review.labels))
        said.append(text_of("Which {columns} each of its records has.", columns=columns))
    if review.counts:
        said.append(text_of("The exact numbers of {counted}.", counted=counted_exactly(dwell=review.dwell)))
    said.append("You have confirmed that this is public anyway.")
    if review.evaluated:
        said.append("True errors were viewed before; the release says so.")
    if review.tracks:
        said.append(
            "Somebody who has a vehicle's positions from elsewhere, such as a live feed, can compute its "
            "mean speed in a hexagon slot to about 1 to 3 km/h, with or without this release."
        )
    return tuple(said)


def _costs(spec: ReleaseSpec, review: Review, population: PopulationSummary | None) -> tuple[str, ...]:
    if review.repeats_entry is not None:
        return (
            text_of(
                "Nothing: the numbers of ledger entry {entry} are published again.",
                entry=review.repeats_entry,
            ),
        )
    stated = review.stated(review.charge, Unit.VEHICLE)
    cost = glance(stated.charged)
    if population is None or population.per_vehicle is None:
        return (text_of("Epsilon {cost} of the budget of each vehicle.", cost=cost),)
    more = population.more_such(review.charge)
    return (
        text_of(
            "{cost} of the budget of {limit} that each vehicle of {population} has.",
            cost=cost,
            limit=plain(population.per_vehicle),
            population=Name(spec.population),
        ),
        text_of("{spent} was spent before.", spent=glance(population.spent))
        if population.spent
        else "Nothing was spent before.",
        "No other release like it fits."
        if not more
        else text_of("More than {n} releases like it fit.", n=f"{more:,}")
        if more == MOST_MORE
        else text_of(
            "{counted} after this one.",
            counted=count_of(more, "more such release fits", "more such releases fit"),
        ),
        *((ADDS_UP_SLOWLY,) if more and review.charge.rho else ()),
        *filter(None, (charged_sentence(stated),)),
    )


def _final(review: Review) -> tuple[str, ...]:
    if review.repeats_entry is not None:
        return ("Published numbers stay known, even if the files are taken offline.",)
    cost = glance(review.stated(review.charge, Unit.VEHICLE).charged)
    return (
        text_of(
            "Published numbers stay known, and the {cost} stay spent, even if the files are taken offline.",
            cost=cost,
        ),
    )
