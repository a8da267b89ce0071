"""What would make a release better: another grid at the same cost, more epsilon, or a delta."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from core.accounting.zcdp import USUAL_DELTA
from core.advice.city_advice import CityAdvice
from core.advice.usefulness import Usefulness, verdict_word
from core.advice.verdict import verdict_of
from core.draft.draft import QueryDraft
from ui.budget.card_spacing import BETWEEN_FIELDS, CARD_MARGINS
from ui.budget.delta_offer import DeltaOffer
from ui.budget.limit_dialog import LimitDialog
from ui.kit.labels import label
from ui.language.translation import core_text
from ui.layout.boxes import in_column
from ui.parameters.grid_list import GridList
from ui.parameters.grid_row import compared_place, slot_text
from ui.parameters.knobs import Knobs
from ui.session.draft_charge import unrounded_epsilon
from ui.session.query_texts import shown_plans, statistic_title, typical_number
from ui.session.session import Session

_ORDER = list(Usefulness)


class ChangeButton(QPushButton):
    """What to take, and below it what comes of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "choice")
        self.title, self.outcome = label(look="heading"), label(look="muted")
        self._column = in_column(self, self.title, self.outcome, margins=(9, 4, 9, 4), spacing=1)
        for part in (self.title, self.outcome):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def tell(self, text: tuple[str, str] | None) -> None:
        """None: it is not offered."""
        self.setVisible(text is not None)
        if text is not None:
            self.title.setText(text[0])
            self.outcome.setText(text[1])
            self.setAccessibleName(": ".join(text))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        return self._column.heightForWidth(width)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self._column.sizeHint()


class WhatToChange(QFrame):
    """Shown while something is better than the verdict that stands there, or than Laplace noise alone."""

    def __init__(self, session: Session, grids: GridList, knobs: Knobs, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._grids, self._knobs = session, grids, knobs
        self._advice: CityAdvice | None = None
        self.setProperty("look", "card")
        self.grid, self.epsilon, self.delta = ChangeButton(self), ChangeButton(self), ChangeButton(self)
        self.grid.clicked.connect(self._take_grid)
        self.epsilon.clicked.connect(knobs.take_better_epsilon)
        self.delta.clicked.connect(lambda: LimitDialog(session, self).open())
        head = label(self.tr("What to change"), "heading")
        buttons = self.grid, self.epsilon, self.delta
        in_column(self, head, *buttons, margins=CARD_MARGINS, spacing=BETWEEN_FIELDS)
        grids.advised.connect(self._take_advice)
        knobs.of_epsilon.bands_changed.connect(self.refresh)
        knobs.of_epsilon.show_beside(self)
        session.forecast_changed.connect(self.refresh)
        self.offer = DeltaOffer(session, self)
        self.offer.changed.connect(self.refresh)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.ParentChange and (around := self.parentWidget()) is not None:
            around.installEventFilter(self)
        super().changeEvent(event)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Show:
            self._knobs.of_epsilon.refresh()  # while nobody saw either nothing was computed
        return False

    def _take_advice(self, advice: CityAdvice | None) -> None:
        self._advice = advice
        self.refresh()

    def refresh(self) -> None:
        """Follow plan and advice."""
        offered = self._of_grid(), self._of_epsilon(), self._of_delta()
        for button, text in zip((self.grid, self.epsilon, self.delta), offered, strict=True):
            button.tell(text)
        self.setVisible(any(offered))

    def _of_grid(self) -> tuple[str, str] | None:
        compared = self._session.draft.compared
        plan = None if compared is None else shown_plans(self._session).get(compared.id)
        advice = self._advice
        best = None if advice is None else advice.balanced
        if advice is None or best is None or plan is None or compared is None:
            return None
        if _ORDER.index(best.usefulness) >= _ORDER.index(verdict_of(plan).usefulness):
            return None
        outcome = self.tr("{word}, error {error}; same cost").format(
            word=core_text(verdict_word(best.usefulness)), error=advice.error_figure(best.error)
        )
        place = compared_place(self._session, best.resolution)
        return f"{place}, {slot_text(best)}", self._of_one(compared, outcome)

    def _of_one(self, query: QueryDraft, outcome: str) -> str:
        """The statistic is named where there are several."""
        if len(self._session.draft.queries) == 1:
            return outcome
        return f"{statistic_title(query, self._session.quantity)}: {outcome}"

    def _of_epsilon(self) -> tuple[str, str] | None:
        found = self._knobs.of_epsilon.better
        if found is None:
            return None
        amount, usefulness = found
        outcome, before = core_text(verdict_word(usefulness)), self._knobs.budget
        if before.total is not None:
            more = self.tr("{outcome}; costs {more} more")
            outcome = more.format(outcome=outcome, more=unrounded_epsilon(amount - before.total))
        raised = self.tr("Raise epsilon to {amount}").format(amount=unrounded_epsilon(amount))
        return raised, self._of_one(self._knobs.query, outcome)

    def _of_delta(self) -> tuple[str, str] | None:
        plan, compared = self.offer.plan, self._session.draft.compared
        if plan is None or compared is None:
            return None
        outcome = self.tr("{word}, error {error}").format(
            word=core_text(verdict_word(verdict_of(plan).usefulness)), error=typical_number(plan)
        )
        allowed = self.tr("Allow a delta of {delta}…").format(delta=USUAL_DELTA)
        return allowed, self._of_one(compared, outcome)

    def _take_grid(self) -> None:
        if self._advice is not None and self._advice.balanced is not None:
            self._grids.take(self._advice.balanced)
