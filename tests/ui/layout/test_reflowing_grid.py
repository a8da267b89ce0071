"""ui.layout.reflowing_grid: as many columns as fit, no gap for what is hidden, one item as least width."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tests.ui.user_actions import show
from ui.layout.reflowing_grid import ReflowingGrid

WIDTHS = (100, 40, 60, 80, 20)
HEIGHT, ACROSS, DOWN = 20, 10, 5


@pytest.fixture
def grid(qtbot):
    """Five items; the grid's widget takes the height that it needs in one that is wide enough for all."""
    outer = QWidget()
    column = QVBoxLayout(outer)
    column.setContentsMargins(0, 0, 0, 0)
    inner = QWidget(outer)
    made = ReflowingGrid(inner, across=ACROSS, down=DOWN)
    made.outer = outer  # nobody else holds it
    for width in WIDTHS:
        item = QWidget(inner)
        item.setFixedSize(width, HEIGHT)
        made.addWidget(item)
    column.addWidget(inner)
    column.addStretch(1)
    show(qtbot, outer, width=sum(WIDTHS) + 4 * ACROSS, height=200)
    return made


def resize(grid, width):
    grid.outer.resize(width, 200)
    grid.outer.layout().activate()


def places(grid):
    items = [grid.itemAt(number) for number in range(grid.count())]
    return [item.geometry().topLeft().toTuple() for item in items if not item.isEmpty()]


def test_everything_stands_in_one_row_where_it_fits(grid):
    assert places(grid) == [(0, 0), (110, 0), (160, 0), (230, 0), (320, 0)]
    assert grid.parentWidget().height() == HEIGHT


def test_a_pixel_less_makes_another_row_with_columns_that_line_up(grid):
    resize(grid, sum(WIDTHS) + 4 * ACROSS - 1)
    # columns of 100, 40, 60 and 80: the fifth item stands below the first
    assert places(grid) == [(0, 0), (110, 0), (160, 0), (230, 0), (0, HEIGHT + DOWN)]
    assert grid.parentWidget().height() == 2 * HEIGHT + DOWN


def test_the_narrowest_is_one_column_as_wide_as_the_widest_item(grid):
    assert grid.parentWidget().minimumSizeHint().width() == max(WIDTHS)
    resize(grid, max(WIDTHS))
    assert places(grid) == [(0, number * (HEIGHT + DOWN)) for number in range(5)]
    assert grid.parentWidget().height() == 5 * HEIGHT + 4 * DOWN


def test_short_items_share_a_row_where_two_columns_do_not_fit(grid):
    resize(grid, 120)
    # columns would be of 100 and 80
    row = HEIGHT + DOWN
    assert places(grid) == [(0, 0), (0, row), (50, row), (0, 2 * row), (90, 2 * row)]
    assert grid.parentWidget().height() == 3 * HEIGHT + 2 * DOWN


def test_it_stands_in_the_middle_of_more_height(grid):
    grid.setGeometry(QRect(0, 0, 400, HEIGHT + 10))
    assert {top for _, top in places(grid)} == {5}


def test_what_is_hidden_leaves_no_gap(grid):
    grid.itemAt(1).widget().hide()
    grid.activate()
    assert places(grid) == [(0, 0), (110, 0), (180, 0), (270, 0)]


def test_nothing_needs_no_room(qtbot):
    empty = QWidget()
    qtbot.addWidget(empty)
    made = ReflowingGrid(empty, across=ACROSS, down=DOWN)
    assert made.minimumSize().isEmpty()
    assert made.heightForWidth(100) == 0
    assert made.itemAt(0) is None
    assert made.takeAt(0) is None


def test_an_item_can_be_taken_out(grid):
    taken = grid.takeAt(0)
    assert taken.widget().width() == WIDTHS[0]
    assert grid.count() == len(WIDTHS) - 1


def test_the_height_follows_what_changes(grid):
    width = sum(WIDTHS) + 4 * ACROSS
    assert (grid.heightForWidth(width), grid.heightForWidth(width)) == (HEIGHT, HEIGHT)
    grid.itemAt(1).widget().setFixedSize(40, 3 * HEIGHT)
    assert grid.heightForWidth(width) == 3 * HEIGHT
    grid.itemAt(1).widget().hide()
    assert grid.heightForWidth(width) == HEIGHT
