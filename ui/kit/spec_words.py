"""Labels of the spec's keys, and each relation in words: what is public, what protected."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.spec import SPEC
from core.spec.parameter_labels import label_of_parameter
from ui.language.translation import core_text, translator, without_mnemonic

_tr = translator("Spec")

_ASSIGNED: Final = re.compile(r'\b([a-z_]+) = (?:"([^"]*)"|(-?\d+(?:\.\d+)?))')
"""A key with its value, as a line of a spec has them."""
_PARAMETER: Final = re.compile(r"query\.parameters(?:, |\.)(\w+)")
"""One of a statistic or a mechanism, as errors write its place."""
_TO_FILL_IN = "..."


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationTexts:
    """What a person reads before choosing."""

    title: str
    examples: str
    """Whose data it is for."""
    brief: str
    """What becomes public, and what does not, in a few words."""
    public: str
    """The same at length."""


def relation_texts() -> dict[str, RelationTexts]:
    """Of each relation."""
    return {
        "values": RelationTexts(
            title=_tr("Values only"),
            examples=_tr("Buses on a timetable."),
            brief=_tr("In which hexagon and hour they drive is public anyway."),
            public=_tr(
                "Public: how many records and visits each vehicle has in each hexagon slot. "
                "Protected: what they measured, such as their speeds, and where inside the hexagon and when "
                "inside the timeslot. Choose this only if it is public anyway which vehicle was where, as "
                "with buses and trams on a timetable. Minibuses without one need the other choice."
            ),
        ),
        "user": RelationTexts(
            title=_tr("Presence too"),
            examples=_tr("Taxis, minibuses, private cars."),
            brief=_tr("Even being there is hidden. Less exact."),
            public=_tr(
                "Public: only the constants that you type, none of them from the records. "
                "Protected: speeds, places, and whether a vehicle was there at all. Numbers are less exact."
            ),
        ),
    }


def unit_word(unit: str | None) -> str:
    """What sentences call what is protected. Empty while it is not chosen."""
    words = {
        "vehicle": _tr("a vehicle"),
        "vehicle-day": _tr("a vehicle's day"),
        "vehicle-hat-day": _tr("one visit"),
    }
    return words[unit] if unit is not None else ""


def relation_word(relation: str | None) -> str:
    """The same of a relation."""
    words = {"values": _tr("“Values only”"), "user": _tr("“Presence too”")}
    return words[relation] if relation is not None else ""


def label_of(path: str) -> str:
    """The name of a key's field, `&` before its letter; `path` as in `data.mapping.vehicle`."""
    return core_text(SPEC.key(path).label)


def caption_of(path: str) -> str:
    """The name of a key's field without the mark of its letter."""
    return without_mnemonic(label_of(path))


def word_of(path: str) -> str:
    """What sentences call a key."""
    return core_text(SPEC.key(path).word)


def help_of(path: str) -> str:
    """What a key means, in one sentence."""
    return core_text(SPEC.key(path).help).replace("`", "")


def place_in_form(where: str) -> str:
    """Where an error is, for somebody who sees fields: their name in place of the key of a spec."""
    if _PARAMETER.search(where):
        return _PARAMETER.sub(lambda found: core_text(label_of_parameter(found[1])), where)
    try:
        key = SPEC.key(where)
    except KeyError:
        return where
    return without_mnemonic(core_text(key.label)) if key.label else _named(key.name).capitalize()


def mend_in_form(mend: str, where: str) -> str:
    """How to mend it, for somebody who fills in fields: no line of a spec; `where` as the error says it."""
    table = where.rpartition(".")[0]

    def worded(found: re.Match[str]) -> str:
        name, text, number = found.groups()
        place = place_in_form(f"{table}.{name}")
        place = place if place != f"{table}.{name}" else _named(name)
        if text == _TO_FILL_IN:
            return _tr("a text as {place}").format(place=place)
        return _tr("“{value}” as {place}").format(value=number or text, place=place)

    return _ASSIGNED.sub(worded, mend)


def _named(key: str) -> str:
    return key.replace("_", " ")
