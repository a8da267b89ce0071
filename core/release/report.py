"""`report.html`: the release on one self-contained page, for people (SPEC 14)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from core.paths import resources
from core.privacy import Unit
from core.release.licences import attribution, find_licence
from core.release.minisign import PublicKey
from core.release.result import HatMean, QueryResult, Release
from core.release.review import EVALUATED, PROTECTED
from core.release.statement import NEIGHBOURS, POST_PROCESSING, accuracy, interval_widths, unprotected
from core.release.tables import UNITS, composition, kmh, only_query
from core.texts import ReleaseTexts
from core.values import THOUSAND, plain

MOST_ROWS = 2000
"""Rows shown; a longer table belongs in the CSV file."""
WIDTH_EDGES = (1, 2, 5, 10, 20)
"""Classes of interval width, km/h."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthClass:
    """How many published rows have an interval of that width."""

    label: str
    rows: int
    share: float
    """Percent of the published rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """One row of the table. Positions are percent of [0, U]."""

    cell: str
    slot: str
    mean: str
    interval: str
    bias: str
    epsilon: str
    left: float
    width: float
    at: float


def report(release: Release, texts: ReleaseTexts, key: PublicKey, published_on: dt.date) -> bytes:
    """The content of report.html; every free text is escaped by the template."""
    environment = Environment(
        loader=FileSystemLoader(resources() / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    template = environment.get_template("report.html.j2")
    return template.render(_facts(release, texts, key, published_on)).encode("utf-8")


def _facts(release: Release, texts: ReleaseTexts, key: PublicKey, published_on: dt.date) -> dict[str, Any]:
    query = only_query(release)
    return {
        "texts": texts,
        "licence": find_licence(texts.licence),
        "attribution": attribution(texts, published_on.year),
        "published_on": published_on.isoformat(),
        "release": release,
        "unit": release.unit.value,
        "relation": release.relation.value,
        "headline": plain(release.charge.of(Unit.VEHICLE)),
        "means": PROTECTED[Unit.VEHICLE],
        "protected": PROTECTED[release.unit],
        "neighbours": NEIGHBOURS[release.relation].format(unit=release.unit.value),
        "charges": [_charge(release, unit) for unit in UNITS],
        "unprotected": unprotected(release.relation),
        "evaluated": EVALUATED if release.evaluated else "",
        "periods": [f"{first} – {last}" for first, last in release.date_ranges],
        "upper": kmh(release.upper_bound),
        "query": query,
        "sensitivity": plain(query.sensitivity),
        "noise_scale": plain(query.noise_scale),
        "post_processing": POST_PROCESSING,
        "accuracy": accuracy(query),
        "widths": width_classes(interval_widths(query.rows)),
        "key": key,
        **_table(release, query),
    }


def _charge(release: Release, unit: Unit) -> dict[str, str]:
    limit = release.limits.get(unit)
    return {
        "unit": unit.value,
        "epsilon": plain(release.charge.of(unit)),
        "cumulative": plain(release.cumulative[unit]),
        "limit": "none" if limit is None else plain(limit),
        "composition": composition(unit, release.unit),
    }


def _table(release: Release, query: QueryResult) -> dict[str, Any]:
    ordered = sorted(query.rows, key=lambda row: (row.cell, row.slot_start))
    return {
        "rows": [report_row(row, release.upper_bound) for row in ordered[:MOST_ROWS]],
        "rows_left_out": max(0, len(ordered) - MOST_ROWS),
    }


def width_classes(widths: Sequence[int]) -> list[WidthClass]:
    """How the interval widths (thousandths of km/h) spread over the classes; empty without any."""
    edges = [0, *(edge * THOUSAND for edge in WIDTH_EDGES)]
    labels = [f"up to {WIDTH_EDGES[0]}"]
    labels += [f"{low} to {high}" for low, high in pairwise(WIDTH_EDGES)]
    counts = [
        sum(low < width <= high or low == width == 0 for width in widths) for low, high in pairwise(edges)
    ]
    labels.append(f"above {WIDTH_EDGES[-1]}")
    counts.append(len(widths) - sum(counts))
    total = max(len(widths), 1)
    return [
        WidthClass(label=label, rows=count, share=round(100 * count / total, 1))
        for label, count in zip(labels, counts, strict=True)
        if widths
    ]


def report_row(row: HatMean, upper: int) -> ReportRow:
    """A row as texts, with its interval as a bar on [0, U]."""
    slot = f"{row.slot_start}–{row.slot_end}"
    if row.mean is None or row.low is None or row.high is None:
        return ReportRow(
            cell=row.cell, slot=slot, mean="", interval="", bias="", epsilon="", left=0, width=0, at=0
        )
    return ReportRow(
        cell=row.cell,
        slot=slot,
        mean=kmh(row.mean),
        interval=f"{kmh(row.low)} – {kmh(row.high)}",
        bias="" if row.bias_bound is None else kmh(row.bias_bound),
        epsilon=plain(row.epsilon),
        left=round(100 * row.low / upper, 2),
        width=round(100 * (row.high - row.low) / upper, 2),
        at=round(100 * row.mean / upper, 2),
    )
