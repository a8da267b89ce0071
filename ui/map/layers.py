"""The layers of the map by name, such as width of the interval, and what each hexagon says on hover."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from core.advice.forecast import Forecast, HatOverview
from core.advice.plan_difference import comparable
from core.advice.usefulness import GOOD_ERROR, good_error
from core.bundle.region_outlines import outline
from core.bundle.release_result import HatRow, Release
from core.bundle.smoothed_facts import caveat
from core.fixed_point import THOUSAND
from core.hats.cells import cell_text
from core.planning.hat_figures import HatFigures
from core.planning.query_plan import PlannedHat, QueryPlan, error_of_a_constant, hats_with_errors
from core.portal.value_classes import decade
from core.privacy import Relation
from core.quantity import SPEED
from core.release.value_query import ReleasedNumber, released_number
from core.statistics.base import AnyHatPlan, Estimate
from core.statistics.error_figures import error_scale
from ui.budget.range_texts import number_name, number_unit
from ui.language.counted_words import counted_records, counted_vehicles
from ui.language.translation import core_text, counted, grouped, sentence, translator
from ui.map.boundary_outline import Line
from ui.map.difference_layer import PIN_DIFFERENCE, DifferenceScale, difference_fills, difference_scale
from ui.map.legend_classes import (
    DISTINCT_VEHICLES,
    INTERVAL_WIDTHS,
    RELEASED_MEANS,
    RELEASED_SHARES,
    SHARE_WIDTHS,
    ClassScale,
    classes_of_means,
    classes_of_others,
    colours,
    error_classes,
    width_classes_of,
)
from ui.session.hat_texts import place_text
from ui.session.query_texts import error_figure, error_unit, error_with_unit
from ui.session.shown_release import practice_remark, preview_remark, settings_remark
from ui.web_map.map_html import Outlines
from ui.web_map.painting import OUTSIDE_FILL, SUPPRESSED_FILL, UNKNOWN_FILL, Fill, LegendClass, MapPainting

_tr = translator("MapLayers")

VEHICLES = "vehicles"
SELECTED = "selected"
TYPICAL_ERROR = "typical-error"
RELEASED_MEAN = "released-mean"
SMOOTHED_VALUE = "smoothed-mean"
INTERVAL_WIDTH = "interval-width"
SMOOTHED_WIDTH = "smoothed-width"
MOST_DRAWN = 10_000
"""Hexagons without records are drawn up to this many in all: the page holds a shape for each."""
_STORED = 4


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A released number as a key: no other is the same, and none is compared row by row."""

    release: Release
    number: ReleasedNumber

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._named == other._named

    def __hash__(self) -> int:
        return hash(self._named)

    @property
    def _named(self) -> tuple[int, str, int | None]:
        return id(self.release), self.number.measure.name, self.number.label


def released_scale(release: Release, number: ReleasedNumber, *, smoothed: bool = False) -> ClassScale:
    """Of its rows, or of the smoothed ones; computed once for a number."""
    return _scale(_Same(release, number), smoothed=smoothed)


