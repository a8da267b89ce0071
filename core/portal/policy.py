"""An epsilon policy in sentences: what releases may show, what is refused, public, tested (method 14.10).

Made of a ledger's population, or of what `privacy.json` states; in plain words, for people who are no
experts.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

from core.accounting.epsilon_rounding import glance, plain, plain_decimal
from core.accounting.ledger_report import PopulationSummary
from core.accounting.privacy_loss import UNBOUNDED
from core.bundle.loss_texts import attacker_sentence, likelihood_sentence
from core.bundle.protection_texts import EVALUATED, PRACTICE, TRACKS, left_open, protected_by, said_of_counts
from core.bundle.public_tables import PublicTable
from core.bundle.stated_quantity import stated_subject
from core.codec import ShapeError, from_json
from core.hats.places import HEXAGON
from core.portal.plain_pages import PlainSection
from core.portal.served_worse import served_worse
from core.privacy import Relation, Unit
from core.release_texts import Handling
from core.signed.bundle_names import EXACT_PAGES, MAP_FORMAT, PRIVACY, map_format_since
from core.signed.findings import Finding
from core.subject import VEHICLE, Subject
from core.texts import Name, text_of

FIRST_POLICY, SECOND_POLICY, THIRD_POLICY = "hexveil-policy-1", "hexveil-policy-2", "hexveil-policy-3"
POLICY_FORMAT = "hexveil-policy-4"
"""Of pages in bundles: `verify` makes them anew, so that a word that changes is another format."""
_OPEN = {
    str(fact): fact
    for dwell, speeds in product((True, False), repeat=2)
    for fact in left_open(dwell=dwell, counts=said_of_counts(published=True, speeds=speeds, dwell=dwell))
}
"""With their templates, so that they can be said in another language."""
_NO_DELTA = "0"
_NO_LIMIT = {True: "no limit of its own", False: "no limit"}
_EVALUATED = {
    True: "Before this release, errors on true values of its vehicles were looked at in confidence; what "
    "that told the publisher when choosing the parameters is not covered by epsilon.",
    False: EVALUATED,
}
"""Whether of pages of an older form, which stay as they are; `_NO_LIMIT` too."""
_LIMITED = {
    Unit.VEHICLE: "vehicle",
    Unit.VEHICLE_DAY: "vehicle and day",
    Unit.VEHICLE_HAT_DAY: "vehicle, hexagon, timeslot and day",
}
_LIMITED_BY_PLACE = _LIMITED | {Unit.VEHICLE_HAT_DAY: "vehicle, place, timeslot and day"}
_FIRST_PROMISE = {
    Relation.VALUES: "Whatever values one {unit} had reported in place of its own, within the bounds, the "
    "published numbers would be as likely, up to that factor.",
    Relation.USER: "With or without one {unit}, the published numbers would be as likely, up to that factor.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLimit:
    """What may be spent on one unit; amounts are decimal texts of epsilon."""

    unit: Unit
    limit: str | None
    """None: no such limit."""
    spent: str | None
    """By all releases so far; None where that has no bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpsilonPolicy:
    """All that a policy says. Texts may be anybody's, and hold markup."""

    format: str = POLICY_FORMAT
    source: str
    """What it was made of: the name of a release, or of a population."""
    of_release: bool
    publisher: str
    """Empty where nobody has said."""
    contact: str
    relation: Relation | None
    """None before the first release."""
    unit: Unit | None
    limits: tuple[UnitLimit, ...]
    delta: str
    zone: str
    """IANA name; empty before the first release."""
    shared: bool
    """Other populations have the same vehicles, and all figures are of all of them."""
    evaluated: bool
    practice: bool
    protected: str
    """In words; empty before the first release."""
    unprotected: tuple[str, ...]
    """What relation `values` leaves open."""
    tracks: bool
    """What known tracks of vehicles give away is said."""
    as_of: str
    """ISO date."""
    subject: Subject = VEHICLE
    hexagons: bool = True
    """Whether the places of the release are."""
    handling: Handling | None = None
    """What its publisher says of the raw records; None where pages of this format do not."""
    power: Decimal | None = None
    """What the best attacker finds at one false alarm in a hundred."""
    served: tuple[str, ...] = ()
    """Which places are served worse, in sentences."""
    typed: tuple[str, ...] = ()
    """Names of periods, columns and labels, which stay as they were typed."""

    @property
    def older(self) -> bool:
        """Whether its words are those of an older form."""
        return self.format != POLICY_FORMAT


