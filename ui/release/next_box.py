"""The next period from the last one: the same choices, dates that follow, the folder of its records."""

from __future__ import annotations

import dataclasses
import datetime as dt
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from core.draft.draft import DataSource, Draft
from core.errors import InputError
from core.read.file_listing import data_files_in
from core.release.next_release import next_release, period_of
from core.release.series import PeriodLength
from ui.budget.comparison_card import changed_parts
from ui.kit.cards import flowing
from ui.kit.signals import on_any
from ui.layout.boxes import in_column
from ui.session.session import Session
from ui.session.settings import Settings

_FOLDER = "data"


class NextBox(QWidget):
    """Seen once the draft is published. Emits `refused(error)`; `began` where the next one is loaded."""

    refused = Signal(object)
    began = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = Settings(session.home)
        self._asked: tuple[DataSource, Draft] | None = None
        self._last: Draft | None = None
        self.start = QPushButton(self)
        self.start.clicked.connect(self._ask)
        self.about = flowing(look="muted")
        in_column(self, self.start, self.about, spacing=2)
        session.data_changed.connect(self._on_data)
        on_any(self.refresh, session.draft_changed, session.ledger_changed, session.busy_changed)
        self.refresh()

    @property
    def differs(self) -> str:
        """What differs from the release that this one follows; empty where it follows none."""
        if self._last is None:
            return ""
        parts = ", ".join((*changed_parts(self._last, self._session.draft), self.tr("records")))
        return self.tr("Apart from title and name, these differ from {last}: {parts}.").format(
            last=_folder(self._last), parts=parts
        )

    def refresh(self) -> None:
        """Offer what follows the draft where that is published; of what follows another, say what differs."""
        session = self._session
        draft, source, population = session.draft, session.source, session.ledger.population
        entries = () if population is None else population.entries
        published = any(_folder(draft) in entry.bundles for entry in entries)
        period = period_of(draft) if published and source is not None and not source.table else None
        self.start.setVisible(period is not None)
        self.start.setEnabled(not session.busy)
        if period is not None:
            text = {
                PeriodLength.DAY: self.tr("Ne&xt day: {period}…"),
                PeriodLength.WEEK: self.tr("Ne&xt week: {period}…"),
                PeriodLength.MONTH: self.tr("Ne&xt month: {period}…"),
            }[period.length]
            self.start.setText(text.format(period=period.following.words))
        offered = self.tr(
            "The same choices with the dates that follow; you choose the folder of its records."
        )
        self.about.setText(offered if period is not None else self.differs)
        self.about.setVisible(bool(self.about.text()))

    def _ask(self) -> None:
        """Which folder has the records: nothing of those that are loaded says so."""
        source, draft = self._session.source, self._session.draft
        if source is None:
            return
        try:
            following = next_release(draft, dt.datetime.now(dt.UTC).date())
        except InputError as error:
            self.refused.emit(error)
            return
        title = self.tr("Folder of the records of {first} to {last}").format(
            first=following.date_ranges[0][0], last=following.date_ranges[0][1]
        )
        chosen = QFileDialog.getExistingDirectory(self, title, str(source.files[0].parent))
        if not chosen:
            return
        try:
            found = data_files_in(Path(chosen)).files
        except InputError as error:
            self.refused.emit(error)
            return
        self._settings.set_last_folder(_FOLDER, Path(chosen))
        self._asked = dataclasses.replace(source, files=tuple(found)), draft
        self._session.load(self._asked[0], following)

    def _on_data(self) -> None:
        """Of other data than it asked for it knows no release before."""
        asked, self._asked = self._asked, None
        self._last = asked[1] if asked is not None and self._session.source is asked[0] else None
        self.refresh()
        if self._last is not None:
            self.began.emit()


def _folder(draft: Draft) -> str:
    return f"{draft.name}-{draft.version}"
