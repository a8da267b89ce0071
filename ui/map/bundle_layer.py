"""A verified bundle's numbers in one slot, painted: mean, interval, smoothed estimate."""

from __future__ import annotations

from core.bundle.smoothed_facts import caveat
from core.verify.values import BundleHat, BundleValues
from ui.budget.range_texts import range_text
from ui.language.translation import core_text, sentence, translator
from ui.map.legend_classes import OTHER_NUMBERS, ClassScale, classes_of_means, classes_of_others
from ui.session.hat_texts import place_text
from ui.session.query_texts import of_quantity
from ui.web_map.painting import OUTSIDE_FILL, SUPPRESSED_FILL, UNKNOWN_FILL, Fill, MapPainting

_tr = translator("BundleLayer")


def released_title(values: BundleValues) -> str:
    """What the first numbers are called, and which of several they are: `…, above 30 km/h`."""
    title, label = core_text(values.title), values.label
    if label is None:
        return title
    if label.end is not None:
        ends = range_text((label.value, label.end), values.quantity)
        return _tr("{title}: {range}").format(title=title, range=ends)
    limit = f"{label.value:g} {values.quantity.unit}".strip()
    text = _tr("{title}: above {limit}") if label.counts_above else _tr("{title}: up to {limit}")
    return text.format(title=title, limit=limit)


def smoothed_title(values: BundleValues) -> str:
    """What the second numbers are called, as on the map of the release."""
    if values.label is not None:
        return _tr("Smoothed: an estimate under a prior. {title}").format(title=released_title(values))
    return of_quantity(_tr("Smoothed mean {value}: an estimate under a prior"), values.quantity)


def paint_bundle(
    values: BundleValues, start: str, end: str, groups: tuple[str, ...] = (), *, smoothed: bool = False
) -> MapPainting:
    """What the bundle says of this part of the day: `HH:MM`, one of its `slots`, and of these labels.

    smoothed: of its second numbers, where it has them; the words tell both.
    """
    scale = _scale(values, smoothed=smoothed)
    hats = [hat for hat in values.hats if hat.holds(start, end, groups)]
    return MapPainting(
        title=smoothed_title(values) if smoothed else released_title(values),
        unit=values.unit,
        confidential=False,
        outside=_tr("not released"),
        classes=scale.legend(),
        fills={cell: _fill(hat, scale, smoothed=smoothed) for hat in hats for cell in hat.cells},
        tooltips={cell: (cell, *_name(hat), *_words(hat, values.unit)) for hat in hats for cell in hat.cells},
        places={cell: hat.place for hat in values.hats for cell in hat.cells},
        note=sentence(core_text(caveat(values.quantity))) if smoothed else "",
    )


def _scale(values: BundleValues, *, smoothed: bool) -> ClassScale:
    """Classes where the numbers of the whole bundle lie."""
    shown = (_shown(hat, smoothed=smoothed) for hat in values.hats)
    numbers = (number for number in shown if number is not None)
    if values.of_values:
        return classes_of_means(numbers, values.quantity, values.span)
    return classes_of_others(numbers, OTHER_NUMBERS)


def _shown(hat: BundleHat, *, smoothed: bool) -> float | None:
    if not smoothed:
        return hat.value
    return None if hat.smoothed is None else hat.smoothed[0]


def _fill(hat: BundleHat, scale: ClassScale, *, smoothed: bool) -> Fill:
    if hat.value is None:
        return SUPPRESSED_FILL
    shown = _shown(hat, smoothed=smoothed)
    if shown is None:
        return UNKNOWN_FILL
    low, high = scale.limits[0], scale.limits[-1]
    return scale.classify(shown) if low <= shown <= high else OUTSIDE_FILL


def _name(hat: BundleHat) -> tuple[str, ...]:
    return (place_text(hat.place),) if hat.place else ()


def _words(hat: BundleHat, unit: str) -> tuple[str, ...]:
    if hat.value is None:
        return (_tr("suppressed"),)
    text = _number(hat.value, hat.low, hat.high, unit)
    if hat.smoothed is None:
        return (text,)
    return text, _tr("smoothed: {number}").format(number=_number(*hat.smoothed, unit))


def _number(value: float, low: float | None, high: float | None, unit: str) -> str:
    number = f"{value:g} {unit}".strip()
    if low is None or high is None:
        return number
    return _tr("{number}, 95 % interval {low} to {high}").format(
        number=number, low=f"{low:g}", high=f"{high:g}"
    )