def policy_of_population(
    population: PopulationSummary, today: dt.date, *, publisher: str = "", contact: str = ""
) -> EpsilonPolicy:
    """The policy of a population as its ledger stands."""
    units = [entry.unit for entry in population.entries]
    limits = (
        (Unit.VEHICLE, population.per_vehicle, population.spent),
        (Unit.VEHICLE_DAY, population.per_vehicle_day, population.spent_per_day),
    )
    return EpsilonPolicy(
        source=population.name,
        of_release=False,
        publisher=publisher,
        contact=contact,
        relation=population.relation,
        unit=units[-1] if units else None,
        limits=tuple(
            UnitLimit(
                unit=unit,
                limit=None if limit is None else plain(limit),
                spent=None if spent == UNBOUNDED else glance(spent),
            )
            for unit, limit, spent in limits
        ),
        delta=plain(population.shared_delta),
        zone=population.zone,
        shared=bool(population.linked),
        evaluated=population.evaluated_on is not None,
        practice=False,
        protected=protected_by(population.relation, units[-1]) if population.relation and units else "",
        unprotected=left_open(dwell=True),
        tracks=population.relation is not Relation.USER,
        as_of=today.isoformat(),
    )


def policy_of_statement(document: Mapping[str, Any], tables: Sequence[PublicTable] = ()) -> EpsilonPolicy:
    """The policy that a release was made under, of its privacy.json and tables.

    Raises Finding for another document.
    """
    try:
        spent, limits = document["cumulative"], document["limits"]
        first, third = document["format"] in EXACT_PAGES, "portal_files" in document
        newest = map_format_since(str(document.get("map_files")), MAP_FORMAT)
        return EpsilonPolicy(
            format=FIRST_POLICY
            if first
            else POLICY_FORMAT
            if newest
            else THIRD_POLICY
            if third
            else SECOND_POLICY,
            source=f"{document['name']}-{document['version']}",
            of_release=True,
            publisher=str(document["data_curators"][0]),
            contact=str(document["contact"]),
            relation=Relation(document["relation"]),
            unit=Unit(document["privacy_unit"]),
            limits=tuple(
                UnitLimit(
                    unit=unit,
                    limit=None if limits[unit.value] is None else str(limits[unit.value]),
                    spent=str(spent[unit.value]) if first else glance(plain_decimal(spent[unit.value])),
                )
                for unit in (Unit.VEHICLE, Unit.VEHICLE_DAY, Unit.VEHICLE_HAT_DAY)
            ),
            delta=str(document.get("cumulative_delta", _NO_DELTA)),
            zone=str(document["period"]["zone"]),
            shared=False,
            evaluated=document["parameters_chosen_after_confidential_evaluation"] is True,
            practice=document.get("practice") is True,
            protected=str(document["privacy_unit_details"]["protected"]),
            unprotected=tuple(_OPEN.get(fact, fact) for fact in map(str, document["unprotected_quantities"])),
            tracks=document["relation"] == Relation.VALUES
            and "grids_compared" in document
            and "name" not in document["bounds"],
            as_of=str(document["reserved_on"]),
            subject=stated_subject(document, PRIVACY),
            hexagons=document["grid"].get("place", HEXAGON) == HEXAGON,
            typed=tuple(_texts([document["grid"], document.get("filter")])),
            handling=from_json(Handling, document.get("handling", {})) if third else None,
            power=Decimal(document["headline"]["power_at_1_percent"]) if third else None,
            served=served_worse(tables) if third else (),
        )
    except (ArithmeticError, AttributeError, IndexError, KeyError, ShapeError, TypeError, ValueError):
        raise Finding("{privacy} does not state what a policy needs") from None


