"""The legend of the error plot: check boxes that switch curves, one cell for each mechanism."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from core.evaluate.compared_curves import Series
from core.mechanisms.registry import all_mechanisms
from ui.errors.curve_styles import SWATCH, CurveStyle, by_mechanism, curve_title
from ui.errors.curves import Curves
from ui.kit.labels import label
from ui.kit.theme import Colours
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.layout.boxes import in_row
from ui.layout.reflowing_grid import ReflowingGrid


class ErrorLegend(QWidget):
    """Check boxes and not pyqtgraph's legend: they are reached by keyboard and read aloud."""

    switched = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switches: dict[str, QCheckBox] = {}
        self._cells: dict[str, QWidget] = {}
        self._looks: dict[str, tuple[CurveStyle, float, bool, str]] = {}
        """What each box's piece of its curve was painted as."""
        grid = ReflowingGrid(self, across=12, down=5)
        self._groups = by_mechanism()
        cells = [self._cell(name, curves) for name, curves in self._groups.items()]
        self.key = label(self.tr("Solid: BestFit, dashed: WrapAround"), "muted", self, wraps=False)
        for cell in (*cells, self.key):
            grid.addWidget(cell)

    def _cell(self, mechanism: str, curves: list[tuple[str, Series]]) -> QWidget:
        """One box a grouping; the last one bears the mechanism's name."""
        cell = QWidget(self)
        row = in_row(cell, spacing=4)
        title = core_text(all_mechanisms()[mechanism].title)
        for number, (key, series) in enumerate(curves, start=1):
            named = title if number == len(curves) else ""
            row.addWidget(self._box(key, named, curve_title(series), cell))
        self._cells[mechanism] = cell
        return cell

    def _box(self, key: str, text: str, whole: str, parent: QWidget) -> QCheckBox:
        box = QCheckBox(text, parent)
        box.setAccessibleName(whole)
        box.setToolTip(in_lines(whole))
        box.setChecked(True)
        box.setIconSize(SWATCH)
        box.toggled.connect(self.switched)
        self.switches[key] = box
        return box

    @property
    def hidden(self) -> frozenset[str]:
        """Keys of the curves that are switched off."""
        return frozenset(key for key, box in self.switches.items() if not box.isChecked())

    def paint(self, styles: dict[str, CurveStyle], colours: Colours, strong: str) -> None:
        """Follow theme and choice."""
        ratio = self.devicePixelRatioF()
        for key, box in self.switches.items():
            look = styles[key], ratio, key == strong, colours.surface
            if look != self._looks.get(key):  # while curves come, most stay as they were
                self._looks[key] = look
                box.setIcon(styles[key].swatch(ratio, strong=look[2], surface=look[3]))

    def show_for(self, curves: Curves) -> None:
        """Only what the data have."""
        for key, box in self.switches.items():
            box.setVisible(key in curves.request.series)
        for mechanism, cell in self._cells.items():
            cell.setVisible(any(not self.switches[key].isHidden() for key, _ in self._groups[mechanism]))
