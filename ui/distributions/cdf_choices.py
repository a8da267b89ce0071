"""The parameters of a simulated distribution in one row: one's own, or those of the draft's query."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget

from core.parameter_fields import Parameter, declared
from core.statistics.cdf import MOST_BINS, CdfParams
from core.statistics.cdf_weights import RECORDS
from ui.distributions.rule_box import RuleBox
from ui.kit.glossary import term_tip
from ui.kit.labels import plain_label
from ui.kit.list_box import ListBox
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.layout.boxes import in_row
from ui.layout.reflowing_grid import ReflowingGrid


class CdfChoices(QWidget):
    """Bins, tree, weights, m_UB."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fixed: CdfParams | None = None
        known = {item.name: item for item in declared(CdfParams)}
        self.bins = QSpinBox(self, minimum=2, maximum=MOST_BINS)
        self.bins.setKeyboardTracking(False)
        self.bins.setValue(CdfParams().bins)
        self.tree = self._list(known["tree"])
        self.weights = self._list(known["weights"])
        self.m_ub = RuleBox(self)
        grid = ReflowingGrid(self, across=14, down=4, columns=False)
        for text, name, editor in (
            (core_text(known["bins"].label), "bins", self.bins),
            (core_text(known["tree"].label), "tree", self.tree),
            (core_text(known["weights"].label), "weights", self.weights),
            (core_text(known["m_ub"].label), "m_ub", self.m_ub),
        ):
            pair, title = QWidget(self), plain_label(text, self)
            title.setBuddy(editor)
            title.setToolTip(
                in_lines(term_tip("m_UB") if editor is self.m_ub else core_text(known[name].help))
            )
            editor.setAccessibleName(core_text(known[name].label))
            if editor is not self.m_ub:
                editor.setToolTip(in_lines(core_text(known[name].help)))
                editor.setAccessibleDescription(core_text(known[name].help))
            in_row(pair, title, editor, spacing=6)
            grid.addWidget(pair)
        self.bins.valueChanged.connect(self._on_changed)
        for box in (self.tree, self.weights, self.m_ub):
            box.activated.connect(self._on_changed)
        self._own = CdfParams()

    def _list(self, parameter: Parameter) -> QComboBox:
        box = ListBox(self)
        for option in parameter.options:
            box.addItem(core_text(parameter.titles.get(option, option)), option)
        box.setCurrentIndex(box.findData(parameter.default))
        return box

    @property
    def params(self) -> CdfParams:
        """What to draw with."""
        return self._fixed or self._own

    def fix(self, params: CdfParams, why: str) -> None:
        """Show these, which are chosen elsewhere."""
        self._fixed = params
        self._show(params)
        self.m_ub.fix(params.m_ub, why)

    def release(self) -> None:
        """Let the analyst choose; the own choice is there again."""
        self._fixed = None
        self._show(self._own)
        self.m_ub.release()
        self.m_ub.setEnabled(self._own.weights == RECORDS)

    def _show(self, params: CdfParams) -> None:
        with QSignalBlocker(self.bins):
            self.bins.setValue(params.bins)
        self.tree.setCurrentIndex(self.tree.findData(params.tree))
        self.weights.setCurrentIndex(self.weights.findData(params.weights))
        for editor in (self.bins, self.tree, self.weights):
            editor.setEnabled(self._fixed is None)

    def _on_changed(self) -> None:
        self._own = CdfParams(
            bins=self.bins.value(),
            tree=self.tree.currentData(),
            weights=self.weights.currentData(),
            m_ub=self.m_ub.rule,
        )
        self.m_ub.setEnabled(self._own.weights == RECORDS)
        self.changed.emit()
