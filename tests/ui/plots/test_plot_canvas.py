"""ui.plots.plot_canvas: axes in the colours of the theme, and what is read at the pointer."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.theme import DARK, LIGHT, Colours
from ui.plots.plot_canvas import AROUND_A_NAME, LEAST_HEIGHT, PlotCanvas, readout_text

_WHOLE_PIXELS = 2
"""By which what is placed on whole pixels may lie beside a middle."""


def read(value: float) -> tuple[float, str] | None:
    """Whole numbers can be read, negative ones not."""
    return (float(round(value)), f"<b>{round(value)}</b>") if value >= 0 else None


@pytest.fixture
def painted() -> list[Colours]:
    return []


@pytest.fixture
def canvas(qtbot: QtBot, painted: list[Colours]) -> PlotCanvas:
    made = PlotCanvas(paint=painted.append, read=read)
    made._item.setXRange(0, 10, padding=0)
    show(qtbot, made, width=400, height=300)
    return made


def test_before_its_colours_are_known_nothing_is_read(canvas: PlotCanvas, painted: list[Colours]) -> None:
    canvas.read_out(3.2, QPointF(50, 50))
    assert canvas.readout == ""
    assert painted == []


def test_the_curves_are_painted_in_the_colours_of_the_plot(
    canvas: PlotCanvas, painted: list[Colours]
) -> None:
    for colours in (LIGHT, DARK):
        canvas.set_colours(colours)
        assert canvas._plot.backgroundBrush().color() == QColor(colours.surface)
        for side in ("bottom", "left"):
            assert canvas._item.getAxis(side).textPen().color() == QColor(colours.text)
    assert painted == [LIGHT, DARK]


def test_no_line_of_the_grid_crosses_what_is_plotted(canvas: PlotCanvas) -> None:
    canvas.set_colours(LIGHT)
    plotted = canvas._item.getViewBox().zValue()
    assert all(canvas._item.getAxis(side).zValue() < plotted for side in ("bottom", "left"))


def test_no_vowel_sign_of_an_axis_s_name_is_cut(canvas: PlotCanvas) -> None:
    canvas.set_colours(LIGHT)
    for side, name in (("left", "औसत लॉ-दि"), ("bottom", "कुछ त्रुटि")):
        canvas._item.setLabel(side, name)
    QApplication.processEvents()
    image = canvas._plot.grab().toImage()
    edges = {
        "left": {image.pixelColor(0, y).name() for y in range(image.height())},
        "bottom": {image.pixelColor(x, image.height() - 1).name() for x in range(image.width())},
    }
    assert edges == {"left": {LIGHT.surface}, "bottom": {LIGHT.surface}}


LONG = "Total epsilon of a vehicle on one day, at most"


def test_a_name_longer_than_its_upright_axis_is_whole(canvas: PlotCanvas) -> None:
    canvas.set_colours(LIGHT)
    canvas.name_upright(LONG)
    label = canvas._item.getAxis("left").label
    for height, lines in ((LEAST_HEIGHT, 2), (600, 1), (LEAST_HEIGHT, 2)):
        canvas.resize(400, height)
        QApplication.processEvents()
        name, plotted = label.mapRectToScene(label.boundingRect()), canvas._item.getViewBox()
        assert label.document().firstBlock().layout().lineCount() == lines
        assert -AROUND_A_NAME <= name.top() < name.bottom() <= height
        assert name.right() - AROUND_A_NAME < plotted.sceneBoundingRect().left()


def test_a_name_a_little_longer_than_its_axis_reaches_into_the_corner(canvas: PlotCanvas) -> None:
    canvas.resize(400, LEAST_HEIGHT)
    canvas.set_colours(LIGHT)
    label = canvas._item.getAxis("left").label
    plotted = canvas._item.getViewBox()
    name = ""
    while label.boundingRect().width() <= plotted.sceneBoundingRect().height() + 3 * AROUND_A_NAME:
        name += "m"
        canvas.name_upright(name)
        QApplication.processEvents()
    whole = label.mapRectToScene(label.boundingRect())
    assert -AROUND_A_NAME <= whole.top() < whole.bottom() <= LEAST_HEIGHT + AROUND_A_NAME


def test_no_unit_is_divided(canvas: PlotCanvas) -> None:
    canvas.resize(400, LEAST_HEIGHT)
    canvas.set_colours(LIGHT)
    block = canvas._item.getAxis("left").label.document().firstBlock
    for words in ("i" * length for length in range(1, 40)):
        canvas.name_upright(f"Typical error of the {words} hexagon slot (km/h)")
        QApplication.processEvents()
        lines = [block().layout().lineAt(line) for line in range(block().layout().lineCount())]
        told = [block().text()[line.textStart() :][: line.textLength()].rstrip() for line in lines]
        assert len(told) > 1
        assert not any(line.endswith(("/", "\u2060")) for line in told)


def test_a_name_that_has_room_stays_on_one_line_when_another_follows(canvas: PlotCanvas) -> None:
    canvas.resize(400, LEAST_HEIGHT)
    canvas.set_colours(LIGHT)
    label = canvas._item.getAxis("left").label
    for name, lines in ((LONG, 2), ("Records", 1), (LONG, 2)):
        canvas.name_upright(name)
        QApplication.processEvents()
        assert label.document().firstBlock().layout().lineCount() == lines
        middle = canvas._item.getViewBox().sceneBoundingRect().center().y()
        assert abs(label.mapRectToScene(label.boundingRect()).center().y() - middle) <= _WHOLE_PIXELS


def test_the_nearest_value_is_read_and_marked(canvas: PlotCanvas) -> None:
    canvas.set_colours(LIGHT)
    canvas.read_out(3.2, QPointF(50, 50))
    assert canvas.readout == "<b>3</b>"
    assert canvas._pointer.isVisible()
    assert canvas._pointer.value() == 3.0
    canvas.read_out(-1.0, QPointF(50, 50))
    assert canvas.readout == ""
    assert not canvas._pointer.isVisible()


def test_what_is_read_goes_with_the_pointer_and_with_the_colours(canvas: PlotCanvas) -> None:
    canvas.set_colours(LIGHT)
    canvas.read_out(3.2, QPointF(50, 50))
    QApplication.sendEvent(canvas._plot.viewport(), QEvent(QEvent.Type.Leave))
    assert canvas.readout == ""
    canvas.read_out(3.2, QPointF(50, 50))
    canvas.set_colours(DARK)
    assert canvas.readout == ""


def test_the_read_out_stays_in_the_plot(canvas: PlotCanvas) -> None:
    canvas.set_colours(LIGHT)
    for place in (QPointF(395, 295), QPointF(0, 0), QPointF(200, 299)):
        canvas.read_out(3.2, place)
        assert canvas._plot.rect().contains(canvas._readout.geometry())


def test_a_read_out_names_its_figures() -> None:
    text = readout_text(
        "Epsilon 1", [("before", "3.5", "7 hexagon slots"), ("after", "2.5", "5 hexagon slots")]
    )
    assert text.startswith("<b>Epsilon 1</b><table><tr><td>before</td>")
    assert text.count('<td align="right">') == 4
    assert text.count("<tr>") == 2
    assert "<table width=" in readout_text("Epsilon 1", [], wide=True)


def test_a_plot_that_is_gone_leaves_no_widget_behind(qapp: QApplication) -> None:
    before = len(qapp.allWidgets())
    made = PlotCanvas(paint=lambda _: None, read=read)
    assert len(qapp.allWidgets()) > before
    made.deleteLater()
    QApplication.sendPostedEvents(made, QEvent.Type.DeferredDelete)
    assert len(qapp.allWidgets()) <= before
