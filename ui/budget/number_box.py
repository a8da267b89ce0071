"""Which of a release's numbers map and table show: a share of a range, a percentile, the mean."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QWidget

from ui.budget.range_texts import number_name
from ui.kit.list_box import ListBox
from ui.session.session import Session

_LETTERS = 16


class NumberBox(ListBox):
    """Hidden where there is nothing to choose."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setAccessibleName(self.tr("Released number shown"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_LETTERS)
        self.activated.connect(session.release.show_number)
        session.published_changed.connect(self.refresh)
        session.number_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Offer what the shown release holds."""
        numbers, quantity = self._session.release.numbers, self._session.quantity
        names = [number_name(number, quantity) for number in numbers]
        if names != [self.itemText(row) for row in range(self.count())]:
            self.clear()
            self.addItems(names)
        chosen = self._session.release.chosen_number
        self.setCurrentIndex(chosen if chosen < len(names) else 0)
        self.setVisible(len(names) > 1)
