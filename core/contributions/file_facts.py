"""Metadata of a contribution file: wrong or missing keys, how to write them, other versions (method 15)."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from core.clean.record_filter import (
    NOT,
    RecordFilter,
    filters_of,
    is_public_name,
    is_public_text,
    stated_filters,
)
from core.contributions.table import Contributions
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.hats.cells import require_mixed, require_resolution
from core.hats.groups import DAY_KIND, WEEKDAY, Group, Groups, require_group_labels
from core.hats.places import HEXAGON, HEXAGON_CHOICE, LABELLED, PLACE_KINDS, ZONED, PlaceChoice
from core.hats.slots import ALL, SLOT_MINUTES, Periods, SlotLength, clock, parse_clock, periods_of
from core.hats.window import DateRange, Window, build_window
from core.privacy import Confidential
from core.quantity import MOST_OF_VALUE, SPEED, Measured, Quantity
from core.records.id_folds import OtherTexts, id_folds, other_texts
from core.records.zones import require_zone
from core.system.nested_texts import json_value
from core.texts import text_of

TABLE_VERSION = "2"
FIRST_VERSION = "1"
"""Knows neither visits nor physical limits, and may keep silent on where its speeds come from."""
THIRD_VERSION = "3"
"""May say that speeds were derived day by day, by what its records were filtered, and which periods are in
place of slots, and by what its rows are grouped; a table that has nothing to say of these is of version 2."""
TABLE_VALUE = SPEED.name
_THOUSANDTH = "0.001 "
TABLE_UNIT = f"{_THOUSANDTH}{SPEED.unit}"
"""What one of the whole numbers is, where they are speeds."""
TABLE_SCHEMA = pa.schema(
    [
        pa.field(name, kind, nullable=False)
        for name, kind in (
            ("cell", pa.uint64()),
            ("slot_start", pa.int16()),
            ("vehicle", pa.string()),
            ("date", pa.date32()),
            ("count", pa.int64()),
            ("sum", pa.int64()),
            ("values", pa.list_(pa.field("element", pa.int32(), nullable=False))),
        )
    ]
)
"""One row for each (cell, slot, vehicle, date); a slot by its first minute of the local day."""
PLACE_TEXT = pa.field("place", pa.string(), nullable=False)
"""In the place of `cell`, where places are no hexagons."""
VISITS = pa.field("visits", pa.int32(), nullable=False)
"""A column more, where visits are known."""
PhysicalLimits = tuple[int, int]
"""Thousandths: values below the first or above the second were dropped as impossible."""
_MARK = "hexveil_contributions"
_PLACE_COLUMN = "place_column"
_ZONES = "zones_sha256"
_MIXED = "resolutions"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_BY_DAY = "derived_speed_by_day"
_FILTER = "filter"
_PERIODS = "periods"
_GROUPS, LISTED_KINDS = "groups", "day_kinds"
TABLE_MARK = _MARK.encode()
"""The key by which a file says that it is a contribution table."""
_FLAGS = ("false", "true")
_PHYSICAL = ("physical_min", "physical_max")
_MOST = MOST_OF_VALUE * THOUSAND
_NUMBER = re.compile(r"-?[0-9]{1,10}")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableFacts(Confidential):
    """The metadata of a file."""

    version: str = TABLE_VERSION
    window: Window
    resolution: int
    zone: str
    upper_bound: int
    """U in thousandths: the largest value there may be, less the smallest."""
    measured: Measured = SPEED.measured
    """What the values are, and the smallest that there may be."""
    physical: PhysicalLimits | None = None
    """What was dropped as impossible; None where the file does not say."""
    derived: bool | None
    """The values follow from positions, not from a measured speed; None where the file does not say."""
    derived_by_day: bool = False
    """They do, and each from positions of the same local day."""
    filters: tuple[RecordFilter, ...] = ()
    """Which records were counted."""
    choice: PlaceChoice = HEXAGON_CHOICE
    """What places are."""
    other_vehicles: tuple[str, ...]
    """Vehicles of the data set that have no row in the window, as the file writes them."""
    other_texts: OtherTexts = field(default_factory=dict)
    """Other texts, trimmed and case-folded, that ids of the file were read as."""

    def to_metadata(self) -> dict[str, str]:
        """Key-value metadata as text; the inverse of `read_facts`."""
        window = self.window
        stated = {} if self.derived is None else {"derived_speed": _FLAGS[self.derived]}
        if self.physical is not None:
            stated |= dict(zip(_PHYSICAL, map(str, self.physical), strict=True))
        if self.other_texts:
            stated["other_texts"] = json.dumps(self.other_texts, ensure_ascii=False)
        if self.derived_by_day:
            stated[_BY_DAY] = _FLAGS[True]
        if self.filters:
            stated[_FILTER] = json.dumps(stated_filters(self.filters), ensure_ascii=False)
        third = (
            self.derived_by_day
            or self.filters
            or window.periods
            or window.groups
            or self.choice != HEXAGON_CHOICE
        )
        places = {PLACE_TEXT.name: self.choice.place_kind}
        if self.choice.hexagons:
            places = {"resolution": str(self.resolution)}
            if self.choice.mixed:
                places[_MIXED] = ",".join(map(str, self.choice.mixed))
        elif self.choice.place_column:
            places[_PLACE_COLUMN] = self.choice.place_column
        elif self.choice.zones_sha256:
            places[_ZONES] = self.choice.zones_sha256
        return stated | {
            _MARK: THIRD_VERSION if third else self.version,
            "zone": self.zone,
            **places,
            **_stated_slots(window),
            **_stated_groups(window),
            "hours": "-".join(window.hours),
            "dates": ",".join(f"{first}/{last}" for first, last in window.date_ranges),
            "lower": str(self.measured.lower),
            "upper_bound": str(self.measured.lower + self.upper_bound),
            "value_name": self.measured.name,
            "unit": f"{_THOUSANDTH}{self.measured.unit}",
            "other_vehicles": json.dumps(self.other_vehicles, ensure_ascii=False),
        }


def facts_of(
    contributions: Contributions, present: set[int], physical: PhysicalLimits | None = None
) -> TableFacts:
    """The facts of a table; present: numbers of the vehicles that have a row."""
    return TableFacts(
        window=contributions.window,
        resolution=contributions.resolution,
        zone=contributions.zone,
        upper_bound=contributions.upper_bound,
        measured=contributions.measured,
        physical=physical,
        derived=contributions.derived,
        derived_by_day=contributions.derived_by_day,
        filters=contributions.filters,
        choice=contributions.choice,
        other_vehicles=tuple(
            name for number, name in enumerate(contributions.vehicles) if number not in present
        ),
        other_texts=contributions.other_texts,
    )


def read_facts(metadata: Mapping[bytes, bytes], path: Path) -> TableFacts:
    """The facts of a file. Raises InputError that names the key at fault, never a vehicle."""
    texts = _texts(metadata)
    version = texts.get(_MARK, "")
    if version not in (FIRST_VERSION, TABLE_VERSION, THIRD_VERSION):
        raise InputError(
            "This is not a contribution table, or it has another version."
            if _MARK in texts
            else "This is not a contribution table.",
            where=f"{path}, metadata {_MARK}",
            mend="write it with `contributions`, or as docs/large-data.md describes",
        )
    measured, choice = _measured(texts, version, path), _choice(texts, version, path)
    start, _, end = texts.get("hours", "").partition("-")
    upper = _number(texts, "upper_bound", path)
    if upper is None or not measured.lower < upper <= _MOST:
        raise _wrong("upper_bound", path, "write thousandths, above lower, for instance 65000")
    return TableFacts(
        version=version,
        window=build_window(
            _ranges(texts, path),
            (start, end),
            _slot_length(texts, version, (start, end), path),
            _groups(texts, version, path),
        ),
        resolution=require_resolution(_whole(texts, "resolution", path)) if choice.hexagons else 0,
        choice=choice,
        zone=require_zone(texts.get("zone", "")),
        upper_bound=upper - measured.lower,
        measured=measured,
        physical=_physical(texts, measured.lower, upper, path),
        derived=_derived(texts, version, path),
        derived_by_day=_derived_by_day(texts, version, path),
        filters=_filters(texts, version, path),
        other_vehicles=_names(texts, path),
        other_texts=_other_texts(texts, path),
    )


def _choice(texts: Mapping[str, str], version: str, path: Path) -> PlaceChoice:
    """What places are: hexagons, unless a table of the third version says otherwise."""
    kind = texts.get(PLACE_TEXT.name, HEXAGON) if version == THIRD_VERSION else HEXAGON
    column = texts.get(_PLACE_COLUMN, "") if kind == LABELLED else ""
    if kind not in PLACE_KINDS:
        raise _wrong(PLACE_TEXT.name, path, text_of("write one of {kinds}", kinds=", ".join(PLACE_KINDS)))
    if kind == LABELLED and not is_public_name(column):
        raise _wrong(_PLACE_COLUMN, path, "write the public name of the column, for instance route")
    zones = texts.get(_ZONES, "") if kind == ZONED else ""
    if (kind == ZONED) != (_SHA256.fullmatch(zones) is not None):
        raise _wrong(_ZONES, path, "write the table again with `contributions`")
    return PlaceChoice(
        place_kind=kind, place_column=column, zones_sha256=zones, mixed=_mixed(texts, version, kind, path)
    )


def _mixed(texts: Mapping[str, str], version: str, kind: str, path: Path) -> tuple[int, ...]:
    """The resolutions of a table that has several; the last one is that of `resolution` too."""
    if version != THIRD_VERSION or kind != HEXAGON or _MIXED not in texts:
        return ()
    try:
        mixed = require_mixed([int(text) for text in texts[_MIXED].split(",")])
        if str(mixed[-1]) == texts.get("resolution"):
            return mixed
    except (InputError, ValueError):
        pass
    raise _wrong(_MIXED, path, "write them from coarse to fine, for instance 6,8, and the last as resolution")


def _measured(texts: Mapping[str, str], version: str, path: Path) -> Measured:
    """What the values are: speeds from 0, unless a table of the second version names another quantity."""
    name, unit = texts.get("value_name", TABLE_VALUE), texts.get("unit", "")
    lower = _number(texts, "lower", path) or 0
    if name == TABLE_VALUE or version == FIRST_VERSION:
        for key, right, only in (
            ("value_name", name == TABLE_VALUE, TABLE_VALUE),
            ("unit", unit == TABLE_UNIT, TABLE_UNIT),
            ("lower", lower == 0, "0: no speed is below it"),
        ):
            if not right:
                raise _wrong(key, path, text_of("write {only}", only=only))
        return SPEED.measured
    if not unit.startswith(_THOUSANDTH):
        raise _wrong(
            "unit",
            path,
            text_of(
                "write {thousandth} and the unit, for instance {thousandth2}s",
                thousandth=_THOUSANDTH,
                thousandth2=_THOUSANDTH,
            ),
        )
    if not lower >= -_MOST:
        raise _wrong("lower", path, "write thousandths, for instance -600000")
    try:
        return Quantity(
            name=name, column_unit=name, unit=unit.removeprefix(_THOUSANDTH), lower=lower
        ).measured
    except InputError as error:
        key = "unit" if error.where.endswith(".unit") else "value_name"
        raise _wrong(key, path, "write them as in [data.value]") from None


def _texts(metadata: Mapping[bytes, bytes]) -> dict[str, str]:
    return {key.decode("utf-8", "replace"): text.decode("utf-8", "replace") for key, text in metadata.items()}


def _wrong(key: str, path: Path, mend: str) -> InputError:
    return InputError(
        "The metadata {key} of the contribution table is missing or wrong.",
        key=key,
        where=str(path),
        mend=mend,
    )


def _whole(texts: Mapping[str, str], key: str, path: Path) -> int:
    text = texts.get(key, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise _wrong(key, path, "write a whole number")
    return int(text)


def _stated_slots(window: Window) -> dict[str, str]:
    if not window.periods:
        return {"slot_minutes": str(window.slot_minutes)}
    listed = [[one.name, clock(one.start), clock(one.end)] for one in window.periods]
    return {_PERIODS: json.dumps(listed, ensure_ascii=False)}


def _slot_length(texts: Mapping[str, str], version: str, hours: tuple[str, str], path: Path) -> SlotLength:
    """The length of the slot, which may be that of the hours, or the periods in its place."""
    if version == THIRD_VERSION and _PERIODS in texts:
        return _periods(texts, path)
    minutes = _whole(texts, "slot_minutes", path)
    start, end = (parse_clock(text, where=f"{path}, metadata hours") for text in hours)
    return ALL if minutes not in SLOT_MINUTES and minutes == end - start else minutes


def _periods(texts: Mapping[str, str], path: Path) -> Periods:
    try:
        listed = [
            (str(name), parse_clock(start, where=str(path)), parse_clock(end, where=str(path)))
            for name, start, end in _json(texts[_PERIODS])
        ]
        return periods_of(listed, where=str(path))
    except (InputError, TypeError, ValueError):
        mend = 'write for instance [["morning peak", "07:00", "10:00"]]'
        raise _wrong(_PERIODS, path, mend) from None


def _stated_groups(window: Window) -> dict[str, str]:
    if not window.groups:
        return {}
    listed = [[one.name, [] if one.by_day else list(one.labels)] for one in window.groups]
    stated = {_GROUPS: json.dumps(listed, ensure_ascii=False)}
    kinds = {str(date): kind for one in window.groups for date, kind in one.kinds}
    return stated | ({LISTED_KINDS: json.dumps(kinds, ensure_ascii=False)} if kinds else {})


def _groups(texts: Mapping[str, str], version: str, path: Path) -> Groups:
    if version != THIRD_VERSION or _GROUPS not in texts:
        return ()
    try:
        kinds = {
            dt.date.fromisoformat(date): kind for date, kind in _json(texts.get(LISTED_KINDS, "{}")).items()
        }
        require_group_labels(list(kinds.values()) or [WEEKDAY], where=str(path))
        found = tuple(
            Group(name, kinds=tuple(sorted(kinds.items())))
            if name == DAY_KIND
            else Group(name, require_group_labels(labels, where=str(path)))
            for name, labels in _json(texts[_GROUPS])
        )
        names = [one.name for one in found]
        if len(set(names)) == len(names) and all(map(is_public_name, names)):
            return found
    except (AttributeError, InputError, TypeError, ValueError):
        pass
    raise _wrong(_GROUPS, path, 'write for instance [["direction", ["DN", "UP"]], ["day_kind", []]]')


def _number(texts: Mapping[str, str], key: str, path: Path) -> int | None:
    """A whole number, also below 0; None where the key is absent."""
    text = texts.get(key)
    if text is not None and not _NUMBER.fullmatch(text):
        raise _wrong(key, path, "write a whole number of thousandths")
    return None if text is None else int(text)


def _physical(texts: Mapping[str, str], lower: int, upper: int, path: Path) -> PhysicalLimits | None:
    """What was dropped by value; it must lie outside what neighbours may differ in (method 2.1)."""
    lowest, highest = (_number(texts, key, path) for key in _PHYSICAL)
    if lowest is None and highest is None:
        return None
    if lowest is None or highest is None:
        raise _wrong(_PHYSICAL[lowest is not None], path, "write both physical limits, or neither")
    if lowest > lower or highest < upper:
        key = _PHYSICAL[lowest <= lower]
        raise InputError(
            "The contribution table has a physical limit inside the protected range, so counts of "
            "records would reveal values.",
            where=f"{path}, metadata {key}",
            mend="make the table again with physical limits that enclose [lower, upper_bound]",
        )
    return lowest, highest


def _derived(texts: Mapping[str, str], version: str, path: Path) -> bool | None:
    stated = texts.get("derived_speed")
    if stated is None and version == FIRST_VERSION:
        return None
    if stated not in _FLAGS:
        raise _wrong("derived_speed", path, "write true where the speed was derived from positions, or false")
    return stated == _FLAGS[True]


def _derived_by_day(texts: Mapping[str, str], version: str, path: Path) -> bool:
    stated = texts.get(_BY_DAY, _FLAGS[False]) if version == THIRD_VERSION else _FLAGS[False]
    if stated not in _FLAGS or (stated == _FLAGS[True] and texts.get("derived_speed") != _FLAGS[True]):
        raise _wrong(
            _BY_DAY, path, "write true where speeds were derived within each local day, or leave it out"
        )
    return stated == _FLAGS[True]


def _filters(texts: Mapping[str, str], version: str, path: Path) -> tuple[RecordFilter, ...]:
    stated = _json(texts.get(_FILTER, "{}")) if version == THIRD_VERSION else {}
    if isinstance(stated, dict) and all(map(_is_filter, stated.items())):
        return filters_of(stated)
    raise _wrong(_FILTER, path, "write a JSON object of lists of texts as in [data.filter], or leave it out")


def _is_filter(stated: tuple[str, Any]) -> bool:
    key, texts = stated
    sound = isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts)
    return bool(sound) and is_public_name(key.removeprefix(NOT)) and all(map(is_public_text, texts))


def _ranges(texts: Mapping[str, str], path: Path) -> tuple[DateRange, ...]:
    try:
        pairs = [text.split("/") for text in texts.get("dates", "").split(",")]
        return tuple((dt.date.fromisoformat(first), dt.date.fromisoformat(last)) for first, last in pairs)
    except ValueError:
        mend = "write for instance 2022-01-03/2022-01-16,2022-02-01/2022-02-28"
        raise _wrong("dates", path, mend) from None


def _names(texts: Mapping[str, str], path: Path) -> tuple[str, ...]:
    names = _json(texts.get("other_vehicles", "[]"))
    if _are_ids(names):
        # as the ids of rows are: the same vehicle may stand in another table under one of them
        return tuple(id_folds(name).as_read for name in names)
    raise _wrong("other_vehicles", path, "write a JSON list of ids, or leave it out")


def _other_texts(texts: Mapping[str, str], path: Path) -> OtherTexts:
    stated = _json(texts.get("other_texts", "{}"))
    if isinstance(stated, dict) and all(map(_are_ids, stated.values())):
        pairs = [(id_folds(name).id, id_folds(text)) for name, names in stated.items() for text in names]
        if all(name in folds[1:] for name, folds in pairs):
            return other_texts((name, folds.as_read) for name, folds in pairs)
    raise _wrong("other_texts", path, "write a JSON object: ids, and lists of texts that fold to them")


def _json(text: str) -> Any:
    """What a text says; None for what no file of ours would say."""
    try:
        stated = json_value(text)
        json.dumps(stated, ensure_ascii=False).encode()
    except ValueError:  # no JSON, half a character, or lists without end
        return None
    return stated


def _are_ids(names: Any) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) and name.strip() for name in names)
