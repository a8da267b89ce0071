"""Which layers a picture may show: none confidential, of a preview or practice; its licence line."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from core.advice.forecast import HatOverview
from core.bundle.licences import find_licence
from core.charts.hexagon_map import DOTTED, HATCHED, OUTLINED, ColourClass, HexagonMap, MapHexagon
from core.draft.draft import Draft
from core.errors import InputError
from core.portal.published_facts import PublishedFacts
from core.verify.folder import read_folder
from core.verify.values import BundleValues, bundle_facts
from ui.language.translation import core_text, translator
from ui.map.bundle_layer import paint_bundle
from ui.map.difference_layer import PIN_DIFFERENCE
from ui.map.layers import Layer, MapState, is_confidential, paint
from ui.map.place_rings import drawn_places, drawn_rings, is_route_line
from ui.session.hat_texts import labels_in_words
from ui.web_map.map_html import Outlines
from ui.web_map.painting import MapPainting

_tr = translator("LayerPicture")
_NOBODY = HatOverview(
    cells=(),
    hexagons=(),
    slots=np.zeros(0, np.int16),
    vehicles=np.zeros(0, np.int64),
    vehicle_days=np.zeros(0, np.int64),
    records=np.zeros(0, np.int64),
)
"""In the place of the counts of HATs: what is painted without them cannot follow from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credits:
    """What stands around a map; plain text."""

    title: str
    subtitle: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureOffer:
    """A picture that may be asked for, or why it may not."""

    name: str
    """Proposed for its file, without ending."""
    refusal: str
    """Empty where it may be made."""
    make: Callable[[], HexagonMap]
    """For a worker. Raises InputError with the refusal."""


def refusal_of(layer: Layer, state: MapState) -> str:
    """Why there is no picture of a layer; empty where there is one. When in doubt there is none."""
    if not layer.available(state):
        return _tr("this layer has nothing to show here")
    if not (state.overview.places.hexagons or state.outlines):
        return _tr("these places have no outlines")
    if is_confidential(layer, state):
        return _tr("this layer is confidential: it follows from the records, and is never published")
    if layer.by_constants:
        if state.pinned is not None and layer.key == PIN_DIFFERENCE and not state.pinned.protects_presence:
            return _tr("this layer is confidential: it follows from the records, and is never published")
        return ""
    if state.preview:
        return _tr("a preview shows made-up values and must not be passed on")
    if state.practice:
        return _tr("a practice release is not a real one and must not be passed on")
    return ""


def layer_picture(layer: Layer, state: MapState, draft: Draft, bundle: Path | None, zone: str) -> HexagonMap:
    """A public layer of one slot, with what the bundle says of itself, or the draft where there is none.

    Raises InputError for what is not public: a caller cannot get a picture of anything else.
    """
    _require(refusal_of(layer, state))
    shown = state.forecast if layer.by_constants else None
    nobody = dataclasses.replace(_NOBODY, places=state.overview.places)
    public = dataclasses.replace(
        state,
        overview=nobody,
        forecast=None if shown is None else dataclasses.replace(shown, overview=nobody),
        release=None if layer.by_constants else state.release,
        otherwise=False,  # as is what is chosen in a window that a viewer of the picture does not have
        still=None,
    )
    painting = paint(layer, public)
    _require(_tr("this layer is confidential") if painting.confidential else "")
    if layer.by_constants:
        slot = _slot_text(state.slot_text, state.slot_end, zone, _words(state))
        return _map(painting, _cells_by_constants(public), credits_of_draft(draft, slot), state.outlines)
    assert bundle is not None
    facts = bundle_facts(read_folder(bundle))
    _require(_unnamed(facts))
    assert facts is not None
    slot = _slot_text(state.slot_text, state.slot_end, facts.zone, _words(state))
    return _map(painting, _released_cells(public), credits_of(facts, slot), state.outlines)


def bundle_refusal(values: BundleValues) -> str:
    """Why there is no picture of a bundle; empty where there is one."""
    if values.outlines is not None and not values.outlines:
        return _tr("these places have no outlines")
    return _unnamed(values.facts)


