"""`report.html`: the release on one self-contained page, its tables up to 2,000 rows (method 14)."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from core.accounting.epsilon_rounding import glance, plain
from core.bundle.csv_columns import tables_for
from core.bundle.data_files import (
    UNITS_IN_ORDER,
    composition,
    fixed,
    label_text,
    measured_statistic,
    squares_days,
)
from core.bundle.licences import attribution, find_licence
from core.bundle.loss_texts import mu_beside
from core.bundle.privacy_statement import (
    NEIGHBOURS,
    accuracy,
    interval_widths,
    noise_of,
    post_processing,
    source_of,
    unprotected,
)
from core.bundle.protection_texts import EVALUATED, PRACTICE, TRACKS, protected_by
from core.bundle.public_words import public_words
from core.bundle.query_sentence import errors_known_from, query_sentence, smoothed_errors_sentence
from core.bundle.release_result import HatRow, QueryResult, Release
from core.bundle.smoothed_facts import caveat
from core.bundle.zcdp_texts import EXPLAINED, MU_EXPLAINED
from core.fixed_point import THOUSAND
from core.hats.places import HEXAGON, LABELLED, WHOLE, ZONED
from core.place_words import said_of, said_to_people
from core.portal.embedded_json import embedded_json
from core.portal.schema_org import LINKED_DATA, SCHEMA_ORG_ID
from core.portal.shown_numbers import shown_number, shown_unit
from core.portal.slot_pictures import SlotPictures
from core.portal.value_classes import WIDTH_EDGES, scaled_edges
from core.privacy import Unit
from core.release_texts import ReleaseTexts
from core.selection.registry import require_rule
from core.signed.minisign import PublicKey
from core.statistics.base import UPPER_BOUND, Estimate, Label, Measure
from core.system.paths import resources
from core.system.regular_files import read_regular
from core.texts import Name

MOST_ROWS = 2000
"""Rows of a table that report.html shows; a longer one belongs in the CSV file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthClass:
    """How many published rows have an interval of that width."""

    label: str
    rows: int
    share: float
    """Percent of the published rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """One row of the table. Positions are percent of the measure's range."""

    cell: str
    slot: str
    label: str = ""
    informative: bool = True
    value: str = ""
    """Empty where the HAT is suppressed."""
    interval: str = ""
    bias: str = ""
    epsilon: str = ""
    smoothed: str = ""
    """Empty where there is no such number."""
    smoothed_interval: str = ""
    left: float = 0.0
    width: float = 0.0
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryReport:
    """One query as the page shows it: facts, accuracy, rows of its first measure."""

    result: QueryResult
    title: str
    source: str
    """What its method is after, as a citation."""
    sentence: str
    """What made it, as the README has it."""
    covers: str
    """What its intervals cover."""
    path: str
    measure: Measure
    label: Label | None
    unit: str
    """That numbers of the measure are read in; empty where they have none."""
    range_start: str
    range_end: str
    """Ends of the bars, in the measure's unit."""
    epsilon: str
    """Of the query for one vehicle."""
    mu: str
    """What stands behind its epsilon and delta; empty without Gaussian noise."""
    rho: str
    """The rho in it; empty where there is none."""
    noise: str
    """The law of its noise."""
    sensitivity: str
    noise_scale: str
    accuracy: dict[str, Any]
    widths: list[WidthClass]
    smoothed: str
    """Column of the smoothed numbers; empty where there are none."""
    smoothed_errors: str
    """What they miss by public counts."""
    rows: list[ReportRow]
    rows_left_out: int


def report(
    release: Release,
    texts: ReleaseTexts,
    key: PublicKey,
    published_on: dt.date,
    *,
    linked_data: Mapping[str, Any],
    pictures: Mapping[str, SlotPictures],
) -> bytes:
    """The content of report.html; every free text is escaped by the template.

    linked_data: the record for search engines; pictures: of the timeslots, by statistic.
    """
    block = Markup(
        embedded_json(SCHEMA_ORG_ID, linked_data, kind=LINKED_DATA)
    )  # escapes what markup is made of
    words = public_words(release, texts)
    loss = (*words.protects, *release.loss_sentences[2:])
    facts = _facts(release, texts, key, published_on) | {"words": words, "loss": loss}
    return _page(release.place.hexagons).render(facts, linked_data=block, pictures=pictures).encode("utf-8")


@cache
def _page(hexagons: bool) -> Template:
    """Compiled once: that takes longer than all else in a bundle of few rows."""
    folder = resources() / "templates"
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_said,
    )
    source = read_regular(folder / "report.html.j2").decode()
    return environment.from_string(said_of(source, hexagons=hexagons))


