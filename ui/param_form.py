"""A form built from declared parameters: a new parameter needs no new form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from core.params import Parameter, declared
from ui.widgets.labels import shrinkable

_NO_UPPER = 1_000_000
_OWN = "\0own"


class ParamForm(QWidget):
    """One row per parameter; emits the whole mapping of values that differ from their defaults."""

    changed = Signal(dict)

    def __init__(self, params: type, values: Mapping[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parameters = declared(params)
        self._values = {item.name: values.get(item.name, item.default) for item in self._parameters}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._rows([item for item in self._parameters if not item.advanced]))
        if advanced := [item for item in self._parameters if item.advanced]:
            self._add_advanced(layout, advanced)

    def _add_advanced(self, layout: QVBoxLayout, parameters: list[Parameter]) -> None:
        """Public constants that few will change: folded, unless one of them is changed already."""
        self.unfold = QCheckBox(self.tr("Ad&vanced"), self)
        folded = QWidget(self)
        folded.setLayout(self._rows(parameters))
        self.unfold.setChecked(any(self._values[item.name] != item.default for item in parameters))
        folded.setVisible(self.unfold.isChecked())
        self.unfold.toggled.connect(folded.setVisible)
        layout.addWidget(self.unfold)
        layout.addWidget(folded)

    def _rows(self, parameters: list[Parameter]) -> QFormLayout:
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for parameter in parameters:
            editor = self._editor(parameter)
            label = QLabel(parameter.label, self)
            label.setBuddy(editor)
            label.setToolTip(parameter.help)
            editor.setToolTip(parameter.help)
            editor.setAccessibleName(parameter.label)
            editor.setAccessibleDescription(parameter.help)
            form.addRow(label, editor)
        return form

    def shows(self, params: type, values: Mapping[str, Any]) -> bool:
        """Whether the form already shows these values of these parameters."""
        wanted = {item.name: values.get(item.name, item.default) for item in declared(params)}
        return self._parameters == declared(params) and self._values == wanted

    def _editor(self, parameter: Parameter) -> QWidget:
        if parameter.options:
            return _Choice(parameter, self._values[parameter.name], self._set, self)
        return self._number(parameter)

    def _number(self, parameter: Parameter) -> QWidget:
        box = QSpinBox(self) if parameter.whole else QDoubleSpinBox(self)
        low = parameter.low or 0
        high = _NO_UPPER if parameter.high is None else parameter.high
        if isinstance(box, QSpinBox):
            box.setRange(int(low), int(high))
            box.setValue(int(self._values[parameter.name]))
        else:
            box.setRange(low, high)
            box.setDecimals(3)
            box.setValue(float(self._values[parameter.name]))
        if parameter.unit:
            box.setSuffix(f" {parameter.unit}")
        box.setKeyboardTracking(False)
        box.valueChanged.connect(lambda value: self._set(parameter.name, value))
        return box

    def _set(self, name: str, value: object) -> None:
        if self._values[name] == value:
            return
        self._values[name] = value
        self.changed.emit(
            {
                item.name: self._values[item.name]
                for item in self._parameters
                if self._values[item.name] != item.default
            }
        )


class _Choice(QWidget):
    """Options, and a number of one's own where the parameter allows it."""

    def __init__(self, parameter: Parameter, value: object, changed: Any, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = parameter.name
        self._changed = changed
        self._box = QComboBox(self)
        shrinkable(self._box)
        self._number = QSpinBox(self)
        layout = QFormLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addRow(self._box)
        for option in parameter.options:
            self._box.addItem(option, option)
        if parameter.numeric:
            self._box.addItem(self.tr("a number of your own"), _OWN)
            layout.addRow(self._number)
        self._number.setRange(int(parameter.low or 0), _NO_UPPER)
        self._number.setKeyboardTracking(False)
        own = isinstance(value, int)
        if isinstance(value, int):
            self._number.setValue(value)
        self._box.setCurrentIndex(self._box.findData(_OWN if own else value))
        self._number.setVisible(own)
        self._number.setAccessibleName(parameter.label)
        self.setFocusProxy(self._box)
        self._box.activated.connect(self._choose)
        self._number.valueChanged.connect(lambda number: self._changed(self._name, number))

    def _choose(self) -> None:
        data = self._box.currentData()
        self._number.setVisible(data == _OWN)
        self._changed(self._name, self._number.value() if data == _OWN else data)
