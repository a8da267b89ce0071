"""ui.web_map.painting: only classes that exist; one letter a cell, ASCII on its way to the page."""

from __future__ import annotations

import json

import pytest

from ui.web_map.painting import OUTSIDE_FILL, SUPPRESSED_FILL, LegendClass, MapPainting

CLASSES = (LegendClass("0 – 12", "#112233"), LegendClass("12 – 18", "#445566"))


def painting(**changes):
    given = {"title": "Speed", "confidential": False, "classes": CLASSES, "fills": {}, "tooltips": {}}
    return MapPainting(**(given | changes))


def test_a_cell_without_a_fill_is_outside():
    made = painting(fills={"a": 1, "b": SUPPRESSED_FILL, "c": OUTSIDE_FILL})
    assert [made.fill_of(cell) for cell in "abcd"] == [1, SUPPRESSED_FILL, OUTSIDE_FILL, OUTSIDE_FILL]
    assert json.loads(made.script("abcd"))["fills"] == "1soo"


@pytest.mark.parametrize("fill", [2, -1, "hidden"])
def test_a_fill_without_a_class_is_refused(fill):
    with pytest.raises(ValueError, match="no legend class"):
        painting(fills={"a": fill})


def test_more_classes_than_a_reader_can_tell_apart_are_refused():
    with pytest.raises(ValueError, match="at most 9"):
        painting(classes=CLASSES * 5)


def test_the_script_is_plain_ascii():
    line_separator = chr(0x2028)
    script = painting(title=f"गति {line_separator}</script>", unit="km/h").script([])
    assert script.isascii()
    assert json.loads(script)["title"] == f"गति {line_separator}</script>"


def test_a_cell_that_nothing_is_told_of_has_its_name_all_the_same():
    made = painting(tooltips={"a": ("a", "", "12 km/h")}, places={"a": "x", "b": "near Udhna"})
    assert made.words_of("a", "No data") == ("a", "12 km/h")
    assert made.words_of("b", "No data") == ("b", "near Udhna", "No data")
    assert painting(outside="no vehicle").words_of("c", "No data") == ("c", "no vehicle")
