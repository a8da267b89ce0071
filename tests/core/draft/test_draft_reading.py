"""core.draft.draft_reading: which labels a draft needs read, and what cannot be a place, group or filter."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.clean.record_filter import RecordFilter
from core.draft.draft import DataSource, Draft
from core.draft.draft_reading import columns_lacking, place_choice_of, reading_for, selected_by
from core.errors import InputError
from core.geodata.zones_source import ZonesSource
from core.hats.groups import DAY_KIND, Group
from core.hats.places import LABELLED, WHOLE, ZONED
from core.privacy import Relation
from core.records.labels import LABEL_OF_ZONE
from tests.labelled_city import MAPPED, write_labelled_city
from tests.records import MAPPING, rules

NAMED = dataclasses.replace(
    MAPPING, public_columns=(("direction", "dir"), ("route", "rt"), ("wrong", MAPPING.value))
)
SOURCE = DataSource(files=(Path("a.csv"),), rules=rules(NAMED))


def test_only_what_is_asked_for_is_read() -> None:
    plain = Draft()
    assert reading_for(plain, SOURCE).labelled().labels == ()
    by_route = dataclasses.replace(plain, place_kind=LABELLED, place_column="route")
    grouped = dataclasses.replace(by_route, groups=(Group("direction"), Group(DAY_KIND)))
    assert reading_for(grouped, SOURCE).labelled().labels == ("direction", "route")
    assert reading_for(plain, SOURCE) == reading_for(dataclasses.replace(plain, place_column="route"), SOURCE)
    filtered = dataclasses.replace(plain, filters=(RecordFilter(name="route", values=("1",)),))
    assert reading_for(filtered, SOURCE) != reading_for(plain, SOURCE)
    assert reading_for(filtered, SOURCE).labelled().filters == filtered.filters


def test_zones_label_records_by_where_they_lie(tmp_path: Path) -> None:
    write_labelled_city(tmp_path, (MAPPED,))
    layer = ZonesSource(file=str(tmp_path / "wards.geojson"), id="ward", licence="CC0-1.0")
    read = reading_for(Draft(place_kind=ZONED, zones_source=layer), SOURCE).labelled()
    assert read.labels == (LABEL_OF_ZONE,)
    assert read.zones is not None
    assert read.zones.ids == ("1", "=2")
    assert reading_for(Draft(place_kind=WHOLE, zones_source=layer), SOURCE).labelled().zones is None


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"place_kind": LABELLED, "place_column": "wrong"}, "hats.place_column"),
        ({"place_kind": LABELLED, "place_column": "none"}, "hats.place_column"),
        ({"groups": (Group("wrong"),)}, "hats.group"),
        ({"filters": (RecordFilter(name="wrong", values=("1",)),)}, "data.filter.wrong"),
        ({"filters": (RecordFilter(name="none", values=("1",)),)}, "data.filter.none"),
    ],
)
def test_what_has_another_meaning_is_refused(changes: dict[str, object], where: str) -> None:
    with pytest.raises(InputError) as refused:
        reading_for(dataclasses.replace(Draft(), **changes), SOURCE).labelled()
    assert refused.value.where == where
    assert refused.value.mend


def test_a_list_is_of_ids_for_other_places(tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("b\na\n", encoding="utf-8")
    by_route = Draft(place_kind=LABELLED, place_column="route", rule="cells", relation=Relation.USER)
    assert selected_by(by_route, tmp_path) is None
    found = selected_by(dataclasses.replace(by_route, cells_file="ids.txt"), tmp_path)
    assert found is not None
    assert (found.ids, found.cells) == (("a", "b"), (0, 1))
    assert place_choice_of(by_route).place_column == "route"


def test_other_records_may_lack_the_columns() -> None:
    grouped = Draft(groups=(Group("direction"), Group(DAY_KIND)))
    assert not columns_lacking(grouped, SOURCE.rules)
    assert columns_lacking(grouped, rules())
    assert not columns_lacking(Draft(groups=(Group(DAY_KIND),)), rules())
