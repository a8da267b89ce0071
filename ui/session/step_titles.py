"""Titles of the steps that others speak of."""

from __future__ import annotations

from ui.kit.translation import translator

_tr = translator("Steps")


def hexagons_title() -> str:
    """Where HATs are selected."""
    return _tr("Hexagons")


def parameters_title() -> str:
    """Where statistics, budget and privacy are chosen."""
    return _tr("Parameters")
