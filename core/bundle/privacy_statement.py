"""`privacy.json`: what neighbouring data sets are, how values are clamped, suppressed and drawn.

Source: method 14.3 (NIST SP 800-226; OpenDP deployments registry).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from statistics import median
from typing import Any

from core.accounting.epsilon_rounding import plain
from core.bundle.contradicted_promise import contradicted_promise
from core.bundle.data_files import (
    UNITS_IN_ORDER,
    composition,
    fixed,
    in_unit,
    measured_statistic,
    squares_days,
    stated_delta,
)
from core.bundle.interval_rules import INTERVAL_RULES
from core.bundle.protection_texts import left_open, protected_by, said_of_counts
from core.bundle.query_facts import ErrorFigures, QueryFacts
from core.bundle.release_result import QueryResult, Release
from core.bundle.smoothed_facts import caveat, smoothing_model
from core.bundle.stated import ComparedGrids
from core.bundle.zcdp_texts import PURE_VARIANT, RUNNING_TOTAL, ZCDP_VARIANT
from core.clean.mapping import REGULAR
from core.clean.record_filter import stated_filters
from core.codec import to_json
from core.hats.cells import RESOLUTIONS
from core.hats.groups import Group
from core.hats.slots import SLOT_MINUTES, clock, parse_clock
from core.mechanisms.registry import require_mechanism
from core.place_words import said_of
from core.privacy import Charge, Relation, Unit
from core.quantity import Quantity
from core.references import citation
from core.release_texts import ReleaseTexts
from core.signed.bundle_names import MAP_FORMAT, PORTAL_FORMAT, STATEMENT_FORMAT
from core.signed.minisign import PublicKey
from core.statistics.base import Measure
from core.statistics.registry import require_statistic
from core.subject import VEHICLE

CONFIDENCE = "0.95"
GAUSSIAN = "discrete Gaussian"
"""What the statement calls that law, alone or beside the other."""
NEIGHBOURS = {
    Relation.VALUES: "Neighbouring data sets hold the same cleaned records of all others. Of one {unit} the "
    "values differ, anywhere within the bounds, and so may its positions and instants where no public number "
    "of records or visits changes.",
    Relation.USER: "Neighbouring data sets differ in all records of one {unit}: present or absent.",
}
SUPPRESSED_ROWS = {
    Relation.VALUES: "rows below the minimum number of vehicles, or without records, are suppressed",
    Relation.USER: "every candidate has a row, suppressed where its noisy number is below the threshold",
}
PREPROCESSING = (
    "unusable and physically impossible records are dropped, record by record",
    "values are converted to km/h and clamped to the bounds",
    "of several records of one vehicle at one instant one is kept",
)
"""Of speeds; other values are in one unit throughout."""
_CONVERTED = "values are clamped to the bounds"


def privacy_statement(
    release: Release, texts: ReleaseTexts, key: PublicKey, published_on: dt.date
) -> dict[str, Any]:
    """The content of privacy.json. Epsilons are decimal texts, exact; bounds are in the value's unit."""
    subject, identity = release.quantity.subject, _identity(release, texts, published_on)
    named = {} if subject == VEHICLE else {"subject": {"name": subject.name, "plural": subject.plural}}
    typed = {"filter": stated_filters(release.filters)} if release.filters else {}
    said: dict[str, Any] = subject.document(
        _protection(release)
        | {
            "queries": [_query_facts(release, query) for query in release.queries],
            "bounds": _bounds(release),
            "period": _period(release),
            "grid": _grid(release),
            "selection": {
                "rule": release.selection_rule,
                "threshold": release.selection_threshold,
                "minimum_vehicles": release.minimum_vehicles or None,
            },
        }
        | _method(release)
        | {
            "accuracy": [accuracy(release, query) for query in release.queries],
            "confidence_level": CONFIDENCE,
            "software": dict(sorted(release.versions.items())),
            "signature": {"key_id": key.key_id, "fingerprint": key.fingerprint},
        }
    )
    said["grid"] = _grid(release)  # its names are typed, and are as the rows have them
    return identity | named | said | typed


def _grid(release: Release) -> dict[str, Any]:
    """What places and slots are."""
    place = release.place
    column = {"place_column": place.place_column} if place.place_column else {}
    column |= {"zones_sha256": place.zones_sha256} if place.zones_sha256 else {}
    grid: dict[str, Any] = {"place": place.place_kind, **column}
    if place.hexagons:
        grid = {"h3_resolution": release.resolution}
        grid |= {"coarser_h3_resolutions": list(place.mixed[:-1])} if place.mixed else {}
    if not release.periods:
        grid["slot_minutes"] = release.slot_minutes
    else:
        grid["periods"] = [
            {"name": one.name, "start": clock(one.start), "end": clock(one.end)} for one in release.periods
        ]
    groups = [_group(release, group) for group in release.groups]
    grid |= {"hats_listed": True} if release.hats_listed else {}
    return grid | ({"groups": groups} if groups else {})


