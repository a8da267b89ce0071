"""Spec files in the window: the very TOML that the command line reads."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.draft.draft import DataSource, Draft, draft_of, save_draft
from core.errors import InputError, InputErrors
from core.progress import Progress
from core.spec import load_spec
from ui.kit.jobs import Job
from ui.session.session import Session


class SpecFiles(QObject):
    """Opens and saves specs in the background; a failure changes nothing."""

    failed = Signal(object)
    saved = Signal(object)
    """The path of the file."""
    opened = Signal()
    """The spec's data are loaded and its draft is the session's."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._opening: DataSource | None = None
        session.data_changed.connect(self._on_loaded)
        session.load_failed.connect(self._on_load_failed)
        session.busy_changed.connect(self._on_busy)

    def save(self, path: Path) -> None:
        """Write the draft as a spec file."""
        source = release_source(self._session)
        assert source is not None
        job = Job(
            partial(_save, self._session.draft, source, path), what=self.tr("Saving the spec…"), parent=self
        )
        job.succeeded.connect(self.saved)
        job.failed.connect(self.failed)
        job.start()

    def open(self, path: Path) -> None:
        """Read a spec file, then load its data."""
        job = Job(partial(_read, path), what=self.tr("Reading the spec…"), parent=self)
        job.succeeded.connect(self._load)
        job.failed.connect(self.failed)
        job.start()

    def _load(self, read: tuple[Draft, DataSource]) -> None:
        draft, source = read
        self._opening = source
        self._session.load(source, draft)

    def _on_loaded(self) -> None:
        wanted, self._opening = self._opening, None
        if wanted is not None and wanted == self._session.source:
            self.opened.emit()

    def _on_load_failed(self, error: object) -> None:
        if self._opening is not None:
            self._opening = None
            self.failed.emit(error)

    def _on_busy(self, busy: bool) -> None:
        # A cancelled load neither succeeds nor fails.
        if not busy:
            self._opening = None


def release_source(session: Session) -> DataSource | None:
    """The files with the zone that their records were really cut by, which a spec has to name."""
    if session.source is None or session.contributions is None:
        return None
    rules = dataclasses.replace(session.source.rules, zone=session.contributions.zone)
    return dataclasses.replace(session.source, rules=rules)


def _save(draft: Draft, source: DataSource, path: Path, _: Progress) -> Path:
    save_draft(draft, source, path)
    return path


def _read(path: Path, _: Progress) -> tuple[Draft, DataSource]:
    """Raises InputError that names the file: its lines are to be mended, no field of the window."""
    try:
        return draft_of(load_spec(path))
    except InputErrors as several:
        raise InputErrors(several.what, [_in_file(path, error) for error in several.problems]) from None
    except InputError as error:
        raise _in_file(path, error) from None


def _in_file(path: Path, error: InputError) -> InputError:
    where = error.where if path.name in error.where else f"{path.name}: {error.where}"
    return InputError(error.what, where=where, mend=error.mend)
