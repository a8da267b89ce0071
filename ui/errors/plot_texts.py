"""The error plot in words: simulated points, Laplace and Gaussian, the values at one epsilon."""

from __future__ import annotations

from collections.abc import Mapping

from ui.errors.curve_styles import CurveStyle
from ui.errors.curves import CurveRequest, Curves
from ui.language.counted_words import counted_records, counted_vehicles
from ui.language.translation import rounded_to, translator
from ui.session.draft_charge import shown_epsilon
from ui.session.error_sources import source_note

_tr = translator("ErrorTexts")


def plot_title(request: CurveRequest) -> str:
    """Whose errors."""
    if not request.source.is_loaded:
        return _tr("{name}: {vehicles}, {records}").format(
            name=request.hat,
            vehicles=counted_vehicles(request.vehicles),
            records=counted_records(request.records),
        )
    return _tr("Hexagon slot {hat}: {vehicles}, {records}").format(
        hat=request.hat, vehicles=counted_vehicles(request.vehicles), records=counted_records(request.records)
    )


def plot_subtitle(curves: Curves) -> str:
    """What kind of errors, and which HAT."""
    request = curves.request
    parts = [source_note(request.source)]
    if request.source.is_loaded:
        parts.append(
            _tr("The hexagon slot you chose.")
            if request.chosen
            else _tr("The hexagon slot in the middle by vehicles; choose another on the map or in the table.")
        )
    if curves.simulated:
        parts.append(_tr("Lines are exact, points simulated (10,000 trials)."))
    chosen = request.series.get(request.strong)
    if chosen is not None and chosen.may_be_gaussian:
        parts.append(
            _tr("All curves show Laplace noise; Gaussian noise stands at the epsilon of equal variance.")
        )
    return " ".join(parts)


def summary(curves: Curves, styles: Mapping[str, CurveStyle]) -> str:
    """The chosen curve and the least one at the chosen epsilon."""
    if not curves.errors.keys() >= curves.request.series.keys():
        return _tr("More curves are being computed…")
    at, strong, unit = curves.chosen, curves.request.strong, curves.request.value_unit
    least = min(curves.errors, key=lambda key: float(curves.best(key)[at]))
    parts = [
        _tr("{curve} {error} {unit} ({why})").format(
            curve=styles[key].title, error=rounded_to(float(curves.best(key)[at]), 3), unit=unit, why=why
        )
        for key, why in ((strong, _tr("chosen")), (least, _tr("least")))
        if key in curves.errors
    ]
    if least == strong:
        parts = [
            _tr("{curve} {error} {unit} (chosen, and the least of all)").format(
                curve=styles[least].title, error=rounded_to(float(curves.best(least)[at]), 3), unit=unit
            )
        ]
    text = _tr("At epsilon {epsilon} per hexagon slot: {values}.").format(
        epsilon=shown_epsilon(curves.request.epsilon), values="; ".join(parts)
    )
    if curves.request.source.is_loaded:
        return text
    # else who finds another curve lower thinks that the wrong one was chosen
    return _tr("{words} This is one made-up example; for your release another method may be best.").format(
        words=text
    )


def spoken_curves(curves: Curves, styles: Mapping[str, CurveStyle]) -> str:
    """Every curve at the chosen epsilon, for those who cannot see the plot."""
    values = ", ".join(
        f"{styles[key].title} {rounded_to(float(curves.best(key)[curves.chosen]), 3)}"
        for key in curves.errors
    )
    return _tr("Mean absolute error at epsilon {epsilon} per hexagon slot, {unit}: {values}.").format(
        epsilon=shown_epsilon(curves.request.epsilon), unit=curves.request.value_unit, values=values
    )
