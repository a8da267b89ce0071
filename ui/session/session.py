"""The one place where pages meet: it owns the current frozen objects, one signal per stage.

Data -> draft -> contributions -> forecast -> published. Pages read properties and call methods;
no page knows another. Each draft is an undo step.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QUndoStack

from core.accounting.budgets import Budget, unit_of_total
from core.accounting.compose import add_charges
from core.accounting.fitted_budgets import at_whole_total, scaled_budget, share_that_fits
from core.accounting.ledger import Ledger
from core.accounting.ledger_report import PopulationSummary
from core.advice.adviser import Advice
from core.advice.forecast import (
    Forecast,
    HatOverview,
    forecast,
    needs_smoothing,
    overview_of,
    with_smoothing,
)
from core.advice.precomputed import precomputed
from core.advice.user_forecast import PublicChoices, user_forecast
from core.clean.mapping import ReadingRules
from core.contributions import EVALUATION_TIE_KEY, Contributions
from core.draft.draft import DataSource, Draft, QueryDraft
from core.errors import HexveilError, InputError
from core.geodata.map_layer import without_those_below
from core.grouping.plan_cache import PlanCache
from core.hats.record_hours import hours_of_records, records_by_hour
from core.hats.slots import SlotGrid
from core.hats.window import DateRange, Window, build_window
from core.prior.public_prior import PriorReader
from core.privacy import Relation
from core.progress import Progress, part
from core.quantity import SPEED, Quantity
from core.release.loaded_table import LoadedTable
from core.release.prepare_publish import PublishedRelease
from core.release_texts import PRACTICE_PREFIX
from core.selection.base import SelectionRequest
from core.selection.fitted_threshold import fitted_threshold
from core.selection.registry import require_rule
from core.store.load_records import Loaded, load_or_nothing, load_records
from core.store.record_cache import RecordCache
from core.system.own_process import WorkPlace, in_this_process
from core.system.paths import Home, resources
from ui.kit.jobs import LatestJob
from ui.language.translation import translator
from ui.session.marked_hats import MarkedHats
from ui.session.open_data import (
    GeoBox,
    OpenData,
    box_of_data,
    contributions_of_data,
    data_summary,
    dates_of_data,
    hold_table,
)
from ui.session.own_layers import OwnLayers
from ui.session.settings import Settings
from ui.session.table_passphrases import TablePassphrases
from ui.session.undo import EditDraft, push_edit

_tr = translator("Session")

_INDEXING = ("resolution", "slot_minutes", "date_ranges", "hours")
"""Changes of these fields index the records anew."""
_PLANNING = (
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
"""Changes of these fields only plan anew."""
_ASKED = (*_INDEXING, *_PLANNING, "population", "zone")
"""What of a draft makes a request, of the loaded data."""
_UNCONFIRMING = ("relation", "unit")
_SMOOTHING_AFTER_MS = 60
"""The plan is shown first: the algebra of smoothing holds Python's lock, and plans of a drag come faster."""
_CHOSEN_BY_COUNTS = {"hours", "threshold"}
"""What a person may choose while data load, and then has chosen for them."""
_FROM_RECORDS = {*_CHOSEN_BY_COUNTS, "date_ranges"}
"""What of a draft is fitted to records, and in relation `user` never is."""
_ANY_DATE = (dt.date(1970, 1, 1),) * 2
"""Stands for dates that nobody has typed yet and no record has: layers without anything need some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedSet:
    """The draft as it was, what was planned for it, and the delta of the population that would pay."""

    draft: Draft
    forecast: Forecast
    delta: Decimal
    grid: SlotGrid
    """Of its slots: those of another length have other times under the same numbers."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Payer:
    """What a plan follows from of the population that would pay."""

    delta: Decimal = Decimal(0)
    tie_key: bytes = dataclasses.field(default=EVALUATION_TIE_KEY, repr=False)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _ReadLedger:
    """What the window knows of the ledger."""

    populations: tuple[PopulationSummary, ...]
    tie_key: tuple[str, bytes] = dataclasses.field(repr=False)
    """Of the population that the draft charged then: its name, which may be none of these, and its key."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Indexed:
    """Contributions with the choices they were made for."""

    grid: Mapping[str, Any]
    relation: Relation | None
    """Of the draft: what is shown in relation `user` was typed."""
    contributions: Contributions
    overview: HatOverview


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """What a load brings, and what of a draft must change to fit it."""

    source: DataSource
    rules: ReadingRules
    """By which the records were read."""
    open_data: OpenData
    recorded: tuple[DateRange, ...]
    draft: Draft | None
    """None keeps the current one."""
    begun: Draft
    """The current one when the load began: hours and threshold that were changed since stay."""
    fit: Mapping[str, Any]
    usual: GeoBox | None
    indexed: _Indexed


class Session(QObject):
    """The state of one window."""

    data_changed = Signal()
    draft_changed = Signal()
    contributions_changed = Signal()
    forecast_changed = Signal()
    slot_changed = Signal(int)
    hat_chosen = Signal()
    published_changed = Signal()
    ledger_changed = Signal()
    pinned_changed = Signal()
    evaluated_changed = Signal()
    """True errors of the loaded records may be shown for one more population."""
    busy_changed = Signal(bool)
    progressed = Signal(float, str)
    failed = Signal(object)
    """An exception to show: `HexveilError` with its three parts, or something unexpected."""
    load_failed = Signal(object)
    """The same, before `failed`: who asked for the load tells it in place."""
    noted = Signal(str)
    """A line for status bar and log."""

    def __init__(self, home: Home, parent: QObject | None = None, apart: WorkPlace = in_this_process) -> None:
        """apart: where plans do what would hold up the window even from a thread."""
        super().__init__(parent)
        self.home = home
        self._apart = apart
        self.settings = Settings(home)
        self.cache = RecordCache(home.cache)
        self.undo_stack = QUndoStack(self)
        self.prior_reader = PriorReader()
        """Of public counts, for code that plans by them."""
        self.table_passphrases = TablePassphrases(self)
        """Of encrypted contribution tables; the part that shows dialogs answers."""
        self.marked = MarkedHats(self)
        """What is looked at in every tab; the chosen HAT is among them when it is chosen."""
        self._source: DataSource | None = None
        self._read_by: ReadingRules | None = None
        self._open_data: OpenData | None = None
        self._recorded: tuple[DateRange, ...] = ()
        self._usual: GeoBox | None = None
        self.evaluation_note = ""
        """What was said last of true errors; it is to go with them."""
        self._plan_cache = PlanCache(apart=apart)
        self._draft = Draft()
        self._indexed: _Indexed | None = None
        self._forecast: Forecast | None = None
        self._mechanism_given = self._mechanism_stays = False
        self._planned: Draft | None = None
        self._planned_for = _Payer()
        self._problem: HexveilError | None = None
        self._pinned: PinnedSet | None = None
        self._published: PublishedRelease | None = None
        self._published_draft: Draft | None = None
        self._shown_draft: Draft | None = None
        """What the published or practised release was made with."""
        self._evaluated_populations: frozenset[str] = frozenset()
        self._slot = 0
        self._minute = self._minute_wanted = 0
        """When the shown slot begins, and the one that was shown on purpose."""
        self._left: dict[Relation, Draft] = {}
        """The draft when each relation was left last; of `values` perhaps before any was chosen."""
        self._hat: tuple[str, int] | None = None
        self._loading = self._job(self._on_loaded, self._on_load_failed, self._note_stop)
        self._indexing = self._job(self._on_indexed, self._on_unfit, self._on_indexing_stopped)
        self._planning = self._job(self._on_planned, self._on_unfit, self._on_planning_stopped)
        self._until_smoothing = QTimer(self)
        self._until_smoothing.setSingleShot(True)
        self._until_smoothing.setInterval(_SMOOTHING_AFTER_MS)
        self._until_smoothing.timeout.connect(self._smooth)
        self._smoothing = LatestJob(parent=self)
        self._smoothing.succeeded.connect(self._on_smoothing)
        self._smoothing.failed.connect(self.failed)
        self._populations: tuple[PopulationSummary, ...] = ()
        self._tie_key = ("", EVALUATION_TIE_KEY)
        self._reading_ledger = LatestJob(parent=self)
        self._reading_ledger.succeeded.connect(self._on_ledger)
        self._reading_ledger.failed.connect(self._on_unread_ledger)
        self.own_layers = OwnLayers(self)
        """Maps of the analyst's own, and the names of places in them."""

    def _job(
        self, done: Callable[[Any], None], failed: Callable[[Any], None], stopped: Callable[[], None]
    ) -> LatestJob:
        job = LatestJob(parent=self)
        job.succeeded.connect(done)
        job.failed.connect(failed)
        job.cancelled.connect(stopped)
        job.progressed.connect(self.progressed)
        job.finished.connect(self._on_finished)
        return job

    # what pages read

    @property
    def source(self) -> DataSource | None:
        """As the relation of the draft has it."""
        return self._source and self._source.in_relation(self._draft.relation)

    @property
    def quantity(self) -> Quantity:
        """What the loaded records measure; speed before there are any."""
        return self._source.rules.quantity if self._source else SPEED

    @property
    def open_data(self) -> OpenData | None:
        """Whichever of both is open."""
        return self._open_data

    @property
    def has_data(self) -> bool:
        """Records are loaded, or a contribution table in their place."""
        return self._open_data is not None

    @property
    def loaded(self) -> Loaded | None:
        """The records and how they were read; None also where a contribution table is open."""
        return self._open_data if isinstance(self._open_data, Loaded) else None

    @property
    def table(self) -> LoadedTable | None:
        """The contribution table that is open in place of records."""
        return self._open_data if isinstance(self._open_data, LoadedTable) else None

    @property
    def recorded_dates(self) -> tuple[DateRange, ...]:
        """The dates on which the data have records."""
        return self._recorded

    @property
    def usual_box(self) -> GeoBox | None:
        """Where nearly all records lie: south, west, north, east. Confidential; for maps on the screen."""
        return self._usual

    @property
    def draft(self) -> Draft:
        return self._draft

    @property
    def contributions(self) -> Contributions | None:
        return self._indexed.contributions if self._indexed else None

    @property
    def overview(self) -> HatOverview | None:
        return self._indexed.overview if self._indexed else None

    @property
    def plan_cache(self) -> PlanCache:
        """For code that plans the loaded data; other data get another one."""
        return self._plan_cache

    @property
    def forecast(self) -> Forecast | None:
        """None while there are no data or planning has not ended."""
        return self._forecast

    @property
    def forecast_is_of_before(self) -> bool:
        """The draft asks for another plan than the one that is shown."""
        if self._forecast is None or self._planned is None:
            return False
        shown = _fields(self._planned, _PLANNING), self._planned_for
        return not self._fits or self._planning_of(self._draft) != shown

    @property
    def advice(self) -> Advice | None:
        """What is advised for the mean; None unless counts are public and a mean is planned."""
        public = self._draft.relation is Relation.VALUES and self._draft.mean is not None
        return self._forecast.advice if self._forecast and public else None

    @property
    def problem(self) -> HexveilError | None:
        """What in the draft does not fit the data; None while all is well."""
        return self._problem

    @property
    def pinned(self) -> PinnedSet | None:
        """What the draft is compared with; none of another relation, where other figures may be looked at."""
        pinned_before = self._pinned
        return (
            pinned_before
            if pinned_before is not None and pinned_before.draft.relation is self._draft.relation
            else None
        )

    @property
    def pinned_in_slots(self) -> PinnedSet | None:
        """The same where it has the slots of the draft: no other hexagon slot is one of both."""
        pinned_before, table = self.pinned, self.contributions
        same = pinned_before is not None and table is not None and pinned_before.grid == table.window.grid
        return pinned_before if same else None

    @property
    def published(self) -> PublishedRelease | None:
        return self._published

    @property
    def practised(self) -> bool:
        """What is shown as published is a practice release: nobody paid, and it is none."""
        return self._published is not None and self._published.bundle.name.startswith(PRACTICE_PREFIX)

    @property
    def was_published(self) -> bool:
        """This window has just published what the draft asks for: the same again costs nothing."""
        before = self._published_draft
        if self._published is None or before is None:
            return False
        return _fields(before, _ASKED) == _fields(self._draft, _ASKED)

    @property
    def published_otherwise(self) -> bool:
        """What is shown as published or practised was made with other choices than those of the draft."""
        before = self._shown_draft
        if self._published is None or before is None:
            return False
        return _fields(before, _ASKED) != _fields(self._draft, _ASKED)

    @property
    def populations(self) -> tuple[PopulationSummary, ...]:
        """Every population of the ledger, as last read."""
        return self._populations

    @property
    def population(self) -> PopulationSummary | None:
        """The population that the draft charges."""
        return next((item for item in self._populations if item.name == self._draft.population), None)

    @property
    def delta(self) -> Decimal:
        """What the population that the draft charges allows, linked ones too; 0 where none is chosen."""
        return Decimal(0) if self.population is None else self.population.shared_delta

    @property
    def tie_key(self) -> bytes:
        """What the plan of the draft orders users with equal counts by: the key of the population that pays.

        A constant where none does, and until its key is read.
        """
        return self._planning_of(self._draft)[1].tie_key

    @property
    def planned_tie_key(self) -> bytes:
        """What users of the forecast stand in order by; behind `tie_key` while a plan is being made."""
        return self._planned_for.tie_key

    @property
    def smoothing(self) -> bool:
        """What smoothed numbers will miss is being computed for the forecast."""
        return self._smoothing.running or self._until_smoothing.isActive()

    @property
    def evaluated(self) -> bool:
        """True errors of loaded records were shown in this window: later parameters follow from them."""
        return bool(self._evaluated_populations)

    @property
    def is_planned_as_charged(self) -> bool:
        """Users stand in the order that the population's key gives them, as in its releases."""
        payer = self._planned_for
        return payer.tie_key != EVALUATION_TIE_KEY and payer == self._planning_of(self._draft)[1]

    @property
    def evaluated_populations(self) -> frozenset[str]:
        """Populations whose ledger says so, by a confirmation in this window."""
        return self._evaluated_populations

    @property
    def slot(self) -> int:
        """The slot that the map shows, counted from midnight."""
        return self._slot

    @property
    def hat(self) -> tuple[str, int] | None:
        """The chosen HAT: (cell, slot)."""
        return self._hat

    @property
    def marks_stand_out(self) -> bool:
        """Something else is marked than the chosen HAT alone."""
        return bool(self.marked.hats) and self.marked.hats != {self._hat}

    @property
    def busy(self) -> bool:
        working = any(job.running for job in (self._loading, self._indexing, self._planning))
        return working or (self._reading_ledger.running and self._needs_key)

    # what pages ask for

    def load(self, source: DataSource, draft: Draft | None = None, *, same_vehicles: bool = False) -> None:
        """Load files in the background; until that succeeds everything stays as it is.

        draft: choices that come with the files. Without one the current ones are fitted to them: who is
        charged and what the release is called stay for the vehicles of before (`same_vehicles`) alone.
        """
        begun, measured = self._draft, self.quantity
        fit: dict[str, Any] = {}
        if draft is None:
            asking = begun.asking_of(measured, source.rules.quantity)
            cleared = begun.cleared_for(same_vehicles=same_vehicles) if self.has_data else {}
            fit = cleared | {"confirmed": False, "queries": asking}
            sample = resources() / "sample"
            if not any(file.is_relative_to(sample) for file in source.files):
                fit["layers"] = without_those_below(begun.layers, sample)
        asked, cache = draft or dataclasses.replace(begun, **fit), self.cache

        def work(progress: Progress) -> _Opened:
            private = asked.relation is Relation.USER  # nothing may follow from the records
            reading = part(progress, 0.0, 0.7)
            rules = source.reading_in(asked.relation)
            open_data: OpenData
            if source.table:
                open_data = hold_table(
                    source,
                    reading,
                    self.table_passphrases,
                    resolution=asked.resolution,
                    window=None if draft is None else _window_of(draft),
                    private=private,
                )
            else:
                open_data = (load_or_nothing if private else load_records)(
                    source.files, rules, reading, cache
                )
            recorded = dates_of_data(open_data)
            rest = part(progress, 0.7, 1.0)
            if isinstance(open_data, LoadedTable) and draft is None:
                fit["date_ranges"] = recorded
                indexed = _index(
                    open_data, open_data.fitted(dataclasses.replace(asked, date_ranges=recorded)), rest
                )
                if "threshold" in fit and not private:
                    fit["threshold"] = fitted_threshold(indexed.contributions, asked.threshold)
            elif private:
                indexed = _index_typed(open_data, asked, recorded, rest)
            elif isinstance(open_data, LoadedTable) or draft is not None:
                indexed = _index(open_data, asked, rest)
            else:
                fit["date_ranges"] = recorded
                by_hour = records_by_hour(open_data.records).tolist()
                chosen = asked.hours != Draft().hours
                fit["hours"] = hours_of_records(asked.hours, by_hour, asked.slot_minutes, chosen=chosen)
                indexed = _index(open_data, dataclasses.replace(begun, **fit), rest)
                if "threshold" in fit:
                    fit["threshold"] = fitted_threshold(indexed.contributions, asked.threshold)
            return _Opened(
                source=source,
                rules=rules,
                open_data=open_data,
                recorded=recorded,
                draft=draft,
                begun=begun,
                fit=fit,
                usual=box_of_data(open_data),
                indexed=indexed,
            )

        self._loading.start(work)
        self.busy_changed.emit(True)

    def load_in_zone(self, zone: str) -> None:
        """Load the same files anew, cut into days and slots by another zone; the draft stays.

        What a table holds was cut where it was made.
        """
        if self._source is not None and not self._source.table:
            rules = dataclasses.replace(self._source.rules, zone=zone)
            self.load(dataclasses.replace(self._source, rules=rules), self._draft)

    def edit(self, text: str, *, dragging: bool = False, **changes: Any) -> None:
        """Change the draft as one undo step named `text`; a change of nothing is none.

        Steps of one drag (`dragging`) with the same text become a single undo step.
        """
        if any(changes.get(name, old) != old for name, old in _fields(self._draft, _UNCONFIRMING).items()):
            changes = {"confirmed": False} | changes
        after = dataclasses.replace(self._draft, **changes)
        if after != self._draft:
            push_edit(self.undo_stack, EditDraft(self.apply, text, self._draft, after, dragging=dragging))

    def choose_relation(self, text: str, relation: Relation) -> None:
        """Protect presence or not: one undo step with all that hangs on it (method 12.1).

        Who has tried the other one finds here what was chosen before.
        """
        before = self._draft
        shown = before.relation or Relation.VALUES
        left = self._left.get(relation) if relation is not shown else None
        after = before.in_relation(relation) if left is None else before.back_in(relation, left)
        self._left[shown] = before
        if relation is Relation.VALUES and not after.date_ranges:
            after = dataclasses.replace(after, date_ranges=self._recorded)
        if self.table is not None:
            after = self.table.fitted(after)
        if after != before:
            push_edit(self.undo_stack, EditDraft(self.apply, text, before, after, dragging=False))

    def edit_query(self, text: str, *, number: int = 0, dragging: bool = False, **changes: Any) -> None:
        """Change one query of the draft as one undo step; number 0 is the leading one."""
        queries = list(self._draft.queries)
        queries[number] = dataclasses.replace(queries[number], **changes)
        self.edit(text, dragging=dragging, queries=tuple(queries))

    def set_mechanism(
        self, text: str, mechanism: str, parameters: Mapping[str, Any], *, number: int = 0
    ) -> None:
        """Answer a query of the draft by another mechanism, with a budget that it takes; one undo step."""
        queries = list(self._draft.queries)
        queries[number] = self._answered_by(queries[number], mechanism, parameters)
        self.edit(text, queries=tuple(queries))

    def _answered_by(self, query: QueryDraft, mechanism: str, parameters: Mapping[str, Any]) -> QueryDraft:
        """A budget for each HAT becomes what it costs in all, by the newest plan with that budget."""
        planned = self._planned.queries if self._planned is not None else ()
        known = any((item.id, item.budget) == (query.id, query.budget) for item in planned)
        plans = self._forecast.plans if self._forecast is not None and known else ()
        costs = [plan.charge.per_vehicle for plan in plans if plan.query.id == query.id]
        return query.answered_by(mechanism, parameters, next(iter(costs), None))

    def set_budget(self, text: str, budget: Budget, *, number: int = 0, dragging: bool = False) -> None:
        """Change a query's epsilon or how it is given."""
        self.edit_query(text, number=number, dragging=dragging, budget=budget)

    def fitted_budgets(self) -> tuple[Budget, ...] | None:
        """The budgets of the queries made smaller until the ledger takes them; None where that cannot be."""
        population, shown = self.population, self._forecast
        relation, unit = self._draft.relation, self._draft.unit
        if shown is None or not shown.plans or population is None or relation is None or unit is None:
            return None
        limited = unit_of_total(unit, relation)
        charge = add_charges(
            at_whole_total(plan.charge, plan.query.budget, limited, self.delta) for plan in shown.plans
        )
        gaussian = (plan.query.budget.total for plan in shown.plans if plan.charge.rho)
        share = share_that_fits(population, charge, [total for total in gaussian if total is not None])
        if share is None or not 0 < share < 1:
            return None
        fitted = [scaled_budget(query.budget, share) for query in self._draft.queries]
        whole = tuple(budget for budget in fitted if budget is not None)
        return whole if len(whole) == len(fitted) else None

    def fit_to_what_is_left(self) -> None:
        """Take the fitted budgets as one undo step; nothing where there are none."""
        budgets = self.fitted_budgets()
        if budgets is not None:
            pairs = zip(self._draft.queries, budgets, strict=True)
            queries = tuple(dataclasses.replace(query, budget=budget) for query, budget in pairs)
            self.edit(self.tr("Fit to what is left"), queries=queries)

    def pin(self) -> None:
        """Keep the draft with its plans, to hold others against it; nothing where none is planned yet."""
        table = self.contributions
        if not self.busy and table is not None and self._forecast is not None and self._forecast.plans:
            self._pinned = PinnedSet(
                draft=self._draft,
                forecast=self._forecast,
                delta=self._planned_for.delta,
                grid=table.window.grid,
            )
            self.pinned_changed.emit()

    def unpin(self) -> None:
        """Let go of what was pinned."""
        self._pinned = None
        self.pinned_changed.emit()

    def take_pinned(self) -> None:
        """Go back to what was pinned, as one undo step."""
        pinned_before = self.pinned
        after = (
            None
            if pinned_before is None
            else dataclasses.replace(pinned_before.draft, layers=self._draft.layers)
        )
        if after is not None and after != self._draft:
            text = self.tr("Back to the pinned parameters")
            push_edit(self.undo_stack, EditDraft(self.apply, text, self._draft, after, dragging=False))

    def set_evaluated(self, population: str) -> None:
        """The ledger holds the mark that true errors of a population are shown; this cannot be undone."""
        if population not in self._evaluated_populations:
            self._evaluated_populations |= {population}
            self.evaluated_changed.emit()
            self.evaluation_note = self.tr(
                "True errors are shown, and the ledger says so: later releases of {population} "
                "state that their parameters were chosen after a confidential evaluation."
            ).format(population=population)
            self.noted.emit(self.evaluation_note)

    def choose_hat(self, cell: str | None, slot: int | None = None, *, mark: bool = True) -> None:
        """Choose a HAT everywhere, and mark it alone; the shown slot is taken where none is given.

        mark: False leaves the marks as they are.
        """
        slot = self._slot if slot is None else slot
        hat, before = None if cell is None else (cell, slot), self._hat
        self._hat = hat
        if hat is not None and mark:
            self.marked.take((hat,))
        elif hat is None and before is not None and self.marked.hats == {before}:
            self.marked.clear()
        if hat != before:
            self.hat_chosen.emit()
        self.show_slot(slot)

    def clear_marks(self) -> None:
        """Mark no HAT, and choose none."""
        self.choose_hat(None)
        self.marked.clear()

    def show_slot(self, slot: int) -> None:
        """Show another slot on the map."""
        if self.contributions is not None:
            self._minute = self._minute_wanted = self.contributions.window.grid.start(slot)
        if slot != self._slot:
            self._slot = slot
            self.slot_changed.emit(slot)

    def set_published(self, published: PublishedRelease | None) -> None:
        self._published, self._published_draft, self._shown_draft = published, self._draft, self._draft
        self.published_changed.emit()
        if published is not None:
            self.noted.emit(self.tr("{name} is published").format(name=published.bundle.name))
        self.read_ledger()

    def set_practised(self, published: PublishedRelease) -> None:
        """Show what a practice release brought; the draft is as unpublished as before."""
        self._published, self._published_draft, self._shown_draft = published, None, self._draft
        self.published_changed.emit()
        text = self.tr("{name} is for practice; nothing is published")
        self.noted.emit(text.format(name=published.bundle.name))

    def fill_open_texts(self, texts: Mapping[str, str]) -> None:
        """Say who makes the release where the draft says nothing of it; no undo step."""
        draft, fresh = self._draft, Draft()
        missing: dict[str, Any] = {
            name: text for name, text in texts.items() if getattr(draft, name) == getattr(fresh, name)
        }
        if missing:
            self.apply(dataclasses.replace(draft, **missing))

    def read_ledger(self) -> None:
        """Read the populations anew; another window may have spent."""
        path, name = self.home.ledger, self._draft.population
        self._reading_ledger.start(lambda _: _read_ledger(path, name), what=self.tr("Reading the ledger…"))

    @Slot(object)
    def _on_ledger(self, read: _ReadLedger) -> None:
        before, needed = self._planning_of(self._draft), self._needs_key
        self._populations, self._tie_key = read.populations, read.tie_key
        self.ledger_changed.emit()
        if self._fits and (needed or self._planning_of(self._draft) != before):
            self._start_planning()

    @Slot(object)
    def _on_unread_ledger(self, error: object) -> None:
        needed = self._needs_key
        if needed:
            self._tie_key = (self._draft.population, EVALUATION_TIE_KEY)
        self.failed.emit(error)
        if needed and self._fits:
            self._start_planning()

    def cancel(self) -> None:
        """Stop the running work; what was there before stays."""
        for job in (self._loading, self._indexing, self._planning):
            job.cancel()

    # what jobs bring

    @Slot(object)
    def _on_loaded(self, opened: _Opened) -> None:
        # of the data before
        self._indexing.drop()
        self._planning.drop()
        self._drop_smoothing()
        # read anew for another relation: whatever is chosen stays
        again = opened.source is self._source and opened.draft is opened.begun
        self._source, self._open_data, self._recorded = opened.source, opened.open_data, opened.recorded
        self._read_by, self._usual = opened.rules, opened.usual
        # the old cache dies with the data; no listener below may plan the old ones with the new cache
        self._plan_cache = PlanCache(apart=self._apart)
        self._forecast = self._planned = self._problem = None
        self._draft = self._draft if again else self._fitted(opened)
        self._mechanism_given = opened.draft is not None
        self._mechanism_stays = opened.draft is None and self._mechanism_chosen
        self._indexed = opened.indexed
        if not again:
            self.undo_stack.clear()
            self._left.clear()
        self._published = self._pinned = None
        self._hat = None
        self.marked.clear()
        self._slot = self._first_slot(opened.indexed.contributions)
        self._minute = self._minute_wanted = opened.indexed.contributions.window.grid.start(self._slot)
        for signal in (self.data_changed, self.draft_changed, self.published_changed, self.pinned_changed):
            signal.emit()
        self._announce(opened.indexed.contributions)
        self.noted.emit(data_summary(opened.open_data))
        self._read_anew()
        self.busy_changed.emit(self.busy)

    def _fitted(self, opened: _Opened) -> Draft:
        """The draft that comes with the data, or the current one with what must fit them."""
        now = self._draft
        if opened.draft is not None:
            return opened.draft
        edited = {name for name in _CHOSEN_BY_COUNTS if getattr(now, name) != getattr(opened.begun, name)}
        fit = {name: value for name, value in opened.fit.items() if name not in edited}
        if now.relation is Relation.USER:  # perhaps only since the load began
            fit = {name: fit[name] for name in fit.keys() - _FROM_RECORDS}
        else:
            fit |= {"date_ranges": opened.recorded}
        fitted = dataclasses.replace(now, **fit)
        return opened.open_data.fitted(fitted) if isinstance(opened.open_data, LoadedTable) else fitted

    def apply(self, draft: Draft) -> None:
        """Make a draft the current one (an undo step calls this)."""
        waits, before, self._draft = self._needs_key, self._draft, draft
        self.draft_changed.emit()
        if draft.relation is not before.relation:
            self._read_anew()
        if _fields(draft, _INDEXING) != _fields(before, _INDEXING):
            self._renew()
        elif self._fits and (
            waits or self._needs_key or self._planning_of(draft) != self._planning_of(before)
        ):
            self._start_planning()

    @property
    def reading_differs(self) -> bool:
        """The records were read otherwise than the relation has it (method 12.1)."""
        return self._source is not None and self._source.reading_in(self._draft.relation) != self._read_by

    def _read_anew(self) -> None:
        """Read the records as the relation has it; a load that goes on looks at its end."""
        if self.reading_differs and self._source is not None and not self._loading.running:
            self.load(self._source, self._draft)

    def _planning_of(self, draft: Draft) -> tuple[Mapping[str, Any], _Payer]:
        """What a plan follows from: choices, and delta and key of the population where they count."""
        chosen = (item.shared_delta for item in self._populations if item.name == draft.population)
        of_constants, (name, key) = draft.relation is Relation.USER, self._tie_key
        gaussian = of_constants or any(query.may_be_gaussian for query in draft.queries)
        return _fields(draft, _PLANNING), _Payer(
            delta=next(chosen, Decimal(0)) if gaussian else Decimal(0),
            tie_key=key if name == draft.population and _orders_users(draft) else EVALUATION_TIE_KEY,
        )

    @property
    def _needs_key(self) -> bool:
        """The key of the draft's population is not read yet: that of another one is loaded, or none."""
        draft = self._draft
        return _orders_users(draft) and self._tie_key[0] != draft.population and self.population is not None

    @property
    def _fits(self) -> bool:
        """The contributions are those of the draft."""
        return self._indexed is not None and self._indexed.grid == _fields(self._draft, _INDEXING)

    def _renew(self) -> None:
        """Bring contributions and forecast up to the draft."""
        if self._fits:
            self._indexing.drop()
            self._start_planning()
        elif self._open_data is not None:
            self._start_indexing(self._open_data, self._draft)

    def _start_indexing(self, open_data: OpenData, draft: Draft) -> None:
        self._planning.drop()
        self._drop_smoothing()
        self._indexing.start(lambda progress: _index(open_data, draft, progress))
        self.busy_changed.emit(True)

    @Slot(object)
    def _on_indexed(self, indexed: _Indexed) -> None:
        self._indexed = indexed
        self._published = None
        self._hat = None
        self.marked.clear()
        self.published_changed.emit()
        self._announce(indexed.contributions)

    def _announce(self, contributions: Contributions) -> None:
        self._slot = self._slot_in(contributions)
        self._minute = contributions.window.grid.start(self._slot)
        self._forecast = self._planned = self._problem = None
        self.contributions_changed.emit()
        self.slot_changed.emit(self._slot)
        self.hat_chosen.emit()
        self._renew()

    def _slot_in(self, contributions: Contributions) -> int:
        """The slot of the time that is wanted or shown, whatever its number is in this window."""
        window = contributions.window
        same = (window.grid.slot_of(minute) for minute in (self._minute_wanted, self._minute))
        return next((slot for slot in same if slot in window.slots), self._first_slot(contributions))

    def _first_slot(self, contributions: Contributions) -> int:
        """The first that is busy; of the window in relation `user`, where that is nobody's to see."""
        first = None if self._draft.relation is Relation.USER else contributions.first_busy_slot
        return contributions.window.slots.start if first is None else first

    def _start_planning(self) -> None:
        indexed, draft, source = self._indexed, self._draft, self._source
        if indexed is None or source is None:
            return
        if self._needs_key:
            self._planning.drop()
            self._drop_smoothing()
            self.read_ledger()  # and then plan
            self.busy_changed.emit(True)
            return
        fields, payer = self._planning_of(draft)
        planned = self._planned is not None and _fields(self._planned, _PLANNING) == fields
        if planned and self._planned_for == payer:
            self._planning.drop()
            if not self.smoothing:
                self._start_smoothing()
            self.forecast_changed.emit()
            self.busy_changed.emit(self.busy)
            return
        self._drop_smoothing()
        reader = self.prior_reader
        folder, plan_cache, quantity = source.files[0].parent, self._plan_cache, self.quantity

        def work(progress: Progress) -> tuple[Forecast, Draft, _Payer]:
            if draft.relation is Relation.USER:
                planned = _forecast_of_constants(indexed, draft, source, reader, payer.delta, progress)
                return precomputed(planned), draft, payer
            planned = forecast(
                indexed.contributions,
                indexed.overview,
                selection_request(draft, folder),
                minimum_vehicles=draft.minimum_vehicles,
                unit=draft.unit,
                queries=lambda: [query.asked_of(quantity) for query in draft.queries],
                progress=progress,
                cache=plan_cache,
                delta=payer.delta,
                tie_key=payer.tie_key,
            )
            return precomputed(planned), draft, payer

        self._planning.start(work)
        self.busy_changed.emit(True)

    @Slot(object)
    def _on_planned(self, result: tuple[Forecast, Draft, _Payer]) -> None:
        shown, self._planned, self._planned_for = result
        self._forecast = shown
        self._problem = shown.problem
        if self._advice_is_taken():
            return  # another plan is under way
        self._start_smoothing()
        self.forecast_changed.emit()

    def _start_smoothing(self) -> None:
        """What smoothed numbers will miss takes longer than the plan, and holds up nothing."""
        if self._forecast is not None and needs_smoothing(self._forecast):
            self._until_smoothing.start()

    @Slot()
    def _smooth(self) -> None:
        shown = self._forecast
        if shown is not None:
            self._smoothing.start(lambda progress: precomputed(with_smoothing(shown, progress)))

    def _drop_smoothing(self) -> None:
        self._until_smoothing.stop()
        self._smoothing.drop()

    @Slot(object)
    def _on_smoothing(self, shown: Forecast) -> None:
        if self._pinned is not None and self._pinned.forecast is self._forecast:
            self._pinned = dataclasses.replace(self._pinned, forecast=shown)
        self._forecast = shown
        self.forecast_changed.emit()

    @property
    def _mechanism_chosen(self) -> bool:
        """A person has chosen a mechanism or its parameters, and has not undone it."""
        stack = self.undo_stack
        done = (stack.command(number) for number in range(stack.index()))
        return self._mechanism_stays or any(
            isinstance(step, EditDraft) and step.chooses_mechanism for step in done
        )

    def _advice_is_taken(self) -> bool:
        """Give the draft the advised mechanism; False where it has it, or has one by a spec or a person.

        A budget that is divided by the mechanism's own noise keeps its mechanism: what is advised for the
        epsilon of the one might not be for that of the other.
        """
        advice, mean = self.advice, self._draft.mean
        if advice is None or mean is None or mean.mechanism == advice.mechanism or mean.budget.needs_scales:
            return False
        if self._mechanism_given or self._mechanism_chosen:
            return False
        advised = self._answered_by(mean, advice.mechanism, dict(advice.params))
        queries = tuple(advised if query is mean else query for query in self._draft.queries)
        self.apply(dataclasses.replace(self._draft, queries=queries))
        return True

    @Slot(object)
    def _on_unfit(self, error: object) -> None:
        """The draft does not fit the data: said beside the draft, the last good contributions stay shown."""
        if not isinstance(error, HexveilError):
            self.failed.emit(error)
            error = HexveilError(
                self.tr("These choices could not be worked out."), mend=self.tr("undo the last choice")
            )
        self._problem = error
        self._drop_smoothing()
        self._forecast = None
        self._planned = None
        self.forecast_changed.emit()

    @Slot(object)
    def _on_load_failed(self, error: object) -> None:
        self.load_failed.emit(error)
        self.failed.emit(error)

    @Slot()
    def _note_stop(self) -> None:
        self.noted.emit(self.tr("Stopped. Everything is as it was."))

    @Slot()
    def _on_indexing_stopped(self) -> None:
        """The choices go back to what is shown, unless that follows from records and may not."""
        if self._draft.relation is Relation.USER and not self._shows_typed:
            self._on_unfit(
                HexveilError(self.tr("The counting was stopped."), mend=self.tr("change or undo a choice"))
            )
            return
        if self._indexed is not None:
            self.edit(self.tr("Stop"), **self._indexed.grid)
        self._note_stop()

    @property
    def _shows_typed(self) -> bool:
        return self._indexed is not None and self._indexed.relation is Relation.USER

    @Slot()
    def _on_planning_stopped(self) -> None:
        """The choices go back to what is shown; before the first plan there is nothing to go back to."""
        if self._planned is not None:
            self.edit(self.tr("Stop"), **_fields(self._planned, _PLANNING))
            self._note_stop()
            return
        self._on_unfit(
            HexveilError(
                self.tr("The planning was stopped."), mend=self.tr("change or undo a choice to plan anew")
            )
        )

    @Slot()
    def _on_finished(self) -> None:
        self.busy_changed.emit(self.busy)


