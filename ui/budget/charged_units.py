"""The units that a charge is shown for."""

from __future__ import annotations

from core.privacy import Unit
from ui.language.translation import translator

_tr = translator("ChargedUnits")

CHARGED_UNITS = (Unit.VEHICLE, Unit.VEHICLE_DAY, Unit.VEHICLE_HAT_DAY)


def unit_names() -> dict[Unit, str]:
    """Whose charge it is, as people read it."""
    return {
        Unit.VEHICLE: _tr("each vehicle"),
        Unit.VEHICLE_DAY: _tr("each vehicle and day"),
        Unit.VEHICLE_HAT_DAY: _tr("each visit"),
    }
