"""What a bundle states by its publisher's word: filters, events, thresholds, names of hexagons, C."""

from __future__ import annotations

from pathlib import PurePath

from core.bundle.licences import find_licence
from core.bundle.parameter_texts import periods_text
from core.clean.mapping import EVENTS, ReadingRules
from core.clean.record_filter import filters_text
from core.counted import count_of
from core.fixed_point import THOUSAND
from core.geodata.places_source import PlacesSource
from core.privacy import Relation, Unit
from core.release_texts import one_line
from core.selection.registry import require_rule
from core.spec import ReleaseSpec
from core.texts import joined, text_of


def signed_choices(spec: ReleaseSpec, zone: str) -> tuple[tuple[str, str], ...]:
    """Label and text of each choice, in the order in which a person checks them; zone: of the dates."""
    texts, window = spec.texts, spec.window
    licence = find_licence(texts.licence)
    named = (
        texts.licence
        if licence.title == texts.licence
        else text_of("{licence}: {title}", licence=texts.licence, title=licence.title)
    )
    start, end = window.hours
    slots = "one slot" if window.whole else window.grid.words
    return (
        ("Publisher", texts.publisher),
        ("Contact", texts.contact),
        ("Licence", named),
        ("Charged to", spec.population),
        ("Dates", joined(", ", (periods_text(window.date_ranges), count_of(window.days, "date")))),
        ("Hours", text_of("{start} to {end}, {slots}, {zone}", start=start, end=end, slots=slots, zone=zone)),
        _places_chosen(spec),
        ("Values", _values(spec.data.rules)),
        *_spacing(spec),
        *_filter(spec),
        *((("Places", _places(spec.places)),) if spec.places else ()),
    )


def _places_chosen(spec: ReleaseSpec) -> tuple[str, str]:
    """Which places, and what they are."""
    place, chosen = spec.place, _selection(spec)
    if place.hexagons:
        return (
            "Hexagons",
            text_of(
                "{spec}, H3 resolution {resolution}",
                spec=chosen,
                resolution=joined(" and ", map(str, place.resolutions(spec.resolution))),
            ),
        )
    if spec.zones_source:
        file = PurePath(spec.zones_source.file).name
        return "Places", text_of("zones of {file}, {chosen}", file=file, chosen=chosen)
    if not place.place_column:
        return "Place", text_of("the whole area, {chosen}", chosen=chosen)
    return "Places", text_of("labels of {column}, {chosen}", column=place.place_column, chosen=chosen)


def _spacing(spec: ReleaseSpec) -> tuple[tuple[str, str], ...]:
    """Of speeds in relation `values`: the bias of each mean is computed by it."""
    rules = spec.data.rules
    if spec.relation is Relation.USER or not rules.quantity.is_speed:
        return ()
    events = "each record is an event, such as the end of a trip"
    return (("Records", events if rules.pings == EVENTS else "positions that come at a fixed rate"),)


def _filter(spec: ReleaseSpec) -> tuple[tuple[str, str], ...]:
    """Columns and texts are published; in relation `values` what they say of a value is open."""
    rules = spec.data.rules
    if not rules.filters:
        return ()
    only = text_of(
        "only records of which {conditions}; this is published", conditions=filters_text(rules.filters)
    )
    if spec.relation is Relation.USER:
        return (("Filter", only),)
    left_open = text_of(
        "{only}, and what these columns say of a {value} is not protected",
        only=only,
        value=rules.quantity.title.lower(),
    )
    return (("Filter", left_open),)


def _places(places: PlacesSource) -> str:
    """The names are published as they stand in the layer: a person looks at them before."""
    layer = text_of(", layer {table}", table=one_line(places.table)) if places.table else ""
    return text_of(
        "the column place names hexagons by the field {name_field} of {file}{layer}, within {within_m} m; "
        "these names are published",
        name_field=one_line(places.name_field),
        file=one_line(PurePath(places.file).name),
        layer=layer,
        within_m=f"{places.within_m:,}",
    )


def _selection(spec: ReleaseSpec) -> str:
    rule = require_rule(spec.selection.rule)
    parts = [rule.title]
    if rule.cell_file is not None:
        parts.append(text_of("from {cells_file}", cells_file=PurePath(spec.cells_file).name))
    if spec.selection.threshold is not None and spec.relation is Relation.USER:
        parts.append(
            text_of(
                "a noisy number of at least {counted_vehicles_or_records}",
                counted_vehicles_or_records=count_of(
                    spec.selection.threshold, "vehicle or record", "vehicles or records"
                ),
            )
        )
    elif spec.selection.threshold is not None:
        parts.append(
            text_of(
                "at least {counted_vehicles} a day",
                counted_vehicles=count_of(spec.selection.threshold, "vehicle"),
            )
        )
    if spec.relation is Relation.VALUES and _by_region(spec):
        parts.append(
            text_of(
                "regions with fewer than {counted_vehicles} left out",
                counted_vehicles=count_of(spec.minimum_vehicles, "vehicle"),
            )
        )
    elif spec.relation is Relation.VALUES:
        parts.append(
            text_of(
                "hexagon slots with fewer than {counted_vehicles} suppressed",
                counted_vehicles=count_of(spec.minimum_vehicles, "vehicle"),
            )
        )
    else:
        whose = "vehicle's day" if spec.unit is Unit.VEHICLE_DAY else "vehicle"
        hats = spec.hats_per_vehicle or 0
        parts.append(
            text_of(
                "at most {counted_hexagon_slots} of a {whose} counted (C)",
                counted_hexagon_slots=count_of(hats, "hexagon slot"),
                whose=whose,
            )
        )
        if spec.days_per_vehicle is not None:
            parts.append(
                text_of("on at most {counted_days}", counted_days=count_of(spec.days_per_vehicle, "day"))
            )
    return joined(", ", parts)


def _by_region(spec: ReleaseSpec) -> bool:
    """Everything that is published: then no hexagon slot is suppressed for itself."""
    return all(getattr(query.question.params, "regions", False) for query in spec.queries)


def _values(rules: ReadingRules) -> str:
    quantity = rules.quantity
    lower, upper = (number / THOUSAND for number in (quantity.lower, quantity.lower + rules.upper_bound))
    return text_of(
        "{title} from {lower} to {upper} {unit}",
        title=quantity.title,
        lower=f"{lower:g}",
        upper=f"{upper:g}",
        unit=quantity.unit,
    )
