"""Why something cannot be chosen or shown where a contribution table is open in place of records."""

from __future__ import annotations

from ui.language.translation import translator

_tr = translator("TableTexts")


def made_for_text() -> str:
    """Of a choice that the table has decided."""
    return _tr("The contribution table was made for this. For another choice make another table.")


def one_grid_text() -> str:
    """Of other resolutions and slots than the table's."""
    return _tr("A contribution table knows its own grid alone")


def other_grid_text() -> str:
    """What to do about it."""
    return _tr("To compare resolutions and timeslots, open records or a table for each.")
