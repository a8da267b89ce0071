"""Public counts from an older release in relation `user`; exact ones are refused (method 12.9).

They cost nothing more. Counts of a release in relation `values` are exact: of vehicles that are to be
protected they are no public numbers, however old.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

from core.bounding.counts_file import CountedHat, CountedHats
from core.bounding.weight_columns import RECORDS_DP, VEHICLES_DP
from core.codec import from_json
from core.errors import InputError
from core.hats.cells import parse_cell
from core.hats.slots import Periods, length_text, parse_clock, periods_of
from core.hats.window import Window
from core.privacy import Relation, Unit
from core.signed.bundle_names import PRIVACY
from core.signed.findings import Finding, decoded, json_object, require
from core.signed.minisign import read_public_key
from core.signed.signed_files import SignedFiles
from core.subject import VEHICLE, Subject
from core.texts import text_of

_DATA = "data/"
_PLACE = ("h3_cell", "slot_start")


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderRelease:
    """What a bundle says of its grid, and where its noisy weights stand."""

    unit: Unit
    days: int
    resolution: int
    mixed: bool
    """Its hexagons are of several resolutions."""
    grouped: bool
    """Labels tell rows of one HAT apart."""
    slot_minutes: int
    periods: Periods
    first_minute: int
    """Of its hours, since midnight."""
    table: str
    """Path of a data file with a weight of each HAT."""
    weight: str
    """What it counts: `VEHICLES_DP` where there is one."""
    column: str
    """Of the weight, named after what the release protects."""


def released_counts(
    bundle: Path, window: Window, resolution: int, unit: Unit, *, records: int, public_key: str = ""
) -> tuple[CountedHats, OlderRelease]:
    """Units of each HAT by a bundle whose sums and signature hold; HATs without a number are left out.

    Where the bundle tells vehicles they are rounded, where it tells records they are divided by `records`,
    those of one unit in a HAT, which no bundle tells. Of vehicles and days there are as many more as the
    window has more days. public_key: of its publisher, without which a bundle that anybody made would do.
    Raises InputError for what is no bundle, was changed, is of relation `values` or another grid, or has no
    such weight.
    """
    if records < 1:
        raise InputError(
            "An older release does not say how many records a vehicle sends from a hexagon slot.",
            where="query.parameters.records",
            mend="type a public number of records of one vehicle in a hexagon slot, from 1 on",
        )
    key = read_public_key(public_key) if public_key else None
    try:
        files = SignedFiles(bundle, key)
        document = json_object(PRIVACY, files.read(PRIVACY))
        _require_private_counts(document, bundle)
        older = _older_release(document, files)
        _require_same_grid(older, window, resolution, bundle)
        weights = list(_weights(files, older))
    except Finding as finding:
        raise InputError(
            "The older release does not verify: {finding}.",
            finding=finding,
            where=str(bundle),
            mend="get the bundle from its publisher again; never plan with numbers that somebody changed",
        ) from None
    by_day = unit is older.unit is Unit.VEHICLE_DAY
    share = Decimal(window.days) / older.days if by_day else Decimal(1)
    share /= 1 if older.weight == VEHICLES_DP else records
    units = {place: int((weight * share).quantize(Decimal(1), ROUND_HALF_EVEN)) for place, weight in weights}
    hats = tuple(
        CountedHat(cell=cell, minute=minute, vehicles=units[cell, minute], records=records)
        for cell, minute in sorted(units)
        if units[cell, minute] > 0
    )
    if not hats:
        raise InputError(
            "The older release has no vehicle in any hexagon slot.",
            where=str(bundle),
            mend="name a release that has more than suppressed rows",
        )
    return hats, older


def _require_private_counts(document: dict[str, Any], bundle: Path) -> None:
    relation = document.get("relation")
    require(relation in list(Relation), "{privacy} names no relation")
    if relation != Relation.USER:
        raise InputError(
            "The older release is of relation {relation}, whose counts are exact: they are not private, and "
            "must not guide another release.",
            relation=relation,
            where=str(bundle),
            mend="name a release in relation user, a timetable, or typed numbers",
        )


def _older_release(document: dict[str, Any], files: SignedFiles) -> OlderRelease:
    """Raises Finding for a document of another shape, or without a weight of HATs."""
    try:
        subject = from_json(Subject, document["subject"]) if "subject" in document else VEHICLE
        table, weight = _table_with_weights(files, subject)
        first = document["period"]["hours"][0]
        older = OlderRelease(
            unit=Unit(document["privacy_unit"]),
            days=document["period"]["days"],
            resolution=document["grid"]["h3_resolution"],
            mixed=bool(document["grid"].get("coarser_h3_resolutions")),
            grouped=bool(document["grid"].get("groups")),
            slot_minutes=document["grid"].get("slot_minutes", 0),
            periods=_periods(document["grid"].get("periods", [])),
            first_minute=parse_clock(first, where=PRIVACY),
            table=table,
            weight=weight,
            column=subject.column(weight),
        )
    except (KeyError, TypeError, ValueError, IndexError, InputError):
        raise Finding("{privacy} has another shape") from None
    numbers = (older.days, older.resolution, *([] if older.periods else [older.slot_minutes]))
    require(all(type(one) is int and one > 0 for one in numbers), "{privacy} has another shape")
    return older


def _periods(stated: list[dict[str, str]]) -> Periods:
    return (
        periods_of(
            (
                (
                    one["name"],
                    parse_clock(one["start"], where=PRIVACY),
                    parse_clock(one["end"], where=PRIVACY),
                )
                for one in stated
            ),
            where=PRIVACY,
        )
        if stated
        else ()
    )


def _table_with_weights(files: SignedFiles, subject: Subject) -> tuple[str, str]:
    """The first table with vehicles of HATs, else with records. Raises Finding where there is neither."""
    headers = {
        name: next(csv.reader([files.read(name)[:4096].decode("utf-8", "replace").partition("\n")[0]]), [])
        for name in files.names
        if name.startswith(_DATA) and name.endswith(".csv")
    }
    for weight in (VEHICLES_DP, RECORDS_DP):
        for name, header in headers.items():
            if {subject.column(weight), *_PLACE} <= set(header):
                return name, weight
    raise Finding(
        "it states no {vehicles_dp} and no {records_dp} per hexagon slot",
        vehicles_dp=VEHICLES_DP,
        records_dp=RECORDS_DP,
    )


def _require_same_grid(older: OlderRelease, window: Window, resolution: int, bundle: Path) -> None:
    if older.mixed:
        raise InputError(
            "The older release has hexagons of several resolutions.",
            where=str(bundle),
            mend=text_of(
                "name a release with hexagons of resolution {resolution} alone", resolution=resolution
            ),
        )
    if older.grouped:
        raise InputError(
            "The older release has rows for each of its groups.",
            where=str(bundle),
            mend="name a release without groups, or write a CSV file of its numbers",
        )
    if older.periods or window.periods:
        if older.resolution == resolution and older.periods == window.periods:
            return
        raise InputError(
            "The older release has other hexagons or periods than this.",
            where=str(bundle),
            mend="name a release with the same resolution and periods",
        )
    same_slots = older.slot_minutes == window.slot_minutes
    same_starts = older.first_minute % older.slot_minutes == window.start % window.slot_minutes
    if not (same_slots and same_starts and older.resolution == resolution):
        raise InputError(
            "The older release has hexagons of resolution {resolution} and slots of {counted_minutes} from "
            "{value} past on, other ones than this.",
            resolution=older.resolution,
            counted_minutes=length_text(older.slot_minutes),
            value=older.first_minute % older.slot_minutes,
            where=str(bundle),
            mend="name a release with the same resolution, slot length and start of slots",
        )


def _weights(files: SignedFiles, older: OlderRelease) -> Iterator[tuple[tuple[int, int], Decimal]]:
    """Cell and start of the slot in minutes -> weight; of the rows that have one. Raises Finding."""
    text = io.StringIO(decoded(older.table, files.read(older.table)), newline="")
    for number, row in enumerate(csv.DictReader(text, strict=True), start=2):
        if not row.get(older.column):
            continue
        where = text_of("{table}, line {number}", table=older.table, number=number)
        try:
            cell = parse_cell(row["h3_cell"], older.resolution, where=where)
            minute = parse_clock(row["slot_start"], where=where)
            weight = Decimal(row[older.column])
        except (InputError, ArithmeticError, csv.Error):
            raise Finding("{where} is malformed", where=where) from None
        require(weight.is_finite() and weight < 10**9, "{where} is malformed", where=where)
        yield (cell, minute), weight