def _window_of(draft: Draft) -> Window | None:
    """What the draft asks for; None while its dates are open. Raises InputError for what fits no window."""
    if not draft.date_ranges:
        return None
    return build_window(draft.date_ranges, draft.hours, draft.slot_minutes)


def _index(open_data: OpenData, draft: Draft, progress: Progress) -> _Indexed:
    """Contributions and overview for a draft, in a worker thread."""
    window = build_window(draft.date_ranges, draft.hours, draft.slot_minutes)
    private = draft.relation is Relation.USER  # so is whether anybody was there
    contributions = contributions_of_data(
        open_data, draft.resolution, window, progress, empty_allowed=private
    )
    return _Indexed(
        grid=_fields(draft, _INDEXING),
        relation=draft.relation,
        contributions=contributions,
        overview=overview_of(contributions),
    )


def _index_typed(
    open_data: OpenData, draft: Draft, recorded: tuple[DateRange, ...], progress: Progress
) -> _Indexed:
    """The same where dates may still be open: confidential layers then show those with records, or any."""
    dates = draft.date_ranges or recorded or (_ANY_DATE,)
    shown = dataclasses.replace(draft, date_ranges=dates)
    indexed = _index(open_data, shown, progress)
    return indexed if draft.date_ranges else dataclasses.replace(indexed, relation=None)