def bundle_picture(
    values: BundleValues, start: str, end: str, groups: tuple[str, ...] = (), *, smoothed: bool = False
) -> HexagonMap:
    """The numbers of a verified bundle in one part of the day, of these labels.

    Raises InputError for a practice bundle, and for places without outlines.
    """
    _require(bundle_refusal(values))
    assert values.facts is not None
    labels = labels_in_words(values.groups, groups) if groups else ()
    slot = _slot_text(start, end, values.facts.zone, labels)
    return _map(
        paint_bundle(values, start, end, groups, smoothed=smoothed),
        drawn_places(values.cells, values.outlines),
        credits_of(values.facts, slot),
        values.outlines or {},
    )


def _words(state: MapState) -> tuple[str, ...]:
    return labels_in_words(state.groups, state.labels)


def _slot_text(start: str, end: str, zone: str, labels: tuple[str, ...] = ()) -> str:
    text = _tr("{start} to {end}").format(start=start, end=end)
    return ", ".join((f"{text} ({zone})" if zone else text, *labels))


def credits_of(facts: PublishedFacts, slot: str) -> Credits:
    """What a bundle says of itself."""
    days = facts.first if facts.first == facts.last else f"{facts.first} – {facts.last}"
    licence = " ".join(part for part in (facts.licence, facts.licence_url) if part)
    return Credits(
        title=facts.title,
        subtitle=f"{days}, {slot}",
        notes=(
            _tr("Differential privacy: {sentence}.").format(sentence=core_text(facts.privacy_sentence)),
            _tr("Published by {publisher} on {date}: {release}. Licence: {licence}").format(
                publisher=facts.publisher, date=facts.published_on, release=facts.release, licence=licence
            ),
        ),
    )


def credits_of_draft(draft: Draft, slot: str) -> Credits:
    """Of a layer that follows from public constants, before anything is published."""
    days = ", ".join(
        str(first) if first == last else f"{first} – {last}" for first, last in draft.date_ranges
    )
    licence = find_licence(draft.licence).title if draft.licence else ""
    signed = (draft.publisher, licence)
    return Credits(
        title=draft.title or draft.name or _tr("A planned release"),
        subtitle=", ".join(part for part in (days, slot) if part),
        notes=(
            _tr("Planned from public constants, without any record and at no cost."),
            *([". ".join(part for part in signed if part)] if any(signed) else []),
        ),
    )


def _unnamed(facts: PublishedFacts | None) -> str:
    if facts is None:
        return _tr("the bundle does not say who published it, or under which licence")
    if facts.practice:
        return _tr("a practice release is not a real one and must not be passed on")
    return ""


def _require(refusal: str) -> None:
    if refusal:
        refuse(refusal)


def refuse(refusal: str) -> NoReturn:
    """Raises InputError with the reason."""
    raise InputError(
        _tr("There is no picture: {reason}.").format(reason=refusal),
        where=_tr("export picture"),
        mend=_tr("choose a layer of a release"),
    )


def _released_cells(state: MapState) -> tuple[str, ...]:
    """Every hexagon of the release, in whichever slot: where there are none is as public."""
    rows = state.number.query.rows if state.number is not None else ()
    return tuple(dict.fromkeys(cell for row in rows for cell in row.hexagons))


def _cells_by_constants(state: MapState) -> tuple[str, ...]:
    assert state.forecast is not None
    assert state.forecast.selection is not None
    return tuple(dict.fromkeys(map(state.overview.places.id_text, state.forecast.selection.cell.tolist())))


def _map(painting: MapPainting, cells: Sequence[str], text: Credits, outlines: Outlines) -> HexagonMap:
    notes = (core_text(painting.note),) if painting.note else ()
    return HexagonMap(
        title=text.title,
        subtitle=text.subtitle,
        legend=painting.title,
        unit=painting.unit,
        classes=tuple(ColourClass(label=one.label, colour=one.colour) for one in painting.classes),
        hexagons=tuple(
            MapHexagon(
                ring=ring,
                fill=painting.fill_of(cell),
                open=cell in outlines and is_route_line(outlines[cell]),
            )
            for cell in cells
            for ring in drawn_rings(cell, outlines)
        ),
        names={
            HATCHED: _tr("suppressed"),
            DOTTED: _tr("no information"),
            OUTLINED: painting.outside or _tr("not released"),
        },
        lines=tuple(tuple(line) for line in painting.lines),
        line_name=_tr("edge of a region"),
        notes=(*notes, *text.notes),
    )
