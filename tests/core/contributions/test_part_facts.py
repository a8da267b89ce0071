"""Parts of one table agree in all but dates and vehicles."""

from __future__ import annotations

import dataclasses
import datetime as dt
from pathlib import Path

import pyarrow as pa
import pytest

from core.contributions.file_facts import TABLE_SCHEMA, VISITS, facts_of
from core.contributions.part_facts import PartFacts, dates_of, merged_window, require_agreement
from core.contributions.parts import Part
from core.errors import InputError
from core.hats.groups import DAY_KIND, Group
from core.hats.window import Window, build_window
from core.read.file_stamps import Stamp
from tests.contribution_files import small_table


def _part(
    name: str, first: str, last: str, *, schema: pa.Schema = TABLE_SCHEMA, **changes: object
) -> PartFacts:
    table = small_table()
    window = dataclasses.replace(
        table.window, date_ranges=((dt.date.fromisoformat(first), dt.date.fromisoformat(last)),)
    )
    facts = facts_of(table, set(range(len(table.vehicles))))
    return PartFacts(
        part=Part(path=Path(name)),
        facts=dataclasses.replace(facts, **({"window": window} | changes)),  # type: ignore[arg-type]
        schema=schema,
        rows=0,
        stamp=Stamp(path=name, size=0, mtime_ns=0),
    )


def test_dates_of_all_parts_make_one_window() -> None:
    parts = (
        _part("b", "2022-01-03", "2022-01-04"),
        _part("a", "2022-01-01", "2022-01-02", other_vehicles=("bus",)),
        _part("c", "2022-02-01", "2022-02-01"),
    )
    require_agreement(parts)
    window = merged_window(parts)
    assert window.date_ranges == (
        (dt.date(2022, 1, 1), dt.date(2022, 1, 4)),
        (dt.date(2022, 2, 1), dt.date(2022, 2, 1)),
    )
    assert len(dates_of(parts)) == window.days == 5


def test_a_part_by_itself_keeps_its_window() -> None:
    ranges = tuple((dt.date(2022, 1, day), dt.date(2022, 1, day)) for day in (1, 2))
    window = build_window(ranges, ("09:00", "12:00"), 60)
    assert merged_window([_part("a", "2022-01-01", "2022-01-02", window=window)]) == window


OTHER_HOURS: Window = build_window(((dt.date(2022, 1, 2), dt.date(2022, 1, 2)),), ("10:00", "12:00"), 60)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"zone": "Asia/Colombo"}, "the metadata zone"),
        ({"upper_bound": 60_000}, "the metadata upper_bound"),
        ({"physical": (0, 200_000)}, "the metadata physical_max"),
        ({"derived": True}, "the metadata derived_speed"),
        ({"derived": None}, "the metadata derived_speed"),
        ({"version": "1"}, "the metadata hexveil_contributions"),
        ({"window": OTHER_HOURS}, "the metadata hours"),
        ({"resolution": 8}, "the resolution"),
        ({"schema": TABLE_SCHEMA.append(VISITS)}, "the type of the column visits"),
        (
            {"schema": TABLE_SCHEMA.set(0, pa.field("cell", pa.string()))},
            "the type of the column cell",
        ),
    ],
)
def test_what_differs_is_told_with_both_files(changes: dict[str, object], what: str) -> None:
    parts = _part("one", "2022-01-01", "2022-01-01"), _part("two", "2022-01-02", "2022-01-02", **changes)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"differ in {what}") as caught:
        require_agreement(parts)
    assert caught.value.where == "one and two"


def _part_of_kinds(name: str, *kinds: tuple[str, str]) -> PartFacts:
    """A part of the dates of these kinds; of the first of May without any, by the calendar."""
    listed = tuple((dt.date.fromisoformat(date), kind) for date, kind in kinds)
    dates = [date for date, _ in listed] or [dt.date(2022, 5, 1)]
    groups = (Group(DAY_KIND, kinds=listed),)
    return _part(name, *_MAY, window=build_window([(date, date) for date in dates], *_EIGHT, groups))


_MAY, _EIGHT = ("2022-05-01", "2022-05-01"), (("09:00", "12:00"), 60)
_FEAST, _USUAL = ("2022-05-02", "feast"), ("2022-05-03", "usual")


def test_kinds_of_day_are_put_together() -> None:
    parts = (_part_of_kinds("one", _FEAST), _part_of_kinds("two", _USUAL), _part_of_kinds("six", _FEAST))
    require_agreement(parts)
    (group,) = merged_window(parts).groups
    assert (group.labels, len(group.kinds)) == (("feast", "usual"), 2)


@pytest.mark.parametrize("other", [(("2022-05-03", "feast"),), ()], ids=["another kind", "the calendar's"])
def test_parts_that_call_days_otherwise_are_told_with_both_files(other: tuple[tuple[str, str], ...]) -> None:
    parts = (_part_of_kinds("one", _FEAST), _part_of_kinds("two", _USUAL), _part_of_kinds("six", *other))
    with pytest.raises(InputError, match="differ in the metadata day_kinds") as caught:
        require_agreement(parts)
    assert caught.value.where.endswith(" and six")


def test_how_texts_and_lists_are_packed_does_not_matter() -> None:
    packed = TABLE_SCHEMA.set(2, pa.field("vehicle", pa.dictionary(pa.int32(), pa.large_string())))
    packed = packed.set(6, pa.field("values", pa.large_list(pa.int32())))
    require_agreement(
        (_part("one", "2022-01-01", "2022-01-01"), _part("two", "2022-01-02", "2022-01-02", schema=packed))
    )
