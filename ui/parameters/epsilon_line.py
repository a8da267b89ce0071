"""The line below epsilon: how large noise is, and what a good release needs on this grid."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from decimal import Decimal
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from core.accounting.zcdp import OF_DELTA
from core.advice.knob_advice import (
    EpsilonBands,
    KnobAdvice,
    Sign,
    epsilon_advice,
    epsilon_bands,
    epsilon_bands_by_constants,
)
from core.advice.usefulness import Usefulness
from core.draft.draft import QueryDraft
from core.mechanisms.region_fields import REGIONS
from core.planning.query_plan import QueryPlan
from core.privacy import Relation
from core.statistics.registry import require_statistic
from ui.kit.jobs import JobWork
from ui.kit.signals import on_any
from ui.kit.stage import Stage
from ui.language.translation import core_text
from ui.parameters.knob_line import KnobLine
from ui.session.planning import public_choices
from ui.session.query_texts import first_measure, shown_plans
from ui.session.session import Session

_AFTER_MS = 300
"""After the plan is shown."""


class EpsilonLine(KnobLine):
    """`bands_changed(EpsilonBands or None)`: where the verdict changes along the slider."""

    bands_changed = Signal(object)

    def __init__(self, session: Session, chosen: Callable[[], QueryDraft], parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._chosen = session, chosen
        self.bands: EpsilonBands | None = None
        self._card: QWidget | None = None
        self.job = Stage(self, self._show_bands, failed=session.failed)
        self._rest = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._rest.timeout.connect(self._start)
        on_any(self.refresh, session.forecast_changed, session.ledger_changed)

    def showEvent(self, _: QShowEvent) -> None:  # noqa: N802 - Qt's name
        self.refresh()  # while it was hidden nothing was computed

    def show_beside(self, card: QWidget) -> None:
        """What is found is offered there too, in whatever the card was put: it hides while it has nothing."""
        self._card = card

    def _is_seen(self) -> bool:
        around = None if self._card is None else self._card.parentWidget()
        return self.isVisible() or (around is not None and around.isVisible())

    def refresh(self) -> None:
        """Show what is known of the selected query; what is not is computed once the draft rests."""
        query = self._chosen()
        if query.budget.noise_scale is not None:
            self._forget()
            self.tell(KnobAdvice(sign=Sign.NEITHER, text=self._scale_text(query)))
            return
        if not self._asked_for(query):
            self._forget()
            problem = self._session.planning.problem
            if problem is None or problem.where == OF_DELTA or query.id in shown_plans(self._session):
                self.tell(None)
            else:
                self.tell(KnobAdvice(sign=Sign.BETTER, text=problem.what))
            return
        if self.job.taken == self._session.planning.question_but_amount(query):
            self._show()
            return
        self._forget()  # the bands along the slider are of the grid before
        self._rest.start()
        self.tell(None)

    def _forget(self) -> None:
        self._rest.stop()
        self.job.forget()  # with the bands goes the answer: what is asked again is computed again
        self._take_bands(None)

    def _asked_for(self, query: QueryDraft) -> bool:
        """It is planned, and another total is another error."""
        planned = query.id in shown_plans(self._session)
        return planned and not query.parameters.get(REGIONS, False) and not self._session.busy

    def _scale_text(self, query: QueryDraft) -> str:
        unit = core_text(first_measure(query, self._session.quantity).unit)
        text = self.tr("Laplace noise in {unit}: larger protects more.").format(unit=unit)
        if usual := require_statistic(query.statistic).usual_scales:
            text += " " + self.tr("{low} to {high} is usual.").format(low=usual[0], high=usual[1])
        return text

    def _start(self) -> None:
        query, session = self._chosen(), self._session
        if not self._is_seen() or not self._asked_for(query):
            return
        work = self._work(shown_plans(session)[query.id])
        if self.job.ask(session.planning.question_but_amount(query), work):
            self._show()

    def _work(self, plan: QueryPlan) -> JobWork:
        session, draft = self._session, self._session.draft
        if draft.relation is Relation.USER:
            assert session.source is not None
            choices = public_choices(draft, session.source, session.prior_reader, session.ledger.delta)
            return partial(epsilon_bands_by_constants, plan, choices)
        city = session.planning.by_counts()
        assert city is not None
        return partial(epsilon_bands, city, plan.query)

    def _show_bands(self, bands: EpsilonBands) -> None:
        self._take_bands(bands)
        self._show()

    def _take_bands(self, bands: EpsilonBands | None) -> None:
        if bands is not self.bands:
            self.bands = bands
            self.bands_changed.emit(bands)

    @property
    def better(self) -> tuple[Decimal, Usefulness] | None:
        """The next amount that betters the verdict on the query, where its vehicles have it left."""
        bands, population = self.bands, self._session.ledger.population
        if bands is None:
            return None
        for needed, usefulness in ((bands.rough, Usefulness.ROUGH), (bands.good, Usefulness.GOOD)):
            if needed is not None and self._chosen().budget.amount < needed:
                limited = population is not None and population.per_vehicle is not None
                within = not limited or population is None or needed <= population.left
                return (needed, usefulness) if within else None
        return None

    def _show(self) -> None:
        if self.bands is None:
            return
        said = epsilon_advice(self.bands, self._chosen().budget.amount)
        if self.better is None and said.sign is Sign.BETTER:
            said = dataclasses.replace(said, sign=Sign.NEITHER)  # no more is left
        self.tell(said, follows=said.sign is Sign.BETTER)
