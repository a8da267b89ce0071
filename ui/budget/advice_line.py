"""What the adviser would take for this draft, and why: beside the mechanism, and in short elsewhere."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.mechanisms.registry import require_mechanism
from ui.kit.info_sign import InfoSign
from ui.kit.labels import label
from ui.language.translation import core_text
from ui.session.session import Session


class AdviceLine(QWidget):
    """The advice of the newest forecast, from public counts only, and a button that follows it.

    brief: its name alone, with the reason behind a sign.
    """

    def __init__(self, session: Session, parent: QWidget | None = None, *, brief: bool = False) -> None:
        super().__init__(parent)
        self._session = session
        self._brief = brief
        self.reason = label(look="muted", parent=self)
        self.why = InfoSign(self.tr("Why this mechanism is advised"), self)
        self.use = QPushButton(self.tr("Use it"), self)
        self.use.setAccessibleName(self.tr("Use the advised mechanism"))
        self.use.clicked.connect(self._follow)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.reason, 1)
        line.addWidget(self.why, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        if brief:  # its words leave room beside them
            line.addWidget(self.use, 0, Qt.AlignmentFlag.AlignTop)
        else:
            layout.addWidget(self.use, alignment=Qt.AlignmentFlag.AlignLeft)
        session.forecast_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the newest advice; the button only where it would change something."""
        advice, mean = self._session.planning.advice, self._session.draft.mean
        self.setVisible(advice is not None and mean is not None)
        if advice is None or mean is None:
            return
        followed = advice.mechanism == mean.mechanism
        self.use.setVisible(not followed)
        if not self._brief:
            self.reason.setText(
                self.tr("Advice from public counts, median hexagon slot. {reason}").format(
                    reason=core_text(advice.reason)
                )
            )
            return
        own, advised = (core_text(require_mechanism(key).title) for key in (mean.mechanism, advice.mechanism))
        line = self.tr("By {own}, as advised.") if followed else self.tr("By {own}. Advised: {advised}.")
        self.reason.setText(line.format(own=own, advised=advised))
        self.why.tell(core_text(advice.reason))

    @Slot()
    def _follow(self) -> None:
        advice, draft = self._session.planning.advice, self._session.draft
        if advice is not None and draft.mean is not None:
            self._session.set_mechanism(
                self.tr("Mechanism"),
                advice.mechanism,
                dict(advice.params),
                number=draft.queries.index(draft.mean),
            )
