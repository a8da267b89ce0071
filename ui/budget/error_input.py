"""Accuracy first: an error that is typed or promised, and the epsilon that may be enough for it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.advice.accuracy_first import FoundBudget, budget_for_error
from core.advice.user_accuracy import user_total_for_error
from core.errors import InputError
from core.planning.constant_choice import ConstantChoice
from core.planning.query_plan import QueryPlan, error_of_a_constant
from core.privacy import Relation
from core.progress import Progress
from core.statistics.error_figures import error_scale, significant
from ui.budget.number_line import NumberLine
from ui.kit.buttons import push_button
from ui.kit.glossary import explain
from ui.kit.labels import label
from ui.kit.stage import Stage
from ui.language.translation import percent
from ui.layout.boxes import in_column
from ui.session.constant_request import ConstantRequest, choice_for, constant_request
from ui.session.planning import public_choices
from ui.session.query_texts import short_error_unit, shown_plans, typical_number
from ui.session.session import Session

_TYPING_PAUSE_MS = 600
"""After the last key, before a budget is looked for."""


class ErrorInput(QWidget):
    """Shows the error that the budget leaves. What is typed over it becomes a budget, computed in a worker:
    `found(Budget)`, or `refused(error)`.
    """

    found = Signal(object)
    found_constants = Signal(object)
    """In place of `found`: a `ConstantChoice` of relation `user`, total and C."""
    promised = Signal(float)
    """In place of `found`, of regions, whose error no total changes: what is typed, in the value's unit."""
    refused = Signal(object)

    def __init__(self, session: Session, selected: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selected = selected
        self._typed = ""
        self._telling = False
        """What was found becomes the draft's: no other draft, of which nothing was asked."""
        self._answered = False
        """The draft has what was found for `_typed`: the field shows what was asked for."""
        self._between = ""
        """What smoothing may make of what was found."""
        self._build()
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._pause.timeout.connect(self._start_if_sound)
        self.number.textEdited.connect(self._on_typed)
        self.number.returnPressed.connect(self._start)
        self._job = Stage(self, self._tell, failed=self.refused)
        self._job.progressed.connect(lambda part, text: self._say(f"{text} ({percent(part)})"))
        self._job.finished.connect(lambda: self._say(""))
        self.stop.clicked.connect(self._stop)
        session.draft_changed.connect(self._forget)
        session.forecast_changed.connect(self.refresh)
        self._say("")
        self.refresh()

    def _build(self) -> None:
        self.caption = label(self.tr("Error you accept"), "heading")
        self.number = NumberLine(self)
        self.number.setFixedWidth(60)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setAccessibleName(self.tr("Largest typical error you accept"))
        self.unit = label(look="muted")  # on two lines where it is of several words
        self.state = label(look="muted")
        self.stop = push_button(self.tr("Stop"), self, name=self.tr("Stop looking for the epsilon"))
        explain("Typical error", self.caption, self.number)
        wanted, working = QHBoxLayout(), QHBoxLayout()
        wanted.setSpacing(6)
        wanted.addWidget(self.caption, 1)
        wanted.addWidget(self.number)
        wanted.addWidget(self.unit)
        working.addWidget(self.state, 1)
        working.addWidget(self.stop)
        self.note = label(look="muted")
        in_column(self, wanted, self.note, working, spacing=2)

    @property
    def searching(self) -> bool:
        """A budget is being looked for, or will be after a pause in typing."""
        return self._job.running or self._pause.isActive()

    def refresh(self) -> None:
        """Name the unit, and show the error of the plan; what is not planned yet has none."""
        plan = self._plan()
        self.setVisible(plan is not None)
        if plan is None:
            return
        measure = plan.query.question.statistic.measures[0]
        sets = self.tr("Typing here sets epsilon.")
        if plan.merged is not None:
            sets = self.tr("Typing here sets the promised error.")
        self.note.setText((self._answered and self._between) or sets)
        self.unit.setText(short_error_unit(measure))
        if self.searching or self.number.isModified():
            return
        if self._answered:
            self._show(self._typed)
            return
        self._show(typical_number(plan))

    def _show(self, text: str) -> None:
        if self.number.text() != text:
            self.number.setText(text)

    def _say(self, text: str) -> None:
        """What is being done, and how far; no line where nothing is."""
        self.state.setText(text)
        for widget in (self.state, self.stop):
            widget.setVisible(bool(text))

    def _plan(self) -> QueryPlan | None:
        return shown_plans(self._session).get(self._selected())

    def _on_typed(self) -> None:
        self._drop()
        self._pause.start()

    def _forget(self) -> None:
        """Of another draft: what was typed for the one before is no question any more."""
        self._drop()
        self.number.setModified(False)
        self._answered = self._answered and self._telling

    def _drop(self) -> None:
        """Of another error: what is looked for is no answer to it."""
        self._pause.stop()
        self._job.drop()
        self._say("")

    def _stop(self) -> None:
        self._forget()
        self.refresh()

    def _wanted(self) -> float | None:
        """What is typed; None where that is no error."""
        try:
            wanted = float(self.number.text().strip().replace(",", "."))
        except ValueError:
            return None
        return wanted if 0.0 < wanted < float("inf") else None

    def _start_if_sound(self) -> None:
        """After a pause: what is half typed is no fault yet."""
        if self._wanted() is not None:
            self._start()

    def _start(self) -> None:
        self._pause.stop()
        plan, typed = self._plan(), self._wanted()
        if plan is None:
            return
        scale = error_scale(plan.query.question.statistic.measures[0])
        constant = error_of_a_constant(plan)
        if typed is None:
            self._refuse(
                self.tr("This error cannot be reached."), self.tr("type a number above 0, for instance 2")
            )
            return
        if constant is not None and typed > constant * scale:
            self._refuse(
                self.tr("Without any records, one number for all would be off by less than {error}.").format(
                    error=self.number.text()
                ),
                self.tr("type less than about {most}").format(most=significant(constant * scale, 2)),
            )
            return
        wanted = typed / scale
        if plan.merged is not None:
            self.number.setModified(False)
            self.promised.emit(wanted)
            return
        by_constants = self._session.draft.relation is Relation.USER
        work = self._work_by_constants if by_constants else self._work_by_counts
        if (asked := work(plan, wanted)) is not None:
            self._typed = self.number.text()
            self._job.start(asked)
            self._say(self.tr("Looking for the budget"))

    def _refuse(self, what: str, mend: str) -> None:
        self.refused.emit(InputError(what, where=self.number.accessibleName(), mend=mend))

    def _work_by_counts(self, plan: QueryPlan, wanted: float) -> Callable[[Progress], FoundBudget] | None:
        city, query = self._session.planning.by_counts(), plan.query
        if city is None:
            return None
        return lambda progress: budget_for_error(city, query, wanted, smoothed=True, progress=progress)

    def _work_by_constants(
        self, plan: QueryPlan, wanted: float
    ) -> Callable[[Progress], Budget | ConstantChoice]:
        """Relation `user`: with public counts the best C comes along, else C stays what it is."""
        request = constant_request(self._session)
        session, source = self._session, self._session.source
        assert source is not None
        if isinstance(request, ConstantRequest) and plan.of_a_usual_hat:
            return lambda progress: choice_for(request, wanted, progress)
        choices = public_choices(session.draft, source, session.prior_reader, session.ledger.delta)
        return lambda progress: user_total_for_error(choices, plan.query, wanted, progress=progress)

    def _tell(self, found: Budget | FoundBudget | ConstantChoice) -> None:
        self._between = ""
        if isinstance(found, FoundBudget):
            found, less = found
            if less is not None and less < found.amount:
                self._between = self.tr("Epsilon between {less} and {total} may be enough.").format(
                    less=plain(less), total=plain(found.amount)
                )
        self.number.setModified(False)
        self._answered = self._telling = True
        (self.found_constants if isinstance(found, ConstantChoice) else self.found).emit(found)
        self._telling = False
