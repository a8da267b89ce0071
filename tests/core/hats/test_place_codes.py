"""Each record's place as a number: a hexagon, the whole area, or a label."""

from __future__ import annotations

import dataclasses

import numpy as np

from core.hats.cell_codes import cell_codes
from core.hats.place_codes import place_codes
from core.hats.places import HEXAGONS, PlaceChoice
from core.progress import silent
from core.records.labels import LabelColumn
from core.records.records import Records
from tests.records import Ping, instant, make_records

BY_ROUTE = PlaceChoice(place_kind="column", place_column="route")


def labelled() -> Records:
    pings = [
        Ping(f"bus {number}", instant(f"2022-01-01T10:0{number}:00+05:30"), 21.1 + number / 10, 72.8, 20.0)
        for number in range(4)
    ]
    column = LabelColumn(texts=("12", "7"), code=np.array([1, 0, 1, 1], np.int16))
    return dataclasses.replace(make_records(pings), labels={"route": column})


def texts(choice: PlaceChoice, listed: tuple[str, ...] = ()) -> list[str]:
    found, places = place_codes(labelled(), 7, choice, listed, silent)
    return [places.id_text(int(found.cells[code])) for code in np.asarray(found.code).tolist()]


def test_hexagons_are_indexed_as_always() -> None:
    records = labelled()
    found, places = place_codes(records, 7, PlaceChoice(), (), silent)
    expected = cell_codes(records, 7)
    assert places is HEXAGONS
    assert found.cells[found.code].tolist() == expected.cells[expected.code].tolist()


def test_the_whole_area_holds_every_record() -> None:
    assert texts(PlaceChoice(place_kind="none")) == ["all"] * 4


def test_a_label_is_the_place_of_its_record_however_ids_are_listed() -> None:
    assert texts(BY_ROUTE) == ["7", "12", "7", "7"]
    assert texts(BY_ROUTE, ("9", "7")) == ["7", "12", "7", "7"]
    _, places = place_codes(labelled(), 7, BY_ROUTE, ("9", "7"), silent)
    assert places.ids == ("9", "7", "12")
