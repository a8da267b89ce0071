"""What a delta of the population would make of the error, planned once the draft rests."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from core.accounting.zcdp import USUAL_DELTA
from core.advice.delta_worth import better_with_delta
from core.advice.forecast import needs_smoothing
from core.planning.query_plan import QueryPlan
from core.privacy import Relation
from ui.kit.stage import Stage
from ui.session.query_texts import shown_plans
from ui.session.session import Session

_AFTER_MS = 400
"""After plan and smoothing: what is shown of these comes first."""


class DeltaOffer(QObject):
    """Of the first joint statistic in relation `values`, while no delta is allowed; `changed`: it is found.

    What is shown while another plan is made stays, as the plan does.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._found: QueryPlan | None = None
        self.job = Stage(self, self._take, failed=session.failed)
        self._rest = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._rest.timeout.connect(self._start)
        session.planning.on_aged(self._follow)
        session.ledger_changed.connect(self._follow)

    @property
    def running(self) -> bool:
        """It is being found, or will be."""
        return self.job.running or self._rest.isActive()

    @property
    def plan(self) -> QueryPlan | None:
        """With the usual delta; None where that is not known, gains little or is no answer."""
        asked = self._asked()
        return self._found if asked is not None and self.job.taken == self._question(asked) else None

    def _asked(self) -> QueryPlan | None:
        """The plan to better, complete and of now."""
        session, shown = self._session, self._session.forecast
        query = session.draft.compared
        if shown is None or query is None or session.draft.relation is not Relation.VALUES:
            return None
        if session.planning.is_of_before or needs_smoothing(shown) or session.ledger.delta:
            return None
        plan = shown_plans(session).get(query.id)
        return plan if plan is not None and plan.query.question.joint and plan.published else None

    def _question(self, asked: QueryPlan) -> object:
        query = self._session.draft.compared
        assert query is not None
        return self._session.planning.question_but_amount(query), asked.query.budget

    def _follow(self) -> None:
        asked = self._asked()
        if asked is None:
            self._rest.stop()
            self.job.drop()
        elif self._question(asked) != self.job.asked:
            self._rest.start()

    def _start(self) -> None:
        asked, city = self._asked(), self._session.planning.by_counts()
        if asked is None or city is None:
            return
        allowed = dataclasses.replace(city, delta=Decimal(USUAL_DELTA))
        if self.job.ask(self._question(asked), partial(better_with_delta, asked, allowed)):
            self.changed.emit()

    def _take(self, found: QueryPlan | None) -> None:
        self._found = found
        self.changed.emit()
