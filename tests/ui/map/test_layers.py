"""ui.map.layers: what each hexagon of a slot shows, and which layers must not leave the office."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.bundle.release_result import SUPPRESSED as SUPPRESSED_ROW
from core.bundle.release_result import HatRow, Release
from core.bundle.smoothed_facts import caveat
from tests.builders import CELLS, make_city_query, make_open_row, make_release, make_row
from tests.taxis import ENFORCED, REGIONS, ledger_in, planned, write_taxis
from tests.ui.small_city import add_queries, edit, loaded_session, planned_session
from ui.map import layers as map_layers
from ui.map.layers import Layer, MapState, heading, layers, paint, released_text, shown_cells
from ui.map.legend_classes import colours
from ui.session.session import Session
from ui.web_map.painting import OUTSIDE_FILL, SUPPRESSED_FILL, UNKNOWN_FILL, MapPainting

EMPTY = "8742d9d69ffffff"
"""A cell of another city."""


def layer(key: str) -> Layer:
    return next(item for item in layers() if item.key == key)


def state_of(session: Session, *, slot: int = 9, release: Release | None = None) -> MapState:
    assert session.overview is not None
    return MapState(
        overview=session.overview,
        forecast=session.forecast,
        release=release,
        slot=slot,
        slot_text=f"{slot:02d}:00",
    )


def fill_of_counts(session: Session, painting: MapPainting) -> dict[int, object]:
    """Vehicles of each hexagon -> how it is drawn."""
    overview = session.overview
    assert overview is not None
    return {
        int(count): painting.fill_of(cell)
        for cell, count, slot in zip(overview.cells, overview.vehicles, overview.slots, strict=True)
        if slot == 9
    }


def release_with(*rows: HatRow) -> Release:
    made = make_release()
    return dataclasses.replace(made, queries=(dataclasses.replace(made.queries[0], rows=rows),))


def test_only_released_layers_are_not_confidential() -> None:
    assert {item.key: item.confidential for item in layers()} == {
        "vehicles": True,
        "selected": True,
        "typical-error": True,
        "pin-difference": True,
        "released-mean": False,
        "smoothed-mean": False,
        "interval-width": False,
        "smoothed-width": False,
    }


def test_every_layer_has_words_and_distinct_colours() -> None:
    for item in layers():
        assert item.title
        assert item.outside
        assert len({entry.colour for entry in item.classes}) == len(item.classes)
        assert len({entry.label for entry in item.classes}) == len(item.classes)
        assert item.unit or item.key == "selected"


def test_layers_come_as_there_is_something_to_show(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, threshold=3)

    def available(state: MapState) -> list[str]:
        return [item.key for item in layers() if item.available(state)]

    assert available(dataclasses.replace(state_of(session), forecast=None)) == ["vehicles"]
    assert available(state_of(session)) == ["vehicles", "selected"]
    planned = planned_session(qtbot, tmp_path / "planned")
    assert available(state_of(planned)) == ["vehicles", "selected", "typical-error"]
    assert len(available(state_of(planned, release=make_release()))) == 5


def test_an_unavailable_layer_paints_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    for item in layers()[2:]:
        painting = paint(item, state_of(session))
        assert not painting.fills
        assert painting.title == item.title


def test_vehicles_are_those_of_all_dates(qtbot: QtBot, tmp_path: Path) -> None:
    state = state_of(planned_session(qtbot, tmp_path))
    painting = paint(layer("vehicles"), state)
    assert painting.unit == "vehicles over all dates chosen"
    assert any(one.title == "Selection" for one in layers())


def test_vehicles_by_class_with_words(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    painting = paint(layer("vehicles"), state_of(session))
    assert painting.confidential
    assert fill_of_counts(session, painting) == {5: 2, 3: 1, 1: 0}
    assert sorted(words[1] for words in painting.tooltips.values()) == [
        "1 vehicle, 2 records",
        "3 vehicles, 9 records",
        "5 vehicles, 20 records",
    ]


def test_another_slot_shows_other_hats(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert len(paint(layer("vehicles"), state_of(session, slot=10)).fills) == 3
    elsewhere = dataclasses.replace(state_of(session, slot=11), places={EMPTY: "near Udhna"})
    bare = paint(layer("vehicles"), elsewhere)
    assert not bare.fills
    assert bare.words_of(EMPTY, "No data") == (EMPTY, "near Udhna", "no vehicle in this slot")


def test_selected_and_not_selected(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    painting = paint(layer("selected"), state_of(session))
    assert fill_of_counts(session, painting) == {5: 0, 3: 0, 1: 1}
    assert [entry.label for entry in painting.classes] == ["selected", "not selected"]
    assert [entry.colour for entry in painting.classes] == list(reversed(colours(2)))


def test_suppressed_is_neither_selected_nor_outside(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, minimum_vehicles=4)
    for key in ("selected", "typical-error"):
        painting = paint(layer(key), state_of(session))
        fills = fill_of_counts(session, painting)
        assert fills[3] == SUPPRESSED_FILL
        assert isinstance(fills[5], int)
        assert fills[1] == (OUTSIDE_FILL if key == "typical-error" else 1)
        assert any("suppressed" in words[1] for words in painting.tooltips.values())


@pytest.mark.parametrize("key", ["selected", "typical-error"])
def test_a_listed_hexagon_without_records_is_suppressed(qtbot: QtBot, tmp_path: Path, key: str) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    (tmp_path / "cells.txt").write_text(f"{EMPTY}\n{session.overview.cells[0]}\n")
    edit(qtbot, session, rule="cells", cells_file="cells.txt", minimum_vehicles=1)
    painting = paint(layer(key), state_of(session))
    assert painting.fill_of(EMPTY) == SUPPRESSED_FILL
    assert "suppressed" in painting.tooltips[EMPTY][1]
    assert isinstance(painting.fill_of(session.overview.cells[0]), int)


def test_the_map_shows_chosen_and_released_hexagons_without_records_too(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    recorded = tuple(dict.fromkeys(session.overview.cells))
    assert shown_cells(state_of(session)) == recorded
    assert shown_cells(dataclasses.replace(state_of(session), forecast=None)) == recorded
    (tmp_path / "cells.txt").write_text(f"{EMPTY}\n{recorded[0]}\n")
    edit(qtbot, session, rule="cells", cells_file="cells.txt")
    assert shown_cells(state_of(session)) == (*recorded, EMPTY)
    hidden = HatRow(
        cell=CELLS[1], slot_start="09:00", slot_end="10:00", status=SUPPRESSED_ROW, epsilon=Decimal(0)
    )
    assert shown_cells(state_of(session, release=release_with(hidden))) == (*recorded, EMPTY, CELLS[1])
    monkeypatch.setattr(map_layers, "MOST_DRAWN", len(recorded))
    assert shown_cells(state_of(session)) == recorded


def test_of_several_statistics_the_error_s_legend_says_whose_it_is(qtbot: QtBot, tmp_path: Path) -> None:
    """Beside the verdict on another one, which was of no use, the map was green all over."""
    session = planned_session(qtbot, tmp_path)
    assert paint(layer("typical-error"), state_of(session)).title == "Typical error"
    add_queries(qtbot, session, "query1")
    assert paint(layer("typical-error"), state_of(session)).title == "Typical error, Mean speed"


def test_typical_error_is_the_plan_s(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(5)))
    assert session.forecast is not None
    assert session.forecast.plan is not None
    painting = paint(layer("typical-error"), state_of(session))
    for hat in session.forecast.plan.hats:
        if hat.slot == 9:
            assert hat.plan is not None
            assert painting.tooltips[hat.cell_text][1].startswith(f"{hat.plan.lead.typical_error:.2f} km/h")
            fill = painting.fill_of(hat.cell_text)
            assert isinstance(fill, int)
            limits = (0, 1.5, 2, 4, 7, float("inf"))
            assert limits[fill] <= hat.plan.lead.typical_error <= limits[fill + 1]


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        (ENFORCED, "public counts expect no vehicle here"),
        (REGIONS, "in no region that keeps the promised error"),
    ],
    ids=["hats", "regions"],
)
def test_a_candidate_without_a_plan_says_why(
    qtbot: QtBot, tmp_path: Path, edits: Sequence[tuple[str, str]], says: str
) -> None:
    session = planned_session(qtbot, tmp_path)
    (plan,) = planned(write_taxis(tmp_path / "taxis", edits=edits), ledger_in(tmp_path / "home")).plans
    left_out, *others = (hat for hat in plan.hats if hat.slot == 9)
    hats = (dataclasses.replace(left_out, plan=None), *others)
    assert session.forecast is not None
    forecast = dataclasses.replace(session.forecast, plans=(dataclasses.replace(plan, hats=hats),))
    painting = paint(layer("typical-error"), dataclasses.replace(state_of(session), forecast=forecast))
    assert painting.tooltips[left_out.cell_text][1] == says
    assert painting.fills[left_out.cell_text] == SUPPRESSED_FILL
    assert "typical" in painting.tooltips[others[0].cell_text][1]


def test_released_means_and_widths_of_the_slot(qtbot: QtBot, tmp_path: Path) -> None:
    state = state_of(planned_session(qtbot, tmp_path), release=make_release())
    mean, width = (paint(layer(key), state) for key in ("released-mean", "interval-width"))
    assert mean.fills == {CELLS[0]: 1, CELLS[1]: 1}
    assert [one.label for one in mean.classes] == ["< 20", "≥ 20"]
    assert width.fills == {CELLS[0]: 2, CELLS[1]: 1}
    assert mean.tooltips[CELLS[0]][1] == "20.7 km/h, 95 % interval 18.0 to 23.3"
    assert not mean.confidential


def test_a_practice_is_called_one_wherever_its_numbers_are_named(qtbot: QtBot, tmp_path: Path) -> None:
    state = state_of(planned_session(qtbot, tmp_path), release=make_release())
    told = {one.key: one for one in layers() if one.available(state)}
    for practice in (False, True):
        state = dataclasses.replace(state, practice=practice)
        called = {key for key, one in told.items() if heading(one, state)[0].startswith("PRACTICE: ")}
        assert called == ({key for key, one in told.items() if not one.confidential} if practice else set())
    assert heading(told["released-mean"], state)[0] == "PRACTICE: Released mean speed"


OTHERWISE = "Made with other settings than those chosen now."


def test_numbers_made_with_other_settings_say_so(qtbot: QtBot, tmp_path: Path) -> None:
    state = state_of(planned_session(qtbot, tmp_path), release=make_release())
    notes = {one.key: paint(one, state).note for one in layers() if one.available(state)}
    assert set(notes.values()) == {""}
    state = dataclasses.replace(state, otherwise=True)
    told = {one.key for one in layers() if one.available(state) and paint(one, state).note == OTHERWISE}
    assert told == {"released-mean", "interval-width"}
    practice = paint(layer("released-mean"), dataclasses.replace(state, practice=True))
    assert practice.title.startswith("PRACTICE: ")
    assert practice.note == OTHERWISE, "the legend has little room, and its title says the rest"


def test_the_card_says_of_a_released_number_what_the_map_says(qtbot: QtBot, tmp_path: Path) -> None:
    """It is copied: a number never leaves without its slot, one of a practice never without that word."""
    state = state_of(planned_session(qtbot, tmp_path), release=make_release())
    state = dataclasses.replace(state, slot_end="10:00")
    number = "09:00 – 10:00: 20.7 km/h, 95 % interval 18.0 to 23.3"
    assert released_text(state, CELLS[0]) == (number, "")
    state = dataclasses.replace(state, practice=True, otherwise=True)
    told = f"PRACTICE: this is no release.\n{number}"
    assert released_text(state, CELLS[0]) == (told, OTHERWISE)
    assert released_text(state, "872664c1effffff") == ("09:00 – 10:00: not released", "")


def test_a_released_zero_is_not_a_suppressed_hat(qtbot: QtBot, tmp_path: Path) -> None:
    hidden = HatRow(
        cell=CELLS[1], slot_start="09:00", slot_end="10:00", status=SUPPRESSED_ROW, epsilon=Decimal(0)
    )
    release = release_with(make_row(CELLS[0], 9, mean=0, low=0, high=0, bias_bound=0), hidden)
    state = state_of(planned_session(qtbot, tmp_path), release=release)
    for key in ("released-mean", "interval-width"):
        assert paint(layer(key), state).fills == {CELLS[0]: 0, CELLS[1]: SUPPRESSED_FILL}


def test_a_mean_that_tells_nothing_has_a_look_of_its_own(qtbot: QtBot, tmp_path: Path) -> None:
    release = release_with(make_open_row(CELLS[0], 9))
    state = state_of(planned_session(qtbot, tmp_path), release=release)
    for key in ("released-mean", "interval-width"):
        painting = paint(layer(key), state)
        assert painting.fills == {CELLS[0]: UNKNOWN_FILL}
        assert painting.tooltips[CELLS[0]][1].startswith("no information")


@pytest.mark.parametrize("count", [0, -1, 1, 10**9])
def test_a_count_outside_the_scale_is_no_crash(qtbot: QtBot, tmp_path: Path, count: int) -> None:
    state = state_of(planned_session(qtbot, tmp_path))
    overview = dataclasses.replace(
        state.overview, vehicles=np.full(len(state.overview.cells), count, np.int64)
    )
    painting = paint(layer("vehicles"), dataclasses.replace(state, overview=overview))
    expected = OUTSIDE_FILL if count < 1 else 0 if count == 1 else len(painting.classes) - 1
    assert set(painting.fills.values()) == {expected}


@pytest.mark.parametrize(
    "values", [{"mean": -5, "low": 9, "high": 1}, {"mean": 10**9, "low": 0, "high": 10**9}]
)
def test_an_odd_release_is_no_crash(qtbot: QtBot, tmp_path: Path, values: dict[str, int]) -> None:
    release = release_with(make_row(CELLS[0], 9, bias_bound=0, **values))
    state = state_of(planned_session(qtbot, tmp_path), release=release)
    expected = OUTSIDE_FILL if values["mean"] < 0 else 5
    for key in ("released-mean", "interval-width"):
        assert paint(layer(key), state).fill_of(CELLS[0]) == expected


@pytest.mark.parametrize(
    ("statistic", "unit"), [("query2", "vehicles per day"), ("cdf", "percentage points")]
)
def test_the_typical_error_is_in_the_unit_of_the_leading_statistic(
    qtbot: QtBot, tmp_path: Path, statistic: str, unit: str
) -> None:
    session = planned_session(qtbot, tmp_path)
    assert paint(layer("typical-error"), state_of(session)).unit == "km/h"
    add_queries(qtbot, session, statistic)
    edit(qtbot, session, queries=tuple(reversed(session.draft.queries)))
    painting = paint(layer("typical-error"), state_of(session))
    assert painting.unit == unit
    assert painting.tooltips
    assert all(f"{unit} typical, " in text for _, text in painting.tooltips.values())
    assert not any("km/h" in text for _, text in painting.tooltips.values())


def test_raw_and_smoothed_values_are_layers_of_their_own_and_words_tell_both(
    qtbot: QtBot, tmp_path: Path
) -> None:
    release = make_release(queries=(make_city_query(),))
    state = state_of(planned_session(qtbot, tmp_path), release=release)
    raw, smoothed = paint(layer("released-mean"), state), paint(layer("smoothed-mean"), state)
    assert raw.note == ""
    assert smoothed.note == f"{caveat()[0].upper()}{caveat()[1:]}."
    assert smoothed.title == "Smoothed mean speed: an estimate under a prior"
    assert raw.tooltips == smoothed.tooltips
    row = next(row for row in release.queries[0].rows if row.first and row.slot_start == "09:00")
    assert row.first is not None
    mean = row.first.value / 1000
    _, told, also = raw.tooltips[row.cell]
    assert told.startswith(f"{mean:.1f} km/h, 95 % interval ")
    assert also.startswith(f"smoothed: {mean + 1:.1f} km/h, 95 % interval ")
    wide, narrow = paint(layer("interval-width"), state), paint(layer("smoothed-width"), state)
    assert narrow.title == "Width of the smoothed 95 % interval"
    assert set(wide.fills) == set(narrow.fills)
    assert not layer("smoothed-mean").available(dataclasses.replace(state, release=make_release()))


def test_the_error_layer_is_of_the_smoothed_numbers_where_there_are_any(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(10)))
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing)
    after = paint(layer("typical-error"), state_of(session))
    assert session.forecast is not None
    plan = session.forecast.plan
    assert plan is not None
    assert plan.smoothed_errors is not None
    for hat, error in zip(plan.published, plan.smoothed_errors, strict=True):
        if hat.slot == 9:
            lines = after.tooltips[hat.cell_text]
            assert lines[1] == f"{error:.2f} km/h typical after smoothing"
            assert "at worst" in lines[2]
            assert "equally active vehicles" in lines[3]
            assert "too high or low" in lines[3]
