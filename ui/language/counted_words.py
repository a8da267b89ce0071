"""The nouns that the window counts, each in the form that its number asks for."""

from __future__ import annotations

from ui.language.translation import counted


def counted_hats(count: int) -> str:
    return counted("{n} hexagon slot", "{n} hexagon slots", count)


def counted_hexagons(count: int) -> str:
    return counted("{n} hexagon", "{n} hexagons", count)


def counted_vehicles(count: int) -> str:
    return counted("{n} vehicle", "{n} vehicles", count)


def counted_records(count: int) -> str:
    return counted("{n} record", "{n} records", count)


def counted_hat_days(count: int) -> str:
    return counted("{n} slot-day", "{n} slot-days", count)


def counted_vehicle_days(count: int) -> str:
    return counted("{n} vehicle-day", "{n} vehicle-days", count)
