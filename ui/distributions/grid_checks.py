"""Which resolutions and lengths of slots are compared: a row of boxes for each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QWidget

from core.hats.cells import RESOLUTIONS
from core.hats.slots import ALL, SLOT_LENGTHS, SlotLength
from ui.kit.labels import label, plain_label
from ui.kit.tips import in_lines
from ui.layout.boxes import in_row
from ui.layout.reflowing_grid import ReflowingGrid
from ui.session.hat_texts import slot_length_text

_GAP = 10
_Choice = TypeVar("_Choice")


class GridChecks(QWidget):
    """The draft's grid between its neighbours, until the analyst ticks others."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own_choice = self._locked = False
        self.resolutions = {
            resolution: self._box(
                str(resolution), self.tr("Show resolution {number}").format(number=resolution)
            )
            for resolution in RESOLUTIONS
        }
        self.lengths: dict[SlotLength, QCheckBox] = {
            length: self._box(
                self.tr("all hours") if length == ALL else f"{length}",
                self.tr("Show one slot of all hours")
                if length == ALL
                else self.tr("Show timeslots of {length}").format(length=slot_length_text(length)),
            )
            for length in SLOT_LENGTHS
        }
        self.only = label(look="muted", parent=self)
        self.only.hide()
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(_GAP)
        layout.setVerticalSpacing(4)
        self.first_row = self._row(layout, 0, self.tr("Resolutions"), list(self.resolutions.values()))
        self.second_row = self._row(layout, 1, self.tr("Timeslots (minutes)"), list(self.lengths.values()))
        layout.addWidget(self.only, 2, 0, 1, 2)

    def _box(self, text: str, name: str) -> QCheckBox:
        box = QCheckBox(text, self)
        box.setAccessibleName(name)
        box.toggled.connect(self._on_toggled)
        return box

    def _row(self, layout: QGridLayout, number: int, title: str, boxes: Sequence[QCheckBox]) -> QHBoxLayout:
        place = QWidget(self)
        # "all hours" would make a column that parts the numbers above it
        grid = ReflowingGrid(place, across=_GAP, down=4, columns=False)
        for box in boxes:
            grid.addWidget(box)
        row = in_row(None, (place, 1), spacing=_GAP)
        layout.addWidget(plain_label(title, self), number, 0)
        layout.addLayout(row, number, 1)
        return row

    @property
    def ticked_resolutions(self) -> tuple[int, ...]:
        """Those to compare, in order."""
        return tuple(resolution for resolution, box in self.resolutions.items() if box.isChecked())

    @property
    def ticked_lengths(self) -> tuple[SlotLength, ...]:
        """Those to compare, in order."""
        return tuple(length for length, box in self.lengths.items() if box.isChecked())

    def follow(self, resolution: int, length: SlotLength) -> None:
        """Tick the draft's grid and its neighbours, unless the analyst has chosen."""
        if not self._own_choice:
            self._tick(_neighbours(tuple(RESOLUTIONS), resolution), _neighbours(SLOT_LENGTHS, length))

    def keep(self, resolutions: Collection[int], lengths: Collection[SlotLength]) -> None:
        """Tick these alone, as if the analyst had."""
        self._own_choice = True
        self._tick(resolutions, lengths)

    def lock(self, resolution: int, length: SlotLength, why: str) -> None:
        """Tick this grid alone, and say why there is no other."""
        self._locked = True
        self._own_choice = False
        self._tick((resolution,), (length,))
        self._enable(why)

    def unlock(self) -> None:
        """Let the analyst tick."""
        if self._locked:
            self._locked = False
            self._enable("")

    def _enable(self, why: str) -> None:
        for box in (*self.resolutions.values(), *self.lengths.values()):
            box.setEnabled(not why)
            box.setToolTip(in_lines(why))
        self.only.setText(why)
        self.only.setVisible(bool(why))

    def _tick(self, resolutions: Collection[int], lengths: Collection[SlotLength]) -> None:
        for resolution, box in self.resolutions.items():
            with QSignalBlocker(box):
                box.setChecked(resolution in resolutions)
        for length, box in self.lengths.items():
            with QSignalBlocker(box):
                box.setChecked(length in lengths)

    def _on_toggled(self) -> None:
        self._own_choice = True
        self.changed.emit()


def _neighbours(offered: Sequence[_Choice], chosen: _Choice) -> frozenset[_Choice]:
    """What was chosen, with what stands before and after it."""
    place = offered.index(chosen)
    return frozenset(offered[max(0, place - 1) : place + 2])
