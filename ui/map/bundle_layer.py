"""The painting of a bundle's published numbers in one part of the day."""

from __future__ import annotations

from core.release.bundle_values import BundleHat, BundleValues
from ui.kit.translation import core_text, translator
from ui.map.legend_classes import ClassScale, mean_classes
from ui.map.painting import OUTSIDE_FILL, SUPPRESSED_FILL, Fill, MapPainting
from ui.session.place_texts import place_text

_tr = translator("BundleLayer")

_CLASSES = 6


def paint_bundle(values: BundleValues, start: str, end: str) -> MapPainting:
    """What the bundle says of this part of the day: `HH:MM`, one of its `slots`."""
    scale = _scale(values)
    held = [hat for hat in values.hats if hat.holds(start, end)]
    return MapPainting(
        title=core_text(values.title),
        unit=values.unit,
        confidential=False,
        outside=_tr("not released"),
        classes=scale.legend(),
        fills={cell: _fill(hat, scale) for hat in held for cell in hat.cells},
        tooltips={cell: (cell, *_name(hat), _words(hat, values.unit)) for hat in held for cell in hat.cells},
        places={cell: hat.place for hat in values.hats for cell in hat.cells},
    )


def _scale(values: BundleValues) -> ClassScale:
    """The usual classes of the quantity; of other numbers equal parts of what the bundle holds."""
    if values.of_values:
        return mean_classes(values.quantity, values.span)
    told = [hat.value for hat in values.hats if hat.value is not None]
    least, most = min(told, default=0.0), max(told, default=1.0)
    step = (most - least or 1.0) / _CLASSES
    return ClassScale(tuple(least + step * number for number in range(_CLASSES + 1)))


def _fill(hat: BundleHat, scale: ClassScale) -> Fill:
    if hat.value is None:
        return SUPPRESSED_FILL
    low, high = scale.limits[0], scale.limits[-1]
    return scale.classify(hat.value) if low <= hat.value <= high else OUTSIDE_FILL


def _name(hat: BundleHat) -> tuple[str, ...]:
    return (place_text(hat.place),) if hat.place else ()


def _words(hat: BundleHat, unit: str) -> str:
    if hat.value is None:
        return _tr("suppressed")
    number = f"{hat.value:g} {unit}".strip()
    if hat.low is None or hat.high is None:
        return number
    return _tr("{number}, 95 % interval {low} to {high}").format(
        number=number, low=f"{hat.low:g}", high=f"{hat.high:g}"
    )
