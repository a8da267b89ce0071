"""What is planned for the draft, then smoothed; choices that could not be computed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from core.advice.adviser import Advice
from core.advice.forecast import Forecast, forecast, needs_smoothing, with_smoothing
from core.advice.precomputed import precomputed
from core.advice.user_forecast import PublicChoices, user_forecast
from core.contributions import EVALUATION_TIE_KEY
from core.draft.draft import DataSource, Draft, QueryDraft
from core.draft.draft_reading import place_choice_of, selected_by, window_for
from core.errors import HexveilError, InputError
from core.geodata.zones_source import PublicZones
from core.grouping.plan_cache import PlanCache
from core.planning.counted_city import CountedCity
from core.prior.public_prior import PriorReader
from core.privacy import Relation
from core.progress import Progress
from core.release.former_spreads import FormerSpreads
from core.selection.base import SelectionRequest
from ui.kit.jobs import JobWork
from ui.kit.signals import on_any
from ui.kit.stage import Stage
from ui.language.translation import translator
from ui.session.opened_data import fields_of, indexing_of
from ui.session.undo import EditDraft

if TYPE_CHECKING:
    from ui.session.session import Session

_tr = translator("Session")

PLANNING = (
    "rule",
    "threshold",
    "cells_file",
    "minimum_vehicles",
    "queries",
    "relation",
    "unit",
    "hats_per_vehicle",
    "days_per_vehicle",
    "prior",
)
"""Changes of these fields of a draft only plan anew."""
_SMOOTHING_AFTER_MS = 60
"""The plan is shown first: the algebra of smoothing holds Python's lock, and plans of a drag come faster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """What a plan follows from of the population that would pay."""

    delta: Decimal = Decimal(0)
    tie_key: bytes = field(default=EVALUATION_TIE_KEY, repr=False)
    former: FormerSpreads = field(default_factory=FormerSpreads)
    """Of its newest release."""


PlanKey = tuple[Mapping[str, Any], Payer]
"""What a plan follows from, beside the contributions: choices, and who would pay."""


