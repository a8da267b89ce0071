"""The words of the window and their meanings, as Help shows them, and plain words on hover (method 1)."""

from __future__ import annotations

import re

from PySide6.QtWidgets import QWidget

from ui.kit.tips import in_lines
from ui.language.translation import translator

_tr = translator("Glossary")

_OF_THE_TRADE = ("HAT", "K_day", "m_UB")
"""Terms that no newcomer can guess."""


def glossary() -> dict[str, str]:
    """Word -> meaning, in the order shown."""
    return {
        _tr("HAT"): _tr(
            "Hexagon and timeslot, a hexagon slot for short: one H3 cell in one slot of the day."
        ),
        _tr("Resolution"): _tr(
            "How fine H3 divides the land: from 5 to 10 the hexagons shrink sevenfold a step."
        ),
        _tr("K_day"): _tr("The most HATs that one vehicle was in on one day."),
        _tr("Epsilon"): _tr(
            "How much a release may reveal. Smaller is safer and less exact. Epsilons of releases add up."
        ),
        _tr("m_UB"): _tr(
            "The most records of one vehicle that count in a HAT, where a mechanism puts records into "
            "arrays. Fewer make less noise, and leave more out."
        ),
        _tr("Sensitivity"): _tr(
            "How far a number can move when the records of one unit change. Noise is made for it."
        ),
        _tr("Unit"): _tr(
            "Whose records are protected: a vehicle, a vehicle on one day, or in one HAT on one day."
        ),
        _tr("Relation"): _tr(
            "What neighbouring data sets differ in. With “values” the values of one unit may be anything "
            "between the bounds, its records anywhere inside their hexagon and timeslot, and nobody can "
            "tell; how many records and visits each vehicle has in each hexagon slot is public. With “user” "
            "a unit may be there or not, and nobody can tell: for taxis, ambulances and private cars."
        ),
        _tr("Population"): _tr("A named set of vehicles with one budget in the ledger."),
        _tr("Upper bound U"): _tr(
            "A public bound of the speed. Faster records count as U. Never taken from data."
        ),
        _tr("Physical maximum"): _tr(
            "Values above it are impossible and dropped; values between U and it count as U."
        ),
        _tr("Box"): _tr("South, west, north, east in degrees: positions outside are dropped."),
        _tr("Derived speed"): _tr(
            "Distance over time between a vehicle's records, where the files have no speed. It follows from "
            "positions, so only the relation “user” may release it."
        ),
        _tr("Encoding"): _tr(
            "Which bytes stand for which letters. Files are UTF-8 unless they carry a mark; another encoding "
            "is guessed from their letters and taken only once it is chosen."
        ),
        _tr("Known mapping"): _tr(
            "How files were read at an earlier load. It is stored in the home folder by the names of their "
            "columns, never with a cell, and offered again for files of the same shape."
        ),
        _tr("Typical error"): _tr(
            "What a published number misses on average: its noise, and the bias that a public model of "
            "vehicles expects for these counts. At worst, it is the largest bias that the counts allow. The "
            "95 % interval is wider than the typical error: it allows for all but one release in twenty, "
            "and for more bias than is expected."
        ),
        _tr("Suppressed"): _tr("A selected HAT without a value, as too few vehicles were there."),
        _tr("Ledger"): _tr("The record of what was spent. It refuses what would exceed a limit."),
        _tr("Bundle"): _tr("The signed folder that is published."),
    }


def term_tip(word: str) -> str:
    """What stands behind a plain word: the term and its meaning; `word` as the glossary has it in English."""
    term = _tr(word)
    return f"{term}: {glossary()[term]}"


def explain(word: str, *widgets: QWidget) -> None:
    """Put the term behind widgets that say it in plain words."""
    for widget in widgets:
        widget.setToolTip(in_lines(term_tip(word)))


def terms_in(text: str) -> str:
    """What the terms mean that a text says, outright or in plain words, a line each; empty without one."""
    said = [term for term in map(_tr, _OF_THE_TRADE) if term in text and re.search(rf"\b{term}s?\b", text)]
    if _tr("HAT") not in said and _tr("hexagon slot") in text.lower():
        said.insert(0, _tr("HAT"))
    lower = text.casefold()
    if _tr("Relation").casefold() in lower:  # a unit alone may be one of a measure
        said += [term for term in map(_tr, ("Unit", "Relation")) if term.casefold() in lower]
    return "\n".join(f"{term}: {glossary()[term]}" for term in said)