@lru_cache(maxsize=_STORED)
def _scale(of: _Same, *, smoothed: bool) -> ClassScale:
    release, number = of.release, of.number
    shown = (number.smoothed_of(row) if smoothed else number.of(row) for row in number.query.rows)
    found = (item.value / number.parts for item in shown if item is not None and item.informative)
    if number.ends is None:
        return classes_of_means(found, release.quantity, release.upper_bound)
    return classes_of_others(found, RELEASED_SHARES)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapState:
    """What a painting is made from; later parts are None until they exist."""

    overview: HatOverview
    forecast: Forecast | None
    release: Release | None
    slot: int
    slot_text: str
    """`HH:MM` of the slot's start: how a release names it."""
    slot_end: str = ""
    """`HH:MM`, exclusive."""
    labels: tuple[str, ...] = ()
    """The slot's label in each group."""
    groups: tuple[str, ...] = ()
    """Their names."""
    pinned: Forecast | None = None
    """What the forecast is compared with."""
    sample: bool = False
    """The records are those of the sample: made up, and nobody's."""
    practice: bool = False
    """The release is a practice release."""
    preview: bool = False
    """It is a preview: its values are made up."""
    otherwise: bool = False
    """The release was made with other choices than those of the forecast."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Hexagon -> name of a place, from a layer of the analyst's own."""
    chosen_number: int = 0
    """Which of the release's numbers its layers show."""
    outlines: Outlines = field(default_factory=dict)
    """Of places that are no hexagons."""
    of_before: bool = False
    """What it is made of follows from choices that were replaced meanwhile."""
    still: tuple[int, int] | None = None
    """Resolutions shown and chosen, where the choices do not fit and what was counted last stays."""

    @property
    def number(self) -> ReleasedNumber | None:
        """What the layers of the release show."""
        return None if self.release is None else released_number(self.release, self.chosen_number)

    @property
    def protects_presence(self) -> bool:
        """Candidates are known, and nothing but them is to be seen."""
        shown = self.forecast
        return shown is not None and shown.protects_presence and shown.selection is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One choice of the layer list."""

    key: str
    title: str
    unit: str
    confidential: bool
    outside: str
    """What cells without a value are called."""
    classes: tuple[LegendClass, ...]
    fills: Callable[[MapState], Iterator[tuple[str, Fill, str]]]
    """Yields (cell, fill, the value as text)."""
    available: Callable[[MapState], bool]
    of_value: Callable[[MapState], OfValue | OfDifference] | None = None
    """What takes the place of title, unit and classes where it depends on what is measured."""
    smoothed: bool = False
    """Its numbers are estimates under a prior, and it says so."""
    instead: str = ""
    """Key of the layer before it that stands in for it where there is nothing to show of it."""
    by_constants: bool = False
    """In relation `user` it follows from public constants alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfValue:
    """How a layer names the value that was measured."""

    title: str
    unit: str
    scale: ClassScale


@dataclass(frozen=True, slots=True, kw_only=True)
class OfDifference:
    """How the layer of two sets names what both measure."""

    title: str
    unit: str
    scale: DifferenceScale


def layers() -> tuple[Layer, ...]:
    """All layers, in the order of the list. Limits are the same in every slot, so that slots compare."""
    low, high = colours(2)
    return (
        Layer(
            key=VEHICLES,
            title=_tr("Distinct vehicles"),
            unit=_tr("vehicles over all dates chosen"),
            confidential=True,
            outside=_tr("no vehicle in this slot"),
            classes=DISTINCT_VEHICLES.legend(),
            fills=lambda state: _vehicles(state, DISTINCT_VEHICLES),
            available=lambda _: True,
        ),
        Layer(
            key=SELECTED,
            title=_tr("Selection"),
            unit="",
            confidential=True,
            outside=_tr("no vehicle in this slot"),
            classes=(LegendClass(_tr("selected"), high), LegendClass(_tr("not selected"), low)),
            fills=_selected,
            by_constants=True,
            available=lambda state: bool(state.forecast and state.forecast.selection),
        ),
        Layer(
            key=TYPICAL_ERROR,
            title=_tr("Typical error"),
            unit=SPEED.unit,
            confidential=True,
            outside=_tr("not selected"),
            classes=(),
            fills=lambda state: _typical_errors(state, _of_errors(state).scale),
            available=lambda state: bool(state.forecast and state.forecast.plan),
            of_value=_of_errors,
            by_constants=True,
        ),
        Layer(
            key=PIN_DIFFERENCE,
            title=_tr("Difference of A and B: typical error"),
            unit=SPEED.unit,
            confidential=True,
            outside=_tr("in neither"),
            classes=(),
            fills=_differences,
            available=lambda state: _pair(state) is not None,
            of_value=_of_differences,
            by_constants=True,
        ),
        Layer(
            key=RELEASED_MEAN,
            title=_tr("Released number"),
            unit=SPEED.unit,
            confidential=False,
            outside=_tr("not released"),
            classes=RELEASED_MEANS.legend(),
            fills=lambda state: _released(state, _of_means(state).scale, lambda item: item.value),
            available=_holds_means,
            of_value=_of_means,
        ),
        Layer(
            key=SMOOTHED_VALUE,
            title=_tr("Smoothed (under a prior)"),
            unit=SPEED.unit,
            confidential=False,
            outside=_tr("not released"),
            classes=RELEASED_MEANS.legend(),
            fills=lambda state: _released(
                state, _of_smoothed(state).scale, lambda item: item.value, smoothed=True
            ),
            available=_holds_smoothed,
            of_value=_of_smoothed,
            smoothed=True,
            instead=RELEASED_MEAN,
        ),
        Layer(
            key=INTERVAL_WIDTH,
            title=_tr("Width of the 95 % interval"),
            unit=SPEED.unit,
            confidential=False,
            outside=_tr("not released"),
            classes=INTERVAL_WIDTHS.legend(),
            fills=lambda state: _released(state, _of_widths(state).scale, _width),
            available=_holds_means,
            of_value=_of_widths,
        ),
        Layer(
            key=SMOOTHED_WIDTH,
            title=_tr("Width of the smoothed 95 % interval"),
            unit=SPEED.unit,
            confidential=False,
            outside=_tr("not released"),
            classes=INTERVAL_WIDTHS.legend(),
            fills=lambda state: _released(state, _of_widths(state).scale, _width, smoothed=True),
            available=_holds_smoothed,
            of_value=lambda state: _called(_tr("Width of the smoothed 95 % interval"), _of_widths(state)),
            smoothed=True,
            instead=INTERVAL_WIDTH,
        ),
    )


