"""The glossary of Help: words such as sensitivity, U, population, encoding, and their meanings (method 1)."""

from __future__ import annotations

import re

from PySide6.QtWidgets import QWidget

from ui.kit.tips import in_lines
from ui.language.translation import translator

_tr = translator("Glossary")

_OF_THE_TRADE = ("K_day", "m_UB")
"""Terms that no newcomer can guess."""


def glossary() -> dict[str, str]:
    """Word -> meaning, in the order shown: by letter."""
    words = {
        _tr("Hexagon slot"): _tr("One hexagon (H3 cell) in one timeslot of the day."),
        _tr("Resolution"): _tr(
            "How fine H3 divides the land: from 5 to 10 the hexagons shrink sevenfold a step."
        ),
        _tr("K_day"): _tr("The most hexagon slots that one vehicle was in on one day."),
        _tr("Epsilon"): _tr(
            "How much a release may reveal. Smaller is safer and less exact. Costs of releases add up: "
            "with Gaussian noise more slowly than epsilons."
        ),
        _tr("m_UB"): _tr(
            "How many records per vehicle count in a hexagon slot at most, where a mechanism uses "
            "arrays. Fewer mean less noise but leave more out."
        ),
        _tr("Sensitivity"): _tr(
            "How far a number can move when the records of one unit change. The noise is scaled to it."
        ),
        _tr("Unit"): _tr(
            "Whose records are protected: a vehicle, a vehicle on one day, or in one hexagon slot on one day."
        ),
        _tr("Relation"): _tr(
            "What about a unit is protected. “Values only” (values): the values of one unit, and where "
            "inside the hexagon and when inside the timeslot; how many records and visits each vehicle "
            "has in each hexagon slot is public. “Presence too” (user): also whether the unit was there "
            "at all, for taxis, ambulances and private cars."
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
            "Distance divided by time between a vehicle's records, where the files have no speed. It "
            "follows from positions, so only “Presence too” may release it."
        ),
        _tr("Encoding"): _tr(
            "Which bytes stand for which letters. Files count as UTF-8 unless they carry a mark. "
            "Hexveil may guess another encoding but uses it only after you choose it."
        ),
        _tr("Known mapping"): _tr(
            "How you had such files read before. The home folder stores it with the names of columns, "
            "never with a cell, and Hexveil offers it again for files of the same shape."
        ),
        _tr("Typical error"): _tr(
            "How far off a published number is on average: its noise, and the bias that a public model "
            "of vehicles expects for these counts. At worst, it is the largest bias that the counts "
            "allow. The 95 % interval is wider: it covers 19 releases in 20 and more bias than "
            "expected."
        ),
        _tr("Suppressed"): _tr(
            "A selected hexagon slot without a value, because too few vehicles were there."
        ),
        _tr("Ledger"): _tr("The record of what was spent. It refuses what would exceed a limit."),
        _tr("Bundle"): _tr("The signed folder that is published."),
    }
    return dict(sorted(words.items(), key=lambda pair: pair[0].casefold()))


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
    if _tr("hexagon slot") in text.lower():
        said.insert(0, _tr("Hexagon slot"))
    lower = text.casefold()
    if _tr("Relation").casefold() in lower:  # a unit alone may be one of a measure
        said += [term for term in map(_tr, ("Unit", "Relation")) if term.casefold() in lower]
    return "\n".join(f"{term}: {glossary()[term]}" for term in said)