def _group(release: Release, group: Group) -> dict[str, Any]:
    stated: dict[str, Any] = {"name": group.name, "labels": list(group.labels)}
    if not group.by_day:
        return stated
    dates = release.window.dates
    of_kind = {label: [str(date) for date in dates if group.kind_of(date) == label] for label in group.labels}
    return stated | {"dates": of_kind}


def post_processing(release: Release) -> tuple[str, ...]:
    """What is done to noisy numbers, each as a part of a sentence."""
    said = (
        "values and intervals are cut to what is possible and rounded to the decimals of their column",
        INTERVAL_RULES[release.interval_rule],
        SUPPRESSED_ROWS[release.relation],
        *(
            f"the smoothed numbers of {query.query_id} are {caveat(release.quantity)}"
            for query in release.queries
            if query.smoothing
        ),
    )
    return said_of(said, hexagons=release.place.hexagons)


def unprotected(release: Release) -> tuple[str, ...]:
    """What the relation leaves open (method 5); draws older than `pings` say nothing of it."""
    if release.relation is Relation.USER:
        return ()
    speeds = release.quantity.is_speed
    dwell = speeds and release.pings == REGULAR
    return left_open(
        dwell=dwell,
        rate=speeds and release.pings is not None,
        filters=release.filters,
        periods=release.periods,
        place=release.place,
        value=release.quantity.title.lower(),
        groups=release.groups,
        counts=said_of_counts(published=release.counts is not None, speeds=speeds, dwell=dwell),
    )


def grids_compared(release: Release) -> ComparedGrids:
    """All by which a grid may be chosen from public counts (method 5.1): nobody notes which were looked at.

    Resolution 10 with them: the adviser stops at 9, the resolution table does not.
    """
    start, end = (parse_clock(text, where="hours") for text in release.hours)
    return ComparedGrids(
        h3_resolutions=tuple(RESOLUTIONS), slot_minutes=tuple(sorted({*SLOT_MINUTES, end - start}))
    )


def preprocessing(quantity: Quantity) -> tuple[str, ...]:
    """What is done to records before anything is counted."""
    first, second, third = PREPROCESSING
    return first, second if quantity.is_speed else _CONVERTED, third


def charges(release: Release, charge: Charge, conversion: str) -> dict[str, Any]:
    """Unit -> epsilon as exact decimal text, and what an attacker finds; with rho in the release also the
    parts that it is made of, and in the charge by which formula.
    """
    stated = {unit: release.stated(charge, unit, conversion) for unit in UNITS_IN_ORDER}
    claim: dict[str, Any] = {
        "charges": _by_unit({unit: one.epsilon for unit, one in stated.items()}),
        "charges_power_at_1_percent": _by_unit({unit: one.power for unit, one in stated.items()}),
    }
    if release.charge.rho:
        claim["charges_pure"] = _by_unit({unit: charge.of(unit) for unit in UNITS_IN_ORDER})
        claim["charges_rho"] = _by_unit({unit: charge.rho.of(unit) for unit in UNITS_IN_ORDER})
    if charge.rho:
        claim["conversion"] = conversion
        mus = {unit: one.mu for unit, one in stated.items() if one.mu is not None}
        claim |= {"charges_mu": _by_unit(mus)} if mus else {}
    return claim


def _by_unit(amounts: Mapping[Unit, Decimal]) -> dict[str, str]:
    return {unit.value: plain(amount) for unit, amount in amounts.items()}


def _headline(release: Release) -> dict[str, str]:
    """The charge of a vehicle, with all that is said of it."""
    stated = release.stated(release.charge, Unit.VEHICLE)
    claim = {
        "epsilon": plain(stated.epsilon),
        "delta": plain(stated_delta(release)),
        "power_at_1_percent": plain(stated.power),
        "unit": Unit.VEHICLE.value,
        "relation": release.relation.value,
    }
    if release.charge.rho:
        claim |= {"rho": plain(stated.loss.rho), "conversion": stated.conversion}
    return claim if stated.mu is None else claim | {"mu": plain(stated.mu)}


