"""Epsilon by slider and by number: round stops to slide over, any exact decimal to type."""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from core.accounting.budgets import EPSILON_STOPS
from core.accounting.epsilon_input import parse_epsilon
from core.accounting.epsilon_rounding import plain
from core.advice.knob_advice import EpsilonBands
from core.advice.usefulness import Usefulness
from core.errors import InputError
from ui.budget.number_line import NumberLine
from ui.budget.verdict_strips import band_colour
from ui.layout.boxes import in_row


class _BandedSlider(QSlider):
    """Its groove has the colour of the verdict that each amount would get, where that is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, len(EPSILON_STOPS) - 1)
        self._bands: EpsilonBands | None = None

    def show_bands(self, bands: EpsilonBands | None) -> None:
        """None: they are not known."""
        self._bands = bands
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        bands = self._bands
        if bands is None or not self.isEnabled():
            return
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        of_slider = QStyle.ComplexControl.CC_Slider
        groove = self.style().subControlRect(of_slider, option, QStyle.SubControl.SC_SliderGroove, self)
        edges = [0.0, *(1.0 if one is None else _share(one) for one in (bands.rough, bands.good)), 1.0]
        painter, middle = QPainter(self), self.height() / 2
        for word, left, right in zip(reversed(Usefulness), edges, edges[1:], strict=False):
            start, width = groove.left() + left * groove.width(), (right - left) * groove.width()
            band = QRectF(start, middle - 3, width, 6)
            painter.fillRect(band, self.palette().color(QPalette.ColorRole.Window))
            painter.fillRect(band.adjusted(0, 0, -2, 0), band_colour(word, self.palette()))
        option.subControls = QStyle.SubControl.SC_SliderHandle
        self.style().drawComplexControl(of_slider, option, painter, self)
        painter.end()


def _share(amount: Decimal) -> float:
    """Where an amount lies on the groove, 0..1."""
    return min(bisect_left(EPSILON_STOPS, amount) / (len(EPSILON_STOPS) - 1), 1.0)


class EpsilonInput(QWidget):
    """Emits `changed(Decimal, dragging)`; text that is no epsilon goes out as `refused(InputError)`.

    `changed` comes with the old value too, where text that was refused is mended.
    """

    changed = Signal(object, bool)
    refused = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value = Decimal(1)
        self.slider = _BandedSlider(self)
        self.show_bands = self.slider.show_bands
        self._number = NumberLine(self)
        self._number.setFixedWidth(84)
        self._number.setAlignment(Qt.AlignmentFlag.AlignRight)
        in_row(self, (self.slider, 1), self._number)
        self.set_name(self.tr("Epsilon"))
        self.slider.valueChanged.connect(self._slid)
        self._number.editingFinished.connect(self._typed)

    def set_name(self, name: str) -> None:
        """What the number is, for those who hear the window and for refusals."""
        self._name = name
        self.slider.setAccessibleName(self.tr("{name}, slider").format(name=name))
        self._number.setAccessibleName(self.tr("{name}, number").format(name=name))

    def set_value(self, value: Decimal) -> None:
        """Show a value without announcing it."""
        self._value = value
        self._number.setText(plain(value))
        self.slider.blockSignals(True)
        self.slider.setValue(min(bisect_left(EPSILON_STOPS, value), len(EPSILON_STOPS) - 1))
        self.slider.blockSignals(False)
        self.slider.setAccessibleDescription(plain(value))  # its own value is the number of a stop

    def _slid(self, stop: int) -> None:
        self._announce(EPSILON_STOPS[stop], dragging=True)

    def _typed(self) -> None:
        try:
            value = parse_epsilon(self._number.text().strip(), where=self._name)
        except InputError as error:
            self.refused.emit(error)
            return
        self._announce(value, dragging=False)

    def _announce(self, value: Decimal, *, dragging: bool) -> None:
        self.set_value(value)
        self.changed.emit(value, dragging)
