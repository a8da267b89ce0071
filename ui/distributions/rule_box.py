"""A list of rules for m_UB, how many records per vehicle count, or the rule of a query."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QWidget

from core.grouping.m_ub import MEDIAN, RULE_TITLES, RULES
from ui.kit.tips import in_lines
from ui.language.translation import core_text


class RuleBox(QComboBox):
    """Open to choice until it is fixed; afterwards the own choice is there again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own = MEDIAN
        self.release()
        self.activated.connect(self._on_activated)

    @property
    def rule(self) -> str:
        """The analyst's own choice."""
        return self._own

    def fix(self, rule: str | int, why: str) -> None:
        """Show this rule or number, which is chosen elsewhere."""
        self._fill([*RULES] if rule in RULES else [*RULES, str(rule)], str(rule))
        self.setEnabled(False)
        self._explain(why)

    def release(self) -> None:
        """Let the analyst choose."""
        self._fill([*RULES], self._own)
        self.setEnabled(True)
        self._explain(self.tr("How many records per vehicle count at most, from a rule on the counts."))

    def _fill(self, names: list[str], shown: str) -> None:
        with QSignalBlocker(self):
            if names != [self.itemData(at) for at in range(self.count())]:
                self.clear()
                for name in names:
                    self.addItem(core_text(RULE_TITLES.get(name, name)), name)
            self.setCurrentIndex(self.findData(shown))

    def _explain(self, text: str) -> None:
        self.setToolTip(in_lines(text))
        self.setAccessibleDescription(text)

    def _on_activated(self) -> None:
        self._own = str(self.currentData())
