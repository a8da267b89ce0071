"""What makes two release requests identical (SPEC 13): the spec without its texts, and the table."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.accounting.fingerprint import Pieces
from core.clean.report import describe_mapping
from core.contributions import Contributions
from core.contributions.values import Values
from core.parallel import cut
from core.planning.query_plan import Query
from core.read.file_format import AS_FOUND, FileFormat
from core.spec import ReleaseSpec
from core.values import plain

_BLOCK = 1 << 20
"""Numbers turned into bytes at a time."""
_Column = Values | NDArray[np.integer[Any]]


def canonical(spec: ReleaseSpec) -> bytes:
    """The spec as canonical JSON: no texts, no paths, no key, parameters with their defaults.

    The versions of statistic and mechanism are part of it: another could draw another result.
    """
    mapping = spec.data.rules.mapping
    facts: dict[str, Any] = {
        "data": {
            "mapping": describe_mapping(mapping),
            "physical_max": mapping.physical_max,
            "box": dataclasses.astuple(mapping.box) if mapping.box else None,
            "zone": spec.data.rules.zone,
            "upper_bound": spec.data.rules.upper_bound,
            **_named(spec.data.rules.format),
        },
        "hats": {
            "resolution": spec.resolution,
            "slot_minutes": spec.window.slot_minutes,
            "dates": [[str(first), str(last)] for first, last in spec.window.date_ranges],
            "hours": list(spec.window.hours),
        },
        "selection": {
            "rule": spec.selection.rule,
            "threshold": spec.selection.threshold,
            "cells": list(spec.selection.cells),
            "minimum_vehicles": spec.minimum_vehicles,
        },
        "privacy": {"relation": spec.relation, "unit": spec.unit},
        "queries": [_query(query) for query in spec.queries],
    }
    return json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()


def _named(form: FileFormat) -> dict[str, Any]:
    """How the files are read, where that is named: absent, so that older requests stay identical."""
    return {} if form == AS_FOUND else {"format": dataclasses.asdict(form)}


def _query(query: Query) -> dict[str, Any]:
    question, budget = query.question, query.budget
    return {
        "id": query.id,
        "statistic": question.statistic.key,
        "statistic_version": question.statistic.version,
        "mechanism": question.key,
        "mechanism_version": question.version,
        "per_hat": _plain(budget.per_hat),
        "total": _plain(budget.total),
        "noise_scale": _plain(budget.noise_scale),
        "division": budget.division,
        "parameters": dataclasses.asdict(question.params),
    }


def _plain(amount: Decimal | None) -> str | None:
    return None if amount is None else plain(amount)


def table_bytes(contributions: Contributions) -> tuple[bytes | Pieces, ...]:
    """The contribution table as bytes, to be hashed with a key and never otherwise."""
    names = "\n".join(contributions.vehicles).encode()
    columns: tuple[tuple[_Column, str], ...] = (
        (contributions.cell, "<u8"),
        (contributions.slot, "<i8"),
        (contributions.hat, "<i8"),
        (contributions.vehicle, "<i8"),
        (contributions.day, "<i8"),
        (contributions.start, "<i8"),
        (contributions.values, "<i8"),
    )
    return (names, *(_pieces(column, kind) for column, kind in columns))


def _pieces(column: _Column, kind: str) -> Pieces:
    """A column as bytes of that kind of number, block by block."""
    blocks = cut(0, len(column), _BLOCK)
    return Pieces(
        len(column) * np.dtype(kind).itemsize, (column[block].astype(kind).tobytes() for block in blocks)
    )
