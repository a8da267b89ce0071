"""Accuracy first: the error that is acceptable, from which the budget follows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.accounting.budgets import Budget
from core.errors import InputError
from core.planning.accuracy_first import budget_for_error
from core.planning.city_accuracy import ErrorGoal
from core.planning.constant_choice import ConstantChoice
from core.planning.query_plan import QueryPlan
from core.planning.smoothed import is_smoothed
from core.planning.user_accuracy import user_total_for_error
from core.progress import Progress
from ui.kit.jobs import LatestJob
from ui.kit.labels import label
from ui.session.constant_request import ConstantRequest, choice_for, constant_request
from ui.session.query_texts import shown_plans
from ui.session.session import Session


class ErrorInput(QWidget):
    """Emits `found(Budget)` for a typed error, worked out in a worker, or `refused(error)`."""

    found = Signal(object)
    found_constants = Signal(object)
    """In place of `found`: a `ConstantChoice` of relation `user`, total and C."""
    refused = Signal(object)

    def __init__(self, session: Session, selected: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selected = selected
        self.caption = label(look="muted", parent=self)
        self.number = QLineEdit(self)
        self.number.setFixedWidth(84)
        self.number.setPlaceholderText("2.0")
        self.number.setAccessibleName(self.tr("Typical error that is acceptable"))
        self.goal = QComboBox(self)
        self.goal.addItem(self.tr("in the median HAT"), ErrorGoal.MEDIAN)
        self.goal.addItem(self.tr("in the worst HAT"), ErrorGoal.WORST)
        self.goal.setAccessibleName(self.tr("HAT whose error is to be acceptable"))
        self.smoothed = QCheckBox(self.tr("after smoothing"), self)
        self.search = QPushButton(self.tr("&Find the epsilon"), self)
        self.state = label(look="muted", parent=self)
        wanted, found = QHBoxLayout(), QHBoxLayout()  # in one row they would widen the column
        for row in (wanted, found):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(8)
        wanted.addWidget(self.number)
        wanted.addWidget(self.goal, 1)
        found.addWidget(self.smoothed)
        found.addWidget(self.search)
        found.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.caption)
        layout.addLayout(wanted)
        layout.addSpacing(4)
        layout.addLayout(found)
        layout.addWidget(self.state)
        self.search.clicked.connect(self._start)
        self.number.returnPressed.connect(self._start)
        self._job = LatestJob(parent=self)
        self._job.progressed.connect(lambda part, text: self._say(f"{text} ({part:.0%})"))
        self._job.succeeded.connect(self._tell)
        self._job.failed.connect(self.refused)
        self._job.finished.connect(lambda: self._say(""))
        session.draft_changed.connect(self._job.drop)
        session.forecast_changed.connect(self.refresh)
        self._say("")
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Name the unit; what is not planned yet has no error to begin from."""
        plan = self._plan()
        self.setVisible(plan is not None)
        if plan is not None:
            unit = plan.query.question.statistic.measures[0].unit or self.tr("share")
            self.caption.setText(self.tr("Or the typical error that you accept, {unit}:").format(unit=unit))
            self.smoothed.setVisible(plan.city is not None and is_smoothed(plan))

    def _say(self, text: str) -> None:
        """What is being done, and how far; no line where nothing is."""
        self.state.setText(text)
        self.state.setVisible(bool(text))

    def _plan(self) -> QueryPlan | None:
        return shown_plans(self._session).get(self._selected())

    @Slot()
    def _start(self) -> None:
        plan, shown, table = self._plan(), self._session.forecast, self._session.contributions
        if plan is None or shown is None or shown.selection is None or table is None:
            return
        try:
            wanted = float(self.number.text().strip().replace(",", "."))
        except ValueError:
            wanted = 0.0
        if not 0.0 < wanted < float("inf"):
            self.refused.emit(
                InputError(
                    self.tr("This is no error that could be reached."),
                    where=self.number.accessibleName(),
                    mend=self.tr("type a number above 0, for instance 2"),
                )
            )
            return
        if plan.bounded is not None:
            self._job.start(self._work_by_constants(plan, wanted))
            return
        if shown.users is None:
            return
        users, selection, least = shown.users, shown.selection, self._session.draft.minimum_vehicles
        cache, query, delta = self._session.plan_cache, plan.query, self._session.delta
        goal = ErrorGoal(self.goal.currentData())
        smoothed = self.smoothed.isVisible() and self.smoothed.isChecked()
        self._job.start(
            lambda progress: budget_for_error(
                table,
                users,
                selection,
                query,
                wanted,
                minimum_vehicles=least,
                goal=goal,
                smoothed=smoothed,
                delta=delta,
                progress=progress,
                cache=cache,
            )
        )

    def _work_by_constants(
        self, plan: QueryPlan, wanted: float
    ) -> Callable[[Progress], Budget | ConstantChoice]:
        """Relation `user`: with public counts the best C comes along, else C stays what it is."""
        goal, request = ErrorGoal(self.goal.currentData()), constant_request(self._session)
        bounded = plan.bounded
        assert bounded is not None
        if isinstance(request, ConstantRequest) and not bounded.enforced:
            return lambda progress: choice_for(request, wanted, goal, progress)
        query, delta = plan.query, self._session.delta
        return lambda progress: user_total_for_error(
            query, bounded.constants, bounded.threshold, wanted, delta=delta, goal=goal, progress=progress
        )

    @Slot(object)
    def _tell(self, found: Budget | ConstantChoice) -> None:
        (self.found_constants if isinstance(found, ConstantChoice) else self.found).emit(found)
