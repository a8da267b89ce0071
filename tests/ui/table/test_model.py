"""The HAT table's model: rows, order, filter, and what may be copied."""

from __future__ import annotations

import dataclasses
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.bundle.release_result import HatRow, Release
from core.hats.slots import SlotGrid
from core.privacy import Relation, Unit
from tests.builders import SPEED_BY_HAT, make_open_row, make_query, make_release, make_row
from tests.taxis import pings as taxi_pings
from tests.ui.small_city import add_queries, edit, loaded_session, many_rows, pings, planned_session
from tests.ui.taxi_story import user_session
from ui.session.draft_charge import shown_epsilon
from ui.session.hat_texts import short_cell
from ui.session.session import Session
from ui.table.model import DASH, SORT_ROLE, HatTableModel
from ui.table.rows import PLANNED, HatRows, HatStatus, hat_rows, no_rows
from ui.table.sortable_rows import sortable

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def rows_of(session: Session, release: Release | None = None, *, planned: bool = True) -> HatRows:
    assert session.overview is not None
    return hat_rows(session.overview, SlotGrid(60), session.forecast, release, planned=planned)


def model_of(rows: HatRows) -> HatTableModel:
    model = HatTableModel()
    model.set_rows(sortable(rows))
    return model


def column(model: HatTableModel, key: str, role: int = Qt.ItemDataRole.DisplayRole) -> list[Any]:
    section = [item.key for item in model.columns].index(key)
    return [model.index(row, section).data(role) for row in range(model.shown)]


def section(model: HatTableModel, key: str) -> int:
    return [item.key for item in model.columns].index(key)


def everything(model: HatTableModel) -> list[list[str]]:
    return [column(model, item.key) for item in model.columns]


def release_of(session: Session) -> Release:
    """A release of the selected HATs; the first one of them is suppressed."""
    plan = session.forecast.plan if session.forecast else None
    assert plan is not None
    rows = tuple(
        make_row(
            hat.cell_text,
            hat.slot,
            epsilon=Decimal("0.5"),
            mean=20_000 + number,
            low=15_000,
            high=25_000,
            bias_bound=0,
        )
        if number
        else HatRow(
            cell=hat.cell_text,
            slot_start=f"{hat.slot:02}:00",
            slot_end=f"{hat.slot + 1:02}:00",
            status="suppressed",
            epsilon=Decimal(0),
        )
        for number, hat in enumerate(plan.hats)
    )
    return make_release(queries=(make_query(rows=rows),))


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = model_of(many_rows(30))
    qtmodeltester.check(model, force_py=True)


