"""ui.map.bundle_layer: classes and words of a bundle's numbers."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.verify.values import BundleLabel, BundleValues, bundle_values
from tests.builders import CELLS, make_bundle, make_city_query, make_limits_query, make_release
from ui.map.bundle_layer import paint_bundle, released_title
from ui.web_map.painting import SUPPRESSED_FILL


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> BundleValues:
    return bundle_values(make_bundle(tmp_path_factory.mktemp("bundle")))


def test_a_bundle_is_painted_as_its_release_was(values: BundleValues) -> None:
    first, second = (paint_bundle(values, *slot) for slot in values.slots)
    assert not first.confidential
    assert [one.label for one in first.classes] == ["< 20", "≥ 20"]
    assert first.classes == second.classes
    assert first.fills == {CELLS[0]: 1, CELLS[1]: 1}
    assert second.fills[CELLS[0]] == 0
    assert second.fills[CELLS[1]] == SUPPRESSED_FILL
    assert first.tooltips[CELLS[0]] == (CELLS[0], "20.668 km/h, 95 % interval 18.001 to 23.335")
    assert second.tooltips[CELLS[1]][1] == "suppressed"


def test_the_name_of_a_place_stands_below_the_hexagon(values: BundleValues) -> None:
    hats = tuple(dataclasses.replace(hat, place="near Udhna") for hat in values.hats)
    painting = paint_bundle(dataclasses.replace(values, hats=hats), *values.slots[0])
    assert painting.tooltips[CELLS[0]][:2] == (CELLS[0], "near Udhna")
    elsewhen = paint_bundle(dataclasses.replace(values, hats=hats), "00:00", "00:01")
    assert elsewhen.words_of(CELLS[0], "No data") == (CELLS[0], "near Udhna", "not released")


def test_speeds_of_a_slow_city_have_more_than_one_colour(values: BundleValues) -> None:
    """Fixed classes of 10 km/h painted nearly all of it in one."""
    hats = tuple(
        dataclasses.replace(hat, value=8.1 + 12.3 * place / 40)
        for place in range(41)
        for hat in [values.hats[place % 4]]
    )
    painting = paint_bundle(dataclasses.replace(values, hats=hats), *values.slots[0])
    assert [one.label for one in painting.classes] == [
        *("< 10", "10 – 12", "12 – 14", "14 – 16", "16 – 18", "≥ 18")
    ]
    assert painting.classes[0].colour == "#563272"  # the strongest is slow


def test_numbers_that_are_all_alike_have_the_usual_classes(values: BundleValues) -> None:
    hats = tuple(dataclasses.replace(hat, value=12.0) for hat in values.hats)
    alike = dataclasses.replace(values, hats=hats)
    assert paint_bundle(alike, *values.slots[0]).classes[0].label == "0 – 10"
    counts = dataclasses.replace(alike, of_values=False, unit="")
    assert set(paint_bundle(counts, *values.slots[0]).fills.values()) == {1}
    nothing = dataclasses.replace(counts, hats=())
    assert paint_bundle(nothing, "09:00", "10:00").fills == {}


def test_counts_have_round_classes_and_name_their_limit(tmp_path: Path) -> None:
    values = bundle_values(make_bundle(tmp_path, make_release(queries=(make_limits_query(),))))
    painting = paint_bundle(values, *values.slots[0])
    assert painting.title == "Vehicles above a speed limit in every hexagon and timeslot: above 30 km/h"
    assert [one.label for one in painting.classes] == ["< 42", "≥ 42"]
    below = dataclasses.replace(values, label=BundleLabel(value=7.5, counts_above=False))
    assert released_title(below).endswith(": up to 7.5 km/h")


def test_smoothed_numbers_are_a_layer_of_their_own(tmp_path: Path) -> None:
    values = bundle_values(make_bundle(tmp_path, make_release(queries=(make_city_query(),))))
    raw, smoothed = (paint_bundle(values, *values.slots[1], smoothed=one) for one in (False, True))
    assert (raw.title, raw.note) == (values.title, "")
    assert smoothed.title == "Smoothed mean speed: an estimate under a prior"
    assert smoothed.note.startswith("An estimate under a prior")
    assert smoothed.fills[CELLS[1]] == raw.fills[CELLS[1]] == SUPPRESSED_FILL
    assert raw.tooltips == smoothed.tooltips
    assert raw.tooltips[CELLS[0]][2].startswith("smoothed: ")
    hats = tuple(
        dataclasses.replace(hat, smoothed=hat.smoothed and (55.0, 50.0, 60.0)) for hat in values.hats
    )
    moved = paint_bundle(dataclasses.replace(values, hats=hats), *values.slots[0], smoothed=True)
    assert moved.fills[CELLS[0]] != raw.fills[CELLS[0]]
