"""What the bar of a timeslot stands for, in words, such as by how much B is better."""

from __future__ import annotations

from core.advice.slot_figures import SlotFigure
from core.hats.slots import SlotGrid
from ui.language.counted_words import counted_hats, counted_vehicles
from ui.language.translation import counted, grouped, translator, whole
from ui.map.difference_layer import PIN_DIFFERENCE
from ui.map.layers import SELECTED, VEHICLES, Layer, MapState, heading, practice_title
from ui.map.slot_chart import SlotBar
from ui.session.query_texts import with_unit

_tr = translator("SlotWords")
_HUNDRED, _TEN = 100, 10


def strip_title(layer: Layer, state: MapState) -> str:
    """Of all bars together: what of the layer they tell, with its unit."""
    title, unit = heading(layer, state)
    if layer.key == SELECTED:
        return (
            _tr("Candidates in each slot (hexagons)")
            if state.protects_presence
            else _tr("Selected in each slot (hexagons)")
        )
    if layer.key == VEHICLES:
        return _tr("Distinct vehicles: median per slot")
    if layer.key == PIN_DIFFERENCE:
        title = _tr("By how much B is better")
    text = f"{title} ({unit})" if unit else title
    return _tr("{title}: median per slot").format(title=text)


def short_strip_titles(layer: Layer, state: MapState) -> tuple[str, ...]:
    """The same where there is little room, and where there is less: the legend names layer and unit.

    A low map has no room for the legend, so practice is named here as well.
    """
    unit = heading(layer, state)[1]
    if layer.key == SELECTED:
        return (_tr("Candidate hexagons") if state.protects_presence else _tr("Selected hexagons"),)
    if layer.key == PIN_DIFFERENCE:  # no legend tells what a bar below zero means
        title = _tr("B better by")
        return (f"{title} ({unit})", title) if unit else (title,)
    short = practice_title(layer, state, _tr("Median per slot"))
    if layer.key == VEHICLES or not unit:
        return (short,)
    return practice_title(layer, state, _tr("Median per slot ({unit})").format(unit=unit)), short


def slot_bar(key: str, figure: SlotFigure, grid: SlotGrid, unit: str) -> SlotBar:
    """The bar of one slot; of the selection it is as high as there are HATs."""
    counts = key == SELECTED
    number = float(figure.numbers) if counts else figure.median
    text = _figure_text(key, figure, unit)
    if figure.suppressed:
        text += ", " + counted("{n} suppressed", "{n} suppressed", figure.suppressed)
    period = grid.period(figure.slot)
    name = f"{period}, " if period else ""
    return SlotBar(
        start=period or grid.text(figure.slot),
        value=number if figure.numbers else None,
        published=figure.numbers,
        suppressed=figure.suppressed,
        words=f"{name}{grid.text(figure.slot)} – {grid.end_text(figure.slot)}: {text}",
    )


def _figure_text(key: str, figure: SlotFigure, unit: str) -> str:
    if key == SELECTED:
        return counted_hats(figure.numbers)
    if figure.median is None:
        return _tr("no number")
    whole_number = figure.median == round(figure.median)
    if key == VEHICLES and whole_number:
        value = counted_vehicles(round(figure.median))
    else:
        value = with_unit(short_number(figure.median), "" if key == VEHICLES else unit)
    return _tr("median {value} of {hats}").format(value=value, hats=counted_hats(figure.numbers))


def short_number(value: float) -> str:
    """About three figures, as the language writes them."""
    if value == round(value):
        return whole(round(value))
    size = abs(value)
    return grouped(value, 0 if size >= _HUNDRED else 1 if size >= _TEN else 2)