class Planning(QObject):
    """Follows the session, whose `forecast_changed` reports it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.cache = PlanCache()
        """For those who plan the loaded data; other data get another one."""
        self.forecast: Forecast | None = None
        """None while there are no data or planning has not ended."""
        self._is_gone = False
        """The forecast that is shown went with its contributions, and the one of now is not made."""
        self.problem: HexveilError | None = None
        """What in the draft does not fit the data; None while all is well."""
        self.paid_by = Payer()
        """Of the plan that was made last."""
        self._mechanism_given = self._mechanism_retained = False
        self._plan = Stage(self, self._on_planned, failed=self.refuse, stopped=self._on_stopped)
        self._plan.progressed.connect(session.progressed)
        self._plan.finished.connect(session.tell_busy)
        self._smooth = Stage(self, self._on_smoothed, failed=session.failed)
        self._smooth.finished.connect(session.tell_busy)
        self._until_smoothing = QTimer(self, singleShot=True, interval=_SMOOTHING_AFTER_MS)
        self._until_smoothing.timeout.connect(self._start_smoothing)

    # what is known

    @property
    def running(self) -> bool:
        """A plan is being made; smoothing holds up nothing."""
        return self._plan.running

    @property
    def smoothing(self) -> bool:
        """What smoothed numbers will miss is being computed for the forecast."""
        return self._smooth.running or self._until_smoothing.isActive()

    @property
    def is_of_before(self) -> bool:
        """The draft, or what was typed and refused, asks for another plan than the one that is shown."""
        if self._is_gone:
            return True
        if self.forecast is None or self._plan.taken is None:
            return False
        if self._session.refused.first is not None:
            return True
        return not self._session.fits or self.question(self._session.draft) != self._plan.taken

    @property
    def is_interim(self) -> bool:
        """The figures that are shown give way to others: to those of the draft, or to smoothed ones."""
        return self.is_of_before or self.smoothing

    @property
    def counts_stay(self) -> bool:
        """The counts that are shown are of choices before, for those of now do not fit the data."""
        return self.problem is not None and self._session.contributions is not None and not self._session.fits

    def on_aged(self, slot: Callable[[], object]) -> None:
        """Call it whenever figures of the plan may have become interim ones, or are no more."""
        session = self._session
        changes = (session.draft_changed, session.forecast_changed, session.busy_changed)
        on_any(slot, *changes, session.refused.changed)

    @property
    def advice(self) -> Advice | None:
        """What is advised for the mean; None unless counts are public and a mean is planned."""
        draft = self._session.draft
        public = draft.relation is Relation.VALUES and draft.mean is not None
        return self.forecast.advice if self.forecast and public else None

    @property
    def tie_key(self) -> bytes:
        """What the plan of the draft orders users with equal counts by: the key of the population that pays.

        A constant where none does, and until its key is read.
        """
        return self.question(self._session.draft)[1].tie_key

    @property
    def former(self) -> FormerSpreads:
        """What the newest release of the population was fitted to."""
        return self.question(self._session.draft)[1].former

    @property
    def is_planned_as_charged(self) -> bool:
        """Users stand in the order that the population's key gives them, as in its releases."""
        payer = self.paid_by
        return payer.tie_key != EVALUATION_TIE_KEY and payer == self.question(self._session.draft)[1]

    def question(self, draft: Draft) -> PlanKey:
        """What a plan follows from; delta and key of the population only where they count."""
        ledger, of_constants = self._session.ledger, draft.relation is Relation.USER
        gaussian = of_constants or any(query.may_be_gaussian for query in draft.queries)
        return fields_of(draft, PLANNING), Payer(
            delta=ledger.delta_of(draft.population) if gaussian else Decimal(0),
            tie_key=ledger.tie_key_of(draft.population) if orders_users(draft) else EVALUATION_TIE_KEY,
            former=FormerSpreads() if of_constants else ledger.former_of(draft.population),
        )

    def by_counts(self) -> CountedCity | None:
        """What another budget of a query is planned on; None while no count is known."""
        shown, session = self.forecast, self._session
        if shown is None or shown.users is None or shown.selection is None or session.contributions is None:
            return None
        return CountedCity(
            session.contributions,
            shown.users,
            shown.selection,
            minimum_vehicles=session.draft.minimum_vehicles,
            delta=session.ledger.delta,
            cache=self.cache,
        )

    def question_but_amount(self, query: QueryDraft) -> object:
        """What follows from all but how much budget a query has: the amount that is enough, for one."""
        draft = self._session.draft
        chosen = indexing_of(draft) | fields_of(draft, PLANNING) | {"queries": ()}
        kind = dataclasses.replace(query, budget=query.budget.of_amount(Decimal(1)))
        return chosen, kind, self.question(draft)[1], id(self._session.contributions)

    def answered_by(self, query: QueryDraft, mechanism: str, parameters: Mapping[str, Any]) -> QueryDraft:
        """A budget for each HAT becomes what it costs in all, by the newest plan with that budget."""
        planned = () if self._plan.taken is None else self._plan.taken[0]["queries"]
        known = any((item.id, item.budget) == (query.id, query.budget) for item in planned)
        plans = self.forecast.plans if self.forecast is not None and known else ()
        costs = [plan.charge.per_vehicle for plan in plans if plan.query.id == query.id]
        return query.answered_by(mechanism, parameters, next(iter(costs), None))

    # what the session asks for

    def begin(self, *, mechanism_given: bool) -> None:
        """Other data: the old cache dies with those of before. mechanism_given: it came with the data."""
        self.drop()
        self._mechanism_retained = not mechanism_given and self._mechanism_chosen
        self._mechanism_given = mechanism_given
        # no listener below may plan the old data with the new cache
        self.cache = PlanCache()
        self.clear()

    def clear(self) -> None:
        """Other contributions: nothing is planned for them."""
        self._plan.forget()
        self._is_gone = self._is_gone or self.forecast is not None
        self.forecast = self.problem = None

    def drop(self) -> None:
        """Plan no more; what is shown stays."""
        self._plan.drop()
        self._drop_smoothing()

    def cancel(self) -> None:
        """Stop; the choices go back to what is shown."""
        self._plan.cancel()

    def start(self) -> None:
        """Plan for the draft as it stands, unless that is shown or under way."""
        session = self._session
        if not session.fits:
            return
        if session.ledger.needs_key:
            self.drop()
            session.ledger.read()  # and then plan
            session.busy_changed.emit(True)
            return
        question = self.question(session.draft)
        if question != self._plan.taken:
            self._drop_smoothing()
        if self._plan.ask(question, self._work(question[1])):
            if not self.smoothing:
                self._smooth_soon()
            session.forecast_changed.emit()
        session.tell_busy()

    def _work(self, payer: Payer) -> JobWork:
        session, draft, quantity, cache = (
            self._session,
            self._session.draft,
            self._session.quantity,
            self.cache,
        )
        contributions, overview, source = session.contributions, session.overview, session.source
        reader = session.prior_reader

        def plan(progress: Progress) -> Forecast:
            assert contributions is not None
            assert overview is not None
            assert source is not None
            if draft.relation is Relation.USER:  # records have no part in it but for confidential screens
                return user_forecast(
                    overview,
                    lambda: public_choices(draft, source, reader, payer.delta, cache),
                    lambda found: draft.asked_of(quantity, found),
                    progress,
                )
            return forecast(
                contributions,
                overview,
                selection_request(draft, source.files[0].parent),
                minimum_vehicles=draft.minimum_vehicles,
                unit=draft.unit,
                queries=lambda: [payer.former.given_to(query.asked_of(quantity)) for query in draft.queries],
                progress=progress,
                cache=cache,
                delta=payer.delta,
                tie_key=payer.tie_key,
            )

        return lambda progress: precomputed(plan(progress))

    # what the work brings

    def _on_planned(self, shown: Forecast) -> None:
        self.forecast, self.problem, self._is_gone = shown, shown.problem, False
        self.paid_by = self._plan.taken[1]
        if self._advice_is_taken():
            return  # another plan is under way
        self._smooth_soon()
        self._session.forecast_changed.emit()

    def _smooth_soon(self) -> None:
        """What smoothed numbers will miss takes longer than the plan, and holds up nothing."""
        if self.forecast is not None and needs_smoothing(self.forecast):
            self._until_smoothing.start()

    def _start_smoothing(self) -> None:
        shown = self.forecast
        if shown is not None:
            self._smooth.start(lambda progress: precomputed(with_smoothing(shown, progress)))

    def _drop_smoothing(self) -> None:
        self._until_smoothing.stop()
        self._smooth.drop()

    def _on_smoothed(self, shown: Forecast) -> None:
        self._session.pins.follow(self.forecast, shown)
        self.forecast = shown
        self._session.forecast_changed.emit()

    @property
    def _mechanism_chosen(self) -> bool:
        """A person has chosen a mechanism or its parameters, and has not undone it."""
        stack = self._session.undo_stack
        done = (stack.command(number) for number in range(stack.index()))
        return self._mechanism_retained or any(
            isinstance(step, EditDraft) and step.chooses_mechanism for step in done
        )

    def _advice_is_taken(self) -> bool:
        """Give the draft the advised mechanism; False where it has it, or has one by a spec or a person.

        A budget that is divided by the mechanism's own noise keeps its mechanism: what is advised for the
        epsilon of the one might not be for that of the other.
        """
        draft = self._session.draft
        advice, mean = self.advice, draft.mean
        if advice is None or mean is None or mean.mechanism == advice.mechanism or mean.budget.needs_scales:
            return False
        if self._mechanism_given or self._mechanism_chosen:
            return False
        advised = self.answered_by(mean, advice.mechanism, dict(advice.params))
        queries = tuple(advised if query is mean else query for query in draft.queries)
        self._session.apply(dataclasses.replace(draft, queries=queries))
        return True

    def refuse(self, error: object) -> None:
        """The draft does not fit the data: said beside the draft, the last good contributions stay shown."""
        if not isinstance(error, HexveilError):
            self._session.failed.emit(error)
            error = HexveilError(
                _tr("These choices could not be computed."), mend=_tr("undo the last choice")
            )
        self._drop_smoothing()
        self.forecast, self.problem, self._is_gone = None, error, False
        self._session.forecast_changed.emit()

    def _on_stopped(self) -> None:
        """The choices go back to what is shown; before the first plan there is nothing to go back to."""
        if self._plan.taken is not None:
            self._session.edit(_tr("Stop"), **self._plan.taken[0])
            self._session.note_stop()
            return
        self.refuse(
            HexveilError(_tr("The planning was stopped."), mend=_tr("change or undo a choice to plan again"))
        )


