"""Bad zones, labels, periods, filters and tables: each is refused or answered in words, in both relations.

In relation `user` what follows from the spec alone is refused too; what follows from records never.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.clean.ingest_report import IngestReport
from core.cli import main
from core.errors import InputError
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import prepare
from core.release.prepared import Prepared
from core.spec import load_spec
from tests.geojson import box, feature, polygon, write_geojson
from tests.labelled_city import BY_ROUTE, BY_ZONE, MAPPED, MARKED, USER, write_labelled_city
from tests.records import assert_tells
from tests.region_bundles import open_ledger
from tests.tampering import by_file, by_program
from tests.taxis import POPULATION as TAXIS

Edits = tuple[tuple[str, str], ...]
ZONES_OF_USER = (*USER, ('file = "places.txt"', 'file = "zones.txt"'))
RELATIONS: dict[str, tuple[Edits, Edits]] = {"values": ((), ()), "user": (USER, ZONES_OF_USER)}
"""What is written of labels, and of zones."""
WEST, EAST = box(72.80, 21.15, 72.85, 21.25), box(72.85, 21.15, 72.90, 21.25)
BOWTIE = [(72.85, 21.15), (72.90, 21.25), (72.90, 21.15), (72.85, 21.25), (72.85, 21.15)]
LINE = "bus-{bus:02d},2022-01-03T10:{minute:02d}:{second:02d}+05:30,21.17,72.83,30,{route},{direction}\n"


def prepared(path: Path, folder: Path) -> Prepared:
    """What a release of the spec would be."""
    ledger = open_ledger(folder)
    for population in ("Typed buses", TAXIS):
        ledger.set_limit(population, per_vehicle=Decimal(1000))
    return prepare(load_spec(path), ledger)


def refused(path: Path, folder: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        prepared(path, folder)
    assert_tells(caught.value)
    return caught.value


def with_zones(folder: Path, zones: list[tuple[Any, Any]]) -> None:
    features = [feature(polygon(shape), {"ward": ward, "title": "Ward"}) for ward, shape in zones]
    write_geojson(folder / "wards.geojson", {"type": "FeatureCollection", "features": features})


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(
    ("zones", "words"),
    [
        ([("1", WEST), ("=2", BOWTIE)], "zone '=2' is not valid: self-intersection"),
        ([("1", WEST), (None, EAST)], "Feature 2 of the layer has no id"),
        ([("1", WEST), ("1", EAST)], "Two zones have the id '1'"),
    ],
    ids=["self-crossing", "without an id", "two of one id"],
)
def test_unsound_zones_are_refused_by_their_id(
    zones: list[tuple[Any, Any]], words: str, relation: str, tmp_path: Path
) -> None:
    path = write_labelled_city(tmp_path, (*BY_ZONE, *RELATIONS[relation][1]))
    with_zones(tmp_path, zones)
    assert words in refused(path, tmp_path).what


@pytest.mark.parametrize("relation", RELATIONS)
def test_zones_that_overlap_are_listed(relation: str, tmp_path: Path) -> None:
    path = write_labelled_city(tmp_path, (*BY_ZONE, *RELATIONS[relation][1]))
    with_zones(tmp_path, [("1", WEST), ("=2", box(72.84, 21.15, 72.90, 21.25))])
    assert "1 and =2 share" in dict(prepared(path, tmp_path).review.lines())["Overlaps"]


def test_a_label_with_markup_is_text_and_one_with_control_characters_is_dropped_and_counted(
    tmp_path: Path,
) -> None:
    """The marked one on pages: test_labelled_release."""
    more = "".join(
        LINE.format(bus=n, minute=40, second=n, route='"a\x07b"', direction="UP") for n in range(7)
    )
    path = write_labelled_city(tmp_path, BY_ROUTE, more)
    report = contributions_for(load_spec(path))[1]
    assert isinstance(report, IngestReport)
    assert report.dropped["no_route"] == 7
    review = prepared(path, tmp_path).review
    assert MARKED in dict(review.lines())["Labels"]
    assert "\x07" not in str(review.lines())


def test_in_relation_user_dropped_labels_show_nowhere(tmp_path: Path) -> None:
    more = "".join(
        LINE.format(bus=n, minute=40, second=n, route='"a\x07b"', direction="UP") for n in range(7)
    )
    found = [
        prepared(write_labelled_city(tmp_path / str(len(lines)), (*BY_ROUTE, *USER), lines), tmp_path).review
        for lines in ("", more)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ((("resolution = 7", 'place = "column"\nplace_column = "fast"'),), "hats.place_column"),
        ((*BY_ROUTE[1:], ("slot_minutes = 60", 'slot_minutes = 60\ngroup = ["fast"]')), "hats.group"),
        ((*BY_ROUTE[1:], ("[hats]", '[data.filter]\nfast = ["30"]\n\n[hats]')), "data.filter"),
    ],
    ids=["place", "group", "filter"],
)
def test_the_values_own_column_is_refused(asked: Edits, where: str, relation: str, tmp_path: Path) -> None:
    columns = ('unit = "km/h"', 'unit = "km/h"\ncolumns = { fast = "speed", route = "route" }')
    path = write_labelled_city(tmp_path, (columns, *asked, *RELATIONS[relation][0]))
    assert where in refused(path, tmp_path).where


OF_MANY = {"trips": 1, "100,000 labels": 100_000}


def lines_of_labels(labels: int, column: str) -> str:
    """Trips of one vehicle each, or as many labels as are asked for, each of two vehicles."""
    many = labels if labels > 1 else 30
    return "".join(
        LINE.format(
            bus=number % 12 if labels == 1 else (number + again) % 12,
            minute=number // 60 % 60,
            second=number % 60,
            route=f"trip {number}" if column == "route" else "1",
            direction=f"trip {number}" if column == "direction" else "UP",
        ).replace("T10:", f"T{9 + number // 3600 % 3:02d}:")
        for number in range(many)
        for again in range(1 if labels == 1 else 2)
    )


@pytest.mark.parametrize("labels", OF_MANY.values(), ids=OF_MANY)
@pytest.mark.parametrize("column", ["route", "direction"])
def test_labels_of_trips_and_too_many_of_them_are_refused_in_values_and_change_nothing_in_user(
    labels: int, column: str, tmp_path: Path
) -> None:
    group = ("slot_minutes = 60", 'slot_minutes = 60\ngroup = ["direction"]')
    places: Edits = BY_ROUTE if column == "route" else (MAPPED, group)
    more = lines_of_labels(labels, column)
    told = refused(write_labelled_city(tmp_path / "values", places, more), tmp_path)
    assert told.where.startswith("hats.place_column" if column == "route" else "hats.group")
    typed = (*BY_ROUTE, *USER)
    if column == "direction":
        typed = (*typed, (group[0], group[1] + '\nlabels = { direction = ["UP", "DN"] }'))
    found = [
        prepared(write_labelled_city(tmp_path / f"user {len(lines)}", typed, lines), tmp_path)
        for lines in ("", more)
    ]
    assert found[0].review == found[1].review
    assert [hat.name for hat in found[0].plans[0].hats] == [hat.name for hat in found[1].plans[0].hats]


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_period_over_midnight_is_refused(relation: str, tmp_path: Path) -> None:
    night = ("slot_minutes = 60", 'periods = { night = ["22:00", "02:00"] }')
    path = write_labelled_city(tmp_path, (*BY_ROUTE, *RELATIONS[relation][0], night))
    assert "hats.periods" in refused(path, tmp_path).where


NOTHING = ("[hats]", '[data.filter]\ndirection = ["nowhere"]\n\n[hats]')


def test_a_filter_that_leaves_nothing_is_refused_in_values(tmp_path: Path) -> None:
    told = refused(write_labelled_city(tmp_path, (*BY_ROUTE, NOTHING)), tmp_path)
    assert "data.filter" in str(told) or "filter" in str(told)


@pytest.mark.parametrize("places", ["filter", "zones"])
def test_in_user_a_filter_or_zones_that_leave_nothing_release_noise(
    places: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", "correct horse")
    assert main(["keygen"]) == 0
    assert main(["ledger", "set-limit", "Typed buses", "--per-vehicle", "1000"]) == 0
    edits = (*BY_ROUTE, NOTHING, *USER) if places == "filter" else (*BY_ZONE, *ZONES_OF_USER)
    path = write_labelled_city(tmp_path, edits)
    if places == "zones":
        with_zones(tmp_path, [("1", box(10, 10, 11, 11)), ("=2", box(11, 10, 12, 11))])
    assert main(["release", str(path), "--out", str(tmp_path / "out"), "--yes"]) == 0
    (bundle,) = (tmp_path / "out").iterdir()
    assert by_program(bundle).reasons == by_file(bundle).reasons == ""
    (data,) = (bundle / "data").glob("*_by_place.csv")
    slots, listed = 3, 3 if places == "filter" else 2
    assert len(data.read_text("utf-8").splitlines()) == 1 + slots * listed


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_table_without_groups_is_refused_where_one_is_asked_for(relation: str, tmp_path: Path) -> None:
    plain = write_labelled_city(tmp_path, ())
    given = [str(tmp_path / "records.csv"), "--spec", str(plain), "--out", str(tmp_path / "table.parquet")]
    assert main(["contributions", *given]) == 0
    typed = 'slot_minutes = 60\ngroup = ["direction"]\nlabels = { direction = ["UP", "DN"] }'
    hexagons = ('file = "places.txt"', 'file = "cells.txt"')
    edits = (
        ("slot_minutes = 60", typed),
        *RELATIONS[relation][0],
        *((hexagons,) if relation == "user" else ()),
    )
    (tmp_path / "cells.txt").write_text("8742d9d69ffffff\n", encoding="utf-8")
    path = write_labelled_city(tmp_path, edits)
    text = path.read_text("utf-8")
    start, end = text.index("[data.mapping]"), text.index("[hats]")
    text = (text[:start] + text[end:]).replace('files = ["records.csv"]', 'contributions = "table.parquet"')
    path.write_text(text, encoding="utf-8")
    assert refused(path, tmp_path).where == "hats.group"