def _cumulative(release: Release) -> dict[str, Any]:
    """All releases so far; where any of them had Gaussian noise also delta, and the parts of epsilon."""
    stated = {"cumulative": {unit.value: plain(release.cumulative[unit]) for unit in UNITS_IN_ORDER}}
    if not release.delta:
        return stated
    parts = release.cumulative_parts
    return stated | {
        "cumulative_delta": plain(release.delta),
        **({"delta_before": plain(release.delta_before)} if release.delta_before else {}),
        "cumulative_pure": {unit.value: plain(parts[unit].pure) for unit in UNITS_IN_ORDER},
        "cumulative_rho": {unit.value: plain(parts[unit].rho) for unit in UNITS_IN_ORDER},
        "cumulative_conversion": RUNNING_TOTAL,
    }


def noise_of(query: QueryResult) -> str:
    """The laws of a query's noise."""
    gaussian = [GAUSSIAN] if query.charge.rho else []
    laplace = ["discrete Laplace"] if query.charge.per_vehicle or not gaussian else []
    return " and ".join(laplace + gaussian)


def source_of(query: QueryResult) -> str:
    """What the query's method is after: title, year, DOI or the like, and the place in it.

    From the registries as they are when the bundle is written: draws may have been stored by a program
    that cited otherwise.
    """
    statistic = require_statistic(query.statistic)
    if query.mechanism != statistic.method:
        return citation(require_mechanism(query.mechanism).reference)
    return citation(statistic.bounded_reference if query.bounding else statistic.reference)


def accuracy(release: Release, query: QueryResult) -> dict[str, Any]:
    """Widths of the published intervals, and what the numbers may miss; from no true value.

    Typical error and error at worst are those of the plan, from public counts; where the released weights
    contradict these, the typical error is that of the released numbers.
    """
    published = sum(row.first is not None for row in query.rows)
    promise = contradicted_promise(query, release)
    found = None if promise is None else promise.typical_error
    return {
        "query_id": query.query_id,
        "hats_published": published,
        "hats_suppressed": len(query.rows) - published,
        "measures": [
            _measure(query, measure, found) for measure in measured_statistic(release, query).measures
        ],
    }


def _measure(query: QueryResult, measure: Measure, found: ErrorFigures | None) -> dict[str, Any]:
    items = [item for row in query.rows for item in row.estimates if item.measure == measure.name]
    biases = sorted(item.bias_bound for item in items if item.bias_bound is not None)
    planned = query.facts.measure(measure.name) if query.facts else None
    return {
        "measure": measure.name,
        "unit": measure.unit,
        "interval_width": _spread(interval_widths(query, measure), measure),
        "bias_bound": _spread(biases, measure),
        "typical_error": to_json(found or planned.typical_error) if planned else None,
        "error_at_worst": to_json(planned.error_at_worst) if planned else None,
    }


def interval_widths(query: QueryResult, measure: Measure) -> list[int]:
    """Widths of a measure's intervals, narrowest first, in its last decimal."""
    return sorted(
        item.high - item.low for row in query.rows for item in row.estimates if item.measure == measure.name
    )


def _spread(ordered: Sequence[int], measure: Measure) -> dict[str, str] | None:
    if not ordered:
        return None
    return {
        "smallest": fixed(ordered[0], measure.decimals),
        "median": fixed(round(median(ordered)), measure.decimals),
        "largest": fixed(ordered[-1], measure.decimals),
    }


def _bounds(release: Release) -> dict[str, str]:
    """What values are clamped to; of another quantity than speed also what columns call it."""
    (lower, upper), quantity = release.bounds, release.quantity
    names = {} if quantity.is_speed else {"name": quantity.name, "column_unit": quantity.column_unit}
    return names | {"lower": in_unit(lower), "upper": in_unit(upper), "unit": quantity.unit}


def _identity(release: Release, texts: ReleaseTexts, published_on: dt.date) -> dict[str, Any]:
    return {
        "format": STATEMENT_FORMAT,
        "map_files": MAP_FORMAT,
        "portal_files": PORTAL_FORMAT,
        "name": texts.name,
        "version": texts.version,
        **({"practice": True} if texts.practice else {}),
        **({"counts": True} if release.counts is not None else {}),
        "title": texts.title,
        "data_curators": [texts.publisher],
        "contact": texts.contact,
        "licence": texts.licence,
        "publication_date": published_on.isoformat(),
        "data_product_type": "summary statistics",
        "data_product_sector": "transport",
        "intended_use": f"Typical {release.quantity.plural} by place and time of day. "
        f"Not for statements about single {release.quantity.subject.plural}.",
        **_said_besides(texts),
    }


