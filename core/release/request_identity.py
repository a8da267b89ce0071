"""What makes two release requests identical (method 13.4): the spec without its texts, and the table.

A request is marked by the newest canonical form and looked up by every older one too, and under the ids that
earlier versions made of what was read, so that what was paid stays paid. The table is its rows in their one
order: whether records, a file or parts of a folder gave them does not matter. In relation `user` the table
has no part in it: whether it is as it was tells who was there. There the files stand for it, by where they
lie or, where nothing is known of that, by their names as typed.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.accounting.fingerprint import Pieces
from core.accounting.ledger import Ledger, StoredDraws
from core.clean.ingest_report import describe_mapping
from core.contributions import Contributions
from core.contributions.row_order import table_as_read
from core.contributions.values import Values
from core.privacy import Relation, Unit
from core.records.zone_names import names_of_zone
from core.spec import ReleaseSpec, identity
from core.spec.schema import FIRST_IDENTITY, NEWEST_IDENTITY
from core.system.parallel import cut

_BY_DAY = b"derived_speed_by_day"
"""Marks a request of relation `user` for derived speeds, where less than a vehicle is protected: once a day's
first speed followed from the day before, and draws cost more than was stated."""
_BLOCK = 1 << 20
"""Numbers of a table turned into bytes together, when what identifies a request is hashed."""
_Column = Values | NDArray[np.integer[Any]]


def canonical(spec: ReleaseSpec, version: int = NEWEST_IDENTITY) -> bytes:
    """The spec as canonical JSON: no texts, no paths, no key, parameters with their defaults."""
    return _as_json(identity(spec, version=version))


def _as_json(facts: dict[str, Any]) -> bytes:
    return json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What marks a request in the ledger, and what is stored of an identical one."""

    fingerprint: str
    """Over spec and table (relation `user`: spec and source), in the newest form."""
    place: str = ""
    """Of relation `user`: over spec and the files' places on this machine, whatever the spec calls them."""
    stored: StoredDraws | None
    paid_before: bool = False
    """Nothing is stored of it, and draws are of the same spec; of relation `user` nobody may know of what."""
    outdated: int | None = None
    """Entry whose draws are of this request, but of speeds that crossed midnight: not published again."""


def request_of(spec: ReleaseSpec, contributions: Contributions, ledger: Ledger) -> Request:
    """Look a request up in every form that there was. Raises BudgetRefused without a limit."""
    population = spec.population
    if spec.relation is Relation.USER:
        marks = _user_marks(spec, ledger)
        before = ledger.find_identical(population, *marks)
        if not contributions.derived or spec.unit is Unit.VEHICLE:
            return Request(fingerprint=marks[1], place=marks[0], stored=before)
        marks = _user_marks(spec, ledger, _BY_DAY)
        return Request(
            fingerprint=marks[1],
            place=marks[0],
            stored=ledger.find_identical(population, *marks),
            outdated=before.entry if before else None,
        )

    def mark(text: bytes, table: Contributions, version: int, *, with_others: bool) -> str:
        visits = version > FIRST_IDENTITY and any(query.question.uses_visits for query in spec.queries)
        content = table_bytes(table, with_visits=visits, with_others=with_others)
        return ledger.fingerprint(population, text, *content)

    newest = mark(canonical(spec), contributions, NEWEST_IDENTITY, with_others=False)
    stored, met = ledger.find_identical(population, newest), list[tuple[bytes, int]]()
    if stored is None:
        # the table is long: it is read again only where the spec alone was met before
        marks = _spec_marks(spec, ledger)
        drawn = ledger.with_draws(population, marks)
        met = [text for text, one in zip(_canonical_texts(spec), marks, strict=True) if one in drawn]
        read = table_as_read(contributions) if met else None
        tables = [(contributions, True), *([(read, False), (read, True)] if read else [])]
        older = (
            mark(text, table, version, with_others=others)
            for text, version in met
            for table, others in tables
        )
        stored = next(filter(None, (ledger.find_identical(population, one) for one in older)), None)
    return Request(fingerprint=newest, stored=stored, paid_before=stored is None and bool(met))


def _canonical_texts(spec: ReleaseSpec) -> Iterator[tuple[bytes, int]]:
    """The canonical spec in every form from the newest on, and the form's number.

    Each with every name of the zone, the main one first: requests were once marked by the one that was typed.
    """
    rules = spec.data.rules
    for version in range(NEWEST_IDENTITY, 0, -1):
        facts = identity(spec, version=version)
        for zone in names_of_zone(rules.zone) if rules.zone else (None,):
            facts["data"]["zone"] = zone
            yield _as_json(facts), version