def _texts(value: Any) -> Iterator[str]:
    """Every text of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(one)


def policy_sections(policy: EpsilonPolicy) -> tuple[PlainSection, ...]:
    """The page, part by part; each sentence is a whole text, so that it can be said in another language."""
    return (
        PlainSection(heading="What this page says", sentences=_about(policy)),
        PlainSection(
            heading="What epsilon is",
            sentences=(
                "Every published number carries noise that was added on purpose. Epsilon says how much all "
                "published numbers together can tell about one vehicle, of what is protected: the smaller it "
                "is, the less they tell.",
                "Of two things that a vehicle may have reported, neither becomes more likely against the "
                "other by a factor above e to the power of epsilon (2.7 for an epsilon of 1), whatever else "
                "an observer knows. The epsilons of several releases of the same vehicles add up.",
            ),
        ),
        PlainSection(heading="What is protected", sentences=_protected(policy)),
        _limits(policy),
        _open(policy),
        *([PlainSection(heading="Where tracks are known", sentences=(TRACKS,))] if policy.tracks else []),
        *(_for_officers(policy, policy.handling) if policy.handling else ()),
        PlainSection(heading="How to ask questions", sentences=_questions(policy)),
    )


def _about(policy: EpsilonPolicy) -> tuple[str, ...]:
    sentences = [PRACTICE] if policy.practice else []
    if policy.publisher:
        sentences.append(text_of("Publisher: {publisher}.", publisher=policy.publisher))
    sentences.append(
        text_of("This is the policy that the release {source} was made under.", source=policy.source)
        if policy.of_release
        else text_of("This is the policy for releases of the population {source}.", source=policy.source)
    )
    return (*sentences, text_of("Its figures are those of {as_of}.", as_of=policy.as_of))


def _protected(policy: EpsilonPolicy) -> tuple[str, ...]:
    if policy.relation is None or policy.unit is None:
        return ("Nothing was released yet: the first release decides what is protected, and says so.",)
    return (
        text_of(
            "Protected unit: {value}, that is {relation}.",
            value=policy.unit.value,
            relation=policy.protected,
        ),
        text_of("Relation: {value}.", value=policy.relation.value),
        _promise(policy, policy.relation, policy.unit),
    )


def _promise(policy: EpsilonPolicy, relation: Relation, unit: Unit) -> str:
    """What all releases so far, by now, can do to one vehicle."""
    if policy.format == FIRST_POLICY:
        return _FIRST_PROMISE[relation].format(unit=unit.value)
    spent = next((one.spent for one in policy.limits if one.unit is Unit.VEHICLE), None)
    if spent is None:
        return "What all releases so far may show of one vehicle has no bound."
    values = "speeds" if policy.of_release and policy.tracks else "values"
    return likelihood_sentence(
        relation,
        Unit.VEHICLE,
        Decimal(spent),
        Decimal(policy.delta),
        values,
        as_figure=policy.older,
        in_words=not policy.older,
    )


def _limits(policy: EpsilonPolicy) -> PlainSection:
    sentences = [
        "A release that would exceed a limit is refused before any noise is drawn. What was spent stays "
        "spent, also where a release is withdrawn."
    ]
    if policy.shared:
        sentences.append("Other populations have the same vehicles: the figures are of all of them together.")
    if policy.delta != _NO_DELTA:
        sentences.append(
            text_of(
                "Each epsilon holds but for a probability of at most {delta} (delta), because some of the "
                "noise is Gaussian.",
                delta=policy.delta,
            )
        )
    return PlainSection(
        heading="How much may be spent",
        sentences=tuple(sentences),
        header=("For each", "Limit (epsilon)", "Spent so far", "Horizon"),
        rows=tuple(
            (
                (_LIMITED if policy.hexagons else _LIMITED_BY_PLACE)[one.unit],
                _NO_LIMIT[policy.older] if one.limit is None else one.limit,
                "without bound" if one.spent is None else one.spent,
                _horizon(one.unit, policy.zone),
            )
            for one in policy.limits
        ),
    )


def _horizon(unit: Unit, zone: str) -> str:
    if unit is Unit.VEHICLE:
        return "all releases, for all time; nothing expires"
    return text_of("each date, in the time zone {zone}", zone=zone) if zone else "each date"


def _open(policy: EpsilonPolicy) -> PlainSection:
    evaluated = (_EVALUATED[policy.older],) if policy.evaluated else ()
    if policy.relation is Relation.VALUES:
        sentences: tuple[str, ...] = ("Public, and protected by no noise:",)
        return PlainSection(
            heading="What is not protected",
            sentences=(*evaluated, *sentences),
            items=policy.unprotected,
        )
    return PlainSection(
        heading="What is not protected",
        sentences=(
            *evaluated,
            "The constants of a release, such as its hexagons, dates and bounds, are public; none of them "
            "may come from the records."
            if policy.hexagons
            else "The constants of a release, such as its places, dates and bounds, are public; none of them "
            "may come from the records.",
            "What is true of all vehicles together, and follows about one from the others, is not hidden.",
        ),
    )


def _for_officers(policy: EpsilonPolicy, handling: Handling) -> Iterator[PlainSection]:
    """What a privacy officer asks for besides; typed texts stay as they are."""
    review = handling.review_date.isoformat() if handling.review_date else ""
    said = {
        "Who sees them": handling.who_sees_records,
        "How long they stay": handling.kept_until,
        "When this policy is looked at again": review,
    }
    yield PlainSection(
        heading="How raw records are handled",
        header=("Raw records", "What the publisher says"),
        rows=tuple((name, Name(text) if text else "not said") for name, text in said.items()),
    )
    tried = handling.intruder_test
    yield PlainSection(
        heading="What an intruder could find",
        sentences=(
            "A motivated intruder is somebody without special access who tries to find one vehicle in the "
            "published numbers, with all that is public or known to a neighbour.",
            *(
                (attacker_sentence(policy.power, in_words=not policy.older),)
                if policy.power is not None
                else ()
            ),
            "What was tried, and what came of it:" if tried else "The publisher names no such test.",
            *((Name(tried),) if tried else ()),
        ),
    )
    if policy.served:
        yield PlainSection(heading="Which places are served worse", sentences=policy.served)


def _questions(policy: EpsilonPolicy) -> tuple[str, ...]:
    sentences = [
        text_of("Ask {contact}.", contact=policy.contact) if policy.contact else "Ask the publisher."
    ]
    sentences.append(
        text_of(
            "How its numbers were made is in {privacy} beside this page, and README.md says how to verify "
            "both.",
            privacy=PRIVACY,
        )
        if policy.of_release
        else text_of(
            "How the numbers of each release were made is in its {privacy}, and its README.md says how to "
            "verify it.",
            privacy=PRIVACY,
        )
    )
    return tuple(sentences)
