"""The histogram: bars where the values are, marks with names, and the read-out."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.planning.resolution_table import Histogram
from ui.distributions.histogram_canvas import HistogramCanvas
from ui.distributions.histogram_texts import Axes, Mark
from ui.kit.theme import DARK, LIGHT
from ui.plots.plot_canvas import LEAST_HEIGHT

AXES = Axes(
    across=lambda: "Vehicles",
    up=lambda: "Days",
    value=lambda first, last: f"{first if first == last else f'{first}–{last}'} vehicles",
    items=lambda count: f"{count} days",
)
FEW = Histogram(counts=np.array([0, 5, 0, 3, 2]))
MANY = Histogram(counts=np.array([0, *range(1, 151)]))


@pytest.fixture
def canvas(qtbot: QtBot) -> HistogramCanvas:
    made = HistogramCanvas(AXES)
    qtbot.addWidget(made)
    made.resize(420, 300)
    made.set_colours(LIGHT)
    made.show()
    qtbot.waitExposed(made)
    return made


def edges(canvas: HistogramCanvas) -> tuple[list[float], list[float], list[int]]:
    opts = canvas._bars.opts
    return list(opts["x0"]), list(opts["x1"]), list(opts["height"])


def test_a_bar_stands_over_each_value(canvas: HistogramCanvas) -> None:
    canvas.show_histogram(FEW, ())
    left, right, height = edges(canvas)
    assert height == [5, 0, 3, 2]
    assert [round((a + b) / 2, 9) for a, b in zip(left, right, strict=True)] == [1, 2, 3, 4]
    assert all(0.8 < b - a < 1 for a, b in zip(left, right, strict=True))
    assert canvas._item.getAxis("bottom").labelText == "Vehicles"
    assert canvas._item.getAxis("left").labelText == "Days"


def test_many_values_share_bars_that_touch(canvas: HistogramCanvas) -> None:
    canvas.show_histogram(MANY, ())
    left, right, height = edges(canvas)
    assert len(height) == 50
    assert (left[0], right[0], height[0]) == (0.5, 3.5, 6)
    assert left[1:] == right[:-1]
    assert sum(height) == MANY.total
    assert canvas._item.getAxis("bottom").labelText == "Vehicles, 3 a bar"
    canvas.show_histogram(FEW, ())
    assert canvas._item.getAxis("bottom").labelText == "Vehicles"


def test_the_name_of_the_axis_is_whole_beside_two_other_charts(qtbot: QtBot) -> None:
    canvas = HistogramCanvas(dataclasses.replace(AXES, across=lambda: "Hexagon slots"))
    qtbot.addWidget(canvas)
    canvas.resize(214, 146)
    canvas.show()
    canvas.show_histogram(MANY, ())
    QApplication.processEvents()
    name = canvas._item.getAxis("bottom").label
    assert name.mapRectToScene(name.boundingRect()).right() <= 214


def test_marks_stand_at_their_values_and_go(canvas: HistogramCanvas) -> None:
    marks = (Mark(value=1, name="median 1"), Mark(value=4, name="K_day 4", strong=True))
    canvas.show_histogram(FEW, marks)
    median, most = canvas._lines
    assert (median.value(), most.value()) == (1, 4)
    assert (median.label.toPlainText(), most.label.toPlainText()) == ("median 1", "K_day 4")
    assert median.label.anchors[0][0] == 0  # to the right of its line
    assert most.label.anchors[0][0] == 1
    assert most.pen.color().name() == LIGHT.warning
    canvas.show_histogram(FEW, marks[:1])
    assert median.isVisible()
    assert not most.isVisible()


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_names_of_marks_are_whole_where_there_are_few_values(canvas: HistogramCanvas, most: int) -> None:
    """At 214 pixels, of three beside each other on 1366x768, a median of 1 read "an 1"."""
    canvas.resize(214, 146)
    counts = np.array([0, *[3] * most])
    for value in range(1, most + 1):
        canvas.show_histogram(
            Histogram(counts=counts),
            (Mark(value=value, name=f"median {value}"), Mark(value=most, name=f"K_day {most}", strong=True)),
        )
        QApplication.processEvents()
        frame = canvas._item.getViewBox().sceneBoundingRect()
        for line in canvas._lines:
            name = line.label.sceneBoundingRect()
            assert frame.left() <= name.left(), value
            assert name.right() <= 214, value


def test_names_of_marks_are_whole_in_a_low_plot(canvas: HistogramCanvas) -> None:
    canvas.show_histogram(FEW, (Mark(value=1, name="median 1"), Mark(value=4, name="K_day 4", strong=True)))
    high = [line.label.orthoPos for line in canvas._lines]
    assert high == [0.94, 0.82]
    canvas.resize(420, LEAST_HEIGHT)
    QApplication.processEvents()
    frame = canvas._item.getViewBox().sceneBoundingRect()
    median, most = (line.label.sceneBoundingRect() for line in canvas._lines)
    assert frame.top() <= median.top()
    assert median.bottom() <= most.top()
    assert most.bottom() < frame.center().y()


def test_the_read_out_tells_a_bar_and_goes_with_the_pointer(canvas: HistogramCanvas) -> None:
    canvas.read_out(1.0, QPointF(10, 10))
    assert canvas.readout == ""
    canvas.show_histogram(FEW, ())
    canvas.read_out(2.7, QPointF(400, 290))
    assert canvas.readout == "3 vehicles: 3 days (30.0\u00a0%)"
    assert canvas._readout.geometry().right() <= canvas._plot.width()
    assert canvas._readout.geometry().bottom() <= canvas._plot.height()
    canvas.read_out(9.0, QPointF(20, 20))
    assert canvas.readout == ""
    canvas.show_histogram(MANY, ())
    middle = canvas._item.getViewBox().sceneBoundingRect().center()
    canvas._plot.scene().sigMouseMoved.emit(middle)
    assert "–" in canvas.readout
    QApplication.sendEvent(canvas._plot.viewport(), QEvent(QEvent.Type.Leave))
    assert canvas.readout == ""


def test_labels_are_whole_numbers(canvas: HistogramCanvas) -> None:
    canvas.show_histogram(Histogram(counts=np.array([0, 1])), ())
    for name in ("bottom", "left"):
        axis = canvas._item.getAxis(name)
        for low, high, size in ((0.4, 3.6, 300), (0, 1.28, 200), (0, 2000, 200), (0, 1.28, 2000)):
            spacings = [spacing for spacing, _ in axis.tickSpacing(low, high, size)]
            assert spacings
            assert all(spacing >= 1 and spacing == round(spacing) for spacing in spacings)
    assert axis.tickStrings([1000.0, 2.0], 1, 1) == ["1,000", "2"]


def test_the_theme_is_followed(canvas: HistogramCanvas) -> None:
    canvas.show_histogram(FEW, (Mark(value=1, name="median 1"),))
    canvas.set_colours(DARK)
    assert canvas._plot.backgroundBrush().color().name() == DARK.surface
    assert canvas._bars.opts["brush"].color().name() == DARK.accent
    assert canvas._lines[0].pen.color().name() == DARK.text
    assert not canvas.grab().isNull()