def shown_cells(state: MapState) -> tuple[str, ...]:
    """The hexagons of the map: those with records, then chosen or released ones without any."""
    recorded = state.overview.hexagons
    cells = {} if state.protects_presence else dict.fromkeys(recorded)
    if state.forecast is not None and state.forecast.selection is not None:
        selection = state.forecast.selection
        # one without any records is listed in every slot, so one slot shows them all
        empty = selection.cell[(selection.index < 0) & (selection.slot == selection.slot[0])]
        if empty.size > MOST_DRAWN:
            return recorded
        cells |= dict.fromkeys(map(state.overview.places.id_text, empty.tolist()))
    if state.release is not None:
        cells |= dict.fromkeys(
            cell for query in state.release.queries for row in query.rows for cell in row.hexagons
        )
    return tuple(cells) if len(cells) <= MOST_DRAWN else recorded


def heading(layer: Layer, state: MapState) -> tuple[str, str]:
    """Title and unit of a layer, by what is measured; numbers of a practice release are called so."""
    value = layer.of_value(state) if layer.of_value and layer.available(state) else None
    title, unit = (value.title, value.unit) if value else (layer.title, layer.unit)
    return practice_title(layer, state, title), unit


def practice_title(layer: Layer, state: MapState, title: str) -> str:
    """The title, with the word before it where the numbers come from a practice release."""
    return _tr("PRACTICE: {title}").format(title=title) if _practised(layer, state) else title


def is_confidential(layer: Layer, state: MapState) -> bool:
    """Whether what it shows follows from the records."""
    return layer.confidential and not (layer.by_constants and state.protects_presence)


def paint(layer: Layer, state: MapState) -> MapPainting:
    """The painting of one layer for one slot."""
    available = layer.available(state)
    entries = list(layer.fills(state)) if available else []
    value = layer.of_value(state) if layer.of_value and available else None
    title, unit = heading(layer, state)
    return MapPainting(
        title=title,
        unit=unit,
        confidential=is_confidential(layer, state) and not state.sample,
        sample=is_confidential(layer, state) and state.sample,
        made_up=state.preview and not layer.confidential,
        of_before=state.of_before,
        outside=_tr("no candidate") if state.protects_presence and layer.by_constants else layer.outside,
        classes=value.scale.legend() if value else layer.classes,
        fills={cell: fill for cell, fill, _ in entries},
        tooltips={cell: (cell, *_place(state, cell), *text.split("\n")) for cell, _, text in entries},
        places=state.places,
        note=_note(layer, state) if available else "",
        lines=_around_regions(layer, state),
    )


def _place(state: MapState, cell: str) -> tuple[str, ...]:
    """The name of a hexagon, if it has one."""
    return (place_text(state.places[cell]),) if cell in state.places else ()