@pass_context
def _said(facts: Context, value: Any) -> Any:
    """What the page shows, of whom the release protects; free text and what is HTML stay."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return facts["subject"].says(value, facts["texts"].typed)


def _facts(release: Release, texts: ReleaseTexts, key: PublicKey, published_on: dt.date) -> dict[str, Any]:
    headline, hexagons = release.stated(release.charge, Unit.VEHICLE), release.place.hexagons
    ours: dict[str, Any] = {
        "protected": protected_by(release.relation, release.unit),
        "charges": [_charge(release, unit) for unit in UNITS_IN_ORDER],
        "tracks": TRACKS if release.quantity.is_speed else "",
        "unit": release.unit.value,
        "per_unit": f"per {release.unit.value}",
        "neighbours": NEIGHBOURS[release.relation].format(unit=release.unit.value),
        "rule": require_rule(release.selection_rule).title,
        "known_from": errors_known_from(release),
        "caveat": caveat(release.quantity),
    }
    return said_to_people(ours, hexagons=hexagons) | {
        "texts": texts,
        "subject": release.quantity.subject,
        "licence": find_licence(texts.licence),
        "attribution": attribution(texts, published_on.year),
        "published_on": published_on.isoformat(),
        "release": release,
        "places": _names(release),
        "grid": _GRIDS[release.place.place_kind].format(column=release.place.place_column),
        "relation": release.relation.value,
        "headline": glance(headline.epsilon),
        "delta": plain(release.delta) if release.charge.rho else "",
        "explained": EXPLAINED if headline.mu is None else f"{EXPLAINED} {MU_EXPLAINED}",
        "mu": "" if headline.mu is None else glance(headline.mu),
        "delta_of_all": plain(release.delta) if release.delta else "",
        "unprotected": unprotected(release),
        "practice": PRACTICE,
        "evaluated": EVALUATED if release.evaluated else "",
        "periods": [
            str(first) if first == last else f"{first} – {last}" for first, last in release.date_ranges
        ],
        "bounds": [plain(Decimal(bound) / THOUSAND) for bound in release.bounds],
        "quantity": release.quantity,
        "queries": [query_report(release, query) for query in release.queries],
        "post_processing": post_processing(release),
        "key": key,
    }


_GRIDS = {HEXAGON: "", ZONED: "zones of a layer", LABELLED: "by {column}", WHOLE: "the whole area"}


def _names(release: Release) -> dict[str, Name]:
    """What stands beside the id of a place: of zones the name, where it is another."""
    zones = zip(release.zones.ids, release.zones.names, strict=True) if release.zones else ()
    named = {place: name for place, name in zones if place != name} or release.places or {}
    return {place: Name(name) for place, name in named.items()}


def _charge(release: Release, unit: Unit) -> dict[str, str]:
    limit, stated = release.limits.get(unit), release.stated(release.charge, unit)
    return {
        "unit": unit.value,
        "epsilon": glance(stated.epsilon),
        "charged": glance(stated.charged),
        "pure": glance(stated.loss.pure),
        "rho": glance(stated.loss.rho),
        "mu": "–" if stated.mu is None else glance(stated.mu),
        "cumulative": glance(release.cumulative[unit]),
        "limit": "none" if limit is None else plain(limit),
        "composition": composition(
            unit, release.unit, release.relation, squared=squares_days(release.queries)
        ),
    }


def query_report(release: Release, query: QueryResult) -> QueryReport:
    """What the page says of one query."""
    statistic = measured_statistic(release, query)
    measure = statistic.measures[0]
    ordered = sorted(query.rows, key=lambda row: row.order)
    least, largest = measure.range_for(release.upper_bound)
    most = _largest(query, measure) if largest is None or largest <= least else largest
    smoothed = statistic.smoothed if query.smoothing else None
    lines = [(row, item) for row in ordered for item in _items(row, measure)]
    of_ranges = statistic.label is not None and bool(statistic.label.end)
    stated = release.stated(query.charge, Unit.VEHICLE, query.conversion)
    return QueryReport(
        result=query,
        title=statistic.title,
        source=source_of(query),
        sentence=said_to_people(query_sentence(release, query), hexagons=release.place.hexagons),
        covers=query.interval_covers,
        path=tables_for(query, release.quantity, by_place=not release.place.hexagons)[query.statistic].path,
        measure=measure,
        label=statistic.label,
        range_start="0" if least == 0 else shown_number(least, measure),
        range_end=shown_number(most, measure),
        unit=shown_unit(measure),
        epsilon=glance(stated.epsilon),
        mu=mu_beside(stated.mu),
        rho=glance(query.charge.rho.per_vehicle) if query.charge.rho else "",
        noise=noise_of(query),
        sensitivity=glance(query.sensitivity),
        noise_scale=glance(query.noise_scale),
        accuracy=_shown_accuracy(accuracy(release, query), {one.name: one for one in statistic.measures}),
        widths=_widths(release, query, measure),
        smoothed=smoothed.name if smoothed else "",
        smoothed_errors=said_of(
            smoothed_errors_sentence(query.smoothing, smoothed) if query.smoothing and smoothed else "",
            hexagons=release.place.hexagons,
        ),
        rows=[
            with_smoothed(
                report_row(row, item, measure, most, least, of_ranges=of_ranges),
                row.number(smoothed.name, item.label) if smoothed and item else None,
                smoothed,
            )
            for row, item in lines[:MOST_ROWS]
        ],
        rows_left_out=max(0, len(lines) - MOST_ROWS),
    )


def _shown_accuracy(stated: dict[str, Any], measures: Mapping[str, Measure]) -> dict[str, Any]:
    """Widths and biases as they are read."""
    found = []
    for one in stated["measures"]:
        measure = measures[one["measure"]]
        spreads = {name: _shown_spread(one[name], measure) for name in ("interval_width", "bias_bound")}
        found.append(one | spreads | {"unit": shown_unit(measure)})
    return stated | {"measures": found}


def _shown_spread(spread: Mapping[str, str] | None, measure: Measure) -> dict[str, str]:
    scaled = {name: int(Decimal(text).scaleb(measure.decimals)) for name, text in (spread or {}).items()}
    return {name: shown_number(value, measure) for name, value in scaled.items()}


def _items(row: HatRow, measure: Measure) -> Sequence[Estimate | None]:
    """The numbers of a HAT, or one gap where it is suppressed."""
    return [item for item in row.estimates if item.measure == measure.name] or [None]


def _largest(query: QueryResult, measure: Measure) -> int:
    highs = [item.high for row in query.rows for item in row.estimates if item.measure == measure.name]
    return max(highs, default=1) or 1


def _widths(release: Release, query: QueryResult, measure: Measure) -> list[WidthClass]:
    """How the widths of a mean spread; none of what is in no unit of the value."""
    if measure.largest != UPPER_BOUND:
        return []
    edges = scaled_edges(WIDTH_EDGES, release.quantity, release.upper_bound)
    return width_classes(interval_widths(query, measure), edges)


def width_classes(widths: Sequence[int], edges: Sequence[Fraction | int] = WIDTH_EDGES) -> list[WidthClass]:
    """How the interval widths (thousandths) spread over the classes; empty without any."""
    ends = [0, *(edge * THOUSAND for edge in edges)]
    names = [f"{float(edge):.12g}" for edge in edges]
    labels = [f"up to {names[0]}", *(f"{low} to {high}" for low, high in pairwise(names))]
    counts = [
        sum(low < width <= high or low == width == 0 for width in widths) for low, high in pairwise(ends)
    ]
    labels.append(f"above {names[-1]}")
    counts.append(len(widths) - sum(counts))
    total = max(len(widths), 1)
    return [
        WidthClass(label=label, rows=count, share=round(100 * count / total, 1))
        for label, count in zip(labels, counts, strict=True)
        if widths
    ]


def report_row(
    row: HatRow,
    item: Estimate | None,
    measure: Measure,
    most: int,
    least: int = 0,
    *,
    of_ranges: bool = False,
) -> ReportRow:
    """A row as texts, with its interval as a bar on [least, most], in the measure's last decimal."""
    hours = f"{row.slot_start}–{row.slot_end}"
    slot = Name(", ".join((*((row.period,) if row.period else ()), hours, *row.groups)))
    if item is None:
        return ReportRow(cell=Name(row.cell), slot=slot)
    low, high = (shown_number(end, measure) for end in (item.low, item.high))
    return ReportRow(
        cell=Name(row.cell),
        slot=slot,
        label="" if item.label is None else label_text(item.label, is_range=of_ranges),
        informative=item.informative,
        value=shown_number(item.value, measure),
        interval=f"{low} – {high}",
        bias="" if item.bias_bound is None else fixed(item.bias_bound, measure.decimals),
        epsilon=glance(row.epsilon),
        left=round(100 * (item.low - least) / (most - least), 2),
        width=round(100 * (item.high - item.low) / (most - least), 2),
        at=round(100 * (item.value - least) / (most - least), 2),
    )


def with_smoothed(report_row: ReportRow, item: Estimate | None, measure: Measure | None) -> ReportRow:
    """The same with the smoothed number, where there is one."""
    if item is None or measure is None:
        return report_row
    low, high = (shown_number(end, measure) for end in (item.low, item.high))
    return dataclasses.replace(
        report_row, smoothed=shown_number(item.value, measure), smoothed_interval=f"{low} – {high}"
    )
