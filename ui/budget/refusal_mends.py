"""Buttons that mend a refusal of the ledger: a smaller release, or another limit."""

from __future__ import annotations

import dataclasses

from PySide6.QtWidgets import QPushButton, QWidget

from ui.budget.limit_dialog import LimitDialog
from ui.kit.buttons import push_button
from ui.kit.signals import on_any
from ui.layout.boxes import in_column
from ui.session.draft_charge import fitted_budgets
from ui.session.guards.budget import ledger_refuses
from ui.session.session import Session


class RefusalMends(QWidget):
    """Two buttons, shown while the ledger would refuse the draft."""

    def __init__(
        self, session: Session, *, beside_panel: bool = False, parent: QWidget | None = None
    ) -> None:
        """beside_panel: the decide panel offers the same; a key leads to one place only."""
        super().__init__(parent)
        self._session = session
        self.fit = QPushButton(self.tr("Fit to what is left"), self)
        self.fit.setToolTip(self.tr("Lowers every epsilon of this release by the same share."))
        self.fit.clicked.connect(self._fit)
        change = self.tr("Change the limit…") if beside_panel else self.tr("Ch&ange the limit…")
        self.limit = push_button(change, self, lambda: LimitDialog(self._session, self).open())
        in_column(self, self.fit, self.limit)
        on_any(self.refresh, session.forecast_changed, session.draft_changed, session.ledger_changed)
        self.refresh()

    def refresh(self) -> None:
        """Only what would help is offered."""
        refused = ledger_refuses(self._session) is not None
        self.setVisible(refused)
        self.fit.setVisible(refused and fitted_budgets(self._session) is not None)

    def _fit(self) -> None:
        budgets, queries = fitted_budgets(self._session), self._session.draft.queries
        if budgets is not None:
            pairs = zip(queries, budgets, strict=True)
            fitted = tuple(dataclasses.replace(query, budget=budget) for query, budget in pairs)
            self._session.edit(self.fit.text(), queries=fitted)
