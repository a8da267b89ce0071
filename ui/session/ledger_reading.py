"""The ledger as the window knows it: populations, who pays, and that true errors are recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.accounting.ledger import Ledger
from core.accounting.ledger_report import PopulationSummary
from core.contributions import EVALUATION_TIE_KEY
from core.release.former_spreads import FormerSpreads, former_spreads
from ui.kit.stage import Stage
from ui.session.planning import orders_users

if TYPE_CHECKING:
    from ui.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReadLedger:
    populations: tuple[PopulationSummary, ...]
    tie_key: tuple[str, bytes] = field(repr=False)
    """Of the population that the draft charged then: its name, which may be none of these, and its key."""
    former: FormerSpreads
    """Of its newest release."""


class LedgerReading(QObject):
    """Read when it is asked to, for another window may spend; the session's `ledger_changed` reports it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.populations: tuple[PopulationSummary, ...] = ()
        """Every population of the ledger, as last read."""
        self.evaluated_populations: frozenset[str] = frozenset()
        """Those whose ledger says that true errors were shown, by a confirmation in this window."""
        self.evaluation_note = ""
        """What was said last of true errors; it is to go with them."""
        self._tie_key = ("", EVALUATION_TIE_KEY)
        self._former = FormerSpreads()
        self._reading = Stage(self, self._on_read, failed=self._on_unread)

    @property
    def running(self) -> bool:
        """The ledger is being read."""
        return self._reading.running

    @property
    def population(self) -> PopulationSummary | None:
        """The population that the draft charges."""
        return self._named(self._session.draft.population)

    def _named(self, name: str) -> PopulationSummary | None:
        return next((item for item in self.populations if item.name == name), None)

    @property
    def delta(self) -> Decimal:
        """What the population that the draft charges allows, linked ones too; 0 where none is chosen."""
        return self.delta_of(self._session.draft.population)

    def delta_of(self, name: str) -> Decimal:
        """The same of a population by its name."""
        named = self._named(name)
        return Decimal(0) if named is None else named.shared_delta

    def tie_key_of(self, name: str) -> bytes:
        """What users with equal counts stand in order by where a population pays.

        A constant until its key is read.
        """
        read, key = self._tie_key
        return key if read == name else EVALUATION_TIE_KEY

    def former_of(self, name: str) -> FormerSpreads:
        """What the newest release of a population was fitted to; nothing until it is read."""
        return self._former if self._tie_key[0] == name else FormerSpreads()

    @property
    def needs_key(self) -> bool:
        """The key of the draft's population is not read yet: that of another one is shown, or none."""
        draft = self._session.draft
        return orders_users(draft) and self._tie_key[0] != draft.population and self.population is not None

    @property
    def evaluated(self) -> bool:
        """True errors of loaded records were shown in this window: later parameters follow from them."""
        return bool(self.evaluated_populations)

    def set_evaluated(self, population: str) -> None:
        """The ledger holds the mark that true errors of a population are shown; this cannot be undone."""
        if population not in self.evaluated_populations:
            self.evaluated_populations |= {population}
            self._session.evaluated_changed.emit()
            self.evaluation_note = self.tr(
                "True errors are shown, and the ledger records it. Later releases of {population} "
                "state that their parameters were chosen after a confidential evaluation."
            ).format(population=population)
            self._session.noted.emit(self.evaluation_note)

    def read(self) -> None:
        """Read the populations anew; another window may have spent."""
        path, name = self._session.home.ledger, self._session.draft.population
        self._reading.start(lambda _: _read(path, name), what=self.tr("Reading the ledger…"))

    def _on_read(self, read: _ReadLedger) -> None:
        session, planning = self._session, self._session.planning
        before, needed = planning.question(session.draft), self.needs_key
        self.populations, self._tie_key, self._former = read.populations, read.tie_key, read.former
        session.ledger_changed.emit()
        if needed or planning.question(session.draft) != before:
            planning.start()

    def _on_unread(self, error: object) -> None:
        needed = self.needs_key
        if needed:
            self._tie_key = (self._session.draft.population, EVALUATION_TIE_KEY)
        self._session.failed.emit(error)
        if needed:
            self._session.planning.start()


def _read(path: Path, population: str) -> _ReadLedger:
    ledger = Ledger(path)
    populations, key = ledger.populations_and_key(population)
    return _ReadLedger(
        populations=populations,
        tie_key=(population, key or EVALUATION_TIE_KEY),
        former=former_spreads(ledger, population) if key else FormerSpreads(),
    )