def orders_users(draft: Draft) -> bool:
    """Nobody is put in order where nothing depends on who is there, or is planned at all."""
    return draft.relation is not Relation.USER and draft.unit is not None


def public_choices(
    draft: Draft, source: DataSource, reader: PriorReader, delta: Decimal, cache: PlanCache | None = None
) -> PublicChoices:
    """What is typed and named by now in relation `user`. Raises InputError for what does not fit."""
    chosen = selection_request(draft, source.files[0].parent)
    return PublicChoices(
        unit=draft.unit,
        hats_per_vehicle=draft.hats_per_vehicle,
        days_per_vehicle=draft.days_per_vehicle,
        cells=chosen.cells,
        places=place_choice_of(draft).listed(chosen.ids),
        hats=chosen.hats,
        columns=chosen.columns,
        resolution=draft.resolution,
        window=window_for(draft),
        upper_bound=source.rules.upper_bound,
        derived=source.rules.mapping.derived is not None,
        threshold=draft.threshold,
        prior=draft.prior,
        reader=reader,
        delta=delta,
        cache=cache,
    )


def selection_request(draft: Draft, folder: Path, zones: PublicZones | None = None) -> SelectionRequest:
    """The draft's selection; cells are read from the rule's file, relative to the data's folder.

    zones: of which a list may name some, as they were read.
    """
    found = selected_by(draft, folder, zones)
    if found is None:
        raise InputError(
            _tr("The candidate hexagons are not named yet."),
            where="selection.file",
            mend=_tr("choose a file, or type a box or a list"),
        )
    return found
