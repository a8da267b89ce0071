"""ui.data.preview_model: the rows as they stand, columns in use marked by more than colour."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.read.preview_rows import Preview
from ui.data.preview_model import PreviewModel

Role = Qt.ItemDataRole
COLUMNS = ("plate", "speed")


@pytest.fixture
def model(qapp):
    assert qapp is not None
    made = PreviewModel()
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made.set_preview(Preview(columns=COLUMNS, rows=(("A", "30"), ("B", "x" * 500))))
    yield made
    del tester


def header(model, column, role=Role.DisplayRole):
    return model.headerData(column, Qt.Orientation.Horizontal, role)


def test_cells_and_names_as_they_stand(model):
    assert (model.rowCount(), model.columnCount()) == (2, 2)
    assert model.index(0, 1).data() == "30"
    assert header(model, 0) == "plate\n"
    assert model.headerData(1, Qt.Orientation.Vertical) == 2
    assert model.data(QModelIndex()) is None


def test_a_long_cell_is_cut(model):
    shown = model.index(1, 1).data()
    assert len(shown) < 100
    assert shown.endswith("…")


def test_columns_in_use_have_a_word_a_weight_and_a_tint(model, qtbot):
    with qtbot.waitSignals([model.headerDataChanged, model.dataChanged]):
        model.set_uses({"speed": "value"})
    assert header(model, 1) == "speed\n✓ value"
    assert header(model, 1, Role.FontRole).bold()
    assert model.index(0, 1).data(Role.BackgroundRole) is not None
    assert header(model, 0) == "plate\n"
    assert header(model, 0, Role.FontRole) is None
    assert model.index(0, 0).data(Role.BackgroundRole) is None
    assert model.uses == {"speed": "value"}


def test_the_same_uses_repaint_nothing(model, qtbot):
    model.set_uses({"speed": "value"})
    with qtbot.assertNotEmitted(model.headerDataChanged):
        model.set_uses({"speed": "value"})


def test_another_preview_starts_without_uses(model, qtbot):
    model.set_uses({"speed": "value"})
    with qtbot.waitSignal(model.modelReset):
        model.set_preview(Preview(columns=("speed",), rows=()))
    assert header(model, 0) == "speed\n"
    model.set_uses({"speed": "value"})
    assert header(model, 0) == "speed\n✓ value"
    assert model.rowCount() == 0


def test_of_two_columns_of_one_name_the_one_that_is_read_is_marked(model):
    model.set_preview(Preview(columns=("speed", "plate", "speed"), rows=(("1", "A", "2"),)))
    model.set_uses({"speed": "value"})
    assert [header(model, column) for column in range(3)] == ["speed\n✓ value", "plate\n", "speed\n"]
    tinted = [model.index(0, column).data(Role.BackgroundRole) is not None for column in range(3)]
    assert tinted == [True, False, False]