def test_rows_hold_counts_selection_and_plan(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    model = model_of(rows_of(session))
    assert [item.key for item in model.columns][-1] == "bias"
    assert (model.shown, model.total) == (6, 6)
    assert sorted(column(model, "vehicles")) == ["1", "1", "3", "3", "5", "5"]
    by_hat = dict(zip(column(model, "vehicles"), column(model, "status"), strict=True))
    assert by_hat == {"1": "Not selected", "3": "Rough", "5": "Rough"}
    plan = session.forecast.plan if session.forecast else None
    assert plan is not None
    hat = plan.published[0]
    assert hat.plan is not None
    row = model.row_of((hat.cell_text, hat.slot))
    shown = {item.key: model.index(row, at).data() for at, item in enumerate(model.columns)}
    assert shown["slot"] == f"{hat.slot:02}:00"
    assert shown["hexagon"] == hat.cell_text.rstrip("f") + "…"
    assert shown["epsilon"] == shown_epsilon(hat.plan.epsilon)
    assert shown["noise"] == f"{hat.plan.lead.noise_scale:.2f}"
    assert shown["typical"] == f"{hat.plan.lead.typical_error:.2f}"


def test_an_epsilon_is_rounded_up_and_exact_on_hover(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(per_hat=Decimal("1.758601")))
    model = model_of(rows_of(session))
    model.sort(section(model, "epsilon"), ASCENDING)
    place = model.index(0, section(model, "epsilon"))
    assert place.data() == "1.759"
    assert place.data(Qt.ItemDataRole.ToolTipRole) == "1.758601"
    last = model.index(model.shown - 1, section(model, "epsilon"))
    assert (last.data(), last.data(Qt.ItemDataRole.ToolTipRole)) == (DASH, None)


def test_the_points_of_epsilons_stand_below_each_other() -> None:
    rows = many_rows(24)

    def shown(*told: float) -> list[str]:
        epsilons = np.full(len(rows), np.nan)
        epsilons[: len(told)] = told
        numbers = {**rows.numbers, "epsilon": epsilons}
        return column(model_of(dataclasses.replace(rows, numbers=numbers)), "epsilon")[: len(told)]

    assert shown(2.448, 2.42, 4.47, 5.0) == ["2.448", "2.420", "4.470", "5.000"]
    assert shown(1.5, 2.0) == ["1.5", "2.0"]
    assert shown(3.0, 30.0) == ["3", "30"], "no decimals where there are none"
    assert shown(0.00012, 2.5) == ["0.00012", "2.500"], "a small one has as many as it needs"


def test_values_change_nothing_in_the_table(qtbot: QtBot, tmp_path: Path) -> None:
    tables = [
        everything(model_of(rows_of(planned_session(qtbot, tmp_path / name, pings(speed)))))
        for name, speed in (("slow", lambda *_: 3.0), ("fast", lambda bus, step: 60.0 - bus * step))
    ]
    assert tables[0] == tables[1]


def test_suppressed_hats_are_told_from_unselected_ones(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, threshold=1, minimum_vehicles=2)
    rows = rows_of(session)
    assert [
        int((rows.status == status).sum())
        for status in (HatStatus.ROUGH, HatStatus.SUPPRESSED, HatStatus.NOT_SELECTED)
    ] == [
        4,
        2,
        0,
    ]
    model = model_of(rows)
    model.sort(section(model, "status"), ASCENDING)
    assert column(model, "status") == ["Rough"] * 4 + ["Suppressed"] * 2
    assert column(model, "epsilon")[-1] == DASH


def test_a_released_mean_that_tells_nothing_is_told_in_words(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    release = release_of(session)
    cell, hour = release.queries[0].rows[1].cell, int(release.queries[0].rows[1].slot_start[:2])
    told = (*release.queries[0].rows[:1], make_open_row(cell, hour), *release.queries[0].rows[2:])
    rows = rows_of(session, make_release(queries=(make_query(rows=told),)))
    assert (rows.status == HatStatus.NO_INFORMATION).sum() == 1
    model = model_of(rows)
    row = model.row_of((cell, hour))
    assert model.index(row, section(model, "status")).data() == "No information"
    selected = int((rows_of(session).status >= HatStatus.SELECTED).sum())
    model.set_filter("", selected_only=True)
    assert model.shown == selected


def test_a_listed_hexagon_without_records_has_rows(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    empty = "8742d9d69ffffff"
    assert session.overview is not None
    busiest = session.overview.cells[int(session.overview.vehicles.argmax())]
    (tmp_path / "cells.txt").write_text(f"{empty}\n{busiest}\n")
    edit(qtbot, session, rule="cells", cells_file="cells.txt")
    rows = rows_of(session)
    places = [row for row, cell in enumerate(rows.cells) if cell == empty]
    assert len(places) == 12
    assert (rows.status[places] == HatStatus.SUPPRESSED).all()
    assert (rows.numbers["records"][places] == 0).all()


def test_without_relation_no_figure_of_a_plan_is_shown(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, unit=Unit.VEHICLE, threshold=3)
    model = model_of(rows_of(session, planned=False))
    for key in PLANNED:
        assert set(column(model, key)) == {DASH}


def test_sorting_is_by_number_and_puts_what_is_missing_last(qtbot: QtBot, tmp_path: Path) -> None:
    model = model_of(rows_of(planned_session(qtbot, tmp_path)))
    for key in ("noise", "vehicles", "records", "slot"):
        for order in (ASCENDING, DESCENDING):
            model.sort(section(model, key), order)
            keys = [value for value in column(model, key, SORT_ROLE) if value is not None]
            assert keys == sorted(keys, reverse=order is DESCENDING)
    model.sort(section(model, "noise"), DESCENDING)
    assert column(model, "noise")[-2:] == [DASH, DASH]
    model.sort(section(model, "noise"), ASCENDING)
    assert column(model, "noise")[-2:] == [DASH, DASH]


def test_sorting_carries_persistent_indexes_along() -> None:
    model = model_of(many_rows(40))
    retained = [QPersistentModelIndex(model.index(row, 1)) for row in (0, 7, 39)]
    hats = [model.hat_at(index.row()) for index in retained]
    model.sort(section(model, "records"), DESCENDING)
    assert [model.hat_at(index.row()) for index in retained] == hats
    assert model.columns[retained[0].column()].key == "hexagon"


def test_an_order_lasts_over_filters_and_new_rows() -> None:
    model = model_of(many_rows(50))
    model.sort(section(model, "records"), DESCENDING)
    model.set_filter("12:00", selected_only=False)
    assert set(column(model, "slot")) == {"12:00"}
    assert column(model, "records", SORT_ROLE) == sorted(column(model, "records", SORT_ROLE), reverse=True)
    model.set_rows(sortable(many_rows(60)))
    assert model.total == 60
    assert set(column(model, "slot")) == {"12:00"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", 36), ("12:", 3), ("8700001", 12), ("  12:00  8700001 ", 1), ("8700001FFFFFFFF", 12), ("zz", 0)],
)
def test_every_word_of_the_filter_must_fit(text: str, shown: int) -> None:
    model = model_of(many_rows(36))
    model.set_filter(text, selected_only=False)
    assert model.shown == shown
    assert model.rowCount() == shown


def test_selected_only() -> None:
    model = model_of(many_rows(100))
    model.set_filter("", selected_only=True)
    assert 0 < model.shown < 100
    assert set(column(model, "status")) == {"Yes"}


def test_rows_are_found_by_their_hat() -> None:
    model = model_of(many_rows(100))
    for row in range(model.shown):
        assert model.row_of(model.hat_at(row)) == row
    hat = model.hat_at(3)
    model.set_filter("zz", selected_only=False)
    assert model.row_of(hat) == -1
    assert model.row_of(("87ffffffffffffff", 3)) == -1


def test_numbers_stand_right_and_confidential_columns_say_so() -> None:
    model = model_of(many_rows(3))
    for at, item in enumerate(model.columns):
        right = bool(model.index(0, at).data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight)
        assert right == (item.key not in {"slot", "hexagon", "place", "status"})
        header = model.headerData(at, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert (header is not None) == item.confidential
    public = {item.key for item in model._columns if not item.confidential}
    assert public == {"slot", "hexagon", "place", "mean", "low", "high", "noisy_weight"}


def test_a_release_brings_its_columns(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    model = model_of(rows_of(session, release_of(session)))
    assert [item.key for item in model.columns][:5] == ["slot", "hexagon", "mean", "low", "high"]
    means = column(model, "mean")
    assert means.count(DASH) == 3
    assert "20.00" in means
    model.sort(section(model, "mean"), DESCENDING)
    model.set_rows(sortable(rows_of(session)))
    assert [item.key for item in model.columns][-1] == "bias"
    assert column(model, "hexagon") == sorted(column(model, "hexagon"))


class TestCopy:
    """What leaves the window."""

    def test_before_a_release_only_which_hats_are_selected(self, qtbot: QtBot, tmp_path: Path) -> None:
        model = model_of(rows_of(planned_session(qtbot, tmp_path)))
        text, copied = model.copy_text(range(model.shown), Relation.VALUES)
        lines = text.splitlines()
        assert copied == 4
        assert lines[0] == "h3_cell\tslot_start"
        assert all(line.split("\t")[1] in {"09:00", "10:00"} for line in lines[1:])
        assert {line.count("\t") for line in lines} == {1}

    @pytest.mark.parametrize("relation", [None, Relation.USER])
    def test_before_a_release_nothing_where_presence_is_not_public(
        self, qtbot: QtBot, tmp_path: Path, relation: Relation | None
    ) -> None:
        model = model_of(rows_of(planned_session(qtbot, tmp_path)))
        assert model.copy_text(range(model.shown), relation) == ("", 0)

    @pytest.mark.parametrize("relation", [None, *Relation])
    def test_after_a_release_the_published_lines(
        self, qtbot: QtBot, tmp_path: Path, relation: Relation | None
    ) -> None:
        session = planned_session(qtbot, tmp_path)
        model = model_of(rows_of(session, release_of(session)))
        text, copied = model.copy_text(range(model.shown), relation)
        header, *lines = [line.split("\t") for line in text.splitlines()]
        assert tuple(header) == SPEED_BY_HAT.header
        assert copied == len(lines) == 4
        assert sorted(line[header.index("status")] for line in lines) == ["published"] * 3 + ["suppressed"]
        assert sorted(line[header.index("speed_mean_kmh")] for line in lines) == [
            "",
            "20.001",
            "20.002",
            "20.003",
        ]

    def test_numbers_of_a_practice_never_leave_without_that_word(self, qtbot: QtBot, tmp_path: Path) -> None:
        session = planned_session(qtbot, tmp_path)
        made = model_of(rows_of(session, release_of(session)))
        practised = model_of(dataclasses.replace(rows_of(session, release_of(session)), practice=True))
        text, copied = made.copy_text(range(made.shown), Relation.VALUES)
        told = f"PRACTICE: this is no release.\n{text}"
        assert practised.copy_text(range(made.shown), Relation.VALUES) == (told, copied)
        planned = model_of(dataclasses.replace(rows_of(session), practice=True))
        assert planned.copy_text(range(planned.shown), Relation.VALUES)[0].startswith("h3_cell\tslot_start\n")

    def test_rows_that_are_hidden_or_not_asked_for_stay(self, qtbot: QtBot, tmp_path: Path) -> None:
        model = model_of(rows_of(planned_session(qtbot, tmp_path)))
        model.set_filter("", selected_only=True)
        text, copied = model.copy_text([1], Relation.VALUES)
        cell, slot = model.hat_at(1)
        assert (text, copied) == (f"h3_cell\tslot_start\n{cell}\t{slot:02}:00\n", 1)

    def test_nothing_asked_nothing_copied(self) -> None:
        assert model_of(no_rows()).copy_text([], Relation.VALUES) == ("", 0)


def test_nothing_can_be_dragged_out_or_edited() -> None:
    model = model_of(many_rows(3))
    flags = model.flags(model.index(0, 0))
    assert not flags & (Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsEditable)
    assert model.data(QModelIndex()) is None


def test_five_thousand_rows_sort_and_filter_without_a_stall() -> None:
    model = model_of(many_rows(5000))

    def sort() -> None:
        model.sort(section(model, "records"), DESCENDING)

    def narrow() -> None:
        model.set_filter("12 8700", selected_only=True)

    for work in (sort, narrow):
        took = []
        for _ in range(5):
            start = time.perf_counter()
            work()
            took.append(time.perf_counter() - start)
        assert min(took) < 0.05


def test_planned_figures_are_in_the_unit_of_the_leading_statistic(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    model = model_of(rows_of(session))
    assert [item.title for item in model.columns if item.key in set(PLANNED)] == [
        "Typical error\nkm/h",
        "Epsilon",
        "At worst\nkm/h",
        "Noise scale\nkm/h",
        "Worst bias\nkm/h",
    ]
    add_queries(qtbot, session, "query2")
    edit(qtbot, session, queries=tuple(reversed(session.draft.queries)))
    model.set_rows(sortable(rows_of(session)))
    titles = {item.key: item.title for item in model.columns}
    assert titles["typical"] == "Typical error\nvehicles per day"
    assert session.forecast is not None
    assert session.forecast.plan is not None
    expected = {f"{hat.lead.typical_error:,.4f}" for hat in session.forecast.plan.plans}
    assert expected == set(column(model, "typical")) - {DASH}
    model.set_rows(sortable(no_rows()))
    assert {item.title for item in model.columns if item.key == "typical"} == {"Typical error\nkm/h"}


def test_names_of_places_have_a_column_that_is_sorted_and_filtered() -> None:
    assert "place" not in {item.key for item in model_of(many_rows(24)).columns}
    rows = dataclasses.replace(many_rows(24), places=("near Udhna",) * 12 + ("",) * 12)
    model = model_of(rows)
    unnamed = {short_cell(cell) for cell in rows.cells[12:]}
    assert set(column(model, "place")) == {"near Udhna"} | unnamed, "its id stands far from it"
    for order in (ASCENDING, DESCENDING):
        model.sort(section(model, "place"), order)
        assert column(model, "place")[:12] == ["near Udhna"] * 12, "what has no name comes last"
    model.set_filter("udhna 12:00", selected_only=False)
    assert column(model, "place") == ["near Udhna"]


@pytest.mark.parametrize(("total", "word"), [("0.5", "No use"), ("200", "Good")])
def test_each_number_has_its_verdict(qtbot: QtBot, tmp_path: Path, total: str, word: str) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(total=Decimal(total)))
    model = model_of(rows_of(session))
    assert set(column(model, "status")) - {"Not selected"} == {word}
    assert model.columns[section(model, "status")].title == "Verdict"


def test_where_constants_foretell_one_error_for_all_no_row_has_a_verdict(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """Rows without a vehicle were good, and so was a released one that may be anything from 0 to 65."""
    model = model_of(rows_of(user_session(qtbot, tmp_path, taxi_pings())))
    assert set(column(model, "status")) == {"Yes"}
    assert model.columns[section(model, "status")].title == "Candidate"
    assert "typical" not in {item.key for item in model.columns}


def test_what_is_read_of_a_named_hexagon_stands_before_its_id() -> None:
    """At 150 % the id filled a narrow table and pushed the values out of it."""
    rows = many_rows(24)
    named = dataclasses.replace(rows, places=("near Udhna",) * 24)
    for given, first, before in ((rows, "slot", "slot"), (named, "slot, place", "typical")):
        model = model_of(given)
        keys = [item.key for item in model.columns]
        at = section(model, "hexagon")
        assert ", ".join(keys).startswith(first)
        assert keys[at - 1] == before
        assert model.order[0] == at
        assert model.index(0, at).data(Qt.ItemDataRole.ToolTipRole) == model.hat_at(0)[0], "the whole of it"