def _around_regions(layer: Layer, state: MapState) -> tuple[Line, ...]:
    """The outlines of the regions of the slot, where the layer's numbers are theirs."""
    outlines: list[tuple[str, ...]] = []
    if layer.key in (RELEASED_MEAN, INTERVAL_WIDTH) and state.number is not None:
        rows = state.number.query.rows
        outlines = [row.cells for row in rows if row.cells and row.holds(state.slot_text, state.labels)]
    elif layer.key == TYPICAL_ERROR and state.forecast is not None and (plan := state.forecast.plan):
        outlines = [tuple(map(cell_text, one.cells)) for one in plan.regions if state.slot in one.slots]
    rings = (ring for cells in outlines for polygon in outline(cells) for ring in polygon)
    return tuple(tuple((latitude, longitude) for longitude, latitude in ring) for ring in rings)


def _class_of(scale: ClassScale, value: float) -> Fill:
    """The class of a value; one that no class holds (no vehicle, say) is drawn as outside."""
    return scale.classify(value) if scale.limits[0] <= value <= scale.limits[-1] else OUTSIDE_FILL


def _vehicles(state: MapState, scale: ClassScale) -> Iterator[tuple[str, Fill, str]]:
    overview = state.overview
    candidates = set(shown_cells(state)) if state.protects_presence else None
    # most hexagons have the counts of others: each is worded once, which takes a tenth of the time
    vehicles, records = cache(counted_vehicles), cache(counted_records)
    for index in (overview.slots == state.slot).nonzero()[0].tolist():
        if candidates is not None and overview.cells[index] not in candidates:
            continue
        count = int(overview.vehicles[index])
        text = f"{vehicles(count)}, {records(int(overview.records[index]))}"
        yield overview.cells[index], _class_of(scale, count), text


def _selected(state: MapState) -> Iterator[tuple[str, Fill, str]]:
    selection = state.forecast.selection if state.forecast else None
    if selection is None:
        return
    overview = state.overview
    id_text = overview.places.id_text
    if state.protects_presence:
        for cell in selection.cell[selection.slot == state.slot].tolist():
            yield id_text(cell), 0, _tr("candidate: a row in the release, with records or without")
        return
    chosen = set(selection.index.tolist())
    suppressed = {hat.index for hat in _planned(state) if hat.plan is None}
    few, yes, no = _tr("suppressed: too few vehicles"), _tr("selected"), _tr("not selected")
    for index in (overview.slots == state.slot).nonzero()[0].tolist():
        if index in suppressed:
            yield overview.cells[index], SUPPRESSED_FILL, few
        elif index in chosen:
            yield overview.cells[index], 0, yes
        else:
            yield overview.cells[index], 1, no
    nobody = _tr("selected, but no vehicle in this slot: suppressed")
    empty = (selection.slot == state.slot) & (selection.index < 0)
    for cell in selection.cell[empty].tolist():
        yield id_text(cell), SUPPRESSED_FILL, nobody


def _planned(state: MapState) -> tuple[PlannedHat, ...]:
    return state.forecast.plan.hats if state.forecast and state.forecast.plan else ()


def _of_errors(state: MapState) -> OfValue:
    """The unit of the leading query's values, and classes by the verdict on a number with such an error."""
    assert state.forecast is not None
    assert state.forecast.plan is not None
    statistic = state.forecast.plan.query.question.statistic
    title = _tr("Typical error")
    if len(state.forecast.plans) > 1:  # beside the verdict on another one
        title = _tr("Typical error, {statistic}").format(statistic=core_text(statistic.title))
    return OfValue(
        title=title, unit=error_unit(statistic.measures[0]), scale=_error_scale(state.forecast.plan)
    )


def _error_scale(plan: QueryPlan) -> ClassScale:
    """Where nothing public tells what a number could be, that of speeds."""
    measure, constant = plan.query.question.statistic.measures[0], error_of_a_constant(plan)
    good, shown = good_error(measure, constant), error_scale(measure)
    if good is None:
        return error_classes(GOOD_ERROR, None)
    return error_classes(shown * good, None if constant is None else shown * constant)


def _pair(state: MapState) -> tuple[QueryPlan, QueryPlan] | None:
    """What is pinned, and what is planned now, where the one can be compared with the other."""
    if state.pinned is None or state.forecast is None:
        return None
    pinned, shown = state.pinned.plan, state.forecast.plan
    if pinned is None or shown is None or not comparable(pinned, shown):
        return None
    return pinned, shown


def difference_text(state: MapState, cell: str) -> str:
    """The errors of A and B in a cell, as the map says them; empty where nothing is compared."""
    return next((words for own, _, words in _differences(state) if own == cell), "")


