"""What `map.html` knows: a block of JSON made of tables, datapackage.json and privacy.json (method 14.9).

Each cell stands in it once, its outline in units of 1e-5 degrees (a metre), and each table by columns: a row
is a place, the slots that it is of, perhaps a label, a status, and its numbers. The first form has fixed
classes and every number by itself; this one has classes that fit the release, a smoothed number with the raw
one, and what the page says of protection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from h3.api.basic_str import get_resolution

from core.bundle.csv_columns import EFFECTIVE_VEHICLES, PERIOD, PLACE_NAME
from core.bundle.distribution_words import is_distribution
from core.bundle.finer_rows import REST
from core.bundle.public_tables import PublicTable
from core.bundle.public_words import page_words
from core.bundle.release_result import NO_INFORMATION, PUBLISHED, SUPPRESSED
from core.bundle.row_outlines import GeoLine
from core.charts.colour_ramps import ramp_colours
from core.portal.map_classes import class_limits
from core.portal.published_facts import PublishedFacts
from core.portal.readable_tables import first_text, with_shown_rows
from core.portal.shown_layers import ShownLayer, in_minutes, key_lines, shown_layers
from core.portal.shown_numbers import as_shown, numbers_in, shown_decimals, shown_unit
from core.quantity import Quantity
from core.signed.bundle_names import (
    FIRST_MAP_FORMAT,
    MAP_FORMAT,
    THIRD_MAP_FORMAT,
    map_format_since,
    map_in,
)
from core.statistics.base import Measure

UNITS_PER_DEGREE = 100_000
OUTLINES, WORDS, COMPARISONS, NAMES = "outlines", "words", "compared", "names"
_LETTERS = {PUBLISHED: "p", SUPPRESSED: "s", NO_INFORMATION: "n"}


def map_data(
    facts: PublishedFacts,
    tables: Sequence[PublicTable],
    quantity: Quantity,
    span: int,
    map_format: str = MAP_FORMAT,
) -> dict[str, Any]:
    """The block; span: U of the bundle's quantity, thousandths; map_format: of `MAP_FORMATS`."""
    first, worded = map_format == FIRST_MAP_FORMAT, map_format_since(map_format, THIRD_MAP_FORMAT)
    newest = map_format_since(map_format, MAP_FORMAT)
    shown = [with_shown_rows(one) for one in tables] if newest else tables
    cells = sorted({cell for one in tables for row in one.rows for cell in one.drawn_places(row)})
    numbers = {cell: number for number, cell in enumerate(cells)}
    return {
        "format": map_format,
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
            **({"mu": facts.mu} if facts.mu else {}),
            "unit": facts.unit,
            "relation": facts.relation,
            **({} if first else _protection(facts)),
        },
        **({WORDS: _words(facts, quantity, tables)} if worded else {}),
        **({"region": facts.region} if worded and facts.region else {}),
        **({} if first else {"subject": [quantity.subject.name, quantity.subject.plural]}),
        "cells": cells,
        **({"levels": _levels(cells)} if any(one.table.mixed for one in tables) else {}),
        **({"shape": tables[0].shape} if tables[0].shape else {}),
        OUTLINES: [_outline(tables[0], cell) for cell in cells],
        "tables": [
            _table(one, numbers)
            | (
                _fixed(one, quantity, span)
                if first
                else _fitting(one, quantity, span, key=worded, parted=newest)
            )
            | (_of_distribution(one, quantity, span) if newest else {})
            for one in shown
        ],
    }


def _words(facts: PublishedFacts, quantity: Quantity, tables: Sequence[PublicTable]) -> dict[str, Any]:
    """What README and report say too. No number depends on a word: names of places alone are checked by
    the tables.
    """
    named = {
        "publisher": facts.publisher,
        "title": facts.title,
        "version": facts.version,
        "licence": facts.licence,
    }
    said: dict[str, Any] = page_words(named, quantity.subject)
    names, pages = _names(tables), {one: map_in(one) for one in facts.spoken}
    said |= {NAMES: names} if names else {}
    return said | ({"pages": pages} if pages else {}) | ({"gaps": True} if facts.gaps else {})


def _names(tables: Sequence[PublicTable]) -> dict[str, str]:
    """Of places that are no hexagons, by id, where it is not the name; with the id where names are alike."""
    found = {row["place_id"]: row["place_name"] for one in tables if one.table.by_place for row in one.rows}
    shared = Counter(found.values())
    return {
        place: name if shared[name] == 1 else f"{name} ({place})"
        for place, name in sorted(found.items())
        if name != place
    }


def _levels(cells: Sequence[str]) -> list[int]:
    """Which of the resolutions each cell is of, the coarsest being 0."""
    own = [get_resolution(cell) for cell in cells]
    listed = sorted(set(own))
    return [listed.index(one) for one in own]


def _protection(facts: PublishedFacts) -> dict[str, Any]:
    return {"protected": facts.protected, "open": list(facts.unprotected), "meaning": list(facts.meaning)}


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


