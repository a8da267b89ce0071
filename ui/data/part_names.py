"""The parts of a mapping in words."""

from __future__ import annotations

from ui.kit.translation import translator

_tr = translator("PartWords")


def part_names() -> dict[str, str]:
    """Each part of a mapping, and of how a file is written, in words."""
    return {
        "encoding": _tr("encoding"),
        "sheet": _tr("worksheet"),
        "vehicle": _tr("vehicle"),
        "time": _tr("time"),
        "position": _tr("position"),
        "latitude": _tr("latitude"),
        "longitude": _tr("longitude"),
        "value": _tr("value"),
        "unit": _tr("unit"),
        "zone": _tr("zone"),
        "decimal": _tr("decimal mark"),
        "date_order": _tr("order of day and month"),
    }