def _of_differences(state: MapState) -> OfDifference:
    assert state.forecast is not None
    assert state.forecast.plan is not None
    plan = state.forecast.plan
    statistic = plan.query.question.statistic
    measure = statistic.measures[0]
    quantity = statistic.quantity if measure.unit == statistic.quantity.unit else SPEED
    return OfDifference(
        title=_tr("Difference of A and B: typical error"),
        unit=error_unit(measure),
        scale=difference_scale(quantity, plan.upper_bound),
    )


def _differences(state: MapState) -> Iterator[tuple[str, Fill, str]]:
    if (pair := _pair(state)) is not None:
        yield from difference_fills(*pair, state.slot, _of_differences(state).scale)


def _of_means(state: MapState) -> OfValue:
    title = _tr("Made-up {number}") if state.preview else _tr("Released {number}")
    return _of_number(state, title)


def _of_smoothed(state: MapState) -> OfValue:
    return _of_number(state, _tr("Smoothed {number}: an estimate under a prior"), smoothed=True)


def _of_number(state: MapState, title: str, *, smoothed: bool = False) -> OfValue:
    """Of the chosen number of the release; title: with a field for what it is called."""
    release, number = _release(state), _number(state)
    return OfValue(
        title=title.format(number=number_name(number, release.quantity)),
        unit=core_text(number_unit(number)),
        scale=released_scale(release, number, smoothed=smoothed),
    )


def _called(title: str, value: OfValue) -> OfValue:
    return dataclasses.replace(value, title=title)


def _practised(layer: Layer, state: MapState) -> bool:
    """Whether its numbers come from a practice release."""
    return state.practice and not layer.confidential


def _note(layer: Layer, state: MapState) -> str:
    """What must be known of the numbers."""
    said: list[str] = []
    if not layer.confidential:
        # the title says that it is a practice, too; where there are two remarks, the legend has no room
        said = [
            *(
                preview_remark(preview=state.preview)
                or settings_remark(otherwise=state.otherwise)
                or practice_remark(practice=state.practice)
            )
        ]
    if state.still is not None:
        shown, chosen = state.still
        value = _tr("Still resolution {shown}; resolution {chosen} appears once all choices fit.")
        said.append(value.format(shown=shown, chosen=chosen))
    return " ".join([*said, *([_caveat(state)] if layer.smoothed else [])])


def _caveat(state: MapState) -> str:
    """What is said of a smoothed number wherever it stands."""
    return sentence(core_text(caveat(_release(state).quantity)))


def _width(item: Estimate) -> int:
    return item.high - item.low


def _of_widths(state: MapState) -> OfValue:
    release, number = _release(state), _number(state)
    of_share = number.ends is not None
    return OfValue(
        title=_tr("Width of the 95 % interval"),
        unit=error_unit(number.measure),
        scale=SHARE_WIDTHS if of_share else width_classes_of(release.quantity, release.upper_bound),
    )


def _release(state: MapState) -> Release:
    assert state.release is not None
    return state.release


def _number(state: MapState) -> ReleasedNumber:
    assert state.number is not None
    return state.number


def _typical_errors(state: MapState, scale: ClassScale) -> Iterator[tuple[str, Fill, str]]:
    plan = state.forecast.plan if state.forecast else None
    if plan is None:
        return
    joint = plan.hat_figures
    scale_shown = error_scale(plan.query.question.statistic.measures[0])
    unplanned = _tr("suppressed: too few vehicles")
    if plan.regions:
        unplanned = _tr("in no region that keeps the promised error")
    elif plan.errors_known_of:
        unplanned = _tr("public counts expect no vehicle here")
    for hat, error in hats_with_errors(plan):
        if hat.slot != state.slot:
            continue
        if hat.plan is None or error is None:
            yield hat.cell_text, SUPPRESSED_FILL, unplanned
        else:
            smoothed = error if plan.smoothed_errors else None
            text = _error_text(plan, hat.plan, smoothed, joint.get(hat.index))
            yield hat.cell_text, _class_of(scale, scale_shown * error), text


