"""A form built from declared parameters; a field that has no effect while a flag is on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from core.errors import InputError
from core.parameter_fields import Parameter, declared
from ui.kit.labels import label, plain_label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.tips import in_lines
from ui.language.translation import core_text, sentence
from ui.layout.boxes import in_column

_NO_UPPER = 1_000_000
_OWN = "\0own"


class ParamForm(QWidget):
    """One row per parameter; emits the whole mapping of values that differ from their defaults."""

    changed = Signal(dict)

    def __init__(
        self,
        params: type,
        values: Mapping[str, Any],
        parent: QWidget | None = None,
        *,
        units: Mapping[str, str] | None = None,
        without: Collection[str] = (),
        rest_with: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """units: what to write in place of some declared units; without: names that stand elsewhere.

        rest_with: flag -> names of what decides nothing while it is on.
        """
        super().__init__(parent)
        self._rest_with = dict(rest_with or {})
        self._without = frozenset(without)
        self._parameters = self._shown(params)
        self._units = dict(units or {})
        self._values = {item.name: values.get(item.name, item.default) for item in self._parameters}
        layout = in_column(self, self._rows([item for item in self._parameters if not item.advanced]))
        if advanced := [item for item in self._parameters if item.advanced]:
            self._add_advanced(layout, advanced)

    def _add_advanced(self, layout: QVBoxLayout, parameters: list[Parameter]) -> None:
        """Public constants that few will change: folded, unless one of them is changed already."""
        self.unfold = QCheckBox(self.tr("Advanced"), self)
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
            editor.setToolTip(in_lines(core_text(parameter.help)))
            editor.setAccessibleName(core_text(parameter.label))
            editor.setAccessibleDescription(core_text(parameter.help))
            for flag, names in self._rest_with.items():
                if parameter.name in names and flag in self._values:
                    self._rest(flag, parameter, editor)
            if parameter.flag:
                form.addRow(editor)
                continue
            caption = plain_label(_caption(parameter), self)
            caption.setBuddy(editor.stop if isinstance(editor, (_Choice, _Numbers)) else editor)
            caption.setToolTip(in_lines(core_text(parameter.help)))
            form.addRow(caption, editor)
            if parameter.only_with:
                self._show_with(parameter.only_with, form, editor)
        return form

    def _show_with(self, flag: str, form: QFormLayout, editor: QWidget) -> None:
        """The editor's row only while a flag is on."""

        def show() -> None:
            form.setRowVisible(editor, bool(self._values[flag]))

        show()
        self.changed.connect(show)

    def _rest(self, flag: str, parameter: Parameter, editor: QWidget) -> None:
        """Not to be chosen, nor shown as ticked, while a flag is on with which it decides nothing.

        What is set to another value than its default may be refused there, and has to be put back.
        """
        text = core_text(parameter.help)
        label_of_flag = next(core_text(item.label) for item in self._parameters if item.name == flag)
        why = self.tr("Has no effect while “{flag}” is on.").format(flag=label_of_flag)

        def follow() -> None:
            rests = bool(self._values[flag]) and self._values[parameter.name] == parameter.default
            editor.setEnabled(not rests)
            editor.setToolTip(in_lines(f"{text}\n{why}" if rests else text))
            editor.setAccessibleDescription(f"{text} {why}" if rests else text)
            if isinstance(editor, QCheckBox):
                with QSignalBlocker(editor):  # what was chosen stays
                    editor.setChecked(bool(self._values[parameter.name]) and not rests)

        follow()
        self.changed.connect(follow)

    def _shown(self, params: type) -> tuple[Parameter, ...]:
        return tuple(item for item in declared(params) if item.name not in self._without)

    def shows(self, params: type, values: Mapping[str, Any], units: Mapping[str, str] | None = None) -> bool:
        """Whether the form already shows these values of these parameters, with these units."""
        wanted = {item.name: values.get(item.name, item.default) for item in self._shown(params)}
        same = self._parameters == self._shown(params) and self._units == dict(units or {})
        return same and self._values == wanted

    def tab_after(self, before: QWidget) -> None:
        """Put the form's editors behind a widget in the order of the Tab key: a new one would come last."""
        for editor in self._stops():
            QWidget.setTabOrder(before, editor)
            before = editor

    def _stops(self) -> list[QWidget]:
        """Not the list that a combo box opens, which is in a separate window, nor the line within an editor.

        `focusProxy` would name that line too, but makes PySide take the editor for a part of it: with
        `lineEdit` each is a part of the other, and at the next collection both end, with all below them.
        """
        return [
            child
            for child in self.findChildren(QWidget)
            if child.focusPolicy() & Qt.FocusPolicy.TabFocus
            and not isinstance(child.parentWidget(), QComboBox | QAbstractSpinBox)
            and child.window() is self.window()
        ]

    def _editor(self, parameter: Parameter) -> QWidget:
        if parameter.options:
            return _Choice(parameter, self._values[parameter.name], self._set, self)
        if parameter.several:
            return _Numbers(parameter, self._values[parameter.name], self._set, self)
        return self._flag(parameter) if parameter.flag else self._number(parameter)

    def _flag(self, parameter: Parameter) -> QWidget:
        box = QCheckBox(core_text(parameter.label), self)
        box.setChecked(bool(self._values[parameter.name]))
        box.toggled.connect(lambda checked: self._set(parameter.name, checked))
        return box

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
            box.setSuffix(f" {self._units.get(parameter.unit, parameter.unit)}")
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
        self._box = ListBox(self)
        shrinkable(self._box)
        self._number = QSpinBox(self)
        layout = QFormLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addRow(self._box)
        for option in parameter.options:
            self._box.addItem(core_text(parameter.titles.get(option, option)), option)
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
        self.stop: QWidget = self._box
        """What the Tab key comes to first; as a proxy it would have the key leave out others before it."""
        for editor in (self._box, self._number):
            editor.setAccessibleName(core_text(parameter.label))
        self._box.activated.connect(self._choose)
        if parameter.text:
            self._take_names(value)
        self._number.valueChanged.connect(lambda number: self._changed(self._name, number))

    def _take_names(self, value: object) -> None:
        """Any other name may be typed."""
        self._box.setEditable(True)
        self._box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        if self._box.findData(value) < 0:
            self._box.setEditText(str(value))
        line = self._box.lineEdit()
        if line is not None:
            line.editingFinished.connect(self._name_typed)

    def _name_typed(self) -> None:
        typed = self._box.currentText().strip()
        place = self._box.findText(typed)
        if place >= 0:
            self._changed(self._name, self._box.itemData(place))
        elif typed:
            self._changed(self._name, typed)

    def _choose(self) -> None:
        data = self._box.currentData()
        self._number.setVisible(data == _OWN)
        self._changed(self._name, self._number.value() if data == _OWN else data)