def _forecast_of_constants(
    indexed: _Indexed,
    draft: Draft,
    source: DataSource,
    reader: PriorReader,
    delta: Decimal,
    progress: Progress,
) -> Forecast:
    """Of relation `user`: records have no part in it but for confidential screens."""
    return user_forecast(
        indexed.overview,
        lambda: public_choices(draft, source),
        lambda found: draft.asked_of(source.rules.quantity, found),
        draft.prior,
        reader=reader,
        delta=delta,
        progress=progress,
    )


def _read_ledger(path: Path, population: str) -> _ReadLedger:
    populations, key = Ledger(path).populations_and_key(population)
    return _ReadLedger(populations=populations, tie_key=(population, key or EVALUATION_TIE_KEY))


def _orders_users(draft: Draft) -> bool:
    """Nobody is put in order where nothing depends on who is there, or is planned at all."""
    return draft.relation is not Relation.USER and draft.unit is not None


def _fields(draft: Draft, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(draft, name) for name in names}


def public_choices(draft: Draft, source: DataSource) -> PublicChoices:
    """What is typed and named by now in relation `user`. Raises InputError for what does not fit."""
    return PublicChoices(
        unit=draft.unit,
        hats_per_vehicle=draft.hats_per_vehicle,
        days_per_vehicle=draft.days_per_vehicle,
        cells=selection_request(draft, source.files[0].parent).cells,
        resolution=draft.resolution,
        window=build_window(draft.date_ranges, draft.hours, draft.slot_minutes),
        upper_bound=source.rules.upper_bound,
        derived=source.rules.mapping.derived is not None,
        threshold=draft.threshold,
    )


def selection_request(draft: Draft, folder: Path) -> SelectionRequest:
    """The draft's selection; cells are read from the rule's file, relative to the data's folder."""
    file = require_rule(draft.rule).cell_file
    if file is None:
        return SelectionRequest(rule=draft.rule, threshold=draft.threshold)
    if not draft.cells_file:
        raise InputError(
            _tr("The list of hexagons is not chosen yet."),
            where="selection.file",
            mend=_tr("choose a file, or type a box or a list"),
        )
    return file.request(draft.rule, folder / draft.cells_file, draft.resolution)