def _error_text(plan: QueryPlan, hat: AnyHatPlan, smoothed: float | None, joint: HatFigures | None) -> str:
    """What smoothing leaves, the errors before it, and what a joint plan tells."""
    measure = plan.query.question.statistic.measures[0]
    lines = [
        _tr("{error} typical, {worst} at worst (noise {noise}, bias at most {bias})").format(
            error=error_with_unit(hat.lead.typical_error, measure),
            worst=error_figure(hat.lead.error_at_worst, measure),
            noise=error_figure(hat.lead.noise_scale, measure),
            bias=error_figure(hat.lead.bias_bound, measure),
        )
    ]
    if plan.errors_known_of:  # its scale is that of a sum, and no bias is bounded
        lines = [
            _tr("{error} typical, from public constants").format(
                error=error_with_unit(hat.lead.typical_error, measure)
            )
        ]
    if smoothed is not None:
        error = error_with_unit(smoothed, measure)
        lines.insert(0, _tr("{error} typical after smoothing").format(error=error))
    if joint is not None:
        lines.append(
            _tr("as accurate as {vehicles} equally active vehicles; about {bias} too high or low").format(
                vehicles=f"{joint.effective_vehicles:.1f}", bias=error_with_unit(joint.modelled_bias, measure)
            )
        )
    return "\n".join(lines)


def _holds_means(state: MapState) -> bool:
    return state.number is not None


def _holds_smoothed(state: MapState) -> bool:
    return state.number is not None and state.number.smoothed is not None


def _released(
    state: MapState, scale: ClassScale, value: Callable[[Estimate], int], *, smoothed: bool = False
) -> Iterator[tuple[str, Fill, str]]:
    """Of the published number, or of the smoothed one; the words tell both."""
    release, number = _release(state), _number(state)
    decimals = 1 if number.ends else max(1, 1 - decade(release.quantity, release.upper_bound))
    nothing = _tr("suppressed")
    if release.relation is Relation.USER:
        nothing = _tr("suppressed: the noisy number of vehicles is below the threshold")
    for row in number.query.rows:
        if not row.holds(state.slot_text, state.labels):
            continue
        item = number.of(row)
        if item is None:
            yield row.cell, SUPPRESSED_FILL, nothing
            continue
        estimate = number.smoothed_of(row)
        lines = [
            _number_text(item, number, decimals)
            if item.informative
            else _tr("no information: the noise pushed the value out of its range")
        ]
        if estimate is not None:
            lines.append(_tr("smoothed: {number}").format(number=_number_text(estimate, number, decimals)))
        if item.noisy_weight is not None:
            lines.append(_tr("noisy weight {weight}").format(weight=grouped(item.noisy_weight / THOUSAND, 1)))
        if row.cells:
            lines.append(_region_text(row))
        shown = estimate if smoothed else item
        fill: Fill = UNKNOWN_FILL
        if shown is not None and shown.informative:
            fill = _class_of(scale, value(shown) / number.parts)
        for cell in row.hexagons:
            yield cell, fill, "\n".join(lines)


def _region_text(row: HatRow) -> str:
    """Of what the number is, where it is that of more than one hexagon slot."""
    return counted(
        "one number for region {region}: {n} hexagon, {start} to {end}",
        "one number for region {region}: {n} hexagons, {start} to {end}",
        len(row.cells),
        region=row.cell,
        start=row.slot_start,
        end=row.slot_end,
    )


def released_text(state: MapState, cell: str) -> tuple[str, str]:
    """What was published of a cell, and in which slot, as the map says it; empty without a release.

    Then what is to be known of it in this window alone, or nothing.
    """
    if not _holds_means(state):
        return "", ""
    value = _released(state, _of_means(state).scale, lambda item: item.value)
    found = next((text for own, _, text in value if own == cell), None)
    time = f"{state.slot_text} – {state.slot_end}"
    if found is None:
        return f"{time}: " + _tr("not released"), ""
    number = "\n".join([*practice_remark(practice=state.practice), f"{time}: {found}"])
    return number, "".join(settings_remark(otherwise=state.otherwise))


def _number_text(item: Estimate, number: ReleasedNumber, decimals: int) -> str:
    mean, low, high = (f"{end / number.parts:.{decimals}f}" for end in (item.value, item.low, item.high))
    return _tr("{mean} {unit}, 95 % interval {low} to {high}").format(
        mean=mean, unit=core_text(number_unit(number)), low=low, high=high
    )