def _table(public: PublicTable, numbers: Mapping[str, int]) -> dict[str, Any]:
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
        "place": [order[name] for name in names],
        "first": [starts[row["slot_start"]] for row in rows],
        "last": [ends[row["slot_end"]] for row in rows],
        "status": "".join(_LETTERS[row["status"]] for row in rows),
        **({REST: [row[REST] == "true" for row in rows]} if table.mixed else {}),
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


def _of_distribution(public: PublicTable, quantity: Quantity, span: int) -> dict[str, Any]:
    """The label that is shown first, and by row what a mean of its shares needs; nothing of other tables."""
    label, (measure, *_) = public.statistic.label, public.statistic.measures
    if label is None or not is_distribution(public.statistic) or not public.rows:
        return {}
    values, first = _labels(public)["labels"]["values"], first_text(public, quantity, span)
    found = {"start": next(at for at, value in enumerate(values) if value.split(", ")[-1] == first)}
    names = {"deviations": measure.deviation, "bounds": measure.bias}
    if not set(names.values()) <= set(public.table.header):
        return found
    return found | {key: as_shown(numbers_in(column, public.rows), measure) for key, column in names.items()}


def _fixed(public: PublicTable, quantity: Quantity, span: int) -> dict[str, Any]:
    """Of the first form."""
    return {"measures": [_measure(public, measure, quantity, span) for measure in public.measures]}


def _measure(public: PublicTable, measure: Measure, quantity: Quantity, span: int) -> dict[str, Any]:
    numbers = _numbers(public, measure)
    known = [float(row[measure.name]) for row in public.rows if row[measure.name]]
    limits = class_limits(measure, quantity, span, known)
    return {
        "name": measure.name,
        "title": measure.description,
        "unit": shown_unit(measure),
        "decimals": shown_decimals(measure),
        "limits": as_shown(limits, measure),
        "colours": list(ramp_colours(len(limits) - 1)),
        **numbers,
    }


def _fitting(
    public: PublicTable, quantity: Quantity, span: int, *, key: bool, parted: bool
) -> dict[str, Any]:
    """The path of a table, what is known of how much its rows rest on, and its layers, with their keys."""
    effective = quantity.subject.column(EFFECTIVE_VEHICLES)
    rests_on = (
        {"effective": [None if one is None else round(one, 1) for one in numbers_in(effective, public.rows)]}
        if effective in public.table.header
        else {}
    )
    shown = shown_layers(public, quantity, span, parted=parted)
    layers = [_layer(public, one) | (_of_newest(public, one) if key else {}) for one in shown]
    return {"path": public.table.path, **rests_on, "layers": layers}


def _of_newest(public: PublicTable, layer: ShownLayer) -> dict[str, Any]:
    """What its classes are called, in what they are counted, and the deviations behind whole ranges.

    Of an interval that was cut at both ends nothing else tells how wide it was.
    """
    measure = layer.raw or layer.shown
    counted_in = "minutes" if in_minutes(layer) else shown_unit(layer.shown) or "number"
    found: dict[str, Any] = {"key": [line.text for line in key_lines(layer)], "key_unit": counted_in}
    if measure.deviation in public.table.header:
        names = (measure.low, measure.high, measure.deviation)
        columns = [as_shown(numbers_in(name, public.rows), measure) for name in names]
        found["deviation"] = {
            str(row): one
            for row, (low, high, one) in enumerate(zip(*columns, strict=True))
            if (low, high) == layer.ends
        }
    return found


def _layer(public: PublicTable, layer: ShownLayer) -> dict[str, Any]:
    shown, raw, classes = layer.shown, layer.raw, layer.classes
    return {
        "name": shown.name,
        "title": shown.description,
        "unit": shown_unit(shown),
        "moves": layer.is_speed,
        "averages": layer.averages,
        "strong": "low" if layer.slow_is_strong else "high",
        "limits": list(classes.limits),
        "heaps": list(classes.heaps),
        "colours": list(layer.colours),
        "reach": [classes.low, classes.high],
        "ends": list(layer.ends),
        "unsure": layer.unsure,
        **_numbers(public, shown),
        **_before_it_was_cut(public, shown),
        **({"raw": _numbers(public, raw) | _before_it_was_cut(public, raw)} if raw else {}),
    }


def _numbers(public: PublicTable, measure: Measure) -> dict[str, Any]:
    ends = {"value": measure.name, "low": measure.low, "high": measure.high}
    return {name: as_shown(numbers_in(column, public.rows), measure) for name, column in ends.items()}


def _before_it_was_cut(public: PublicTable, measure: Measure) -> dict[str, Any]:
    """By row the noisy number that was cut to its range, and for all the bias that is expected of each."""
    found: dict[str, Any] = {}
    if measure.unclamped in public.table.header:
        pairs = (
            as_shown(numbers_in(name, public.rows), measure) for name in (measure.unclamped, measure.name)
        )
        found["uncut"] = {
            str(row): uncut
            for row, (uncut, value) in enumerate(zip(*pairs, strict=True))
            if uncut is not None and uncut != value
        }
    if measure.modelled_bias in public.table.header:
        found["bias"] = as_shown(numbers_in(measure.modelled_bias, public.rows), measure)
    return found
