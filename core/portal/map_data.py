"""What `map.html` knows: a block of JSON made of tables, datapackage.json and privacy.json (method 14.9).

Each cell stands in it once, its outline in units of 1e-5 degrees (a metre), and each table by columns: a row
is a place, the slots that it is of, perhaps a label, a status, and its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from core.bundle.csv_columns import PERIOD, PLACE_NAME
from core.bundle.public_tables import PublicTable
from core.bundle.release_result import NO_INFORMATION, PUBLISHED, SUPPRESSED
from core.bundle.row_outlines import GeoLine
from core.charts.colour_ramps import ramp_colours
from core.portal.map_classes import class_limits
from core.portal.published_facts import PublishedFacts
from core.portal.shown_numbers import as_shown, shown_decimals, shown_unit
from core.quantity import Quantity
from core.signed.bundle_names import MAP_FORMAT
from core.statistics.base import Measure

UNITS_PER_DEGREE = 100_000
OUTLINES = "outlines"
_LETTERS = {PUBLISHED: "p", SUPPRESSED: "s", NO_INFORMATION: "n"}


def map_data(
    facts: PublishedFacts, tables: Sequence[PublicTable], quantity: Quantity, span: int
) -> dict[str, Any]:
    """The block; span: U of the bundle's quantity, thousandths."""
    cells = sorted({cell for one in tables for row in one.rows for cell in one.drawn_places(row)})
    numbers = {cell: number for number, cell in enumerate(cells)}
    return {
        "format": MAP_FORMAT,
        "release": facts.release,
        "title": facts.title,
        "practice": facts.practice,
        "publisher": facts.publisher,
        "contact": facts.contact,
        "licence": {"title": facts.licence, "url": facts.licence_url},
        "published_on": facts.published_on,
        "period": {
            "first": facts.first,
            "last": facts.last,
            "hours": list(facts.hours),
            "zone": facts.zone,
        },
        "privacy": {
            "epsilon": facts.epsilon,
            "delta": facts.delta,
            "unit": facts.unit,
            "relation": facts.relation,
        },
        "cells": cells,
        **({"shape": tables[0].shape} if tables[0].shape else {}),
        OUTLINES: [_outline(tables[0], cell) for cell in cells],
        "tables": [_table(one, numbers, quantity, span) for one in tables],
    }


def slots_of(rows: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    """Start and end of each part of the day in which no row begins or ends, in order."""
    edges = sorted({row[name] for row in rows for name in ("slot_start", "slot_end")})
    used = {(row["slot_start"], row["slot_end"]) for row in rows}
    return [
        (start, end)
        for start, end in pairwise(edges)
        if any(one <= start and end <= two for one, two in used)
    ]


def _periods(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """The name of each part of the day, in their order."""
    return list(dict(sorted((row["slot_start"], row[PERIOD.name]) for row in rows)).values())


def numbers_in(column: str, rows: Sequence[Mapping[str, str]]) -> list[float | None]:
    """A column of numbers; None where a cell is empty."""
    return [float(row[column]) if row[column] else None for row in rows]


def _outline(public: PublicTable, place: str) -> list[Any]:
    """Longitude and latitude of each corner in turn, the first one not repeated; of areas ring by ring."""
    if not public.table.by_place:
        return _ring(public.rings(place)[0])
    outline = public.outlines[place]
    if isinstance(outline, GeoLine):
        return _units(outline)
    return [[_ring(ring) for ring in polygon] for polygon in outline]


def _ring(ring: Sequence[tuple[float, float]]) -> list[int]:
    return _units(ring[:-1])


def _units(corners: Sequence[tuple[float, float]]) -> list[int]:
    return [round(degrees * UNITS_PER_DEGREE) for corner in corners for degrees in corner]


def _table(public: PublicTable, numbers: Mapping[str, int], quantity: Quantity, span: int) -> dict[str, Any]:
    table, rows = public.table, public.rows
    slots = slots_of(rows)
    starts = {start: number for number, (start, _) in enumerate(slots)}
    ends = {end: number for number, (_, end) in enumerate(slots)}
    names = [row[table.place[0]] for row in rows]
    places = {name: public.drawn_places(row) for name, row in zip(names, rows, strict=True)}
    order = {name: number for number, name in enumerate(places)}
    return {
        "name": table.name,
        "title": table.title,
        "statistic": public.statistic.key,
        "slots": [list(slot) for slot in slots],
        **({"periods": _periods(rows)} if PERIOD.name in table.header else {}),
        "places": [
            {"name": name, "cells": [numbers[cell] for cell in cells]} for name, cells in places.items()
        ],
        **_labels(public),
        "measures": [_measure(public, measure, quantity, span) for measure in public.measures],
        "place": [order[name] for name in names],
        "first": [starts[row["slot_start"]] for row in rows],
        "last": [ends[row["slot_end"]] for row in rows],
        "status": "".join(_LETTERS[row["status"]] for row in rows),
        **({"near": [row[PLACE_NAME.name] for row in rows]} if PLACE_NAME.name in table.header else {}),
    }


def _labels(public: PublicTable) -> dict[str, Any]:
    """Nothing where rows have no label."""
    label, groups = public.statistic.label, public.table.groups
    if label is None and not groups:
        return {}
    names = (*groups, *((label.shown_name,) if label else ()))
    keys = [(*(row[name] for name in groups), *((label.text(row),) if label else ())) for row in public.rows]
    texts = label.sorted_texts(public.rows) if label else []
    ordered = sorted(set(keys), key=lambda key: (*key[: len(groups)], *map(texts.index, key[len(groups) :])))
    numbers = {key: number for number, key in enumerate(ordered)}
    unit = public.statistic.quantity.unit if label and label.of_value else ""
    return {
        "labels": {"name": ", ".join(names), "unit": unit, "values": [", ".join(key) for key in ordered]},
        "label": [numbers[key] for key in keys],
    }


def _measure(public: PublicTable, measure: Measure, quantity: Quantity, span: int) -> dict[str, Any]:
    value, low, high = (numbers_in(name, public.rows) for name in (measure.name, measure.low, measure.high))
    limits = class_limits(measure, quantity, span, [number for number in value if number is not None])
    return {
        "name": measure.name,
        "title": measure.description,
        "unit": shown_unit(measure),
        "decimals": shown_decimals(measure),
        "limits": as_shown(limits, measure),
        "colours": list(ramp_colours(len(limits) - 1)),
        "value": as_shown(value, measure),
        "low": as_shown(low, measure),
        "high": as_shown(high, measure),
    }