class _Numbers(QWidget):
    """Numbers with commas between them; a list that does not fit is reported below and changes nothing."""

    def __init__(self, parameter: Parameter, values: Sequence[float], changed: Any, parent: QWidget) -> None:
        super().__init__(parent)
        self._parameter = parameter
        self._changed = changed
        self._line = QLineEdit(parameter.written(values), self)
        self._line.setAccessibleName(core_text(parameter.label))
        self._line.setAccessibleDescription(core_text(parameter.help))
        self._refusal = label(look="error", parent=self)
        self._refusal.hide()
        in_column(self, self._line, self._refusal, spacing=2)
        self.stop: QWidget = self._line
        self._line.editingFinished.connect(self._typed)

    def _typed(self) -> None:
        try:
            typed = ",".join(part for part in self._line.text().split(",") if part.strip())
            values = self._parameter.accept_text(typed, where=self._parameter.label)
        except InputError as error:
            self._refusal.setText(f"{core_text(error.what)} {sentence(core_text(error.mend))}")
            self._refusal.show()
            return
        assert isinstance(values, tuple)
        self._refusal.hide()
        self._line.setText(self._parameter.written(values))
        self._changed(self._parameter.name, values)


def _caption(parameter: Parameter) -> str:
    """A spin box has its unit in it, a list beside its name."""
    named = core_text(parameter.label)
    return f"{named} ({parameter.unit})" if parameter.several and parameter.unit else named