def _said_besides(texts: ReleaseTexts) -> dict[str, Any]:
    """What the publisher adds, as far as it does."""
    said = {"series": texts.series, "registry": texts.registry, "handling": texts.handling}
    languages = {"languages": list(texts.languages)} if texts.beside_english else {}
    return languages | {name: to_json(one) for name, one in said.items() if one is not None}


def _protection(release: Release) -> dict[str, Any]:
    return {
        "dp_variant": ZCDP_VARIANT if release.charge.rho else PURE_VARIANT,
        "privacy_unit": release.unit.value,
        "relation": release.relation.value,
        "privacy_unit_details": {
            "protected": said_of(
                protected_by(release.relation, release.unit), hexagons=release.place.hexagons
            ),
            "neighbours": NEIGHBOURS[release.relation].format(unit=release.unit.value),
        },
        "headline": _headline(release),
        **charges(release, release.charge, release.conversion),
        **_cumulative(release),
        "limits": {unit.value: _optional(release.limits.get(unit)) for unit in UNITS_IN_ORDER},
        "reserved_on": release.reserved_on.isoformat(),
        "unprotected_quantities": list(unprotected(release)),
        **(
            {"grids_compared": to_json(grids_compared(release))}
            if release.relation is Relation.VALUES
            else {}
        ),
        "parameters_chosen_after_confidential_evaluation": release.evaluated,
    }


def _optional(amount: Decimal | None) -> str | None:
    return None if amount is None else plain(amount)


def _query_facts(release: Release, query: QueryResult) -> dict[str, Any]:
    promise = contradicted_promise(query, release)
    return (
        {
            "query_id": query.query_id,
            "statistic": query.statistic,
            "mechanism": query.mechanism,
            "mechanism_reference": source_of(query),
            "noise": noise_of(query),
            **charges(release, query.charge, query.conversion),
            "delta": plain(stated_delta(release)),
            "sensitivity": plain(query.sensitivity),
            "noise_scale": plain(query.noise_scale),
            "unit_of_value": measured_statistic(release, query).measures[0].unit,
            "contribution_cap": query.contribution_cap,
            "budget_division": query.division,
            "interval_covers": query.interval_covers,
            "made_by": _made_by(query.facts) if query.facts else None,
        }
        | _smoothing(release, query)
        | ({"regions": to_json(query.regions)} if query.regions else {})
        | ({"bounding": to_json(query.bounding)} if query.bounding else {})
        | ({"counts_contradicted": plain(promise.factor)} if promise else {})
    )


def _smoothing(release: Release, query: QueryResult) -> dict[str, Any]:
    """Nothing where no number is smoothed."""
    if query.smoothing is None:
        return {}
    of_shares = bool(query.smoothing.spreads_of_ranges)
    model = smoothing_model(release.upper_bound, release.quantity, of_shares=of_shares)
    says = str(said_of(caveat(release.quantity), hexagons=release.place.hexagons))
    said = {"says": says, "model": model}
    return {"smoothing": said | to_json(query.smoothing)}


def _made_by(facts: QueryFacts) -> dict[str, Any]:
    """All that is stored, but for what stands elsewhere: errors with the accuracy."""
    stated: dict[str, Any] = to_json(facts)
    del stated["interval_covers"]
    for measure in stated["measures"]:
        del measure["typical_error"], measure["error_at_worst"]
    return stated


def _period(release: Release) -> dict[str, Any]:
    return {
        "date_ranges": [[first.isoformat(), last.isoformat()] for first, last in release.date_ranges],
        "days": release.days,
        "hours": list(release.hours),
        "zone": release.zone,
    }


def _method(release: Release) -> dict[str, Any]:
    return {
        "deployment_model": "Central",
        "release_type": "One release; further releases of the same vehicles add to the cumulative epsilon",
        "composition": {
            unit.value: composition(
                unit, release.unit, release.relation, squared=squares_days(release.queries)
            )
            for unit in UNITS_IN_ORDER
        },
        "preprocessing": list(preprocessing(release.quantity)),
        "post_processing": list(post_processing(release)),
        "interval_rule": release.interval_rule,
        **({"pings": release.pings} if release.relation is Relation.VALUES else {}),
        **({"vehicle_fold": True} if release.vehicle_fold else {}),
        **({"filter": stated_filters(release.filters)} if release.filters else {}),
        **({"vehicles_alike": release.vehicles_alike} if release.vehicles_alike else {}),
        "missing_value_handling": "a suppressed row has empty values and its reason in `status`",
        "noise_source": "OpenDP, exact integer arithmetic, randomness of the operating system, no seed",
    }
