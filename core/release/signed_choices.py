"""Everything that a bundle states by its publisher's word: who, under which terms, of when and where."""

from __future__ import annotations

from core.bundle.licences import find_licence
from core.bundle.parameter_texts import periods_text
from core.clean.mapping import ReadingRules
from core.counted import count_of
from core.fixed_point import THOUSAND
from core.geodata.places_source import PlacesSource
from core.privacy import Relation, Unit
from core.release_texts import one_line
from core.selection.registry import require_rule
from core.spec import ReleaseSpec


def signed_choices(spec: ReleaseSpec, zone: str) -> tuple[tuple[str, str], ...]:
    """Label and text of each choice, in the order in which a person checks them; zone: of the dates."""
    texts, window = spec.texts, spec.window
    licence = find_licence(texts.licence)
    named = texts.licence if licence.title == texts.licence else f"{texts.licence}: {licence.title}"
    start, end = window.hours
    slots = "one slot" if window.whole else f"slots of {count_of(window.slot_minutes, 'minute')}"
    return (
        ("Publisher", texts.publisher),
        ("Contact", texts.contact),
        ("Licence", named),
        ("Charged to", spec.population),
        ("Dates", f"{periods_text(window.date_ranges)}, {count_of(window.days, 'date')}"),
        ("Hours", f"{start} to {end}, {slots}, {zone}"),
        ("Hexagons", f"{_selection(spec)}, H3 resolution {spec.resolution}"),
        ("Values", _values(spec.data.rules)),
        *((("Places", _places(spec.places)),) if spec.places else ()),
    )


def _places(places: PlacesSource) -> str:
    """The names are published as they stand in the layer: a person looks at them before."""
    layer = f", layer {one_line(places.table)}" if places.table else ""
    return (
        f"the column place names hexagons by the field {one_line(places.name_field)} of "
        f"{one_line(places.file)}{layer}, within {places.within_m:,} m; these names are published"
    )


def _selection(spec: ReleaseSpec) -> str:
    rule = require_rule(spec.selection.rule)
    parts = [rule.title]
    if rule.cell_file is not None:
        parts.append(f"from {spec.cells_file}")
    if spec.selection.threshold is not None and spec.relation is Relation.USER:
        parts.append(
            f"a noisy number of at least "
            f"{count_of(spec.selection.threshold, 'vehicle or record', 'vehicles or records')}"
        )
    elif spec.selection.threshold is not None:
        parts.append(f"at least {count_of(spec.selection.threshold, 'vehicle')} a day")
    if spec.relation is Relation.VALUES and _by_region(spec):
        parts.append(f"regions with fewer than {count_of(spec.minimum_vehicles, 'vehicle')} left out")
    elif spec.relation is Relation.VALUES:
        parts.append(f"hexagon slots with fewer than {count_of(spec.minimum_vehicles, 'vehicle')} suppressed")
    else:
        whose = "vehicle's day" if spec.unit is Unit.VEHICLE_DAY else "vehicle"
        hats = spec.hats_per_vehicle or 0
        parts.append(f"at most {count_of(hats, 'hexagon slot')} of a {whose} counted (C)")
        if spec.days_per_vehicle is not None:
            parts.append(f"on at most {count_of(spec.days_per_vehicle, 'day')}")
    return ", ".join(parts)


def _by_region(spec: ReleaseSpec) -> bool:
    """Everything that is published: then no hexagon slot is suppressed for itself."""
    return all(getattr(query.question.params, "regions", False) for query in spec.queries)


def _values(rules: ReadingRules) -> str:
    quantity = rules.quantity
    lower, upper = (number / THOUSAND for number in (quantity.lower, quantity.lower + rules.upper_bound))
    return f"{quantity.title} from {lower:g} to {upper:g} {quantity.unit}"
