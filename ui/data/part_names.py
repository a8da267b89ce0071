"""The parts of a mapping in words."""

from __future__ import annotations

from ui.kit.spec_words import word_of

_PATHS = (
    "data.format.encoding",
    "data.format.sheet",
    "data.mapping.vehicle",
    "data.mapping.time",
    "data.mapping.date",
    "data.mapping.position",
    "data.mapping.latitude",
    "data.mapping.longitude",
    "data.mapping.value",
    "data.mapping.unit",
    "data.zone",
    "data.format.decimal",
    "data.format.date_order",
)


def part_names() -> dict[str, str]:
    """Each part of a mapping, and of how a file is written, in words."""
    return {path.rpartition(".")[2]: word_of(path) for path in _PATHS} | {"quantity": word_of("data.value")}