def _user_marks(spec: ReleaseSpec, ledger: Ledger, *more: bytes) -> list[str]:
    """Of a request of relation `user`, by where its files lie and as typed, in every form from the newest on.

    more: of its mark.
    """
    sources = place_bytes(spec), source_bytes(spec)
    contents = ((text, source, *more) for text, _ in _canonical_texts(spec) for source in sources)
    return ledger.fingerprints(spec.population, contents)


def drawn_spec_mark(spec: ReleaseSpec, ledger: Ledger) -> str:
    """The mark of the spec in the newest form for which draws are stored; empty where there are none."""
    return next(iter(ledger.with_draws(spec.population, _spec_marks(spec, ledger))), "")


def _spec_marks(spec: ReleaseSpec, ledger: Ledger) -> list[str]:
    """In every form, the newest first."""
    return ledger.fingerprints(spec.population, ((text,) for text, _ in _canonical_texts(spec)))


def spec_mark(spec: ReleaseSpec, ledger: Ledger, version: int = NEWEST_IDENTITY) -> str:
    """The fingerprint of what is known before data are read. Raises BudgetRefused without a limit."""
    return ledger.fingerprint(spec.population, canonical(spec, version))


def source_bytes(spec: ReleaseSpec) -> bytes:
    """Which files are named and how they are read, as somebody typed it; nothing that they hold."""
    data = spec.data
    named = {
        "files": list(data.files),
        "contributions": data.contributions,
        "mapping": describe_mapping(data.rules.mapping, data.rules.quantity),
    }
    return _as_json(named)


def place_bytes(spec: ReleaseSpec) -> bytes:
    """Where the files lie and how they are read: the same from whatever folder a spec names them.

    Patterns are not filled in, as which files there are may tell who was there.
    """
    data = spec.data
    named = {
        "places": sorted({_place(data.folder, name) for name in data.files}),
        "contributions": _place(data.folder, data.contributions) if data.contributions else "",
        "mapping": describe_mapping(data.rules.mapping, data.rules.quantity),
    }
    return _as_json(named)


def _place(folder: Path, name: str) -> str:
    """The one path of a file or pattern, without links and detours; it need not exist."""
    return (folder / os.path.expanduser(name)).resolve().as_posix()  # noqa: PTH111 - as in `expand`


def table_bytes(
    contributions: Contributions, *, with_visits: bool = False, with_others: bool = False
) -> tuple[bytes | Pieces, ...]:
    """The contribution table as bytes, to be hashed with a key and never otherwise.

    with_visits: where plans follow from them, and they are known. with_others: also of vehicles without a row
    in the window, as requests were marked at first; a part of a larger table does not know them all.
    """
    present = np.bincount(contributions.vehicle, minlength=len(contributions.vehicles)) > 0
    if with_others:
        present[:] = True
    names = "\n".join(itertools.compress(contributions.vehicles, present)).encode()
    columns: tuple[tuple[_Column, str], ...] = (
        (contributions.cell, "<u8"),
        (contributions.slot, "<i8"),
        (contributions.hat, "<i8"),
    )
    rest: tuple[tuple[_Column, str], ...] = (
        (contributions.day, "<i8"),
        (contributions.start, "<i8"),
        (contributions.values, "<i8"),
    )
    if groups := contributions.window.groups:
        names += "".join(f"\0{label}" for group in groups for label in group.labels).encode()
    if with_visits and contributions.visits is not None:
        rest += ((contributions.visits, "<i8"),)
    places = np.cumsum(present) - 1
    vehicles = Pieces(
        contributions.vehicle.size * 8,
        (
            places[contributions.vehicle[block]].astype("<i8").tobytes()
            for block in _blocks(contributions.vehicle)
        ),
    )
    return (
        *(("\n".join(contributions.places.ids).encode(),) if contributions.places.ids else ()),
        names,
        *(_pieces(column, kind) for column, kind in columns),
        vehicles,
        *(_pieces(column, kind) for column, kind in rest),
    )


def _pieces(column: _Column, kind: str) -> Pieces:
    """A column as bytes of that kind of number, block by block."""
    return Pieces(
        len(column) * np.dtype(kind).itemsize,
        (column[block].astype(kind).tobytes() for block in _blocks(column)),
    )


def _blocks(column: _Column) -> list[slice]:
    return cut(0, len(column), _BLOCK)
