"""ui.errors.legend: only what is plotted, and no wider than it must be."""

from __future__ import annotations

from types import SimpleNamespace

from PySide6.QtWidgets import QCheckBox

from tests.ui.user_actions import show
from ui.errors.curve_styles import by_mechanism, curve_styles
from ui.errors.legend import ErrorLegend
from ui.kit.theme import LIGHT

WIDTH = 1200


def shown_for(qtbot, mechanisms):
    """A legend for all curves of some mechanisms."""
    legend = ErrorLegend()
    show(qtbot, legend, width=WIDTH, height=200)
    series = [key for mechanism in mechanisms for key, _ in by_mechanism()[mechanism]]
    legend.show_for(SimpleNamespace(request=SimpleNamespace(series=series)))
    legend.layout().activate()
    return legend


def test_the_key_is_no_sentence(qtbot):
    assert shown_for(qtbot, by_mechanism()).key.text() == "Solid: BestFit, dashed: WrapAround"


def test_the_legend_needs_the_width_of_one_mechanism_however_many_there_are(qtbot):
    every = shown_for(qtbot, by_mechanism()).minimumSizeHint().width()
    alone = [shown_for(qtbot, [mechanism]).minimumSizeHint().width() for mechanism in by_mechanism()]
    assert every == max(alone)


def test_a_mechanism_without_curves_leaves_no_gap(qtbot):
    first, *_, last = by_mechanism()
    legend = shown_for(qtbot, [first, last])
    boxes = [box for box in legend.findChildren(QCheckBox) if box.isVisible()]
    assert boxes == [
        legend.switches[key] for mechanism in (first, last) for key, _ in by_mechanism()[mechanism]
    ]
    cells = sorted({box.parentWidget() for box in boxes}, key=lambda cell: cell.x())
    assert cells[1].x() == cells[0].geometry().right() + 1 + legend.layout().across


def test_a_curve_is_painted_anew_only_where_it_looks_otherwise(qtbot):
    """The error plot looks at all of them each time that one more is there."""
    legend = ErrorLegend()
    qtbot.addWidget(legend)
    styles = curve_styles(LIGHT)
    strong, other, *_ = curve_styles(LIGHT)

    def icons():
        return {key: box.icon().cacheKey() for key, box in legend.switches.items()}

    legend.paint(styles, LIGHT, strong)
    before = icons()
    legend.paint(styles, LIGHT, strong)
    assert icons() == before
    legend.paint(styles, LIGHT, other)
    after = icons()
    assert {key for key in after if after[key] != before[key]} == {strong, other}
