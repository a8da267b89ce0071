"""The one place where pages meet: it owns the frozen objects, a signal per stage; stopped.

Data -> draft -> contributions -> forecast -> published. Pages read properties and call methods;
no page knows another. Each draft is an undo step.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from core.accounting.budgets import Budget
from core.advice.forecast import Forecast, HatOverview
from core.advice.sparse_days import SparseDay
from core.contributions import Contributions
from core.draft.draft import DataSource, Draft
from core.errors import HexveilError
from core.geodata.zones_source import PublicZones
from core.hats.places import HEXAGON
from core.hats.window import DateRange
from core.prior.public_prior import PriorReader
from core.privacy import Relation
from core.quantity import SPEED, Quantity
from core.release.loaded_table import LoadedTable
from core.store.load_records import Loaded
from core.store.record_cache import RecordCache
from core.system.paths import Home
from ui.kit.stage import Stage
from ui.language.translation import call_protected
from ui.session.chosen_hat import ChosenHat
from ui.session.confirmation import Confirmation
from ui.session.ledger_reading import LedgerReading
from ui.session.loaded_data import GeoBox, LoadedData, data_summary
from ui.session.made_up_preview import MadeUpPreview
from ui.session.marked_hats import MarkedHats
from ui.session.opened_data import (
    Indexed,
    LoadRequest,
    OpenData,
    Opened,
    fields_of,
    fit_of,
    index,
    indexing_of,
)
from ui.session.own_layers import OwnLayers
from ui.session.pinned_set import Pins
from ui.session.planning import Planning
from ui.session.refused_inputs import RefusedInputs
from ui.session.settings import Settings
from ui.session.shown_release import ShownRelease
from ui.session.table_passphrases import TablePassphrases
from ui.session.undo import EditDraft, push_edit

_UNCONFIRMING = ("relation", "unit", "subject", "subject_plural")
"""Words of the sentence that is confirmed; its figures are known once they are planned."""


class Session(QObject):
    """The state of one window. Its parts say what they hold; signals of all of them are here."""

    data_changed = Signal()
    draft_changed = Signal()
    contributions_changed = Signal()
    forecast_changed = Signal()
    slot_changed = Signal(int)
    hat_chosen = Signal()
    published_changed = Signal()
    number_changed = Signal()
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

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.home = home
        self.settings = Settings(home)
        self.cache = RecordCache(home.cache)
        self.undo_stack = QUndoStack(self)
        self.prior_reader = PriorReader()
        """Of public counts, for code that plans by them."""
        self.table_passphrases = TablePassphrases(self)
        """Of encrypted contribution tables; the part that shows dialogs answers."""
        self._data: OpenData | None = None
        self._draft = Draft()
        self.grid_given = False
        """The draft came with the data, and its grid with it."""
        self._left: dict[Relation, Draft] = {}
        """The draft when each relation was left last; of `values` perhaps before any was chosen."""
        self._indexed: Indexed | None = None
        self._load = Stage(self, self._on_loaded, failed=self._on_load_failed, stopped=self._on_load_stopped)
        self._index = Stage(self, self._on_indexed, failed=self._on_unfit, stopped=self._on_indexing_stopped)
        for stage in (self._load, self._index):
            stage.progressed.connect(self.progressed)
            stage.finished.connect(self.tell_busy)
        self.marked = MarkedHats()
        """What is looked at in every tab; the chosen HAT is among them when it is chosen."""
        self.chosen = ChosenHat(self)
        self.ledger = LedgerReading(self)
        self.refused = RefusedInputs(self)
        self.planning = Planning(self)
        self.confirmation = Confirmation(self)
        self.pins = Pins(self)
        self.release = ShownRelease(self)
        self.preview = MadeUpPreview(self)
        self.own_layers = OwnLayers(self)
        """Maps of the analyst's own, and the names of places in them."""

    # what pages read

    @property
    def source(self) -> DataSource | None:
        """As the relation of the draft has it."""
        return self._data.source.in_relation(self._draft.relation) if self._data else None

    @property
    def release_source(self) -> DataSource | None:
        """The files with the zone that their records were really cut by, which a spec has to name."""
        source, contributions = self.source, self.contributions
        if source is None or contributions is None:
            return None
        rules = dataclasses.replace(source.rules, zone=contributions.zone)
        return dataclasses.replace(source, rules=rules)

    @property
    def quantity(self) -> Quantity:
        """What the loaded records measure; speed before there are any."""
        return self._data.source.rules.quantity if self._data else SPEED

    @property
    def open_data(self) -> LoadedData | None:
        """Records, or a contribution table in their place, whichever is open."""
        return self._data.loaded_data if self._data else None

    @property
    def has_data(self) -> bool:
        """Records are loaded, or a contribution table in their place."""
        return self._data is not None

    @property
    def loaded(self) -> Loaded | None:
        """The records and how they were read; None also where a contribution table is open."""
        open_data = self.open_data
        return open_data if isinstance(open_data, Loaded) else None

    @property
    def table(self) -> LoadedTable | None:
        """The contribution table that is open in place of records."""
        open_data = self.open_data
        return open_data if isinstance(open_data, LoadedTable) else None

    @property
    def recorded_dates(self) -> tuple[DateRange, ...]:
        """The dates on which the data have records."""
        return self._data.recorded if self._data else ()

    @property
    def sparse_days(self) -> tuple[SparseDay, ...]:
        """Dates of the draft with next to no records; none in relation `user`. Confidential."""
        return self._indexed.sparse if self._indexed is not None and self.fits else ()

    @property
    def usual_box(self) -> GeoBox | None:
        """Where nearly all records lie: south, west, north, east. Confidential; for maps on the screen."""
        return self._data.usual if self._data else None

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
    def fits(self) -> bool:
        """The contributions are those of the draft."""
        return self._indexed is not None and self._indexed.grid == indexing_of(self._draft)

    @property
    def forecast(self) -> Forecast | None:
        """None while there are no data or planning has not ended."""
        return self.planning.forecast

    @property
    def busy(self) -> bool:
        working = self._load.running or self._index.running or self.planning.running
        return working or (self.ledger.running and self.ledger.needs_key)

    # what pages ask for

    def load(self, source: DataSource, draft: Draft | None = None, *, same_vehicles: bool = False) -> None:
        """Load files in the background; until that succeeds everything stays as it is.

        draft: choices that come with the files. Without one the current ones are fitted to them: who is
        charged and what the release is called stay for the vehicles of before (`same_vehicles`) alone.
        """
        fit = fit_of(self._draft, self.quantity, source, cleared=self.has_data, same=same_vehicles)
        asked = LoadRequest(source=source, draft=draft, begun=self._draft, fit=fit if draft is None else {})
        cache, passphrases = self.cache, self.table_passphrases
        self._load.start(lambda progress: asked.load(progress, cache, passphrases))
        self.busy_changed.emit(True)

    def load_in_zone(self, zone: str) -> None:
        """Load the same files anew, cut into days and slots by another zone; the draft stays.

        What a table holds was cut where it was made.
        """
        source = self._data.source if self._data else None
        if source is not None and not source.table:
            rules = dataclasses.replace(source.rules, zone=zone)
            self.load(dataclasses.replace(source, rules=rules), self._draft)

    def edit(self, text: str, *, dragging: bool = False, **changes: Any) -> None:
        """Change the draft as one undo step named `text`; a change of nothing is none.

        Steps of one drag (`dragging`) with the same text become a single undo step.
        """
        if any(changes.get(name, old) != old for name, old in fields_of(self._draft, _UNCONFIRMING).items()):
            changes = {"confirmed": False} | changes
        self.push(text, dataclasses.replace(self._draft, **changes), dragging=dragging)

    def push(self, text: str, after: Draft, *, dragging: bool = False) -> None:
        """The same with a whole draft."""
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
            after = dataclasses.replace(after, date_ranges=self.recorded_dates)
        self.push(text, after if self.table is None else self.table.fitted(after))

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
        queries[number] = self.planning.answered_by(queries[number], mechanism, parameters)
        self.edit(text, queries=tuple(queries))

    def set_budget(self, text: str, budget: Budget, *, number: int = 0, dragging: bool = False) -> None:
        """Change a query's epsilon or how it is given."""
        self.edit_query(text, number=number, dragging=dragging, budget=budget)

    def fill_open_texts(self, texts: Mapping[str, str]) -> None:
        """Say who makes the release where the draft says nothing of it; no undo step."""
        draft, fresh = self._draft, Draft()
        missing: dict[str, Any] = {
            name: text for name, text in texts.items() if getattr(draft, name) == getattr(fresh, name)
        }
        if missing:
            self.apply(dataclasses.replace(draft, **missing))

    def cancel(self) -> None:
        """Stop the running work; what was there before stays."""
        self._load.cancel()
        self._index.cancel()
        self.planning.cancel()

    def apply(self, draft: Draft) -> None:
        """Make a draft the current one (an undo step calls this)."""
        waits, before, planning = self.ledger.needs_key, self._draft, self.planning
        self._draft = draft
        call_protected(draft.protects, hexagons=draft.place_kind == HEXAGON)
        self.draft_changed.emit()
        if self._data is not None and self._data.reads_otherwise(draft, before):
            self._read_anew()
        if indexing_of(draft) != indexing_of(before):
            self._renew()
        elif waits or self.ledger.needs_key or planning.question(draft) != planning.question(before):
            planning.start()

    # reading and indexing

    @property
    def reading_differs(self) -> bool:
        """The records were read otherwise than the relation has it (method 12.1)."""
        return self._data is not None and self._data.differs_for(self._draft)

    @property
    def zones(self) -> PublicZones | None:
        """The layer that the places of the records are of."""
        return self._data.zones if self._data else None

    @property
    def outlines(self) -> Mapping[str, Mapping[str, Any]]:
        """Of these zones, or the lines of routes."""
        lines = self._indexed.lines if self._indexed else {}
        return lines or (self._data.outlines if self._data else {})

    def _read_anew(self) -> None:
        """Read the records as the relation has it; a load that goes on looks at its end."""
        if self._data is not None and self.reading_differs and not self._load.running:
            self.load(self._data.source, self._draft)

    def _on_loaded(self, opened: Opened) -> None:
        self._index.forget()  # of the data before
        # read anew for another relation: whatever is chosen stays
        known = self._data is not None and opened.data.source is self._data.source
        again = known and opened.asked.draft is opened.asked.begun
        self._data, self._indexed = opened.data, opened.indexed
        self.planning.begin(mechanism_given=opened.asked.draft is not None)
        if not again:
            self.grid_given = opened.asked.draft is not None
            if opened.asked.draft is not opened.asked.begun:
                self.confirmation.forget()
            self._draft = opened.fitted(self._draft)
            call_protected(self._draft.protects, hexagons=self._draft.place_kind == HEXAGON)
            self.undo_stack.clear()
            self._left.clear()
        self.release.forget()
        self.pins.forget()
        self.chosen.begin(opened.indexed.contributions)
        for signal in (self.data_changed, self.draft_changed, self.published_changed, self.pinned_changed):
            signal.emit()
        self._announce(opened.indexed.contributions)
        self.noted.emit(data_summary(opened.data.loaded_data))
        self._read_anew()
        self.tell_busy()

    def _renew(self) -> None:
        """Bring contributions and forecast up to the draft."""
        open_data, draft = self.open_data, self._draft
        if self.fits:
            self._index.drop()
            self.planning.start()
        elif self._data is not None and self._data.lacks_labels_of(draft):
            self._read_anew()
        elif self._data is not None and open_data is not None:
            self.planning.drop()
            folder, zones = self._data.source.files[0].parent, self._data.zones
            self._index.ask(
                indexing_of(draft), lambda progress: index(open_data, draft, folder, zones, progress)
            )
            self.busy_changed.emit(True)

    def _on_indexed(self, indexed: Indexed) -> None:
        self._indexed = indexed
        self.planning.clear()
        self.release.forget()
        self.chosen.forget()
        self.published_changed.emit()
        self._announce(indexed.contributions)

    def _announce(self, contributions: Contributions) -> None:
        self.chosen.follow(contributions)
        self.contributions_changed.emit()
        self.slot_changed.emit(self.chosen.slot)
        self.hat_chosen.emit()
        self._renew()

    def _on_unfit(self, error: object) -> None:
        self.planning.clear()
        self.planning.refuse(error)

    def _on_indexing_stopped(self) -> None:
        """The choices go back to what is shown, unless that follows from records and may not."""
        typed = self._indexed is not None and self._indexed.relation is Relation.USER
        if self._draft.relation is Relation.USER and not typed:
            self._on_unfit(
                HexveilError(self.tr("The counting was stopped."), mend=self.tr("change or undo a choice"))
            )
            return
        if self._indexed is not None:
            self.edit(self.tr("Stop"), **self._indexed.grid)
        self.note_stop()

    def _on_load_stopped(self) -> None:
        """Choices that the records were not read for go back to what is shown."""
        if self._data is not None and self._data.lacks_labels_of(self._draft):
            self._on_indexing_stopped()
        else:
            self.note_stop()

    def _on_load_failed(self, error: object) -> None:
        if self._data is not None and self._data.lacks_labels_of(self._draft):
            self._on_unfit(error)  # said beside the choice that cannot be
            return
        self.load_failed.emit(error)
        self.failed.emit(error)

    def note_stop(self) -> None:
        """Work was stopped, and nothing is lost."""
        self.noted.emit(self.tr("Stopped. Everything is as it was."))

    def tell_busy(self) -> None:
        """Some work has begun or ended."""
        self.busy_changed.emit(self.busy)
