"""Columns that a release may speak of beside the value: proposed by their names, never taken (method 2.7)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from core.assist.column_names import plain_name

PUBLIC_NAMES = {
    "route": (
        *(
            "routeid",
            "route",
            "routename",
            "routeshortname",
            "routecode",
            "triprouteid",
            "vehicletriprouteid",
        ),
        *("line", "lineid", "lineref", "linename", "publishedlinename", "linea", "linha", "ligne", "linie"),
        *("ruta", "rota", "desi", "rt", "vehiclejourneylineref", "monitoredvehiclejourneylineref"),
    ),
    "direction": (
        *("tripdirection", "directionid", "direction", "directionref", "dir", "tripdirectionid", "sentido"),
        *("sens", "richtung", "vehicletripdirectionid", "monitoredvehiclejourneydirectionref"),
    ),
    "agency": ("agencyid", "agency", "operatorid", "operatorref", "operator", "oper"),
}
"""Public name -> names of columns as `plain_name` makes them, the likeliest first."""


def public_columns(columns: Iterable[str]) -> dict[str, str]:
    """Public name -> column, for what the names of the columns alone show."""
    by_name: dict[str, str] = {}
    for column in columns:
        by_name.setdefault(plain_name(column), column)
        by_name.setdefault(plain_name(column.rpartition(".")[2]), column)
    found = {
        public: [by_name[name] for name in names if name in by_name] for public, names in PUBLIC_NAMES.items()
    }
    return {public: likeliest[0] for public, likeliest in found.items() if likeliest}


def named_columns(named: Mapping[str, str]) -> str:
    """As a line of a spec says it."""
    pairs = ", ".join(
        f"{public} = {json.dumps(column, ensure_ascii=False)}" for public, column in named.items()
    )
    return f"columns = {{ {pairs} }}"
