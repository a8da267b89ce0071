"""Lists of places that are no hexagons."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from core.errors import InputError
from core.hats.places import PlaceChoice
from core.hats.window import build_window
from core.selection.place_ids import MOST_PLACES, listed_places, read_place_ids

MONDAY = dt.date(2022, 1, 3)
BY_ROUTE = PlaceChoice(place_kind="column", place_column="route")


def file_of(folder: Path, text: str) -> Path:
    path = folder / "places.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_ids_are_read_line_by_line_each_once(tmp_path: Path) -> None:
    path = file_of(tmp_path, "\ufeffplace_id\n 7 \n\n12 A\n7\n<b>\n")
    assert read_place_ids(path) == ("12 A", "7", "<b>")
    request = listed_places(path, "cells", BY_ROUTE)
    assert (request.cells, request.ids) == ((0, 1, 2), ("12 A", "7", "<b>"))


def test_the_whole_area_needs_no_file(tmp_path: Path) -> None:
    assert listed_places(tmp_path / "none", "cells", PlaceChoice(place_kind="none")).ids == ("all",)


def test_a_list_for_the_whole_area_names_no_other_place(tmp_path: Path) -> None:
    window = build_window(((MONDAY, MONDAY),), ("09:00", "12:00"), 60)
    whole, header = PlaceChoice(place_kind="none"), "place_id,slot_start\n"
    request = listed_places(
        file_of(tmp_path, f"{header}all,09:00\nall,11:00\n"), "cells", whole, window=window
    )
    assert (request.ids, len(request.hats)) == (("all",), 2)
    for text in ("city,09:00\n", "all,09:00\ncity,10:00\n"):
        with pytest.raises(InputError, match="The whole area is one place, all"):
            listed_places(file_of(tmp_path, header + text), "cells", whole, window=window)


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("7\na\tb\n", "not the id of a place", "line 2"),
        ("x" * 81, "not the id of a place", "line 1"),
        ("place_id\n\n", "lists 0 places", "places.txt"),
        ("\n".join(map(str, range(MOST_PLACES + 1))), "lists 5,001 places", "places.txt"),
    ],
    ids=["control character", "long", "empty", "many"],
)
def test_what_is_no_list_is_refused(tmp_path: Path, text: str, what: str, where: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        read_place_ids(file_of(tmp_path, text))
    assert where in caught.value.where
    assert caught.value.mend


def test_a_rule_for_hexagons_takes_no_list_of_places(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hexagons alone") as caught:
        listed_places(file_of(tmp_path, "7"), "boundary", BY_ROUTE)
    assert caught.value.where == "selection.rule"


def test_a_zone_that_the_layer_has_not_is_refused_by_its_id(tmp_path: Path) -> None:
    path = file_of(tmp_path, "1\n2\n3\n")
    by_zone = PlaceChoice(place_kind="zones", zones_sha256="0" * 64)
    assert listed_places(path, "cells", by_zone, ["1", "2", "3", "4"]).ids == ("1", "2", "3")
    with pytest.raises(InputError, match="no zone '3'") as caught:
        listed_places(path, "cells", by_zone, ["1", "2"])
    assert caught.value.where == str(path)
    assert caught.value.mend
